// Parts of a program by name, as the options --explore and --skip take them: a function, a source file (with a line
// if wished) or a communicator. Pure values; what is matched is what a run recorded of an epoch.
#pragma once

#include "replay/epoch.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dampi::heuristics {

struct NamePattern {
    enum class Kind : std::uint8_t { any, function, file, communicator };

    Kind kind = Kind::any;    ///< any: whatever of the three has this name
    std::string name;         ///< with the shell's wildcards * ? [...]
    std::optional<int> line;  ///< of a file

    bool operator==(const NamePattern&) const = default;
};

/// "solve", "function:solve*", "file:queue.c", "file:queue.c:42", "comm:results". Throws dampi::Error when there is no
/// name; `option` is named in its sentence.
[[nodiscard]] NamePattern parse_name_pattern(std::string_view option, std::string_view text);
/// The inverse.
[[nodiscard]] std::string format(const NamePattern& pattern);

/// Whether the epoch belongs to what is named: a function or file anywhere on its call stack, or its communicator.
/// Functions match as replay::names_function() says; files by their whole path or their last part. `stack` may be
/// empty: then the place of the call stands for it.
[[nodiscard]] bool matches(const NamePattern& pattern, const replay::Epoch& epoch,
                           const std::vector<replay::CodePlace>& stack);

}  // namespace dampi::heuristics
