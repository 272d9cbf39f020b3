// Kinds of violations by the words that users give for them: the text of a kind, or the shell's wildcards.
#pragma once

#include "replay/violation_kind.hpp"

#include <string>
#include <vector>

namespace dampi::scheduler {

/// "abort, deadlock".
[[nodiscard]] std::string kinds_text(const std::vector<replay::ViolationKind>& kinds);

/// Whether the word is this kind's.
[[nodiscard]] bool names_kind(const std::string& word, replay::ViolationKind kind);

/// The texts of all kinds of violations, in the order of their table. Doubts and notes are none.
[[nodiscard]] std::vector<std::string> kinds_of_violations();

/// Whether it is the text of a kind of violation, or stands for some. Doubts and notes are none.
[[nodiscard]] bool names_violations(const std::string& word);

}  // namespace dampi::scheduler
