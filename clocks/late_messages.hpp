// The late-message analysis (dissertation, theorem 5.3, and section 5.2 for vector clocks): from what one rank has
// recorded, which messages could have matched which of its epochs? Works on the finished record of a run, so that it is
// the same for what the ranks have seen and for what they never received. Pure functions.
#pragma once

#include "clocks/lazy_clocks.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace dampi::clocks {

/// A receive or probe as it was recorded: all epochs, and the receives that were pending when an epoch was posted.
struct RecordedReceive {
    base::PostingOrder order = 0;
    base::ReceiveSpec spec;
    std::optional<std::uint32_t> epoch;
    std::uint32_t poll = 0;  ///< of an epoch that is a stretch of polling calls: the number of this call
    Clock posted;
    Moment posted_at = 0;
    base::PostingOrder oldest_pending = 0;
    Moment settled_at = never;          ///< when it matched or was dropped
    std::optional<MessageFacts> taken;  ///< what it matched
    bool given_up = false;              ///< a polling probe that never saw one; it has a final clock
    LamportClock final;                 ///< with Lamport clocks, of a matched epoch
    Clock after;                        ///< Match::after, if it has matched
};

/// A message that is late for some epoch, or was never received.
struct LateMessage {
    base::MessageName name;
    base::Tag tag = 0;
    base::PostingOrder taken_by = never_taken;
    Clock clock;
};

/// `message` could have matched `epoch`.
struct FoundMatch {
    std::uint32_t epoch = 0;
    std::uint32_t poll = 0;  ///< RecordedReceive::poll
    MessageFacts message;
    Clock past;  ///< what must happen before that match
};

/// All potential matches of the epochs among `receives` (ascending by order): for each epoch and source at most one,
/// the first message from there that the epoch could have matched, if neither its sending nor the matches that must
/// precede depend on the epoch's own match. `own` is the rank that recorded them.
[[nodiscard]] std::vector<FoundMatch> potential_matches(base::Rank own, Protocol protocol,
                                                        const std::vector<RecordedReceive>& receives,
                                                        std::vector<LateMessage> messages);

}  // namespace dampi::clocks
