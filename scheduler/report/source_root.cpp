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

/// The nearest folder for which `find` finds one, from this one upwards.
template <typename Find>
std::optional<std::filesystem::path> nearest(std::filesystem::path at, Find&& find) {
    for (;; at = at.parent_path()) {
        if (auto found = find(at)) {
            return found;
        }
        if (at == at.parent_path()) {
            return std::nullopt;
        }
    }
}

std::optional<std::filesystem::path> repository(const std::filesystem::path& folder) {
    return nearest(folder, [](const std::filesystem::path& at) {
        std::error_code error;
        return std::filesystem::exists(at / ".git", error) ? std::optional(at) : std::nullopt;
    });
}

}  // namespace

std::filesystem::path source_root(const std::filesystem::path& folder) {
    const std::filesystem::path begin = std::filesystem::absolute(folder).lexically_normal();
    const auto sources = nearest(begin, sources_of_build);
    if (sources) {
        return repository(*sources).value_or(*sources);
    }
    return repository(begin).value_or(begin);
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
