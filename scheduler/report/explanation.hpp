// What a kind of finding means, for people: its line of the table of kinds, and the program of examples/findings that
// has it, as it stands and mended. The same for `dampi-run --explain` and for the pages docs/findings/KIND.md.
#pragma once

#include "replay/violation_kind.hpp"

#include <string>
#include <string_view>

namespace dampi::scheduler {

/// "rma-race" for rma/race: what its example and its page are called, without the endings.
[[nodiscard]] std::string file_name_of(replay::ViolationKind kind);

/// The kind that is called so. Throws dampi::Error, with the names that are nearest, where there is none.
[[nodiscard]] replay::ViolationKind kind_called(const std::string& name);

/// For a terminal.
[[nodiscard]] std::string explanation(replay::ViolationKind kind);
/// All kinds, with what they mean, in a line each.
[[nodiscard]] std::string list_of_kinds();

/// The page of the documents.
[[nodiscard]] std::string explanation_in_markdown(replay::ViolationKind kind);

/// The command that shows the explanation.
[[nodiscard]] std::string explaining_command(std::string_view kind);

}  // namespace dampi::scheduler
