// Which earlier receives must have matched before a receive can match a given message? The one place that
// applies MPI's non-overtaking rule to clocks (MPI 4.0, section 3.5; matches-before in the dissertation, chapter 3).
#pragma once

#include "base/types.hpp"

#include <cstdint>
#include <optional>

namespace dampi::clocks {

/// A message without its clock.
struct MessageFacts {
    base::Rank source = base::any_source;
    base::Tag tag = 0;
    std::uint64_t number = 0;
};

/// `earlier` was pending when `later` was posted, and has matched `taken` (none: it has not matched). Whether its
/// match precedes that of `later` with `message`: because it accepts that message itself, or because it has taken
/// one sent before it that `later` would have had to accept first.
[[nodiscard]] inline bool must_match_before(const base::ReceiveSpec& earlier, const std::optional<MessageFacts>& taken,
                                            const base::ReceiveSpec& later, const MessageFacts& message) {
    if (earlier.comm != later.comm) {
        return false;
    }
    return earlier.fits(later.comm, message.source, message.tag) ||
           (taken && taken->source == message.source && taken->number < message.number &&
            later.fits(later.comm, taken->source, taken->tag));
}

}  // namespace dampi::clocks
