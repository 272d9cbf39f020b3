// What reports say of the workers of a sweep.
#pragma once

#include "replay/members.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace dampi::scheduler {

struct WorkerRow {
    std::string host;
    std::uint64_t process = 0;
    std::uint32_t slots = 1;
    std::uint64_t interleavings = 0;  ///< of which it has sent what came of them
    double seconds = 0;               ///< between its coming and its going, or the end
    std::string lost;                 ///< why it was lost; empty: it was not

    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        replay::members(archive, host, process, slots, interleavings, seconds, lost);
    }
};

struct WorkersAccount {
    static constexpr std::size_t most_rows = 1000;

    std::uint64_t joined = 0;     ///< all that were accepted
    std::uint64_t present = 0;    ///< of these, are there now
    std::uint64_t slots = 0;      ///< of these
    std::uint64_t lost = 0;       ///< have gone without being sent away
    std::uint64_t refused = 0;    ///< were not accepted, or were strangers
    std::uint64_t run_again = 0;  ///< interleavings that lost workers had
    std::vector<WorkerRow> rows;  ///< the first that joined

    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        replay::members(archive, joined, present, slots, lost, refused, run_again, rows);
    }
};

}  // namespace dampi::scheduler
