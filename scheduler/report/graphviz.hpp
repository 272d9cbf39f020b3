// A wait-for graph as a file for Graphviz: the core red, waits of which each is needed as solid edges, alternatives
// dashed. Ranks in the same situation are one box when there are many. Valid for dot whatever the program's names are.
#pragma once

#include "replay/violation.hpp"

#include <filesystem>
#include <string>

namespace dampi::scheduler {

/// Of a violation with a wait-for graph. `ranks`: how many the program has.
[[nodiscard]] std::string make_dot(const replay::Violation& violation, replay::Rank ranks);

/// Writes it atomically. Throws dampi::Error.
void write_dot(const std::filesystem::path& path, const replay::Violation& violation, replay::Rank ranks);

}  // namespace dampi::scheduler
