#include "scheduler/central/central_engine.hpp"

#include "replay/central/exchange.hpp"
#include "replay/launch/transport.hpp"
#include "scheduler/central/call_listing.hpp"
#include "scheduler/central/conversation.hpp"
#include "scheduler/central/leftovers.hpp"
#include "scheduler/central/machine.hpp"
#include "scheduler/supervision/situation_capture.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

namespace dampi::scheduler::central {
namespace {

using Clock = std::chrono::steady_clock;

/// What the machine knows of each rank, in the words of the record's reader.
void amend(Machine& machine, const Conversation& conversation, RecordReader& reader) {
    const std::vector<OpenReceive> open = machine.open_receives();
    for (const OpenReceive& receive : open) {
        RankFacts& facts = reader.ranks()[static_cast<std::size_t>(receive.rank)];
        facts.forced_pending = facts.forced_pending || receive.forced != clocks::any_source;
    }
    std::vector<std::vector<RecordedEpoch>> epochs = machine.finish();
    for (std::size_t i = 0; i < epochs.size(); ++i) {
        const auto rank = static_cast<Rank>(i);
        RankFacts& facts = reader.ranks()[i];
        for (RecordedEpoch& each : epochs[i]) {
            each.epoch.where = reader.place(rank, each.site);
            if (each.stack != replay::central::Situation::no_stack) {
                each.epoch.context.stack = reader.stack(rank, each.stack).value_or(replay::EpochContext::no_stack);
            }
            facts.epochs.push_back(std::move(each.epoch));
        }
        facts.log_sound = facts.log_sound && !conversation.distrusted().contains(rank);
        if (const auto& deviation = machine.record(rank).deviation(); deviation && !facts.divergence) {
            facts.divergence =
                replay::Violation{.kind = "divergence",
                                  .message = deviation->message,
                                  .ranks = {rank},
                                  .situations = {replay::RankSituation{rank, deviation->function, "",
                                                                       reader.place(rank, deviation->site)}}};
        }
        if (machine.imprecise(rank)) {
            facts.violations.push_back(
                {.kind = "imprecise-match",
                 .message = "a receive was to be cancelled before a message came, but had already matched it",
                 .ranks = {rank},
                 .situations = {}});
        }
    }
}

LocalEngineSettings with_ranks_alone(LocalEngineSettings settings) {
    settings.alone = true;
    return settings;
}

}  // namespace

CentralEngine::CentralEngine(LocalEngineSettings settings) : setup_(with_ranks_alone(std::move(settings))) {}

replay::RunRecord CentralEngine::run(const replay::Interleaving& interleaving, std::stop_token stop) {
    RunEnd end;
    end.begin = Clock::now();
    const replay::area::Area area = setup_.make_area(interleaving);
    const auto exchange = replay::central::Exchange::create(static_cast<std::uint32_t>(setup_.settings().processes));
    const bool none_surely_buffered =
        interleaving.buffering == replay::Buffering::zero || interleaving.buffering.counts_bytes();
    const std::uint64_t waits_from = none_surely_buffered ? 0 : area.header().rendezvous_threshold;
    exchange.header().buffered_below = waits_from;
    replay::JobSpec spec = setup_.job(interleaving, area, stop);
    spec.run_environment.emplace_back(replay::central::environment_variable, exchange.attach_path());
    Machine machine({.processes = setup_.settings().processes,
                     .protocol = setup_.settings().protocol,
                     .waits_from = waits_from,
                     .room = interleaving.buffering.bytes(),
                     .detach_waits_from = area.header().rendezvous_threshold,
                     .waits_alone = interleaving.buffering == replay::Buffering::native,
                     .list_matches = static_cast<bool>(setup_.settings().show_calls),
                     .free_seed = interleaving.free_seed},
                    std::make_shared<const std::vector<replay::Decision>>(interleaving.decisions));
    end.start = Clock::now();
    replay::Job job(spec);
    CallListing calls(machine, setup_.settings().processes);
    Conversation conversation(job, area, exchange, machine,
                              {.livelock_limit = setup_.settings().livelock_limit,
                               .hang_limit = setup_.settings().hang_limit,
                               .calls = setup_.settings().show_calls ? &calls : nullptr});
    end.ending = conversation.run(stop);
    end.aborts = conversation.aborts();
    end.stopped = stop.stop_requested();
    if (job.running() > 0 && !end.stopped && end.ending.reason != RunEnding::Reason::finished) {
        conversation.dismiss();
        end.stacks = capture_situations(job, area);
    }
    replay::RunRecord record = setup_.conclude(
        job, spec, area, std::move(end), [&](RecordReader&) { write_leftovers(machine, area); },
        [&](RecordReader& reader) {
            if (setup_.settings().show_calls) {
                setup_.settings().show_calls(
                    calls.lists().calls([&](Rank rank, std::uint64_t address) { return reader.place(rank, address); },
                                        [&](CommId comm) { return machine.everyone(comm); }));
            }
            amend(machine, conversation, reader);
        });
    if (machine.raced_cancels() != 0) {
        record.not_modelled["MPI_Cancel that raced with a message"] += machine.raced_cancels();
    }
    if (machine.freed_choices() != 0) {
        record.not_modelled["MPI_Request_free of a request that could have been reported"] += machine.freed_choices();
    }
    if (machine.other_room() != 0) {
        record.not_modelled["sends that several receives could have made room for"] += machine.other_room();
    }
    return record;
}

}  // namespace dampi::scheduler::central
