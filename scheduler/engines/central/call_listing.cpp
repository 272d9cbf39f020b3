#include "scheduler/engines/central/call_listing.hpp"

#include "scheduler/engines/central/call_kinds.hpp"

#include <utility>

namespace dampi::scheduler::central {

using namespace transport::requests;
using replay::CallKind;

namespace {

/// Numbers of probes, which no operation has.
constexpr std::uint64_t first_probe = std::uint64_t{1} << 63;

bool is_completion(const std::string& function) {
    return function.starts_with("MPI_Wait") || function.starts_with("MPI_Test");
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

bool CallListing::list(Rank rank, ListedCall listed) {
    if (!lists_.add(rank, std::move(listed))) {
        return false;
    }
    ++of(rank).next;
    ++listed_;
    return true;
}

bool CallListing::note(Rank rank, const SendCall& call) {
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
    for (const Operation operation : call.operations) {
        if (const auto found = of(rank).listed.find(operation); found != of(rank).listed.end()) {
            listed.requests.push_back(found->second);
        }
    }
    if (is_test(call.mode)) {
        of(rank).waiting.poll = std::move(listed);
        return true;
    }
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
    return list(rank, std::move(listed));
}

bool CallListing::note(Rank rank, const FinalizeCall& call) {
    of(rank).waiting = {.poll = std::nullopt, .listed = of(rank).next, .probe = 0};
    return list(rank, make(CallKind::finalize, call.situation.function, call.situation.site));
}

bool CallListing::note(Rank rank, const AbortCall& /*call*/) {
    return list(rank, make(CallKind::abort, "MPI_Abort", 0));
}

void CallListing::matched(const std::vector<MatchedCall>& matches) {
    if (too_many()) {
        return;
    }
    for (const MatchedCall& match : matches) {
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
    if (waiting.poll && answer.flag != 0) {
        waiting.listed = of(rank).next;
        waiting.poll->moment = ++moment_;
        (void)list(rank, *waiting.poll);
    }
    if (waiting.listed) {
        std::vector<std::uint32_t> completed;
        for (const Completion& each : answer.completions) {
            const auto found = of(rank).listed.find(each.operation);
            if (each.freed == 0 && found != of(rank).listed.end()) {
                completed.push_back(found->second);
            }
        }
        lists_.returned(rank, *waiting.listed, ++moment_, std::move(completed));
    }
}

}  // namespace dampi::scheduler::central
