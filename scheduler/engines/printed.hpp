// What the ranks of a run have printed: as a number, to tell in how many different ways runs end, and as a text, for
// who runs them in another one's place.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace dampi::scheduler {

/// Of this file's lines, in whatever order, since ranks print at the same time. Nothing where there are more than a
/// mebibyte of them, or they cannot be read. Without a file nothing was printed, which is one way to end.
[[nodiscard]] std::optional<std::uint64_t> digest_of_printed(const std::filesystem::path& file);

/// Taken out of this file: it is gone then. Of more than `most` bytes the first, and a line in which `who` says how
/// many more there were. Nothing was printed where there is no file.
[[nodiscard]] std::string take_printed(const std::filesystem::path& file, std::size_t most, std::string_view who);

}  // namespace dampi::scheduler
