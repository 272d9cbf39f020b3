// Which messages the choices of a run took, by tag and sender: the words of outcomes name only ranks and requests, and
// what a program makes of a message follows mostly from its tag. Pure, from what is known of the run: its calls, or the
// operations that a finding keeps.
#pragma once

#include "replay/call_event.hpp"
#include "replay/epoch.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace dampi::scheduler {

struct TakenMessage {
    std::optional<std::uint32_t> request;  ///< its place in the call; nothing where the call took it itself
    replay::Rank source = 0;
    replay::Tag tag = 0;

    bool operator==(const TakenMessage&) const = default;
};

/// Of this epoch in a run with these calls, sorted by name; empty where it took none, or that is not known.
[[nodiscard]] std::vector<TakenMessage> taken_messages(const std::vector<replay::CallEvent>& calls,
                                                       const replay::EpochId& epoch);

/// Likewise, as far as the epoch itself says so.
[[nodiscard]] std::vector<TakenMessage> taken_messages(const replay::Epoch& epoch);

}  // namespace dampi::scheduler
