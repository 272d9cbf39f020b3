// What one look at a job's ranks has shown: plain values, whichever eye has looked (the light layer's boards, or the
// stacks of the processes). What follows from looks is decided elsewhere (detector.hpp, blame.hpp).
#pragma once

#include "replay/members.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>

namespace dampi::scheduler::watch {

enum class Whereabouts : std::uint8_t {
    outside,  ///< the rank computes: it is in no call of MPI's, or only in one that tells it again what it knows
    inside,   ///< in a call that waits, or works
    polling,  ///< it asks again and again and is told "nothing yet"; that is no progress
    ended,    ///< it is through with MPI, or its process is gone
};

struct RankLook {
    int rank = 0;
    pid_t process = 0;
    int machine = 0;  ///< that the process is on; 0: this one
    Whereabouts where = Whereabouts::outside;
    bool died = false;         ///< its process has gone, and had not called MPI_Finalize
    bool stopped = false;      ///< a signal has stopped the process
    bool traced = false;       ///< somebody else's debugger has it
    std::string function;      ///< of MPI, that it is in, or asks with, or was in last
    std::uint64_t token = 0;   ///< another one as soon as the rank has got on
    std::uint64_t place = 0;   ///< where it is in the program; the same number for all ranks there. 0: not known
    std::uint64_t visits = 0;  ///< how often it has been there
    bool operator==(const RankLook&) const = default;
    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        replay::members(archive, rank, process, where, died, stopped, traced, function, token, place, visits);
    }
};

/// Whose look it is: processes of several machines may have the same number.
[[nodiscard]] inline std::pair<int, pid_t> process_of(const RankLook& rank) { return {rank.machine, rank.process}; }

using Look = std::vector<RankLook>;  ///< in the order of ranks

}  // namespace dampi::scheduler::watch

template <>
struct dampi::replay::LastValue<dampi::scheduler::watch::Whereabouts> {
    static constexpr auto value = dampi::scheduler::watch::Whereabouts::ended;
};
