// Where the ranks of a machine tell of themselves: a folder in memory, for this user alone, gone with its monitor. That
// of a monitor that was killed is removed by the next one: each holds a lock on its own.
#pragma once

#include "base/unique_fd.hpp"

#include <filesystem>

namespace dampi::scheduler::watch {

class BoardFolder {
public:
    /// A new one, beside which those are removed that nobody has any more.
    BoardFolder();
    /// One that a rank has just made.
    explicit BoardFolder(std::filesystem::path path);
    ~BoardFolder();
    BoardFolder(const BoardFolder&) = delete;
    BoardFolder& operator=(const BoardFolder&) = delete;
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
    base::UniqueFd lock_;
};

}  // namespace dampi::scheduler::watch
