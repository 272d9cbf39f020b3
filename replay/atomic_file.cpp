// See atomic_file.hpp.
#include "replay/atomic_file.hpp"

#include "clocks/check.hpp"

#include <cerrno>
#include <cstring>
#include <random>
#include <string>

#include <fcntl.h>
#include <unistd.h>

namespace dampi::replay {

namespace {

/// A file that is removed again unless it was renamed to its final name.
class TemporaryFile {
public:
    explicit TemporaryFile(const std::filesystem::path& target) : target_(target) {
        std::random_device random;
        // open() instead of mkstemp(), so that the user's umask decides who may read the file.
        for (int attempt = 0; attempt < 16 && descriptor_ < 0; ++attempt) {
            name_ = target.string() + ".tmp-" + std::to_string(random());
            descriptor_ = ::open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
            if (descriptor_ < 0 && errno != EEXIST) {
                break;
            }
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
        while (!content.empty()) {
            const ssize_t written = ::write(descriptor_, content.data(), content.size());
            if (written < 0) {
                if (errno == EINTR) {
                    continue;
                }
                fail(errno);
            }
            content.remove_prefix(static_cast<std::size_t>(written));
        }
    }

    void finish() {
        if (::fsync(descriptor_) != 0 && errno != EINVAL && errno != EROFS) {
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

void write_file_atomically(const std::filesystem::path& path, std::string_view content) {
    TemporaryFile file(path);
    file.write(content);
    file.finish();
}

}  // namespace dampi::replay
