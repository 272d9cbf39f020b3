#include "replay/launch/streams.hpp"

#include "replay/launch/system_error.hpp"

#include <array>
#include <cerrno>
#include <cstddef>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>

namespace dampi::replay {
namespace {

/// What ranks may make us copy in one turn, so that none can keep us from the others or from the clock.
constexpr std::size_t max_bytes_per_turn = std::size_t{1} << 20;

UniqueFd open_output(const std::filesystem::path& path) {
    const char* name = path.empty() ? "/dev/null" : path.c_str();
    UniqueFd fd(::open(name, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666));
    if (!fd) fail("cannot write the file " + path.string(), errno);
    return above_stdio(std::move(fd));
}

/// A process that is gone makes a write fail; that is its own business, so errors end the copying only.
bool write_all(int fd, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(fd, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0 && errno == EAGAIN) {
            pollfd ready{fd, POLLOUT, 0};
            ::poll(&ready, 1, -1);
            continue;
        }
        if (written <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

}  // namespace

UniqueFd above_stdio(UniqueFd fd) {
    if (!fd || fd.get() > STDERR_FILENO) return fd;
    const int moved = fcntl(fd.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (moved < 0) fail("cannot move a file descriptor", errno);
    return UniqueFd(moved);
}

UniqueFd open_null_input() {
    UniqueFd fd(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (!fd) fail("cannot open /dev/null", errno);
    return above_stdio(std::move(fd));
}

UniqueFd reopen_input() {
    struct stat status {};
    if (fstat(STDIN_FILENO, &status) != 0 || !S_ISREG(status.st_mode)) return {};
    UniqueFd fd(::open("/proc/self/fd/0", O_RDONLY | O_CLOEXEC));
    if (!fd) fail("cannot reopen the standard input for the program", errno);
    const off_t position = lseek(STDIN_FILENO, 0, SEEK_CUR);
    if (position > 0 && lseek(fd.get(), position, SEEK_SET) < 0) fail("cannot position the standard input", errno);
    return above_stdio(std::move(fd));
}

UniqueFd OutputStream::open(const std::filesystem::path& path, int own, bool shown) {
    own_ = own;
    show_ = shown;
    path_ = path;
    file_ = open_output(path);
    if (!shown) {
        UniqueFd theirs(::fcntl(file_.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
        if (!theirs) fail("cannot copy a file descriptor", errno);
        return theirs;
    }
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail("cannot create a pipe", errno);
    UniqueFd read_end(ends[0]);
    UniqueFd theirs = above_stdio(UniqueFd(ends[1]));
    source_ = above_stdio(std::move(read_end));
    // Ours alone: the ranks' end is another open file and stays blocking.
    if (::fcntl(source_.get(), F_SETFL, O_NONBLOCK) != 0) fail("cannot set up a pipe", errno);
    return theirs;
}

void OutputStream::copy() {
    std::array<char, 1 << 16> buffer;
    std::size_t total = 0;
    while (source_ && total < max_bytes_per_turn) {
        const ssize_t count = ::read(source_.get(), buffer.data(), buffer.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0 && errno == EAGAIN) return;
        if (count <= 0) {
            source_.reset();
            return;
        }
        total += static_cast<std::size_t>(count);
        put({buffer.data(), static_cast<std::size_t>(count)});
    }
}

std::optional<std::string> OutputStream::written() {
    const auto something_to_copy = [&] {
        pollfd ready{source_.get(), POLLIN, 0};  // poll ignores negative descriptors
        return ::poll(&ready, 1, 0) > 0 && (ready.revents & POLLIN) != 0;
    };
    while (something_to_copy()) copy();
    const UniqueFd file(file_ && !path_.empty() ? ::open(path_.c_str(), O_RDONLY | O_CLOEXEC) : -1);
    if (!file) return std::nullopt;
    std::string text;
    std::array<char, 1 << 16> buffer;
    for (;;) {
        const ssize_t count = ::read(file.get(), buffer.data(), buffer.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return std::nullopt;
        if (count == 0) return text;
        text.append(buffer.data(), static_cast<std::size_t>(count));
    }
}

void OutputStream::put(std::string_view bytes) {
    if (file_ && !write_all(file_.get(), bytes)) file_.reset();
    if (show_ && !write_all(own_, bytes)) show_ = false;
}

}  // namespace dampi::replay
