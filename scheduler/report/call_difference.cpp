#include "scheduler/report/call_difference.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <utility>

namespace dampi::scheduler {
namespace {

using replay::CallEvent;
using replay::CallKind;

using Calls = std::span<const CallEvent>;

Calls of_rank(const std::vector<CallEvent>& calls, replay::Rank rank) {
    const auto begin =
        std::find_if(calls.begin(), calls.end(), [&](const auto& each) { return each.name.rank == rank; });
    const auto end = std::find_if(begin, calls.end(), [&](const auto& each) { return each.name.rank != rank; });
    return {begin, end};
}

bool ask_for_the_same(const CallEvent& a, const CallEvent& b) {
    return a.kind == b.kind && a.function == b.function && source_place(a.where) == source_place(b.where) &&
           a.peer == b.peer && a.tag == b.tag && a.comm == b.comm && a.requests == b.requests;
}

/// What a rank can tell a message by that it has got: its sender, tag and communicator, and how many the sender has
/// sent it before that have the same. What the sender did otherwise until then is not this rank's doing.
struct Message {
    replay::Rank source = 0;
    replay::Tag tag = 0;
    replay::CommId comm = 0;
    std::uint64_t before = 0;

    bool operator==(const Message&) const = default;
};

std::optional<Message> message(const std::vector<CallEvent>& calls, const CallEvent& receive) {
    const auto place = receive.match ? replay::place_of(calls, *receive.match) : std::nullopt;
    if (!place) {
        return std::nullopt;
    }
    const CallEvent& sent = calls[*place];
    Message found{.source = sent.name.rank, .tag = sent.tag, .comm = sent.comm};
    for (std::size_t i = *place; i > 0 && calls[i - 1].name.rank == sent.name.rank; --i) {
        const CallEvent& each = calls[i - 1];
        found.before +=
            each.kind == CallKind::send && each.peer == sent.peer && each.tag == sent.tag && each.comm == sent.comm ? 1
                                                                                                                    : 0;
    }
    return found;
}

/// Two runs that are compared.
struct Runs {
    const std::vector<CallEvent>& failing;
    const std::vector<CallEvent>& passing;
};

/// Whether the rank has asked for the same and been told the same. Who takes what it sends is another's doing.
bool same(const Runs& runs, const CallEvent& a, const CallEvent& b) {
    if (!ask_for_the_same(a, b)) {
        return false;
    }
    if (a.kind == CallKind::receive || a.kind == CallKind::probe) {
        const auto one = message(runs.failing, a);
        const auto other = message(runs.passing, b);
        return one && other ? one == other : a.match == b.match;
    }
    return a.kind == CallKind::send || (a.issue.has_value() == b.issue.has_value() && a.completed == b.completed);
}

void list(const std::vector<CallEvent>& all, Calls calls, std::vector<std::uint32_t>& listed, std::uint64_t& omitted) {
    const Calls shown = calls.first(std::min(calls.size(), most_different_calls));
    for (const CallEvent& call : shown) {
        listed.push_back(static_cast<std::uint32_t>(&call - all.data()));
    }
    omitted = calls.size() - shown.size();
}

}  // namespace

std::vector<CallDifference> call_differences(const std::vector<CallEvent>& failing,
                                             const std::vector<CallEvent>& passing) {
    std::set<replay::Rank> ranks;
    for (const auto* const side : {&failing, &passing}) {
        for (const CallEvent& call : *side) {
            ranks.insert(call.name.rank);
        }
    }
    std::vector<CallDifference> all;
    for (const replay::Rank rank : ranks) {
        const Calls a = of_rank(failing, rank);
        const Calls b = of_rank(passing, rank);
        std::size_t first = 0;
        while (first < a.size() && first < b.size() && same({failing, passing}, a[first], b[first])) {
            ++first;
        }
        if (first == a.size() && first == b.size()) {
            continue;
        }
        CallDifference& difference = all.emplace_back();
        difference.rank = rank;
        difference.same = first;
        list(failing, a.subspan(first), difference.failing, difference.failing_omitted);
        list(passing, b.subspan(first), difference.passing, difference.passing_omitted);
    }
    // Who was only kept from going on comes after those who went elsewhere.
    const auto begins = [&](const CallDifference& each) {
        if (each.failing.empty()) {
            return std::pair(true, std::uint64_t{0});
        }
        const CallEvent& call = failing[each.failing.front()];
        const bool kept = !call.issue && !each.passing.empty() && ask_for_the_same(call, passing[each.passing.front()]);
        return std::pair(kept, call.order);
    };
    std::stable_sort(all.begin(), all.end(),
                     [&](const auto& a, const auto& b) { return begins(a).first < begins(b).first; });
    const auto first =
        std::min_element(all.begin(), all.end(), [&](const auto& a, const auto& b) { return begins(a) < begins(b); });
    if (first != all.end()) {
        std::rotate(all.begin(), first, first + 1);
    }
    return all;
}

}  // namespace dampi::scheduler
