// Copies of the working directory, one for each run, so that what an interleaving leaves there does not reach the next
// (--fresh-dir). A copy shares the blocks of its files with the original where the file system can do that.
//
// Copied are directories, files, links and named pipes, with their modes and times; sockets and devices are what some
// process makes of them, and are left out, as are the directories of sweeps. A link within the directory leads to the
// copy's file, all others where they led before.
#pragma once

#include <filesystem>
#include <stop_token>

namespace dampi::scheduler {

/// One run's copy; removed with this.
class FreshDirectory {
public:
    /// Throws dampi::Error naming the file that cannot be copied; then nothing of the copy is left.
    /// When it is to stop before the copy is made, that is not whole.
    FreshDirectory(const std::filesystem::path& original, std::filesystem::path place,
                   const std::stop_token& stop = {});
    ~FreshDirectory();
    FreshDirectory(const FreshDirectory&) = delete;
    FreshDirectory& operator=(const FreshDirectory&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return place_; }
    [[nodiscard]] bool is_whole() const { return is_whole_; }

private:
    std::filesystem::path place_;
    bool is_whole_ = false;
};

/// What runs have left of their copies, also where a program has taken the right to write from its directories. What
/// cannot be removed stays.
void remove_tree(const std::filesystem::path& place);

/// Throws dampi::Error where the working directory cannot be copied to below `place`, since it is there itself.
void require_outside(const std::filesystem::path& working_directory, const std::filesystem::path& place);

}  // namespace dampi::scheduler
