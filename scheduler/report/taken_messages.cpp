#include "scheduler/report/taken_messages.hpp"

#include <algorithm>

namespace dampi::scheduler {
namespace {

using replay::CallEvent;
using replay::CallKind;

std::optional<TakenMessage> message_of(const std::vector<CallEvent>& calls, const CallEvent& call) {
    const auto sent = (call.kind == CallKind::receive || call.kind == CallKind::probe) && call.match
                          ? replay::place_of(calls, *call.match)
                          : std::nullopt;
    return sent ? std::optional(TakenMessage{.request = {}, .source = call.match->rank, .tag = calls[*sent].tag})
                : std::nullopt;
}

}  // namespace

std::vector<TakenMessage> taken_messages(const std::vector<CallEvent>& calls, const replay::EpochId& epoch) {
    std::vector<TakenMessage> taken;
    const auto found = std::find_if(calls.begin(), calls.end(), [&](const CallEvent& each) {
        return each.name.rank == epoch.rank && each.epoch == epoch.index;
    });
    if (found == calls.end()) {
        return taken;
    }
    if (const auto own = message_of(calls, *found)) {
        taken.push_back(*own);
    }
    for (std::uint32_t place = 0; place < found->requests.size(); ++place) {
        const std::uint32_t request = found->requests[place];
        const auto begun =
            std::find(found->completed.begin(), found->completed.end(), request) != found->completed.end()
                ? replay::place_of(calls, {epoch.rank, request})
                : std::nullopt;
        if (auto message = begun ? message_of(calls, calls[*begun]) : std::nullopt) {
            message->request = place;
            taken.push_back(*message);
        }
    }
    return taken;
}

std::vector<TakenMessage> taken_messages(const replay::Epoch& epoch) {
    if (!epoch.outcome || epoch.outcome->gave_up() || !replay::chooses_message(epoch.kind)) {
        return {};
    }
    return {{.request = {}, .source = epoch.outcome->source, .tag = epoch.outcome->tag}};
}

}  // namespace dampi::scheduler
