// From which statement of its source main has returned, by the last instructions that it executed. With the source
// only: behind the statement comes what belongs to closing braces (destructors, the way back), and optimised code may
// lack a statement's own instructions, or have those of another that returns the same. Where that can be, nothing is
// said.
#pragma once

#include "replay/epoch.hpp"
#include "scheduler/source_lines.hpp"

#include <optional>
#include <vector>

namespace dampi::scheduler {

/// Of a rank whose main has returned, if it was followed.
struct WayOutOfMain {
    std::vector<replay::CodePlace> places;  ///< of main's last instructions, the last one first
    bool is_unoptimised = false;            ///< main is
};

/// The place of the `return` (or of the macro of the same file that has it) from which main came back with this status,
/// or of main's closing brace where it has come to its end. `main`: where it begins.
[[nodiscard]] std::optional<replay::CodePlace> return_statement(const WayOutOfMain& way, const replay::CodePlace& main,
                                                                int status, SourceLines& sources);

}  // namespace dampi::scheduler
