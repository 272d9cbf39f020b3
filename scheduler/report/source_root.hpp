// Where a project's sources are, for reports whose readers show a file by its path within the project. Decides how a
// path is written, never whether the file is there.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace dampi::scheduler {

/// Of a build directory of CMake's, or a folder in one, the sources that it is made of; else this folder. Of that the
/// nearest at or above that has a .git in it, or itself where none has. Absolute.
[[nodiscard]] std::filesystem::path source_root(const std::filesystem::path& folder);

/// The file's path within `root`, with slashes; nothing where it is not below. Relative paths are taken from the
/// working directory.
[[nodiscard]] std::optional<std::string> path_within(const std::filesystem::path& root,
                                                     const std::filesystem::path& file);

}  // namespace dampi::scheduler
