#include "scheduler/engines/central/call_lists.hpp"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

namespace dampi::scheduler::central {

using replay::CallEvent;
using replay::CallKind;
using replay::CommId;
using replay::Rank;

namespace {

constexpr std::size_t longest_name = 64;

bool is_function_name(const std::string& text) {
    return text.starts_with("MPI_") && text.size() < longest_name &&
           std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c <= '~'; });
}

}  // namespace

bool CallLists::add(Rank rank, ListedCall call) {
    OfRank& own = ranks_[static_cast<std::size_t>(rank)];
    const auto index = static_cast<std::uint32_t>(own.calls.size());
    if (!is_function_name(call.function)) {
        return false;
    }
    if ((call.kind == CallKind::receive || call.kind == CallKind::probe) &&
        !own.posted.emplace(call.number, index).second) {
        return false;
    }
    own.calls.push_back({.listed = std::move(call)});
    return true;
}

void CallLists::add(Rank rank, const ListedMatch& match) {
    ranks_[static_cast<std::size_t>(rank)].matched.push_back(match);
}

void CallLists::take_back(Rank rank, std::uint64_t number) {
    std::erase_if(ranks_[static_cast<std::size_t>(rank)].matched,
                  [&](const ListedMatch& match) { return match.number == number; });
}

void CallLists::returned(Rank rank, std::uint32_t index, Moment moment, std::vector<std::uint32_t> completed) {
    Call& call = ranks_[static_cast<std::size_t>(rank)].calls[index];
    call.returned = moment;
    call.completed = std::move(completed);
}

void CallLists::chose(Rank rank, std::uint32_t index, std::optional<std::uint32_t> epoch) {
    ranks_[static_cast<std::size_t>(rank)].calls[index].listed.epoch = epoch;
}

std::vector<CallEvent> CallLists::calls(const std::function<replay::CodePlace(Rank, std::uint64_t)>& place,
                                        const std::function<std::vector<Rank>(CommId)>& members) const {
    std::vector<CallEvent> events;
    std::vector<Moment> issued;
    std::vector<Moment> done;
    std::vector<std::size_t> first;  // by rank: its place in events
    std::map<std::tuple<Rank, Rank, CommId, std::uint64_t>, std::size_t> sends;
    std::map<std::pair<CommId, std::uint64_t>, std::vector<std::size_t>> collectives;
    for (Rank rank = 0; static_cast<std::size_t>(rank) < ranks_.size(); ++rank) {
        first.push_back(events.size());
        std::map<CommId, std::uint64_t> entered;
        for (const Call& call : ranks_[static_cast<std::size_t>(rank)].calls) {
            const ListedCall& listed = call.listed;
            const std::size_t at = events.size();
            CallEvent event;
            event.name = {rank, static_cast<std::uint32_t>(at - first.back())};
            event.kind = listed.kind;
            event.function = listed.function;
            event.where = place(rank, listed.site);
            event.peer = listed.peer;
            event.tag = listed.tag;
            event.comm = listed.comm;
            event.requests = listed.requests;
            event.completed = call.completed;
            event.epoch = listed.epoch;
            Moment moment = never;
            switch (event.kind) {
                case CallKind::send:
                    sends.emplace(std::tuple(rank, listed.destination, listed.comm, listed.number), at);
                    [[fallthrough]];
                case CallKind::receive:
                    event.members = members(event.comm);
                    break;
                case CallKind::probe:
                    event.members = members(event.comm);
                    moment = call.returned;
                    break;
                case CallKind::collective:
                    event.members = members(event.comm);
                    collectives[{event.comm, entered[event.comm]++}].push_back(at);
                    break;
                case CallKind::completion:
                case CallKind::finalize:
                case CallKind::abort:
                    moment = call.returned;
                    break;
            }
            events.push_back(std::move(event));
            issued.push_back(listed.moment);
            done.push_back(moment);
        }
    }

    for (Rank rank = 0; static_cast<std::size_t>(rank) < ranks_.size(); ++rank) {
        const OfRank& own = ranks_[static_cast<std::size_t>(rank)];
        for (const ListedMatch& match : own.matched) {
            const auto receive = own.posted.find(match.number);
            const auto send =
                sends.find(std::tuple(match.message.source, rank, match.message.comm, match.message.number));
            if (receive == own.posted.end() || send == sends.end()) {
                continue;
            }
            const std::size_t at = first[static_cast<std::size_t>(rank)] + receive->second;
            events[at].match = events[send->second].name;
            events[at].epoch = match.epoch;
            done[at] = match.moment;
            if (events[at].kind == CallKind::receive || !events[send->second].match) {
                // One that a matched probe takes has met that.
                events[send->second].match = events[at].name;
                done[send->second] = match.moment;
            }
        }
    }
    for (const auto& [which, entered] : collectives) {
        if (entered.size() < events[entered.front()].members.size()) {
            continue;
        }
        Moment last = 0;
        for (const std::size_t at : entered) {
            last = std::max(last, issued[at]);
        }
        for (const std::size_t at : entered) {
            done[at] = last;
        }
    }

    std::vector<std::size_t> order(events.size());
    const auto number = [&](const std::vector<Moment>& moments, const auto& give) {
        for (std::size_t i = 0; i < order.size(); ++i) {
            order[i] = i;
        }
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return moments[a] < moments[b]; });
        std::uint64_t next = 0;
        for (const std::size_t at : order) {
            if (moments[at] != never) {
                give(events[at], ++next);
            }
        }
    };
    number(issued, [](CallEvent& event, std::uint64_t place_in_order) { event.order = place_in_order; });
    number(done, [](CallEvent& event, std::uint64_t place_in_order) { event.issue = place_in_order; });
    return events;
}

}  // namespace dampi::scheduler::central
