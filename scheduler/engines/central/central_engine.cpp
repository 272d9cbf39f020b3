#include "scheduler/engines/central/central_engine.hpp"

#include "base/check.hpp"
#include "launch/program/program.hpp"
#include "launch/transport.hpp"
#include "scheduler/engines/central/call_listing.hpp"
#include "scheduler/engines/central/conversation.hpp"
#include "scheduler/engines/central/machine.hpp"
#include "scheduler/engines/central/machine_view.hpp"
#include "scheduler/engines/central/refused.hpp"
#include "scheduler/engines/hosts/run_over_hosts.hpp"
#include "scheduler/engines/never_comes_back.hpp"
#include "scheduler/judgement/kept_epochs.hpp"
#include "scheduler/judgement/situation_capture.hpp"
#include "transport/memory/memory_view.hpp"
#include "transport/requests/exchange.hpp"
#include "transport/requests/moments.hpp"
#include "transport/requests/state_parts.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dampi::scheduler::central {
namespace {

using Clock = std::chrono::steady_clock;

std::uint64_t units_of(const replay::Epoch& epoch) {
    return units_of_epoch + units_of_alternative * (epoch.potential_matches.size() + epoch.completable.size());
}

std::uint64_t units_of(const std::vector<RecordedEpoch>& epochs) {
    std::uint64_t units = 0;
    for (const RecordedEpoch& each : epochs) {
        units += units_of(each.epoch);
    }
    return units;
}

/// As many as have room together.
void keep_first(std::vector<RecordedEpoch>& epochs, std::uint64_t room, std::optional<replay::OmittedEpochs>& omitted) {
    std::uint64_t used = 0;
    for (std::size_t i = 0; i < epochs.size(); ++i) {
        used += units_of(epochs[i].epoch);
        if (used > room) {
            const std::uint64_t behind = epochs.size() - i + (omitted ? omitted->count : 0);
            omitted = {.from = static_cast<std::uint32_t>(i), .count = behind, .clock = epochs[i].epoch.posted.lamport};
            epochs.resize(i);
            return;
        }
    }
}

/// What the machine knows of each rank, in the words of the record's reader.
void amend(Machine& machine, const Conversation& conversation, RecordReader& reader) {
    const std::vector<OpenReceive> open = machine.open_receives();
    for (const OpenReceive& receive : open) {
        RankFacts& facts = reader.ranks()[static_cast<std::size_t>(receive.rank)];
        facts.forced_pending = facts.forced_pending || receive.forced != base::any_source;
    }
    for (const Contradiction& found : contradictions(machine)) {
        reader.add({found.comm, found.sequence}, {found.first.rank, found.first.contribution},
                   {found.second.rank, found.second.contribution}, found.of_starts);
    }
    std::vector<std::vector<RecordedEpoch>> epochs = machine.finish();
    reader.add(machine.unsure_ready_sends());
    for (const ReceivedData& received : machine.differing_types()) {
        reader.add(received);
    }
    std::vector<std::uint64_t> units;
    for (const std::vector<RecordedEpoch>& each : epochs) {
        units.push_back(units_of(each));
    }
    const std::uint64_t share = share_of_each(units, most_kept_units);
    for (std::size_t i = 0; i < epochs.size(); ++i) {
        const auto rank = static_cast<Rank>(i);
        RankFacts& facts = reader.ranks()[i];
        if (const auto& omitted = machine.record(rank).omitted()) {
            facts.omitted = omitted;
        }
        keep_first(epochs[i], share, facts.omitted);
        for (RecordedEpoch& each : epochs[i]) {
            each.epoch.where = reader.place(rank, each.sites[each.epoch.poll]);
            for (replay::OtherPoll& other : each.epoch.others) {
                other.where = reader.place(rank, each.sites[other.number]);
            }
            if (each.stack != transport::requests::Situation::no_stack) {
                each.epoch.context.stack = reader.stack(rank, each.stack).value_or(replay::EpochContext::no_stack);
            } else if (const auto stack = reader.stack_of_place(rank, each.sites[each.epoch.poll])) {
                each.epoch.context.stack = *stack;
            }
            for (const auto& [outcome, sent] : each.messages) {
                reader.foresee(each.epoch.id, outcome,
                               {.sent = sent, .destination = rank, .data = each.data, .site = each.sites[0]});
            }
            facts.epochs.push_back(std::move(each.epoch));
        }
        facts.log_sound = facts.log_sound && !conversation.distrusted().contains(rank);
        if (const auto& deviation = machine.record(rank).deviation(); deviation && !facts.divergence) {
            facts.divergence =
                replay::Violation{.kind = replay::ViolationKind::divergence,
                                  .message = deviation->message,
                                  .ranks = {rank},
                                  .situations = {replay::RankSituation{rank, deviation->function, "",
                                                                       reader.place(rank, deviation->site)}}};
        }
        if (machine.imprecise(rank)) {
            facts.violations.push_back(
                {.kind = replay::ViolationKind::imprecise_match,
                 .message = "a receive was to be cancelled before a message came, but had already matched it",
                 .ranks = {rank},
                 .situations = {}});
        }
    }
}

/// A snapshot has a copy of what is recorded up to there, and several are kept.
constexpr std::uint64_t most_units_of_snapshot = most_kept_units / 10;

clocks::Marks marks_in(const transport::memory::Area& area) {
    const std::uint32_t marks = area.header().marks;
    return {.postings = (marks & transport::mark_postings) != 0, .buffered = (marks & transport::mark_buffered) != 0};
}

/// Of one run that goes on behind states of others, so many are compared.
constexpr std::size_t most_meetings = 256;

/// With --merge-states check: what DAMPI_STATE_WITHOUT names, so that a test of dampi sees that it is noticed.
std::uint32_t left_out_of_states() {
    const char* const name = std::getenv("DAMPI_STATE_WITHOUT");
    if (name == nullptr) {
        return 0;
    }
    const auto part = transport::requests::state_part_of(name);
    if (!part) {
        throw Error("DAMPI_STATE_WITHOUT, which is for tests of dampi, names no part of a state: unset it");
    }
    return *part;
}

LocalEngineSettings with_ranks_alone(LocalEngineSettings settings) {
    settings.alone = true;
    settings.prepare = settings.prepare && (settings.hosts == nullptr || settings.hosts->has_ranks_here());
    settings.state_without = settings.check_merging ? left_out_of_states() : 0;
    return settings;
}

/// Why copies of the program's processes cannot go on in their place; empty: they can. With `always` the user answers
/// for the program.
std::string obstacle_to_snapshots(const LocalEngineSettings& settings) {
    if (settings.snapshots != SnapshotUse::automatic) {
        return "";
    }
    const std::string outside = launch::reaches_outside(settings.program);
    return outside.empty() ? "" : outside + " (--snapshots always, if it leaves nothing outside its memory)";
}

/// Whether the run may have gone another way than one from the start would have gone: what a copy of a process sees
/// otherwise, above all the time, or somebody has killed it.
bool is_doubtful(const replay::RunRecord& record) {
    return record.diverged ||
           std::any_of(record.violations.begin(), record.violations.end(), [](const replay::Violation& violation) {
               return replay::went_otherwise(violation.kind) ||
                      (violation.kind == replay::ViolationKind::crash &&
                       violation.message.find("SIGKILL") != std::string::npos);
           });
}

}  // namespace

CentralEngine::CentralEngine(LocalEngineSettings settings)
    : setup_(with_ranks_alone(std::move(settings))),
      snapshots_(setup_.settings().snapshots, setup_.settings().processes, obstacle_to_snapshots(setup_.settings())) {}

std::vector<std::string> CentralEngine::launching() const {
    const hosts::Hosts* const hosts = setup_.settings().hosts;
    std::vector<std::string> lines;
    if (hosts == nullptr || hosts->has_ranks_here()) {
        lines = setup_.launching();
    }
    if (hosts != nullptr) {
        for (std::string& line : hosts->launching()) {
            lines.push_back(std::move(line));
        }
    }
    for (std::string line : {snapshots_.summary(), visited_.summary()}) {
        if (!line.empty()) {
            lines.push_back(std::move(line));
        }
    }
    return lines;
}

replay::RunRecord CentralEngine::run(const replay::Interleaving& interleaving, std::stop_token stop) {
    for (const replay::Merge& state : interleaving.given_up) {
        visited_.at(interleaving.buffering).give_up(state);
    }
    replay::RunRecord record = run_somehow(interleaving, stop);
    if (compares_states(interleaving)) {
        VisitedStates& visited = visited_.at(interleaving.buffering);
        record.cut_short || record.diverged ? visited.forget(interleaving.meeting_number)
                                            : visited.keep(interleaving.meeting_number);
    }
    return record;
}

/// Of a rank that was copied nobody can say any more in which state it is, nor of the copy: a run that could end in a
/// state of another one saves more by that.
bool CentralEngine::may_take_snapshots(const replay::Interleaving& interleaving) {
    if (setup_.settings().snapshots != SnapshotUse::automatic) {
        return true;
    }
    return !setup_.settings().keep_courses &&
           !(compares_states(interleaving) && visited_.at(interleaving.buffering).may_meet());
}

replay::RunRecord CentralEngine::run_somehow(const replay::Interleaving& interleaving, const std::stop_token& stop) {
    while (setup_.settings().hosts != nullptr) {
        try {
            return run_from(nullptr, interleaving, stop);
        } catch (const hosts::HostLost&) {  // what it would have shown is not known: once more
            if (stop.stop_requested()) {
                return RunSetup::not_begun();
            }
        } catch (const Refused& refused) {
            throw Error(refused.fact() + ": ranks on several hosts are run by that engine alone, so give --hosts none");
        }
    }
    while (const std::shared_ptr<RunSnapshot> snapshot = snapshots_.find(interleaving)) {
        try {
            replay::RunRecord record = run_from(snapshot.get(), interleaving, stop);
            if (!is_doubtful(record) || stop.stop_requested()) {
                return record;
            }
        } catch (const launch::SnapshotLost&) {}
        snapshots_.drop(snapshot);
    }
    return run_from(nullptr, interleaving, stop);
}

/// `snapshot`: null for a run from the start.
replay::RunRecord CentralEngine::run_from(const RunSnapshot* snapshot, const replay::Interleaving& interleaving,
                                          const std::stop_token& stop) {
    const LocalEngineSettings& settings = setup_.settings();
    RunEnd end;
    const Clock::time_point run_begin = Clock::now();
    end.begin = run_begin;
    end.decisions = interleaving.decisions;
    const auto directory = setup_.directory_for(interleaving, stop);
    if (directory != nullptr && !directory->is_whole()) {
        return RunSetup::not_begun();
    }
    hosts::Hosts::Lanes lanes = settings.hosts == nullptr ? hosts::Hosts::Lanes() : settings.hosts->take(stop);
    if (settings.hosts != nullptr && lanes.empty()) {
        return RunSetup::not_begun();
    }
    RunSlot slot = slots_.take();  // from a snapshot only its processor is used
    if (settings.hosts != nullptr) {
        slot.processor = launch::any_processor;  // there is more than turns to be taken
    }
    transport::memory::Area area =
        snapshot == nullptr ? setup_.make_area(interleaving, std::move(slot.area)) : snapshot->area.copy();
    area.header().free_seed = interleaving.free_seed;
    const std::unique_ptr<transport::memory::MemoryView> seen =
        settings.hosts == nullptr ? std::make_unique<transport::memory::MemoryView>(area)
                                  : std::make_unique<hosts::ViewOfHosts>(area, *settings.hosts);
    transport::memory::MemoryView& view = *seen;
    using transport::requests::Exchange;
    auto exchange =
        snapshot == nullptr
            ? Exchange::create(static_cast<std::uint32_t>(settings.processes), std::move(slot.exchange),
                               settings.hosts == nullptr ? Exchange::Reach::here : Exchange::Reach::with_carrier)
            : snapshot->exchange.copy();
    const bool none_surely_buffered =
        interleaving.buffering == replay::Buffering::zero || interleaving.buffering.counts_bytes();
    const std::uint64_t waits_from = none_surely_buffered ? 0 : area.header().rendezvous_threshold;
    exchange.header().buffered_below = waits_from;
    const bool others_rest = slot.is_alone && slot.processor == launch::any_processor;
    exchange.header().spins = others_rest && launch::own_processors().size() > 1 ? 1 : 0;
    exchange.header().compares_states = compares_states(interleaving) ? 1 : 0;
    exchange.header().state_without = settings.state_without;
    exchange.header().compares_ends = settings.keep_courses ? 1 : 0;
    launch::JobSpec spec = setup_.job(interleaving, area, directory.get(), stop);
    spec.run_environment.emplace_back(transport::requests::environment_variable, exchange.file().attach_path());
    if (!settings.moments.empty()) {
        spec.run_environment.emplace_back(transport::requests::moments_variable, settings.moments.string());
    }
    spec.snapshot = snapshot == nullptr ? nullptr : snapshot->program.get();
    spec.crew = snapshot == nullptr ? slot.crew : 0;
    spec.keeps_memory = compares_states(interleaving);
    spec.processor = slot.processor;
    const auto decisions = std::make_shared<const std::vector<replay::Decision>>(interleaving.decisions);
    Machine machine =
        snapshot != nullptr
            ? snapshot->machine
            : Machine({.processes = settings.processes,
                       .protocol = settings.protocol,
                       .waits_from = waits_from,
                       .room = interleaving.buffering.bytes(),
                       .detach_waits_from = area.header().rendezvous_threshold,
                       .waits_alone = interleaving.buffering == replay::Buffering::native,
                       .collectives_wait = interleaving.buffering == replay::Buffering::zero,
                       .marks = marks_in(area),
                       .list_matches = static_cast<bool>(settings.show_calls),
                       .free_seed = interleaving.free_seed,
                       .oldest_first = compares_states(interleaving) && visited_.at(interleaving.buffering).may_meet(),
                       .delays = settings.late_messages,
                       .virtual_time = settings.virtual_time,
                       .compares_states = compares_states(interleaving),
                       .state_without = settings.state_without,
                       .keep_courses = settings.keep_courses},
                      decisions);
    if (snapshot != nullptr) {
        machine.decide(decisions, interleaving.free_seed);
    }
    machine.know_clock_sites(clock_sites_.known());
    end.start = Clock::now();
    std::unique_ptr<hosts::RunOverHosts> over_hosts;
    if (settings.hosts != nullptr) {
        exchange.header().host = settings.hosts->own_number();
        over_hosts = std::make_unique<hosts::RunOverHosts>(*settings.hosts, std::move(lanes), spec, interleaving,
                                                           exchange, area, static_cast<hosts::ViewOfHosts&>(view));
    }
    hosts::RunOverHosts* const elsewhere = over_hosts.get();
    const auto started = elsewhere == nullptr ? std::make_unique<launch::Job>(spec)
                                              : std::make_unique<launch::Job>(std::move(over_hosts));
    launch::Job& job = *started;
    // Not before: what is started by a thread that keeps to a processor would keep to it, too.
    launch::OnProcessor on_processor(slot.processor);
    CallListing calls = snapshot == nullptr ? CallListing(machine, settings.processes, settings.most_shown_calls,
                                                          settings.shows_false_polls)
                                            : CallListing(snapshot->calls, machine);
    std::vector<replay::Meeting> meetings;
    std::vector<replay::OpenState> open_states;
    bool merged_open = false;
    std::vector<replay::EpochId> merged_past;
    const auto visit_state = [&](const base::Digest& state, const OpenPast& past, std::uint32_t settled) {
        VisitedStates::Visit visit = visited_.at(interleaving.buffering)
                                         .visit(state, past, {.run = interleaving.meeting_number, .settled = settled});
        if (visit.open) {
            open_states.push_back(std::move(*visit.open));
        }
        const std::optional<replay::Merge> met = visit.met;
        merged_open = visit.is_open;
        merged_past = met && visit.is_exact ? past.names() : std::vector<replay::EpochId>();
        // One that goes on does so to its end: what it has met is all compared.
        if (!met || !settings.check_merging || (meetings.empty() && !checked_.takes_next())) {
            return met;
        }
        if (meetings.size() < most_meetings) {
            meetings.push_back({.earlier = *met, .settled = settled});
        }
        return std::optional<replay::Merge>();
    };
    // All that ranks wait for is known here, and who chooses has chosen.
    constexpr std::chrono::milliseconds certain_livelock{250};
    EndingLimits limits = setup_.ending_limits();
    limits.certain_livelock = std::min(limits.livelock, certain_livelock);
    Clock::time_point last_snapshot = Clock::now();  // starting the ranks costs the same from a snapshot
    Conversation conversation(
        job, view, exchange, machine,
        {.limits = limits,
         .virtual_time = settings.virtual_time,
         .calls = settings.show_calls ? &calls : nullptr,
         .readers = snapshot == nullptr ? nullptr : &snapshot->readers,
         .wants_snapshot =
             [&] {
                 return machine.units() <= most_units_of_snapshot && may_take_snapshots(interleaving) &&
                        snapshots_.wanted(Clock::now() - last_snapshot);
             },
         .take_snapshot =
             [&](std::vector<transport::requests::CallReader>& readers) {
                 const Clock::time_point begin = Clock::now();
                 std::string why_not;
                 auto ranks = job.snapshot(
                     [&] {
                         for (transport::requests::CallReader& reader : readers) {
                             transport::requests::Answer answer;
                             answer.what = transport::requests::Answer::What::snapshot;
                             reader.answer(std::move(answer));
                         }
                     },
                     why_not);
                 if (ranks == nullptr) {
                     snapshots_.give_up(why_not);
                     return;
                 }
                 const auto way = begin - end.start + (snapshot == nullptr ? Clock::duration::zero() : snapshot->way);
                 std::shared_ptr<RunSnapshot> taken;
                 try {
                     taken = std::make_shared<RunSnapshot>(std::move(ranks), area, exchange, machine, calls, readers,
                                                           interleaving.buffering, way);
                 } catch (const Error& error) {  // there is no more memory: it goes on without
                     snapshots_.give_up(error.what());
                     return;
                 }
                 last_snapshot = Clock::now();
                 snapshots_.keep(std::move(taken), last_snapshot - begin);
             },
         .visit_state = compares_states(interleaving) ? visit_state : decltype(ConversationSettings::visit_state)(),
         .only_closed = interleaving.only_closed,
         .wants_state = [&](std::uint32_t settled) { return visited_.at(interleaving.buffering).wanted(settled); },
         .repetitions = &repetitions_,
         .go_apart =
             [&] {
                 job.leave_processor();
                 on_processor.leave();
             },
         .others_sleep =
             [&](const std::vector<pid_t>& threads) {
                 return elsewhere == nullptr ? launch::threads_sleeping(threads) : elsewhere->threads_sleeping(threads);
             },
         .loops_for_ever =
             [&](base::Rank rank, const std::vector<pid_t>& idle_threads) {
                 return elsewhere == nullptr && never_comes_back(job.pid(rank), view.progress(rank), idle_threads);
             }});
    end.ending = conversation.run(stop);
    end.merged = conversation.merged().has_value();
    end.aborts = conversation.aborts();
    end.stopped = stop.stop_requested();
    if (job.running() > 0 && !end.stopped && end.ending.reason != RunEnding::Reason::finished) {
        conversation.dismiss();
        end.stacks = elsewhere == nullptr ? capture_situations(job, view) : elsewhere->capture();
    } else if (end.stopped && elsewhere == nullptr && interleaving.number == 1) {
        end.stacks = capture_situations(job, view);
    }
    if (elsewhere != nullptr) {
        job.kill_all();  // what the ranks elsewhere have left comes with that
        if (const std::string lost = elsewhere->lost(); !lost.empty()) {
            throw hosts::HostLost(lost);
        }
    }
    replay::RunRecord record =
        setup_.conclude(job, spec, MachineView(machine, view), std::move(end), [&](RecordReader& reader) {
            if (settings.show_calls && !calls.too_many()) {
                settings.show_calls(
                    calls.lists().calls([&](Rank rank, std::uint64_t address) { return reader.place(rank, address); },
                                        [&](CommId comm) { return machine.everyone(comm); }));
            }
            amend(machine, conversation, reader);
        });
    if (interleaving.number == 1) {
        clock_sites_.learn(machine.clock_sites());
    }
    record.may_be_met = compares_states(interleaving);
    if (settings.keep_courses) {
        record.courses = machine.courses();
    }
    record.merged = conversation.merged();
    record.merged_open = record.merged && merged_open;
    record.merged_past = record.merged ? std::move(merged_past) : std::vector<replay::EpochId>();
    record.meetings = std::move(meetings);
    record.open_states = std::move(open_states);
    record.unaware = machine.unaware();
    if (machine.raced_cancels() != 0) {
        record.not_modelled["MPI_Cancel that raced with a message"].calls += machine.raced_cancels();
    }
    if (machine.unjudged_sends() != 0) {
        record.not_modelled["ready sends: is the receive posted"].calls += machine.unjudged_sends();
    }
    if (machine.freed_choices() != 0) {
        record.not_modelled["MPI_Request_free of a request that could have been reported"].calls +=
            machine.freed_choices();
    }
    if (machine.other_room() != 0) {
        record.not_modelled["sends that several receives could have made room for"].calls += machine.other_room();
    }
    if (snapshot == nullptr) {
        slot.crew = job.crew();
        // Ranks that have not come back may still write into it.
        const bool nobody_has_it = elsewhere != nullptr && !elsewhere->uses_processes_here();
        if ((slot.crew != 0 || nobody_has_it) && area.file().clear() && exchange.file().clear()) {
            slot.area = std::move(area.file());
            slot.exchange = std::move(exchange.file());
        }
    }
    if (compares_states(interleaving)) {
        visited_.at(interleaving.buffering).note_times(Clock::now() - run_begin, conversation.comparing());
    }
    slots_.put_back(std::move(slot), {.duration = Clock::now() - run_begin, .answers = conversation.answers()});
    return record;
}

}  // namespace dampi::scheduler::central
