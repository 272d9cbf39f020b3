// What the ranks of a run have printed, as a number: to tell in how many different ways runs end.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace dampi::scheduler {

/// Of this file's lines, in whatever order, since ranks print at the same time. Nothing where there are more than a
/// mebibyte of them, or they cannot be read.
[[nodiscard]] std::optional<std::uint64_t> digest_of_printed(const std::filesystem::path& file);

}  // namespace dampi::scheduler
