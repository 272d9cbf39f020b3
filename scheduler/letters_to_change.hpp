// How far a word that somebody has typed is from one that exists: to name the nearest. Pure.
#pragma once

#include <cstddef>
#include <string_view>

namespace dampi::scheduler {

/// How many letters have to be put in, left out or changed to make one of the other (Levenshtein, 1966).
[[nodiscard]] std::size_t letters_to_change(std::string_view a, std::string_view b);

}  // namespace dampi::scheduler
