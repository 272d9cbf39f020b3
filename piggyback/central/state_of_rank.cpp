// What a rank of the centralized engine says of its state: all that bears on what it does next, and on what is said of
// it then, but for what dampi-run knows. The state of the program, the call in which it waits, and of the layer its
// requests, the buffers of pending operations, and the objects that it has made. Nothing in it depends on how that came
// about.
#include "piggyback/central/rank_side.hpp"
#include "piggyback/central/work.hpp"
#include "piggyback/rank/lifecycle/prepare.hpp"
#include "piggyback/rank/memory/program_state.hpp"
#include "piggyback/rank/repetition.hpp"
#include "piggyback/rank/requests.hpp"
#include "piggyback/rank/touches/page_guard.hpp"
#include "transport/requests/state_parts.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

namespace dampi::piggyback::central {
namespace {

using base::Digest;
using base::DigestBuilder;
using transport::requests::StatePart;

bool counts(std::uint32_t without, StatePart part) { return (without & transport::requests::bit_of(part)) == 0; }

/// Those of the active requests that are the layer's own follow from their operations, which dampi-run has.
std::vector<Digest> requests_of(Layer& layer, Operation last, bool& known) {
    std::vector<Digest> all;
    layer.requests.for_each([&](const Request& request) {
        const SpecialRequest& special = request.special();
        known = known && special.work != nullptr && !request.freed && !request.told && !request.cancel_called;
        DigestBuilder words;
        words.add(static_cast<std::uint64_t>(request.handle))
            .add(static_cast<std::uint64_t>(request.kind))
            .add(request.persistent ? 1 : 0)
            .add(request.active ? 1 : 0)
            .add(request.site)
            .add(special.made);
        if (request.active && special.work != nullptr) {
            words.add(last - special.work->operation());
        }
        all.push_back(words.value());
    });
    std::sort(all.begin(), all.end());
    return all;
}

std::vector<Digest> buffers_of(Layer& layer) {
    std::vector<Digest> all;
    layer.pending_buffers.for_each([&](const PendingUse& pending) {
        DigestBuilder words;
        words.add(static_cast<std::uint64_t>(pending.use.region.begin))
            .add(static_cast<std::uint64_t>(pending.use.region.end))
            .add(static_cast<std::uint64_t>(pending.use.role))
            .add(pending.site)
            .add(pending.is_summed ? pending.sum : 0)
            .add(pending.is_summed ? 1 : 0);
        if (layer.checks_buffers) {
            words.add(pending.is_the_operations ? 1 : 0).add(pending.touches);
        }
        all.push_back(words.value());
    });
    std::sort(all.begin(), all.end());
    return all;
}

void add(DigestBuilder& words, const std::vector<Digest>& all) {
    words.add(all.size());
    for (const Digest& each : all) {
        words.add(each);
    }
}

/// While the rank waits in the call. Nothing where that is more than can be said.
std::optional<Digest> state_of_rank(RankSide& side, const Call& call) {
    Layer& layer = *Layer::current();
    const auto objects = side.history.objects();
    if (!objects) {
        return std::nullopt;
    }
    const std::uint32_t without = side.exchange.header().state_without;
    const auto program = program_state(call.return_address(), {.memory = counts(without, StatePart::memory),
                                                               .stack = counts(without, StatePart::stack),
                                                               .registers = counts(without, StatePart::registers)});
    if (!program || layer.misses_calls || has_seen_own_of_process()) {
        return std::nullopt;
    }
    bool known = true;
    DigestBuilder words;
    if (!counts(without, StatePart::rank)) {
        return words.value();
    }
    words.add(*objects).add(*program).add(counts(without, StatePart::call) ? call.digest() : Digest());
    add(words, requests_of(layer, side.last_operation(), known));
    add(words, buffers_of(layer));
    words.add(side.request_handles.made()).add(side.request_handles.given_back().size());
    words.add(side.attached.size());
    if (layer.checks_buffers) {
        words.add(touches::given_up_sites());
    }
    return known ? std::optional(words.value()) : std::nullopt;
}

}  // namespace

std::optional<base::Digest> RankSide::repetition_state(const Call& call) {
    Layer& layer = *Layer::current();
    if (!may_prove_repetition(layer, call.return_address()) || layer.misses_calls || has_seen_own_of_process()) {
        return std::nullopt;
    }
    const auto program = program_state(call.return_address());
    if (!program) {
        return std::nullopt;
    }
    // Of the layer the copy asks which requests something can still come of (rank/repeated_poll).
    std::vector<Digest> requests;
    layer.requests.for_each([&](const Request& request) {
        requests.push_back(DigestBuilder()
                               .add(static_cast<std::uint64_t>(request.handle))
                               .add(request.active ? 1 : 0)
                               .add(request.told ? 1 : 0)
                               .value());
    });
    std::sort(requests.begin(), requests.end());
    DigestBuilder words;
    words.add(*program).add(std::string_view(call.function()));
    add(words, requests);
    return words.value();
}

void RankSide::tell_state(const Call& call) {
    transport::requests::StateCall told;
    told.last_operation = last_operation_;
    const auto state = polls_.empty() && freed_.empty() ? state_of_rank(*this, call) : std::nullopt;
    if (state) {
        told.known = 1;
        told.low = state->low;
        told.high = state->high;
    }
    writer_.post(told);
    exchange.ring_doorbell();
}

}  // namespace dampi::piggyback::central
