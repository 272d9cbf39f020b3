#include "scheduler/engines/central/call_listing.hpp"

#include "scheduler/engines/central/call_kinds.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace dampi::scheduler::central {

using namespace transport::requests;
using replay::CallKind;

namespace {

/// Numbers of probes, which no operation has.
constexpr std::uint64_t first_probe = std::uint64_t{1} << 63;
/// Of a rank, between two other calls.
constexpr std::size_t most_false_polls = 64;
/// Requests behind this place of a call are left out.
constexpr std::uint32_t most_places = 1U << 16;

bool is_completion(const std::string& function) {
    return function.starts_with("MPI_Wait") || function.starts_with("MPI_Test");
}

/// Whether the rank asks the same again.
bool same_poll(const ListedCall& a, const ListedCall& b) {
    const auto asked = [](const ListedCall& each) {
        return std::tie(each.function, each.site, each.comm, each.peer, each.tag, each.requests);
    };
    return asked(a) == asked(b);
}

/// A probe or test that has answered false; false where it makes no sense.
bool add_false_poll(CallLists& lists, Rank rank, std::uint32_t index, ListedCall listed, Moment answered) {
    if (!lists.add(rank, std::move(listed))) {
        return false;
    }
    lists.returned(rank, index, answered);
    return true;
}

}  // namespace

ListedCall CallListing::make(CallKind kind, const std::string& function, std::uint64_t site) {
    ListedCall listed;
    listed.kind = kind;
    listed.function = function;
    listed.site = site;
    listed.moment = ++moment_;
    return listed;
}

CallLists CallListing::lists() const {
    CallLists lists = lists_;
    for (std::size_t i = 0; i < ranks_.size(); ++i) {
        std::uint32_t index = ranks_[i].next;
        for (const FalsePoll& each : ranks_[i].false_polls) {
            index += add_false_poll(lists, static_cast<Rank>(i), index, each.listed, each.answered) ? 1 : 0;
        }
    }
    return lists;
}

void CallListing::list_false_polls(Rank rank) {
    OfRank& own = of(rank);
    for (FalsePoll& each : std::exchange(own.false_polls, {})) {
        if (add_false_poll(lists_, rank, own.next, std::move(each.listed), each.answered)) {
            ++own.next;
            ++listed_;
        }
    }
}

void CallListing::answered_false(Rank rank, ListedCall poll) {
    std::vector<FalsePoll>& polls = of(rank).false_polls;
    std::erase_if(polls, [&](const FalsePoll& each) { return same_poll(each.listed, poll); });
    if (polls.size() == most_false_polls) {
        polls.erase(polls.begin());
    }
    polls.push_back({.listed = std::move(poll), .answered = ++moment_});
}

std::vector<std::uint32_t> CallListing::requests_of(Rank rank, const WaitCall& call) {
    std::vector<std::uint32_t> requests;
    for (std::size_t i = 0; i < call.operations.size(); ++i) {
        const std::size_t place = i < call.positions.size() ? call.positions[i] : i;
        const auto found = of(rank).listed.find(call.operations[i]);
        if (found == of(rank).listed.end() || place >= most_places) {
            continue;
        }
        requests.resize(std::max(requests.size(), place + 1), replay::not_listed);
        requests[place] = found->second;
    }
    return requests;
}

bool CallListing::list(Rank rank, ListedCall listed) {
    if (!lists_.add(rank, std::move(listed))) {
        return false;
    }
    ++of(rank).next;
    ++listed_;
    return true;
}

bool CallListing::note(Rank rank, const SendCall& call) {
    list_false_polls(rank);
    ListedCall listed = make(CallKind::send, call.function, call.site);
    listed.comm = call.comm;
    listed.peer = machine_.peer_rank(call.comm, rank, call.destination);
    listed.tag = call.tag;
    listed.destination = call.destination;
    listed.number = of(rank).sent[{call.comm, call.destination}]++;
    if (call.operation != no_operation) {
        of(rank).listed[call.operation] = of(rank).next;
    }
    return list(rank, std::move(listed));
}

bool CallListing::note(Rank rank, const ReceiveCall& call) {
    list_false_polls(rank);
    ListedCall listed = make(CallKind::receive, call.situation.function, call.situation.site);
    listed.comm = call.comm;
    listed.peer = machine_.peer_rank(call.comm, rank, call.source);
    listed.tag = call.tag;
    listed.number = call.operation;
    of(rank).listed[call.operation] = of(rank).next;
    return list(rank, std::move(listed));
}

bool CallListing::note(Rank rank, const PairCall& call) {
    // Whoever waits for it waits for its receive.
    if (const auto found = of(rank).listed.find(call.receive); found != of(rank).listed.end()) {
        of(rank).listed[call.operation] = found->second;
    }
    return true;
}

bool CallListing::note(Rank rank, const CollectiveCall& call) {
    const std::vector<Rank>* members = machine_.members(call.comm);
    // Alone a rank meets nobody; and only collectives of the program's own are listed as its calls.
    if (call.leader != 0 || call.apart != 0 || members == nullptr || machine_.alone(call.comm)) {
        return true;
    }
    list_false_polls(rank);
    ListedCall listed = make(CallKind::collective, call.function, call.site);
    listed.comm = call.comm;
    of(rank).listed[call.operation] = of(rank).next;
    return list(rank, std::move(listed));
}

bool CallListing::note(Rank rank, const WaitCall& call) {
    of(rank).waiting = {};
    if (!is_completion(call.situation.function) || call.mode == WaitMode::get_status) {
        return true;
    }
    ListedCall listed = make(CallKind::completion, call.situation.function, call.situation.site);
    listed.requests = requests_of(rank, call);
    if (is_test(call.mode)) {
        of(rank).waiting.poll = std::move(listed);
        return true;
    }
    list_false_polls(rank);
    of(rank).waiting.listed = of(rank).next;
    return list(rank, std::move(listed));
}

bool CallListing::note(Rank rank, const ProbeCall& call) {
    of(rank).waiting = {};
    ListedCall listed = make(CallKind::probe, call.situation.function, call.situation.site);
    listed.comm = call.comm;
    listed.peer = machine_.peer_rank(call.comm, rank, call.source);
    listed.tag = call.tag;
    listed.number = first_probe + of(rank).probes++;
    of(rank).waiting.probe = listed.number;
    if (call.polling != 0) {
        of(rank).waiting.poll = std::move(listed);
        return true;
    }
    list_false_polls(rank);
    return list(rank, std::move(listed));
}

bool CallListing::note(Rank rank, const FinalizeCall& call) {
    list_false_polls(rank);
    of(rank).waiting = {.poll = std::nullopt, .listed = of(rank).next, .probe = 0};
    return list(rank, make(CallKind::finalize, call.situation.function, call.situation.site));
}

bool CallListing::note(Rank rank, const AbortCall& /*call*/) {
    list_false_polls(rank);
    return list(rank, make(CallKind::abort, "MPI_Abort", 0));
}

void CallListing::matched(const std::vector<MatchedCall>& matches) {
    if (too_many()) {
        return;
    }
    for (const MatchedCall& match : matches) {
        if (match.withdrawn) {
            lists_.take_back(match.rank, match.operation);
            continue;
        }
        Waiting& waiting = of(match.rank).waiting;
        if (!match.message) {
            if (waiting.poll) {
                waiting.poll->epoch = match.epoch;
            } else if (waiting.listed) {
                lists_.chose(match.rank, *waiting.listed, match.epoch);
            }
            continue;
        }
        const bool probe = match.operation == no_operation;
        if (probe && waiting.poll) {
            list_false_polls(match.rank);
            waiting.poll->moment = ++moment_;
            (void)list(match.rank, *std::exchange(waiting.poll, std::nullopt));
        }
        lists_.add(match.rank, {.number = probe ? waiting.probe : match.operation,
                                .message = *match.message,
                                .moment = ++moment_,
                                .epoch = match.epoch});
    }
}

void CallListing::answered(Rank rank, const Answer& answer) {
    if (too_many()) {
        return;
    }
    Waiting waiting = std::exchange(of(rank).waiting, {});
    if (answer.what != Answer::What::result) {
        return;
    }
    if (waiting.poll && answer.flag == 0 && false_polls_) {
        answered_false(rank, std::move(*waiting.poll));
    } else if (waiting.poll && answer.flag != 0) {
        list_false_polls(rank);
        waiting.listed = of(rank).next;
        waiting.poll->moment = ++moment_;
        (void)list(rank, *waiting.poll);
    }
    if (waiting.listed) {
        std::vector<std::uint32_t> completed;
        for (const Completion& each : answer.completions) {
            const auto found = of(rank).listed.find(each.operation);
            if (each.freed == 0) {
                completed.push_back(found != of(rank).listed.end() ? found->second : replay::not_listed);
            }
        }
        lists_.returned(rank, *waiting.listed, ++moment_, std::move(completed));
    }
}

}  // namespace dampi::scheduler::central
