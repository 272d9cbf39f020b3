// Makes up random programs, always the same for the same seed. A program begins as one execution in which
// everything is received, so that most can finish; then receives become wildcards, sends synchronous, and
// some operations are changed, exchanged or dropped, so that a good part of them can also deadlock.
#pragma once

#include "tests/oracle/features.hpp"
#include "tests/oracle/program.hpp"

#include <cstdint>

namespace dampi::oracle {

struct GeneratorOptions {
    int fewest_ranks = 2;
    int most_ranks = 5;
    int most_messages = 7;
    bool tests = false;   ///< also MPI_Test
    bool bounds = false;  ///< also brackets, places that several operations share, and more barriers
    Features features = {};
    int most_ops = 10;  ///< per rank, branches' insides not counted
};

/// A checked program with at least one wildcard. Broadcasts and reductions only in programs with up to three
/// ranks: in larger ones MPICH's trees make ranks wait for others than the root, which the standard allows
/// and the model does not.
[[nodiscard]] Program generate_program(std::uint64_t seed, const GeneratorOptions& options = {});

}  // namespace dampi::oracle
