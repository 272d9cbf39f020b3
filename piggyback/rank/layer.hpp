// The state of the layer in one rank, whatever the engine: MPI's objects that the program has, and where in its course
// the program is. Each engine adds what it needs (engine.hpp). The layer records facts and obeys decisions; it chooses
// nothing.
#pragma once

#include "piggyback/rank/buffers/elements.hpp"
#include "piggyback/rank/buffers/freed_receives.hpp"
#include "piggyback/rank/buffers/pending.hpp"
#include "piggyback/rank/communicators/communicators.hpp"
#include "piggyback/rank/context/brackets.hpp"
#include "piggyback/rank/context/call_stacks.hpp"
#include "piggyback/rank/context/follow_up.hpp"
#include "piggyback/rank/core.hpp"
#include "piggyback/rank/requests.hpp"
#include "piggyback/rank/resources/resources.hpp"
#include "piggyback/rank/resources/used_types.hpp"
#include "replay/violation_kind.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <tuple>
#include <utility>

namespace dampi::piggyback {

class Layer : public Core {
public:
    explicit Layer(transport::RankPort& own_port)
        : Core(own_port),
          resources(misses_calls),
          types(log, misses_calls),
          elements(resources),
          follow_up(record_stacks, board().follow_up) {}

    /// Null in a process that dampi-run did not start.
    static Layer* current() noexcept { return static_cast<Layer*>(Core::current()); }

    Communicators communicators;
    Requests requests;
    Resources resources;
    UsedTypes types;
    Elements elements;
    PendingBuffers pending_buffers;
    FreedReceives freed_receives;
    // where in the course of the program it is, for the epochs' contexts
    std::uint32_t zone = 0;  ///< collectives of all ranks that this one has entered
    Brackets brackets;
    CallStacks call_stacks;
    FollowUp follow_up;
    /// By place, call stack and kind.
    std::set<std::tuple<std::uint64_t, std::uint32_t, replay::ViolationKind>> noted_errors;
    std::set<std::pair<std::uint64_t, std::uint64_t>> noted_overlaps;  ///< by the places of both calls; 0: only one
};

}  // namespace dampi::piggyback
