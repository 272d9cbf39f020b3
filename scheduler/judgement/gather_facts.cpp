#include "scheduler/judgement/gather_facts.hpp"

#include "scheduler/judgement/collective_order.hpp"
#include "scheduler/judgement/open_decisions.hpp"
#include "scheduler/judgement/passing_functions.hpp"
#include "scheduler/judgement/unreceived_messages.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <set>
#include <utility>

namespace dampi::scheduler {
namespace {

using base::Rank;
using replay::RankSituation;

/// The collectives that ranks are stuck in.
std::set<CollectivePosition> stuck_in(const std::vector<RankState>& states) {
    std::set<CollectivePosition> positions;
    for (const RankState& state : states) {
        for (const Wait& wait : state.waits) {
            if (wait.kind == transport::WaitKind::collective) {
                positions.emplace(wait.comm, wait.number);
            }
        }
    }
    return positions;
}

std::vector<EnteredOutOfOrder> entered_out_of_order(RecordReader& reader, const std::vector<RankState>& states) {
    std::vector<EnteredOutOfOrder> entered;
    for (const OrderStep& step : find_collective_order(states)) {
        const RankState& state = states[static_cast<std::size_t>(step.rank)];
        entered.push_back({step, reader.entering(step.rank, {step.comm, step.sequence})
                                     .value_or(RankSituation{.rank = step.rank,
                                                             .call = state.call,
                                                             .detail = {},
                                                             .where = reader.place(step.rank, state.site)})});
    }
    return entered;
}

/// What each rank was doing at the end.
void add_situations(RunFacts& facts, RecordReader& reader) {
    for (std::size_t i = 0; i < facts.ranks.size(); ++i) {
        const auto rank = static_cast<Rank>(i);
        RankFacts& own = facts.ranks[i];
        own.situation =
            i < facts.seen.stacks.size() ? reader.situation(rank, facts.seen.stacks[i]) : reader.situation(rank);
        if (i < facts.seen.ending.states.size() && facts.seen.ending.states[i].blocked) {
            const RankState& state = facts.seen.ending.states[i];
            own.blocked_in = reader.place(rank, state.site);
            for (const Wait& wait : state.waits) {
                if (wait.made_at != 0 && wait.made_at != state.site) {
                    const bool by_another = wait.kind == transport::WaitKind::unlock;
                    own.made_at.try_emplace(wait.made_at, reader.place(by_another ? wait.peer : rank, wait.made_at));
                }
            }
        }
    }
}

}  // namespace

RunFacts gather_facts(RecordReader& reader, SeenFromOutside seen) {
    RunFacts facts;
    facts.seen = std::move(seen);
    if (facts.seen.finds_wrappers) {
        std::vector<std::string> found = functions_that_pass_on(reader.logged_call_stacks());
        std::move(found.begin(), found.end(), std::back_inserter(facts.seen.wrappers));
    }
    facts.protocol = reader.protocol();
    facts.not_modelled = reader.not_modelled();
    facts.open_decisions = open_decisions(reader, facts.seen.decisions, facts.seen.ends);
    facts.mismatches = reader.collective_mismatches(stuck_in(facts.seen.ending.states));
    if (facts.seen.ending.reason == RunEnding::Reason::deadlock) {
        facts.unmatched = reader.unmatched_operations();
        facts.collective_order = entered_out_of_order(reader, facts.seen.ending.states);
    }
    if (std::all_of(reader.ranks().begin(), reader.ranks().end(),
                    [](const RankFacts& each) { return each.finalized; })) {
        facts.uneven_collectives = reader.uneven_collectives();
        facts.unreceived = unreceived_messages(reader);
    }
    facts.ranks = std::move(reader.ranks());
    if (!facts.seen.all_well()) {
        add_situations(facts, reader);
    }
    facts.communicators = reader.communicators();
    facts.stacks = reader.stacks();
    return facts;
}

}  // namespace dampi::scheduler
