// See atomic_file.hpp.
#include "base/atomic_file.hpp"

#include "base/check.hpp"
#include "base/write_all.hpp"

#include <cerrno>
#include <cstring>
#include <random>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

namespace dampi::base {

namespace {

/// What this process has open under the name, to go on where it is; -1: nothing.
int open_already(const std::filesystem::path& path) {
    std::error_code unknown;
    const std::string whole = std::filesystem::absolute(path, unknown).lexically_normal().string();
    if (whole == "/dev/stdout") {
        return STDOUT_FILENO;
    }
    if (whole == "/dev/stderr") {
        return STDERR_FILENO;
    }
    for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
        const std::string number = whole.starts_with(folder) ? whole.substr(folder.size()) : "";
        if (!number.empty() && number.size() < 8 && number.find_first_not_of("0123456789") == std::string::npos) {
            return std::stoi(number);
        }
    }
    return -1;
}

/// A device, a pipe, or what this process has open: nothing can be put in its place.
void write_into(const std::filesystem::path& path, std::string_view content) {
    const int already = open_already(path);
    const int descriptor =
        already >= 0 ? ::fcntl(already, F_DUPFD_CLOEXEC, 0) : ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    const int error = descriptor < 0 ? errno : write_all(descriptor, content);
    if (descriptor >= 0) {
        ::close(descriptor);
    }
    if (error != 0) {
        throw Error("cannot write '" + path.string() + "': " + std::strerror(error));
    }
}

/// A file that vanishes again unless it gets its final name. Where the file system can do that it has no name before,
/// so that not even our own death leaves it behind.
class TemporaryFile {
public:
    explicit TemporaryFile(const std::filesystem::path& target) : target_(target) {
        const std::filesystem::path folder = target.has_parent_path() ? target.parent_path() : ".";
        descriptor_ = ::open(folder.c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
        if (descriptor_ < 0) {
            name_ = unused_name([this](const std::string& name) {
                // open() instead of mkstemp(), so that the user's umask decides who may read the file.
                descriptor_ = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
                return descriptor_ >= 0;
            });
        }
        if (descriptor_ < 0) {
            fail(errno);
        }
    }
    ~TemporaryFile() {
        if (descriptor_ >= 0) {
            ::close(descriptor_);
        }
        if (!renamed_ && !name_.empty()) {
            ::unlink(name_.c_str());
        }
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    void write(std::string_view content) {
        if (const int error = write_all(descriptor_, content); error != 0) {
            fail(error);
        }
    }

    void finish() {
        if (::fsync(descriptor_) != 0 && errno != EINVAL && errno != EROFS) {
            fail(errno);
        }
        // A file without a name can get one that is free at once; over another file it needs a name to be renamed.
        if (name_.empty() && link_to(target_.string())) {
            return;
        }
        if (name_.empty()) {
            name_ = unused_name([this](const std::string& name) { return link_to(name); });
        }
        if (name_.empty()) {
            fail(errno);
        }
        const int closed = ::close(descriptor_);
        descriptor_ = -1;
        if (closed != 0 && errno != EINTR) {
            fail(errno);
        }
        if (::rename(name_.c_str(), target_.c_str()) != 0) {
            fail(errno);
        }
        renamed_ = true;
    }

private:
    /// The first name beside the target of which `take` says that it got it; empty when there is none (see errno).
    template <typename Take>
    [[nodiscard]] std::string unused_name(Take take) const {
        std::random_device random;
        for (int attempt = 0; attempt < 16; ++attempt) {
            std::string name = target_.string() + ".tmp-" + std::to_string(random());
            if (take(name)) {
                return name;
            }
            if (errno != EEXIST) {
                break;
            }
        }
        return {};
    }

    [[nodiscard]] bool link_to(const std::string& name) const {
        const std::string self = "/proc/self/fd/" + std::to_string(descriptor_);
        return ::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
    }

    [[noreturn]] void fail(int error) const {
        // Throwing from the constructor skips the destructor, but then there is no file yet.
        throw Error("cannot write '" + target_.string() + "': " + std::strerror(error));
    }

    std::filesystem::path target_;
    std::string name_;
    int descriptor_ = -1;
    bool renamed_ = false;
};

}  // namespace

bool is_no_plain_file(const std::filesystem::path& path) {
    std::error_code unknown;
    const std::filesystem::file_status status = std::filesystem::status(path, unknown);
    return open_already(path) >= 0 || (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status));
}

void write_file_atomically(const std::filesystem::path& path, std::string_view content) {
    if (is_no_plain_file(path)) {
        write_into(path, content);
        return;
    }
    TemporaryFile file(path);
    file.write(content);
    file.finish();
}

}  // namespace dampi::base
