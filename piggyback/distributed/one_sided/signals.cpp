#include "piggyback/distributed/one_sided/signals.hpp"

#include "base/hash.hpp"
#include "piggyback/distributed/matching/matching.hpp"
#include "piggyback/distributed/progress.hpp"
#include "piggyback/distributed/waiting.hpp"
#include "piggyback/rank/collectives/flow.hpp"
#include "piggyback/rank/time/virtual_time.hpp"
#include "transport/log.hpp"

#include <optional>

namespace dampi::piggyback::distributed {

using base::CommId;
using transport::Contribution;

namespace {

CommId channel(const Window& window, Signal signal, int giver, int about) {
    constexpr CommId beyond_predefined = CommId{1} << 63;
    return base::Hash(window.group->id)
               .add(static_cast<std::uint64_t>(signal))
               .add(static_cast<std::uint64_t>(giver))
               .add(static_cast<std::uint64_t>(std::int64_t{about} + 1))
               .value() |
           beyond_predefined;
}

/// The record of another member's channel; 0 while it has given nothing.
transport::Token record_of(DistributedLayer& layer, const Window& window, int giver, CommId id, Window::Heard& heard) {
    if (heard.record == 0) {
        heard.record = layer.port.find_record(world_rank(*window.group, giver), id, heard.searched);
    }
    return heard.record;
}

bool is_given(DistributedLayer& layer, const Window& window, int giver, CommId id, Window::Heard& heard) {
    const transport::Token record = record_of(layer, window, giver, id, heard);
    return record != 0 && layer.port.entered(record) > heard.count;
}

void add(DistributedLayer& layer, const Window& window, int giver, const Contribution& signal, clocks::Clock& known) {
    if (!layer.port.is_known(signal.clock, known)) {
        known.merge(layer.port.clock_of(world_rank(*window.group, giver), signal.clock));
    }
}

/// Takes in the next signal, which is given.
void take(DistributedLayer& layer, const Window& window, int giver, Window::Heard& heard, clocks::Clock& known) {
    const auto signal = layer.port.read(heard.record, heard.count);
    ++heard.count;
    if (signal) {
        layer.windows.hearsay.message(world_rank(*window.group, giver));
        heard.value = signal->received;
        learn_time(signal->entered_at);
        add(layer, window, giver, *signal, known);
    }
}

template <typename Visit>
void for_each_other(const Window& window, Visit&& visit) {
    const int size = static_cast<int>(window.group->members.size());
    for (int member = 0; member < size; ++member) {
        if (member != window.group->rank) {
            visit(member);
        }
    }
}

}  // namespace

void give(DistributedLayer& layer, std::uint64_t site, Window& window, Signal signal, int about, std::uint32_t readers,
          std::uint64_t value) {
    const CommId id = channel(window, signal, window.group->rank, about);
    Window::Given& given = window.given[id];
    if (given.record == 0) {
        given.record = layer.port.begin_record(id);
    }
    Contribution entered{.sequence = given.count++, .clock = publish(layer, layer.clocks.now()), .site = site};
    entered.entered_at = layer.port.passed();
    entered.sent = window.phase;  // no amounts: nobody compares signals
    entered.received = value;
    layer.port.enter(given.record, entered, 0, readers);
}

void await(DistributedLayer& layer, const Call& call, Window& window, Signal signal, transport::WaitKind kind,
           const std::vector<int>& members, clocks::Clock& known) {
    const int own = window.group->rank;
    Waiting waiting(layer, call, [&](WaitDescription& description) {
        for (const int member : members) {
            const CommId id = channel(window, signal, member, own);
            Window::Heard& heard = window.heard[id];
            if (is_given(layer, window, member, id, heard)) {
                continue;
            }
            if (!heard.named) {
                heard.named = true;
                layer.log.append(transport::CommunicatorNameRecord{.comm = id, .name = window.group->name});
            }
            description.add({.kind = kind,
                             .forced = 0,
                             .peer = world_rank(*window.group, member),
                             .tag = 0,
                             .comm = id,
                             .number = heard.count});
        }
    });
    // Only when all are there is any taken in: what is described is found by the numbers.
    for (const int member : members) {
        const CommId id = channel(window, signal, member, own);
        while (!is_given(layer, window, member, id, window.heard[id])) {
            make_progress();
            waiting.pause();
        }
    }
    take_in(layer, window, signal, members, known);
}

void take_in(DistributedLayer& layer, Window& window, Signal signal, const std::vector<int>& members,
             clocks::Clock& known) {
    for (const int member : members) {
        const CommId id = channel(window, signal, member, window.group->rank);
        Window::Heard& heard = window.heard[id];
        if (is_given(layer, window, member, id, heard)) {
            take(layer, window, member, heard, known);
        } else {
            ++heard.count;
            heard.value = 0;
        }
    }
}

std::uint64_t value_taken_in(Window& window, Signal signal, int member) {
    return window.heard[channel(window, signal, member, window.group->rank)].value;
}

std::optional<Contribution> latest(DistributedLayer& layer, Window& window, Signal signal, int giver, int about) {
    const CommId id = channel(window, signal, giver, about);
    const transport::Token record = record_of(layer, window, giver, id, window.heard[id]);
    if (record == 0) {
        return std::nullopt;
    }
    for (;;) {  // another that is given meanwhile may overwrite it
        const std::uint64_t given = layer.port.entered(record);
        if (given == 0) {
            return std::nullopt;
        }
        if (auto found = layer.port.look(record, given - 1)) {
            return found;
        }
    }
}

std::uint64_t latest_value(DistributedLayer& layer, Window& window, Signal signal, int member, int about) {
    const auto found = latest(layer, window, signal, member, about);
    return found ? found->received : 0;
}

void add_latest(DistributedLayer& layer, Window& window, Signal signal, int about, clocks::Clock& known) {
    for_each_other(window, [&](int member) {
        for (const int subject : {about, Window::everyone}) {
            if (const auto found = latest(layer, window, signal, member, subject)) {
                add(layer, window, member, *found, known);
            }
        }
    });
}

bool may_last(DistributedLayer& layer, Window& window, Signal signal, int about) {
    bool lasts = false;
    for_each_other(window, [&](int member) {
        for (const int subject : {about, Window::everyone}) {
            const auto found = lasts ? std::nullopt : latest(layer, window, signal, member, subject);
            lasts = lasts || (found && found->sent >= window.phase &&
                              !layer.clocks.knows_window_end(world_rank(*window.group, member), found->received));
        }
    });
    return lasts;
}

}  // namespace dampi::piggyback::distributed
