#include "launch/streams.hpp"

#include "base/system_error.hpp"
#include "base/write_all.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>

namespace dampi::launch {
namespace {

/// What ranks may make us copy in one turn, so that none can keep us from the others or from the clock.
constexpr std::size_t max_bytes_per_turn = std::size_t{1} << 20;
constexpr std::size_t most_remembered = std::size_t{4} << 20;
/// Memory with output that is in the file is given back in such pieces.
constexpr std::size_t freed_at_once = std::size_t{1} << 20;

base::UniqueFd open_nowhere() {
    base::UniqueFd fd(::open("/dev/null", O_WRONLY | O_CLOEXEC));
    if (!fd) {
        base::fail("cannot open /dev/null", errno);
    }
    return above_stdio(std::move(fd));
}

/// Opened a second time for the ranks, so that they can append only.
base::UniqueFd open_for_appending(const base::UniqueFd& memory) {
    const std::string name = "/proc/self/fd/" + std::to_string(memory.get());
    base::UniqueFd fd(::open(name.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
    if (!fd) {
        base::fail("cannot open the memory for the program's output", errno);
    }
    return above_stdio(std::move(fd));
}

}  // namespace

base::UniqueFd above_stdio(base::UniqueFd fd) {
    if (!fd || fd.get() > STDERR_FILENO) {
        return fd;
    }
    const int moved = fcntl(fd.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (moved < 0) {
        base::fail("cannot move a file descriptor", errno);
    }
    return base::UniqueFd(moved);
}

base::UniqueFd open_null_input() {
    base::UniqueFd fd(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (!fd) {
        base::fail("cannot open /dev/null", errno);
    }
    return above_stdio(std::move(fd));
}

base::UniqueFd reopen_input() {
    struct stat status {};
    if (fstat(STDIN_FILENO, &status) != 0 || !S_ISREG(status.st_mode)) {
        return {};
    }
    base::UniqueFd fd(::open("/proc/self/fd/0", O_RDONLY | O_CLOEXEC));
    if (!fd) {
        base::fail("cannot reopen the standard input for the program", errno);
    }
    const off_t position = lseek(STDIN_FILENO, 0, SEEK_CUR);
    if (position > 0 && lseek(fd.get(), position, SEEK_SET) < 0) {
        base::fail("cannot position the standard input", errno);
    }
    return above_stdio(std::move(fd));
}

base::UniqueFd OutputStream::open(const std::filesystem::path& path, int own, bool shown) {
    own_ = own;
    show_ = shown;
    path_ = path;
    const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
    if (!path.empty() && ::unlink(path.c_str()) != 0 && (errno != ENOENT || ::access(folder.c_str(), W_OK) != 0)) {
        base::fail("cannot write the file " + path.string(), errno);
    }
    if (!shown && path.empty()) {
        return open_nowhere();
    }
    if (!shown) {
        memory_ = above_stdio(base::UniqueFd(::memfd_create(path.filename().c_str(), MFD_CLOEXEC)));
        if (!memory_) {
            base::fail("cannot make memory for the program's output", errno);
        }
        return open_for_appending(memory_);
    }
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
        base::fail("cannot create a pipe", errno);
    }
    base::UniqueFd read_end(ends[0]);
    base::UniqueFd theirs = above_stdio(base::UniqueFd(ends[1]));
    source_ = above_stdio(std::move(read_end));
    // Ours alone: the ranks' end is another open file and stays blocking.
    if (::fcntl(source_.get(), F_SETFL, O_NONBLOCK) != 0) {
        base::fail("cannot set up a pipe", errno);
    }
    return theirs;
}

void OutputStream::copy() {
    std::array<char, 1 << 16> buffer;
    std::size_t total = 0;
    take_from_memory();
    while (source_ && total < max_bytes_per_turn) {
        const ssize_t count = ::read(source_.get(), buffer.data(), buffer.size());
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count < 0 && errno == EAGAIN) {
            return;
        }
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
    while (something_to_copy()) {
        copy();
    }
    take_from_memory();
    if (path_.empty() || !failure_.empty()) {
        return std::nullopt;
    }
    std::string text;
    if (!file_) {
        return text;
    }
    const base::UniqueFd file(::open(path_.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file) {
        return std::nullopt;
    }
    std::array<char, 1 << 16> buffer;
    for (;;) {
        const ssize_t count = ::read(file.get(), buffer.data(), buffer.size());
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count < 0) {
            return std::nullopt;
        }
        if (count == 0) {
            return text;
        }
        text.append(buffer.data(), static_cast<std::size_t>(count));
    }
}

void OutputStream::put(std::string_view bytes) {
    keep(bytes);
    // A process that is gone makes the write fail; that is its own business.
    if (show_ && base::write_all(own_, bytes) != 0) {
        show_ = false;
    }
}

void OutputStream::close() {
    copy();
    source_.reset();
    memory_.reset();
}

void OutputStream::take_from_memory() {
    struct stat status {};
    if (!memory_ || ::fstat(memory_.get(), &status) != 0) {
        return;
    }
    const auto size = static_cast<std::size_t>(status.st_size);
    taken_ = std::min(taken_, size);  // who opens its output anew may truncate it
    const std::size_t taken_before = taken_;
    std::array<char, 1 << 16> buffer;
    while (taken_ < size) {
        const ssize_t count =
            ::pread(memory_.get(), buffer.data(), std::min(buffer.size(), size - taken_), static_cast<off_t>(taken_));
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count < 0) {
            note_failure(errno);
        }
        if (count <= 0) {
            return;
        }
        taken_ += static_cast<std::size_t>(count);
        keep({buffer.data(), static_cast<std::size_t>(count)});
    }
    if (taken_ / freed_at_once != taken_before / freed_at_once) {
        ::fallocate(memory_.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0,
                    static_cast<off_t>(taken_ / freed_at_once * freed_at_once));
    }
}

void OutputStream::keep(std::string_view bytes) {
    if (remembers_) {
        remembered_ += bytes.substr(0, most_remembered - remembered_.size());
    }
    if (path_.empty() || !failure_.empty() || bytes.empty()) {
        return;
    }
    if (!file_) {
        file_ = above_stdio(
            base::UniqueFd(::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0666)));
    }
    if (const int error = file_ ? base::write_all(file_.get(), bytes) : errno; error != 0) {
        note_failure(error);
    }
}

void OutputStream::note_failure(int error) {
    failure_ = "cannot write what the program prints to " + path_.string() + ": " + std::strerror(error);
}

}  // namespace dampi::launch
