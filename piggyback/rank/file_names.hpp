// The names of files without their folders, as libraries are known by, and in which of them code lies.
#pragma once

#include <algorithm>
#include <span>
#include <string_view>

namespace dampi::piggyback {

[[nodiscard]] constexpr std::string_view file_name(std::string_view path) noexcept {
    return path.substr(path.rfind('/') + 1);
}

[[nodiscard]] constexpr bool begins_like_one_of(std::string_view file,
                                                std::span<const std::string_view> names) noexcept {
    return std::any_of(names.begin(), names.end(), [&](std::string_view each) { return file.starts_with(each); });
}

/// The name of the executable's or library's file with this code; empty for what is in none.
[[nodiscard]] std::string_view file_of(const void* code) noexcept;

}  // namespace dampi::piggyback
