// Random walks (heuristics/random_walk.hpp) over simulated runs of a small program: all that chance could do, one after
// the other, and what the estimate is on the average.
#pragma once

#include "tests/oracle/comparison.hpp"
#include "tests/oracle/model.hpp"
#include "tests/oracle/program.hpp"

#include <cstdint>
#include <optional>
#include <set>
#include <string>

namespace dampi::oracle {

struct Sampled {
    Comparison comparison;  ///< kinds: "biased", "deviation", "failure"; explored: walks that come to an end
    double runs = 0;        ///< of one walk, on the average
    double spread = 0;      ///< standard deviation of one walk's estimate, as a part of the number of outcomes
};

/// The expected estimate must be the number of the model's executions. `timing` seeds the timing of all runs. Nothing
/// if there are more than `most_walks` different walks.
[[nodiscard]] std::optional<Sampled> sample_simulated(const Program& program, const std::set<Execution>& model,
                                                      std::uint64_t timing, std::uint64_t most_walks,
                                                      std::string* log = nullptr);

}  // namespace dampi::oracle
