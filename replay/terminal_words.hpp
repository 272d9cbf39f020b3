// Small pieces of text for a terminal: counted nouns, lists of ranks, words quoted for a shell, and text from
// the program under test with nothing in it that a terminal would obey.
#pragma once

#include "replay/epoch.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dampi::replay {

/// "1 finding", "2 findings".
[[nodiscard]] std::string counted(std::uint64_t number, std::string_view noun);

/// "rank 3", "ranks 0-3, 5" for sorted ranks; empty for none. After `most` single ranks and stretches: "and 7 more".
[[nodiscard]] std::string rank_list(const std::vector<Rank>& ranks, std::size_t most = SIZE_MAX);

/// Control characters (also those of C1) become \xNN, newlines and tabs a space.
[[nodiscard]] std::string printable(std::string_view text);

/// The word as a POSIX shell reads it back unchanged; with control characters in it, as bash does ($'...').
[[nodiscard]] std::string shell_quoted(std::string_view word);

/// "file:line (function)", or what is known of it; empty when nothing is.
[[nodiscard]] std::string place_text(const CodePlace& place);

/// "in solve (solve.c:31) < main (app.c:12)" for a call stack, innermost first, as far as main and not too far.
[[nodiscard]] std::string stack_text(const std::vector<CodePlace>& stack);

/// "0.21 s", "12.3 s", "1 h 02 min".
[[nodiscard]] std::string duration_text(double seconds);

}  // namespace dampi::replay
