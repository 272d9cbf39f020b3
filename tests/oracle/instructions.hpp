// A rank's program without nesting: what the reference model and the simulation step through.
#pragma once

#include "tests/oracle/program.hpp"

#include <cstddef>
#include <vector>

namespace dampi::oracle {

/// Where to go on after an instruction is its index plus one, or a jump's target.
struct Instruction {
    enum class Kind { op, jump_unless, jump };
    Kind kind = Kind::op;
    Op op{};  ///< of a jump_unless: the branch, without its insides
    std::size_t target = 0;
};

/// With a wait at the end for all that the rank has begun, and before it receives of what matched probes have taken.
[[nodiscard]] std::vector<Instruction> flatten(const std::vector<Op>& ops);

/// The instruction that fills a slot; the code's size if none does.
[[nodiscard]] std::size_t find_slot(const std::vector<Instruction>& code, int slot);

}  // namespace dampi::oracle
