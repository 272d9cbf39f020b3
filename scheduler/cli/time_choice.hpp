// Whether time is virtual in the ranks (docs/architecture/time.md): as asked for, else where the program polls and
// reads a clock, as far as its imports say. With the centralized engine also where it only polls: one that reads no
// clock cannot tell, but its polls then answer "nothing yet" as often in each run.
#pragma once

#include "launch/program/program.hpp"
#include "replay/engine_kind.hpp"

#include <optional>
#include <string>

namespace dampi::scheduler {

struct TimeChoice {
    bool is_virtual = false;
    std::string why;  ///< for people; empty where it makes no difference
};

[[nodiscard]] TimeChoice choose_time(std::optional<bool> asked, const launch::Program& program,
                                     replay::EngineKind engine);

}  // namespace dampi::scheduler
