// What tells the directory of a sweep from others.
#pragma once

#include <filesystem>
#include <system_error>

namespace dampi::scheduler {

/// A file in it.
inline constexpr const char* sweep_mark = ".dampi-sweep";

[[nodiscard]] inline bool is_of_a_sweep(const std::filesystem::path& directory) {
    std::error_code unknown;
    return std::filesystem::exists(std::filesystem::symlink_status(directory / sweep_mark, unknown));
}

}  // namespace dampi::scheduler
