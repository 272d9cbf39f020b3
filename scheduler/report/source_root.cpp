// See source_root.hpp.
#include "scheduler/report/source_root.hpp"

#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

namespace dampi::scheduler {
namespace {

/// The sources of which CMake has made this build directory; nothing where it has not.
std::optional<std::filesystem::path> sources_of_build(const std::filesystem::path& folder) {
    constexpr std::string_view name = "CMAKE_HOME_DIRECTORY:INTERNAL=";
    std::ifstream cache(folder / "CMakeCache.txt");
    for (std::string line; std::getline(cache, line);) {
        if (line.starts_with(name)) {
            return line.substr(name.size());
        }
    }
    return std::nullopt;
}

/// The nearest folder at or above this one with a .git in it; this one where there is none. If `sees_builds`, from the
/// nearest build directory on that of its sources.
std::filesystem::path nearest(const std::filesystem::path& folder, bool sees_builds) {
    for (std::filesystem::path at = folder;; at = at.parent_path()) {
        std::error_code error;
        if (std::filesystem::exists(at / ".git", error)) {
            return at;
        }
        if (const auto sources = sees_builds ? sources_of_build(at) : std::nullopt) {
            return nearest(*sources, false);
        }
        if (at == at.parent_path()) {
            return folder;
        }
    }
}

}  // namespace

std::filesystem::path source_root(const std::filesystem::path& folder) {
    return nearest(std::filesystem::absolute(folder).lexically_normal(), true);
}

std::optional<std::string> path_within(const std::filesystem::path& root, const std::filesystem::path& file) {
    std::error_code error;
    const std::filesystem::path absolute = std::filesystem::absolute(file, error);
    if (error) {
        return std::nullopt;
    }
    const std::filesystem::path relative = absolute.lexically_normal().lexically_relative(root.lexically_normal());
    const bool inside = !relative.empty() && relative != "." && *relative.begin() != "..";
    return inside ? std::optional(relative.generic_string()) : std::nullopt;
}

}  // namespace dampi::scheduler
