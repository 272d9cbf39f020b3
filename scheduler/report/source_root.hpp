// Where a project's sources are, for reports whose readers show a file by its path within the project. Decides how a
// path is written, never whether the file is there.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace dampi::scheduler {

/// The nearest folder at or above this one that has a .git in it; where a build directory of CMake's is nearer, that of
/// the sources that it is made of. Without one the sources, or this folder. Absolute.
[[nodiscard]] std::filesystem::path source_root(const std::filesystem::path& folder);

/// The file's path within `root`, with slashes; nothing where it is not below. Relative paths are taken from the
/// working directory.
[[nodiscard]] std::optional<std::string> path_within(const std::filesystem::path& root,
                                                     const std::filesystem::path& file);

}  // namespace dampi::scheduler
