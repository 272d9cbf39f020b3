// What the commands have in common that join the sweep of a dampi-run: the secret, who they are, and a place for
// their files.
#pragma once

#include "base/unique_fd.hpp"

#include <filesystem>
#include <string>

namespace dampi::scheduler {

/// Of the sweep, from the file (read_secret()), or, without one, from this environment variable, in which it is not
/// left: it is nothing for the program. Throws dampi::Error.
[[nodiscard]] std::string secret_of_join(const std::string& file, const char* variable);

/// This machine's name.
[[nodiscard]] std::string own_host();

/// A place of this process's own, removed with it. What others that were killed have left of theirs is removed, too:
/// nobody holds the lock in it any more.
class OwnFolder {
public:
    /// `prefix` of its name. Throws dampi::Error.
    explicit OwnFolder(std::string prefix);
    ~OwnFolder();
    OwnFolder(const OwnFolder&) = delete;
    OwnFolder& operator=(const OwnFolder&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    void remove_abandoned(const std::filesystem::path& parent) const;

    std::string prefix_;
    std::filesystem::path path_;
    base::UniqueFd lock_;
};

}  // namespace dampi::scheduler
