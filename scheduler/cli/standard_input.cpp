#include "scheduler/cli/standard_input.hpp"

#include "base/check.hpp"
#include "base/content_of.hpp"
#include "base/parent_of.hpp"
#include "base/poll_for.hpp"
#include "base/system_error.hpp"
#include "base/unique_fd.hpp"
#include "base/write_all.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace dampi::scheduler {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds patience_for_the_first{2};
constexpr std::chrono::seconds silence{1};  ///< after which we say what we wait for
constexpr std::size_t most_bytes = std::size_t{1} << 30;

/// Programs that do nothing but start another one, to which they leave their standard input.
constexpr std::array<std::string_view, 13> starters{"timeout", "time",        "sudo",   "su",   "runuser",
                                                    "strace",  "ltrace",      "setsid", "perf", "script",
                                                    "unshare", "systemd-run", "stdbuf"};

bool only_starts_others(pid_t process) {
    std::string name = base::content_of(fmt::format("/proc/{}/comm", process));
    if (!name.empty() && name.back() == '\n') {
        name.pop_back();
    }
    return std::find(starters.begin(), starters.end(), name) != starters.end();
}

/// Whether the one who has started us reads from there, or may have others do so after us.
bool is_shared(const struct stat& input) {
    pid_t starter = ::getppid();
    while (starter > 1 && only_starts_others(starter)) {
        starter = base::parent_of(starter);
    }
    struct stat theirs {};
    return starter > 0 && ::stat(fmt::format("/proc/{}/fd/0", starter).c_str(), &theirs) == 0 &&
           theirs.st_dev == input.st_dev && theirs.st_ino == input.st_ino;
}

/// As it can be named behind `<`; empty where its name leads elsewhere, or it is not read from its beginning.
fs::path name_of(const struct stat& input) {
    std::error_code error;
    const fs::path name = fs::read_symlink("/proc/self/fd/0", error);
    struct stat named {};
    if (error || ::lseek(STDIN_FILENO, 0, SEEK_CUR) != 0 || ::stat(name.c_str(), &named) != 0 ||
        named.st_dev != input.st_dev || named.st_ino != input.st_ino) {
        return {};
    }
    const fs::path here = fs::current_path(error);
    const fs::path nearer = error ? fs::path() : name.lexically_relative(here);
    return nearer.empty() || *nearer.begin() == ".." ? name : nearer;
}

/// Passes on what is in `from`; how much that was, none at its end.
std::optional<std::size_t> copy_some(int from, int to, const std::string& what) {
    std::vector<char> buffer(std::size_t{1} << 16);
    const ssize_t count = ::read(from, buffer.data(), buffer.size());
    if (count < 0 && errno != EINTR && errno != EAGAIN) {
        base::fail("cannot read the standard input", errno);
    }
    if (count == 0) {
        return std::nullopt;
    }
    const std::size_t length = count < 0 ? 0 : static_cast<std::size_t>(count);
    if (const int error = base::write_all(to, {buffer.data(), length}); error != 0) {
        base::fail(what, error);
    }
    return length;
}

/// Memory that is what came through the pipe; none where nothing has.
base::UniqueFd spooled(const std::function<void(const std::string&)>& say) {
    base::UniqueFd memory(::memfd_create("standard input", MFD_CLOEXEC));
    if (!memory) {
        base::fail("cannot make memory for the standard input", errno);
    }
    std::vector<pollfd> pipe{{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0}};
    std::size_t length = 0;
    bool told = false;
    for (Clock::time_point last = Clock::now();;) {
        const int ready = base::poll_for(pipe, silence);
        if (ready > 0) {
            const std::optional<std::size_t> more =
                copy_some(STDIN_FILENO, memory.get(), "cannot keep the standard input in memory");
            if (!more) {
                return length != 0 ? std::move(memory) : base::UniqueFd();
            }
            length += *more;
            last = Clock::now();
            if (length > most_bytes) {
                throw Error(
                    "more than 1 GiB comes through the pipe on standard input: write it to a file, and give that "
                    "(< FILE)");
            }
            continue;
        }
        if (length == 0 && Clock::now() - last >= patience_for_the_first) {
            say("standard input is a pipe in which nothing came for 2 s: the program finds it empty (give it a file, "
                "< FILE)");
            return {};
        }
        if (length != 0 && !told && Clock::now() - last >= silence) {
            told = true;
            say("waiting for the end of standard input, which each run of the program is to read whole");
        }
    }
}

bool something_waits() {
    int waiting = 0;
    return ::ioctl(STDIN_FILENO, FIONREAD, &waiting) == 0 && waiting > 0;
}

}  // namespace

StandardInput StandardInput::take(const std::function<void(const std::string&)>& say) {
    StandardInput input;
    struct stat status {};
    if (::fstat(STDIN_FILENO, &status) != 0) {
        return input;
    }
    if (S_ISREG(status.st_mode)) {
        input.file_ = name_of(status);
        // Memory of an earlier sweep of this command, or a file that has been removed.
        input.has_no_name_ = status.st_nlink == 0 && ::lseek(STDIN_FILENO, 0, SEEK_CUR) == 0;
        return input;
    }
    if (!S_ISFIFO(status.st_mode) && !S_ISSOCK(status.st_mode)) {
        return input;
    }
    if (is_shared(status)) {
        if (something_waits()) {
            say("standard input is a pipe that the program which has started dampi-run may read as well: it is left "
                "alone, and the verified program finds its standard input empty (give it a file, < FILE)");
        }
        return input;
    }
    static bool was_empty = false;  // for an earlier sweep
    const base::UniqueFd memory = was_empty ? base::UniqueFd() : spooled(say);
    was_empty = !memory;
    if (was_empty) {
        return input;
    }
    if (::lseek(memory.get(), 0, SEEK_SET) != 0 || ::dup2(memory.get(), STDIN_FILENO) != STDIN_FILENO) {
        base::fail("cannot make what came through the pipe the standard input", errno);
    }
    input.has_no_name_ = true;
    return input;
}

void StandardInput::keep_in(const fs::path& directory) {
    std::error_code ignored;
    const bool vanished = !file_.empty() && !fs::exists(file_, ignored);  // it was that of the sweep before this one
    if (!has_no_name_ && !vanished) {
        return;
    }
    const fs::path file = directory / kept_input_name;
    const std::string what = "cannot write the file " + file.string();
    // Opened anew: where the ranks begin to read is left as it is.
    const base::UniqueFd from(::open("/proc/self/fd/0", O_RDONLY | O_CLOEXEC));
    fs::remove(file, ignored);
    const base::UniqueFd to(::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
    if (!from || !to) {
        base::fail(what, errno);
    }
    while (copy_some(from.get(), to.get(), what)) {}
    file_ = file;
}

}  // namespace dampi::scheduler
