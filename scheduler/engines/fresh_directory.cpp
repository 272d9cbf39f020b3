#include "scheduler/engines/fresh_directory.hpp"

#include "base/check.hpp"
#include "base/unique_fd.hpp"
#include "scheduler/sweep_mark.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace dampi::scheduler {
namespace {

namespace fs = std::filesystem;
using base::UniqueFd;

constexpr mode_t all_modes = 07777;

[[noreturn]] void fail(const fs::path& original, int error) {
    throw Error(
        fmt::format("cannot copy {} for --fresh-dir ({}): make it readable, with room for a copy for each run "
                    "that goes on, start dampi-run in a smaller directory, or leave the option out",
                    original.string(), std::generic_category().message(error)));
}

bool lies_in(const fs::path& path, const fs::path& directory) {
    return std::mismatch(directory.begin(), directory.end(), path.begin(), path.end()).first == directory.end();
}

/// Where a link leads in one step: what is before the last name is followed, for `..` is not textual behind a link.
fs::path resolved(const fs::path& target) {
    const fs::path last = target.filename();
    std::error_code error;
    const bool whole = last.empty() || last == "." || last == "..";
    const fs::path found =
        whole ? fs::weakly_canonical(target, error) : fs::weakly_canonical(target.parent_path(), error) / last;
    return error ? target.lexically_normal() : found;
}

/// Copies the bytes of a file that has some from `begin` to `end`.
int copy_bytes(const UniqueFd& from, const UniqueFd& to, off_t begin, off_t end, const std::stop_token& stop) {
    constexpr std::size_t most_at_once = std::size_t{1} << 26;  // then it looks whether it is to stop
    off_t out = begin;
    while (begin < end && !stop.stop_requested()) {
        const auto left = std::min<std::size_t>(most_at_once, static_cast<std::size_t>(end - begin));
        ssize_t copied = ::copy_file_range(from.get(), &begin, to.get(), &out, left, 0);
        if (copied < 0 && (errno == EXDEV || errno == EINVAL || errno == EOPNOTSUPP || errno == ENOSYS)) {
            // File systems that cannot do it themselves, or of which the kernel does not know that they can.
            std::array<char, 1 << 16> buffer;
            copied = ::pread(from.get(), buffer.data(), std::min(left, buffer.size()), begin);
            if (copied > 0) {
                copied = ::pwrite(to.get(), buffer.data(), static_cast<std::size_t>(copied), out);
            }
            begin += std::max<ssize_t>(copied, 0);
            out += std::max<ssize_t>(copied, 0);
        }
        if (copied < 0 && errno != EINTR) {
            return errno;
        }
        if (copied == 0) {
            return 0;  // it has become shorter
        }
    }
    return 0;
}

/// 0, or why not.
int copy_content(const UniqueFd& from, const UniqueFd& to, off_t size, const std::stop_token& stop) {
    if (::ioctl(to.get(), FICLONE, from.get()) == 0) {
        return 0;
    }
    // Holes stay holes: a file may have a size that no disk has room for.
    for (off_t begin = 0; begin < size;) {
        const off_t data = ::lseek(from.get(), begin, SEEK_DATA);
        if (data < 0 && errno == ENXIO) {
            break;
        }
        off_t end = data < 0 ? size : ::lseek(from.get(), data, SEEK_HOLE);
        end = end < 0 ? size : std::min(end, size);
        if (const int error = copy_bytes(from, to, std::max<off_t>(data, begin), end, stop); error != 0) {
            return error;
        }
        begin = end;
    }
    return ::ftruncate(to.get(), size) == 0 ? 0 : errno;
}

class Copying {
public:
    /// `original` has no links in it, as std::filesystem::current_path() has none.
    Copying(fs::path original, fs::path place, std::stop_token stop)
        : original_(std::move(original)), place_(std::move(place)), stop_(std::move(stop)) {}

    /// Ends early when it is to stop.
    void run() { copy_directory(fs::path()); }

private:
    /// `name` is relative, as below.
    void copy_directory(const fs::path& name) {
        struct stat status {};
        const fs::path from = original_ / name;
        const fs::path to = place_ / name;
        if (::lstat(from.c_str(), &status) != 0 || ::mkdir(to.c_str(), S_IRWXU) != 0) {
            fail(from, errno);
        }
        std::error_code error;
        fs::directory_iterator entry(from, error);
        for (; !error && entry != fs::directory_iterator() && !stop_.stop_requested(); entry.increment(error)) {
            copy(name / entry->path().filename());
        }
        if (error) {
            fail(from, error.value());
        }
        // Last: nothing more is written into it.
        if (::chmod(to.c_str(), status.st_mode & all_modes) != 0) {
            fail(from, errno);
        }
        set_times(to, status);
    }

    void copy(const fs::path& name) {
        struct stat status {};
        const fs::path from = original_ / name;
        if (::lstat(from.c_str(), &status) != 0) {
            if (errno == ENOENT) {
                return;  // somebody has removed it meanwhile
            }
            fail(from, errno);
        }
        const fs::path to = place_ / name;
        if (S_ISDIR(status.st_mode)) {
            if (!is_of_a_sweep(from)) {
                copy_directory(name);
            }
        } else if (S_ISLNK(status.st_mode)) {
            copy_link(from, to);
            set_times(to, status);
        } else if (S_ISREG(status.st_mode)) {
            copy_file(from, to, status);
        } else if (S_ISFIFO(status.st_mode)) {
            if (::mkfifo(to.c_str(), status.st_mode & all_modes) != 0) {
                fail(from, errno);
            }
            set_times(to, status);
        }
    }

    /// Relative ones that lead out of the directory would lead elsewhere from its copy.
    void copy_link(const fs::path& from, const fs::path& to) const {
        std::error_code error;
        fs::path target = fs::read_symlink(from, error);
        if (error) {
            fail(from, error.value());
        }
        const fs::path leads_to = resolved(from.parent_path() / target);
        if (!lies_in(leads_to, original_)) {
            target = leads_to;
        } else if (target.is_absolute()) {
            target = place_ / leads_to.lexically_relative(original_);
        }
        if (::symlink(target.c_str(), to.c_str()) != 0) {
            fail(from, errno);
        }
    }

    void copy_file(const fs::path& from, const fs::path& to, const struct stat& status) const {
        const UniqueFd source(::open(from.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
        if (!source) {
            fail(from, errno);
        }
        const UniqueFd copy(::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR));
        if (!copy) {
            fail(from, errno);
        }
        if (const int error = copy_content(source, copy, status.st_size, stop_); error != 0) {
            fail(from, error);
        }
        if (::fchmod(copy.get(), status.st_mode & all_modes) != 0) {
            fail(from, errno);
        }
        set_times(to, status);
    }

    static void set_times(const fs::path& to, const struct stat& status) {
        const timespec times[2] = {status.st_atim, status.st_mtim};
        ::utimensat(AT_FDCWD, to.c_str(), times, AT_SYMLINK_NOFOLLOW);
    }

    fs::path original_;
    fs::path place_;
    std::stop_token stop_;
};

/// So that what is in it can be removed.
void make_writable(const fs::path& directory) {
    ::chmod(directory.c_str(), S_IRWXU);
    std::error_code error;
    for (fs::directory_iterator entry(directory, error); !error && entry != fs::directory_iterator();
         entry.increment(error)) {
        std::error_code unknown;
        if (entry->symlink_status(unknown).type() == fs::file_type::directory) {
            make_writable(entry->path());
        }
    }
}

}  // namespace

FreshDirectory::FreshDirectory(const fs::path& original, fs::path place, const std::stop_token& stop)
    : place_(std::move(place)) {
    remove_tree(place_);  // of a run that was going on when an earlier dampi-run died
    std::error_code ignored;
    fs::create_directories(place_.parent_path(), ignored);
    try {
        Copying(original, place_, stop).run();
    } catch (...) {
        remove_tree(place_);
        throw;
    }
    is_whole_ = !stop.stop_requested();
}

FreshDirectory::~FreshDirectory() { remove_tree(place_); }

void remove_tree(const fs::path& place) {
    std::error_code error;
    fs::remove_all(place, error);
    if (error && fs::symlink_status(place, error).type() == fs::file_type::directory) {
        make_writable(place);
        fs::remove_all(place, error);
    }
}

void require_outside(const fs::path& working_directory, const fs::path& place) {
    if (lies_in(working_directory, place)) {
        throw Error(
            fmt::format("with --fresh-dir the directory for the output cannot be {}, which is copied for each "
                        "run: name another one with -o",
                        working_directory.string()));
    }
}

}  // namespace dampi::scheduler
