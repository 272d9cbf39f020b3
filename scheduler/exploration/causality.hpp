// What happened before what in one run, as far as its clocks tell: exactly with vector clocks; with Lamport
// clocks everything that may have happened before (never too little, so decisions drawn from it are feasible).
#pragma once

#include "replay/run_record.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace dampi::scheduler {

class Causality {
public:
    /// Refers to the record, which must stay.
    explicit Causality(const replay::RunRecord& record);

    /// Whether the outcome of epoch `a` (an index into RunRecord::epochs) belongs to `past`.
    [[nodiscard]] bool contains(const clocks::Clock& past, std::size_t a) const;
    /// Whether the outcome of `a` came before that of `b`; false if either has none.
    [[nodiscard]] bool precedes(std::size_t a, std::size_t b) const;
    /// How much came before the outcome of `a`: never less than before what precedes it. With vector clocks more; with
    /// Lamport clocks two outcomes may even precede each other.
    [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> depth(std::size_t a) const;

private:
    /// With Lamport clocks: everything with a final clock below this came, possibly, before.
    [[nodiscard]] std::uint64_t closed(std::uint64_t below) const;

    const replay::RunRecord& record_;
    std::vector<std::uint64_t> finals_;   ///< ascending
    std::vector<std::uint64_t> reaches_;  ///< by position in finals_: the highest past of those up to it
    std::vector<std::uint64_t> below_;    ///< by epoch: its closed past
};

}  // namespace dampi::scheduler
