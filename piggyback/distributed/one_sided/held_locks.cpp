#include "piggyback/distributed/one_sided/held_locks.hpp"

#include "base/hash.hpp"
#include "transport/lock_records.hpp"
#include "transport/log.hpp"

#include <utility>

namespace dampi::piggyback::distributed {

using base::CommId;
using transport::WaitItem;
using transport::WaitKind;

namespace {

/// In larger windows it is not told who is in the way of a lock of all members' memory: there would be too many items.
constexpr int most_members = 64;

/// All locks of that kind.
CommId locks(const Window& window, Signal kind, int target) {
    constexpr CommId beyond_predefined = CommId{1} << 63;
    constexpr std::uint64_t held = 0x6c6f636b;  // no channel of a signal has this for its kind
    return base::Hash(window.group->id)
               .add(held)
               .add(static_cast<std::uint64_t>(kind))
               .add(static_cast<std::uint64_t>(std::int64_t{target} + 1))
               .value() |
           beyond_predefined;
}

}  // namespace

std::vector<WaitItem> locks_in_the_way(DistributedLayer& layer, Window& window, Signal kind, int target) {
    const int members = static_cast<int>(window.group->members.size());
    std::vector<WaitItem> items;
    const auto add = [&](Signal held, int about) {
        const CommId id = locks(window, held, about);
        Window::Heard& heard = window.heard[id];
        if (!heard.named) {
            heard.named = true;
            layer.log.append(transport::CommunicatorNameRecord{.comm = id, .name = window.group->name});
        }
        items.push_back({.kind = WaitKind::unlock,
                         .peer = base::any_source,
                         .tag = about == Window::everyone ? base::any_tag : world_rank(*window.group, about),
                         .comm = id});
    };
    if (target != Window::everyone) {
        add(Signal::exclusive_lock, target);
        if (kind == Signal::exclusive_lock) {
            add(Signal::shared_lock, target);
            add(Signal::shared_lock, Window::everyone);
        }
    } else if (members <= most_members) {
        for (int each = 0; each < members; ++each) {
            add(Signal::exclusive_lock, each);
        }
    }
    return items;
}

void note_held(DistributedLayer& layer, std::uint64_t site, Window& window, Signal kind, int target) {
    const CommId id = transport::lock_record(locks(window, kind, target), layer.rank());
    Window::Given& given = window.given[id];
    if (given.record == 0) {
        given.record = layer.port.begin_record(id);
    }
    layer.port.enter(given.record, {.sequence = given.count++, .site = site, .entered_at = layer.port.passed()}, 0, 0);
}

std::optional<Holder> holder_of_own_memory(DistributedLayer& layer, Window& window) {
    const int own = window.group->rank;
    const std::pair<Signal, int> kinds[] = {
        {Signal::exclusive_lock, own}, {Signal::shared_lock, own}, {Signal::shared_lock, Window::everyone}};
    const int members = static_cast<int>(window.group->members.size());
    for (int member = 0; member < members; ++member) {
        for (const auto& [kind, about] : kinds) {
            if (member == own) {
                continue;
            }
            const base::Rank holder = world_rank(*window.group, member);
            const CommId id = transport::lock_record(locks(window, kind, about), holder);
            Window::Heard& heard = window.heard[id];
            if (heard.record == 0) {
                heard.record = layer.port.find_record(holder, id, heard.searched);
            }
            const std::uint64_t entered = heard.record == 0 ? 0 : layer.port.entered(heard.record);
            const auto granted = entered % 2 == 0 ? std::nullopt : layer.port.look(heard.record, entered - 1);
            if (granted) {
                return Holder{.member = member, .granted = *granted};
            }
        }
    }
    return std::nullopt;
}

}  // namespace dampi::piggyback::distributed
