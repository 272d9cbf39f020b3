// See source_root.hpp.
#include "scheduler/report/source_root.hpp"

#include <system_error>

namespace dampi::scheduler {

std::filesystem::path source_root(const std::filesystem::path& folder) {
    std::filesystem::path begin = std::filesystem::absolute(folder).lexically_normal();
    for (std::filesystem::path at = begin;; at = at.parent_path()) {
        std::error_code error;
        if (std::filesystem::exists(at / ".git", error)) {
            return at;
        }
        if (at == at.parent_path()) {
            return begin;
        }
    }
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
