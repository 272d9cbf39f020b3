#include "clocks/late_messages.hpp"

#include <algorithm>
#include <span>
#include <tuple>
#include <utility>

namespace dampi::clocks {
namespace {

/// Whether somebody who knows `clock` knows that the epoch has matched.
bool knows(const Clock& clock, base::Rank own, Protocol protocol, const RecordedReceive& epoch) {
    if (!epoch.taken && !epoch.given_up) {
        return false;
    }
    return protocol == Protocol::vector ? clock.vector.knows(own, *epoch.epoch)
                                        : !clock.lamport.is_late_for(epoch.final);
}

/// What must happen before `epoch` matches `message`; nothing when that cannot be, with all else as it was. `pending`:
/// the receives that were pending when the epoch was posted.
std::optional<Clock> past_of(base::Rank own, Protocol protocol, std::span<const RecordedReceive* const> pending,
                             const RecordedReceive& epoch, const LateMessage& message) {
    Clock past = epoch.posted;
    past.merge(message.clock);
    const MessageFacts facts{.source = message.name.source, .tag = message.tag, .number = message.name.number};
    for (const RecordedReceive* earlier : pending) {
        if (!must_match_before(earlier->spec, earlier->taken, epoch.spec, facts)) {
            continue;
        }
        if (!earlier->taken) {
            return std::nullopt;  // it would have taken the message itself
        }
        past.merge(earlier->after);
    }
    return knows(past, own, protocol, epoch) ? std::nullopt : std::optional(past);
}

}  // namespace

std::vector<FoundMatch> potential_matches(base::Rank own, Protocol protocol,
                                          const std::vector<RecordedReceive>& receives,
                                          std::vector<LateMessage> messages) {
    std::sort(messages.begin(), messages.end(), [](const LateMessage& a, const LateMessage& b) {
        return std::tie(a.name.source, a.name.comm, a.name.number) <
               std::tie(b.name.source, b.name.comm, b.name.number);
    });
    // The messages of one source on one communicator; those in front that were taken before the epochs in question go.
    struct Stream {
        base::Rank source;
        base::CommId comm;
        std::size_t next;
        std::size_t end;
    };
    std::vector<Stream> streams;
    for (std::size_t i = 0; i < messages.size(); ++i) {
        const base::MessageName& name = messages[i].name;
        if (streams.empty() || streams.back().source != name.source || streams.back().comm != name.comm) {
            streams.push_back({name.source, name.comm, i, i});
        }
        streams.back().end = i + 1;
    }
    std::vector<FoundMatch> found;
    std::vector<const RecordedReceive*> pending;  // when the receive at hand was posted
    for (const RecordedReceive& epoch : receives) {
        std::erase_if(pending, [&](const RecordedReceive* earlier) { return earlier->settled_at < epoch.posted_at; });
        pending.push_back(&epoch);
        if (!epoch.epoch) {
            continue;
        }
        const std::span<const RecordedReceive* const> earlier(pending.data(), pending.size() - 1);
        for (Stream& stream : streams) {
            while (stream.next != stream.end && messages[stream.next].taken_by < epoch.order) {
                ++stream.next;
            }
            if (stream.comm != epoch.spec.comm || (epoch.taken && epoch.taken->source == stream.source)) {
                continue;
            }
            for (std::size_t i = stream.next; i != stream.end; ++i) {
                const LateMessage& message = messages[i];
                if (message.taken_by < epoch.order || !epoch.spec.fits(stream.comm, stream.source, message.tag)) {
                    continue;
                }
                // Only the first that fits: it would have to be taken before the others.
                if (auto past = past_of(own, protocol, earlier, epoch, message)) {
                    found.push_back({.epoch = *epoch.epoch,
                                     .poll = epoch.poll,
                                     .message = {stream.source, message.tag, message.name.number},
                                     .past = std::move(*past)});
                }
                break;
            }
        }
    }
    return found;
}

}  // namespace dampi::clocks
