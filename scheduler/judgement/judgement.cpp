#include "scheduler/judgement/judgement.hpp"

#include "base/check.hpp"
#include "replay/cause.hpp"
#include "replay/misuse.hpp"
#include "replay/terminal_words.hpp"
#include "replay/unseen_calls.hpp"
#include "scheduler/judgement/exception_words.hpp"
#include "scheduler/judgement/kept_epochs.hpp"
#include "scheduler/judgement/library_words.hpp"
#include "scheduler/judgement/program_stack.hpp"
#include "scheduler/judgement/return_statement.hpp"
#include "scheduler/judgement/stuck_ranks.hpp"
#include "scheduler/judgement/users_place.hpp"
#include "scheduler/judgement/wait_for_graph.hpp"
#include "scheduler/outside_end.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace dampi::scheduler {
namespace {

using base::Rank;
using launch::RankEnd;
using replay::CodePlace;
using replay::RankSituation;
using replay::RunRecord;
using replay::Violation;
using transport::WaitKind;

bool is_layers(const CodePlace& place) {
    return place.module.ends_with("/libdampi.so") || place.module.ends_with("/libdampi-central.so") ||
           place.module.ends_with("/libdampi-openmpi.so") || place.module.ends_with("/libdampi-openmpi-fortran.so");
}

bool is_programs_own(const CodePlace& place) { return !is_layers(place) && !is_in_systems_library(place); }

/// Where a crash happened for the user: the innermost frame of his own code that has a source line, if there is one
/// in a file of his own, else of any code, else the innermost.
CodePlace crash_place(const std::vector<CodePlace>& stack) {
    const auto innermost = [&stack](auto&& fits) {
        return std::find_if(stack.begin(), stack.end(),
                            [&](const CodePlace& place) { return place.line != 0 && fits(place); });
    };
    auto found =
        innermost([](const CodePlace& place) { return is_programs_own(place) && !is_from_systems_header(place); });
    if (found == stack.end()) {
        found = innermost(is_programs_own);
    }
    if (found == stack.end()) {
        found = innermost([](const CodePlace& /*any*/) { return true; });
    }
    return found != stack.end() ? *found : stack.empty() ? CodePlace{} : stack.front();
}

bool is_mpi_function(const CodePlace& place) { return place.function.starts_with("MPI_"); }

/// From the call of exit() on; empty where main has returned, or nothing is known.
std::vector<CodePlace> exiting_stack(const std::vector<CodePlace>& stack) {
    const auto called =
        std::find_if(stack.begin(), stack.end(), [](const auto& each) { return each.function == "exit"; });
    const bool by_program = std::any_of(called, stack.end(), [](const CodePlace& place) {
        return is_programs_own(place) && !place.function.empty() && place.function != "_start";
    });
    return by_program ? std::vector<CodePlace>(called, stack.end()) : std::vector<CodePlace>();
}

/// What a rank was doing that has come to such an end; `outside`: what that is called outside MPI.
RankSituation last_situation(Rank rank, const std::vector<CodePlace>& stack, const char* outside) {
    const auto call = std::find_if(stack.rbegin(), stack.rend(), is_mpi_function);
    return {.rank = rank,
            .call = call != stack.rend() ? call->function : outside,
            .detail = "",
            .where = crash_place(stack),
            .stack = program_stack(stack)};
}

/// A rank that has ended by itself as it should not have.
struct Exit {
    Rank rank = 0;
    int status = 0;
    std::string_view without;                ///< " without calling ...": what is missing, or too much; may be empty
    std::optional<RankSituation> situation;  ///< where it has called exit(), or main has returned
};

bool in_finalize(const RankSituation& situation) {
    return situation.call == "MPI_Finalize" || situation.call == "MPI_Session_finalize";
}

/// Not MPI_Finalize itself, in which callbacks of the program's may end it.
bool is_call_of_mpi(const RankSituation& situation) {
    return situation.call.starts_with("MPI_") && !in_finalize(situation);
}

/// Where the rank has called exit(), or its main has returned.
std::optional<RankSituation> exit_situation(const RankFacts& facts, Rank rank, int status) {
    std::vector<CodePlace> stack = exiting_stack(facts.crash_stack);
    if (!stack.empty()) {
        RankSituation situation = last_situation(rank, stack, "exit");
        std::erase_if(situation.stack, [](const CodePlace& place) { return place.function == "exit"; });
        return situation;
    }
    if ((facts.crash_stack.empty() && facts.way_out_of_main.places.empty()) || facts.main_function.function.empty()) {
        return std::nullopt;
    }
    SourceLines sources;
    const CodePlace where =
        return_statement(facts.way_out_of_main, facts.main_function, status, sources).value_or(facts.main_function);
    return RankSituation{
        .rank = rank, .call = std::string(replay::main_returned), .detail = "", .where = where, .stack = {where}};
}

/// The rank has called MPI_Abort, and what the library does there was what crashed: no code of the program's has been
/// called from it.
bool crashed_in_abort(const std::vector<CodePlace>& stack) {
    const auto call =
        std::find_if(stack.begin(), stack.end(), [](const CodePlace& each) { return each.function == "MPI_Abort"; });
    return call != stack.end() && std::none_of(stack.begin(), call, is_programs_own);
}

/// The error in such a line; 0 if it tells of none that a call of MPI's has made.
int code_of(const std::string& library_message) {
    constexpr std::string_view before = "Abort(";
    int code = 0;
    if (library_message.find("Fatal error in ") == std::string::npos ||
        library_message.find("call_errhandler") != std::string::npos || !library_message.starts_with(before)) {
        return 0;
    }
    const char* end = library_message.data() + library_message.size();
    std::from_chars(library_message.data() + before.size(), end, code);
    return code;
}

std::string first_line(const std::filesystem::path& file) {
    std::ifstream lines(file);
    std::string line;
    return std::getline(lines, line) ? line : "it said nothing";
}

/// What the layer has said before it gave up; empty: nothing.
std::string layers_words(const std::filesystem::path& file) {
    constexpr std::string_view begins = "dampi: ";
    std::ifstream lines(file);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with(begins)) {
            return line.substr(begins.size());
        }
    }
    return {};
}

std::string last_line(const std::filesystem::path& file) {
    std::ifstream lines(file);
    std::string last = "it said nothing";
    for (std::string line; std::getline(lines, line);) {
        if (!line.empty()) {
            last = line;
        }
    }
    return last;
}

/// Throws dampi::Error if the run shows no MPI program at all, or none that the layer could get into.
void refuse_unsuitable(const RunFacts& facts) {
    const std::vector<RankFacts>& ranks = facts.ranks;
    const bool anybody =
        std::any_of(ranks.begin(), ranks.end(), [](const RankFacts& each) { return each.loaded || each.started; });
    bool all_well = true;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        if (!ranks[i].unsuitable.empty()) {
            throw Error(ranks[i].unsuitable);
        }
        const bool ended = facts.seen.ends[i].how == RankEnd::How::exited;
        const int code = facts.seen.ends[i].code;
        all_well = all_well && ended && code == 0;
        if (ranks[i].loaded || !ended || code == 0) {
            continue;
        }
        if (const std::string words = layers_words(facts.seen.stderr_file);
            facts.seen.late_start && code == transport::layer_gave_up && !words.empty()) {
            throw Error(fmt::format("rank {}: {}", i, words));
        }
        if (!facts.seen.late_start || code == transport::layer_gave_up) {
            throw Error(fmt::format("rank {} ended with status {} before dampi's layer was loaded into it: {}", i, code,
                                    first_line(facts.seen.stderr_file)));
        }
        if (!anybody) {
            throw Error(fmt::format("rank {} ended with status {} and no rank has called MPI: {}", i, code,
                                    last_line(facts.seen.stderr_file)));
        }
    }
    if (facts.seen.late_start && !anybody && all_well) {
        throw Error(
            "no rank has called MPI: this is not an MPI program (it is not linked against libmpich.so.12, has not "
            "loaded it, and has started no program that did, as far as dampi follows what it starts: not through "
            "statically linked ones, nor with an environment that does not come from its own)");
    }
    const bool anybody_begun = std::any_of(ranks.begin(), ranks.end(), [](const auto& each) { return each.beginning; });
    if (!anybody_begun && all_well &&
        std::count(facts.seen.may_have_begun.begin(), facts.seen.may_have_begun.end(), true) == 0) {
        throw Error("the program has ended, and no rank has called MPI_Init: there is nothing to verify");
    }
}

/// The rank ended well and left alone those that have called MPI_Init.
bool kept_out(const RunFacts& facts, std::size_t rank) {
    const std::vector<RankFacts>& ranks = facts.ranks;
    return facts.seen.ends[rank].how == RankEnd::How::exited && facts.seen.ends[rank].code == 0 &&
           !ranks[rank].beginning && !facts.seen.may_have_begun[rank] &&
           std::any_of(ranks.begin(), ranks.end(), [](const RankFacts& each) { return each.beginning; });
}

void add_detail(RankSituation& situation, const std::string& more) {
    situation.detail += (situation.detail.empty() || more.empty() ? "" : "; ") + more;
}

/// Those that are not ready, of so many (WaitItem::number).
std::string partitions_text(std::uint64_t missing, int partitions) {
    std::vector<int> numbers;
    for (int i = 0; i < 64; ++i) {
        if ((missing >> i & 1) != 0) {
            numbers.push_back(i);
        }
    }
    return numbers.empty() ? "partitions"
                           : fmt::format("{} {} (of 0 to {})", numbers.size() == 1 ? "partition" : "partitions",
                                         fmt::join(numbers, ", "), partitions - 1);
}

std::string describe(const RunFacts& facts, const Wait& wait) {
    const auto who = [&](const char* any) {
        return wait.peer == base::any_source ? std::string(any) : fmt::format("rank {}", wait.peer);
    };
    const std::string tag = wait.tag == base::any_tag ? "any tag" : fmt::format("tag {}", wait.tag);
    const std::string comm = facts.communicator_name(wait.comm);
    switch (wait.kind) {
        case WaitKind::receive:
        case WaitKind::probe:
            return fmt::format("waits for a message from {} with {} on {}", who("any rank"), tag, comm);
        case WaitKind::send:
            if (wait.held) {
                return fmt::format(
                    "waits for MPI_Mrecv of a message with {} on {}, which a matched probe of {} has got", tag, comm,
                    who("a rank"));
            }
            return fmt::format("waits for {} to receive a message with {} on {}{}", who("a rank"), tag, comm,
                               wait.providers.size() > 1 ? ", or for room that others make by receiving" : "");
        case WaitKind::collective:
            return fmt::format("waits for {} to enter the collective on {}", who("the other members"), comm);
        case WaitKind::leader:
            return fmt::format("waits for {} to exchange the groups in MPI_Intercomm_create with {}", who("a leader"),
                               tag);
        case WaitKind::post:
            return fmt::format("waits for {} to call MPI_Win_post for it on {}", who("a rank"), comm);
        case WaitKind::complete:
            return fmt::format("waits for {} to call MPI_Win_complete on {}", who("a rank"), comm);
        case WaitKind::unlock:
            return fmt::format("waits for {} to give back its lock of {}", who("a rank"), locked_memory(wait, comm));
        case WaitKind::finalize:
            return "waits for the other ranks to call MPI_Finalize";
        case WaitKind::ready:
            return fmt::format("waits for {} of its own send for which it has not called MPI_Pready",
                               partitions_text(wait.number, wait.tag));
        case WaitKind::own_completion:
            return "waits for its own generalized request, for which nobody else can call MPI_Grequest_complete";
        case WaitKind::poll:
        case WaitKind::time:
            return "polls and may answer that nothing has come yet";
        case WaitKind::foreign:
        case WaitKind::other:
            return "waits inside the MPI library";
    }
    return {};
}

/// " (the request was made at app.c:12)"; nothing where it waits for none, or the place is not known. For a lock:
/// " (locked at app.c:12)".
std::string made_at(const RankFacts& own, const Wait& wait) {
    const auto found = own.made_at.find(wait.made_at);
    if (found == own.made_at.end() || found->second.line == 0) {
        return "";
    }
    const std::filesystem::path file = found->second.file;
    return fmt::format(" ({} at {}:{})", wait.kind == WaitKind::unlock ? "locked" : "the request was made",
                       file.filename().string(), found->second.line);
}

/// What the rank was doing, and what it waits for.
RankSituation situation(const RunFacts& facts, Rank rank) {
    const auto index = static_cast<std::size_t>(rank);
    const RankState& state = facts.seen.ending.states[index];
    const RankFacts& own = facts.ranks[index];
    RankSituation found = own.situation.value_or(RankSituation{.rank = rank, .call = {}, .detail = {}, .where = {}});
    if (!state.blocked) {
        return found;
    }
    if (state.sleeps_until) {
        found.detail = "sleeps in virtual time";
        return found;
    }
    if (!state.polls) {
        // Which of several blocked threads has written its arguments and its stack last is chance.
        if (state.multithreaded && (found.call != state.call || found.where != own.blocked_in)) {
            found.arguments.clear();
            found.stack.clear();
        }
        found.call = state.call;
        found.where = own.blocked_in;
        found.last_call.clear();
    }
    const bool of_threads = state.multithreaded && state.idle_threads.size() > 1;
    std::vector<std::string> said;
    for (const Wait& wait : state.waits) {
        std::string text = describe(facts, wait) + made_at(own, wait);
        if (std::find(said.begin(), said.end(), text) == said.end()) {
            found.detail += (said.empty() ? "" : of_threads ? "; " : state.any ? ", or " : ", and ") + text;
            said.push_back(std::move(text));
        }
    }
    if (of_threads && said.size() > 1) {
        found.detail = "in its threads: " + found.detail;
    }
    return found;
}

/// "rank 3", "ranks 0, 1 and 4", and for many "ranks 0-99".
std::string in_words(const std::vector<Rank>& ranks) {
    constexpr std::size_t most_named = 8;
    if (ranks.size() > most_named) {
        return replay::rank_list(ranks, most_named);
    }
    std::string text = ranks.size() == 1 ? "rank " : "ranks ";
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        text += (i == 0 ? "" : i + 1 == ranks.size() ? " and " : ", ") + std::to_string(ranks[i]);
    }
    return text;
}

/// The ranks whose bit is set.
std::vector<Rank> ranks_of(const std::vector<bool>& bits) {
    std::vector<Rank> ranks;
    for (std::size_t rank = 0; rank < bits.size(); ++rank) {
        if (bits[rank]) {
            ranks.push_back(static_cast<Rank>(rank));
        }
    }
    return ranks;
}

/// Situations of these ranks; those that are blocked in something else than MPI_Finalize come first: they are the
/// interesting ones.
std::vector<RankSituation> situations_of(const RunFacts& facts, const std::vector<Rank>& ranks) {
    std::vector<RankSituation> situations;
    for (const Rank rank : ranks) {
        situations.push_back(situation(facts, rank));
    }
    std::stable_partition(situations.begin(), situations.end(), [](const auto& each) { return !in_finalize(each); });
    return situations;
}

std::vector<Rank> live_ranks(const RunEnding& ending) {
    std::vector<bool> bits;
    std::transform(ending.states.begin(), ending.states.end(), std::back_inserter(bits), live);
    return ranks_of(bits);
}

/// Something that was decided has not come: the tool's own doubt. `where`: it waits there, if that is known.
Violation imprecise_match(const std::optional<RankSituation>& where) {
    Violation violation{
        .kind = replay::ViolationKind::imprecise_match,
        .message =
            "a call was forced to an outcome that never came: the alternative was not feasible, because the "
            "program keeps an order by means outside MPI, or dampi was wrong",
        .ranks = {},
        .situations = {}};
    if (where) {
        violation.ranks = {where->rank};
        violation.situations = {*where};
    }
    return violation;
}

/// These ranks can never go on.
Violation deadlock(const RunFacts& facts) {
    const RunEnding& ending = facts.seen.ending;
    Violation violation;
    violation.ranks = ranks_of(ending.ranks);
    violation.situations = situations_of(facts, violation.ranks);
    const bool imprecise = std::any_of(violation.ranks.begin(), violation.ranks.end(), [&](Rank rank) {
        const auto index = static_cast<std::size_t>(rank);
        const auto& waits = ending.states[index].waits;
        return facts.ranks[index].forced_pending || std::any_of(waits.begin(), waits.end(), [](const Wait& wait) {
                   return wait.forced && !wait.may_be_satisfied;
               });
    });
    if (imprecise) {
        violation.kind = replay::ViolationKind::imprecise_match;
        violation.message = imprecise_match({}).message;
        return violation;
    }
    violation.kind = replay::ViolationKind::deadlock;
    violation.wait_for = make_wait_for_graph(ending.states, ending.ranks, [&](Rank waiting, const Wait& wait) {
        return needed_action(ending.states[static_cast<std::size_t>(waiting)].call, wait,
                             facts.communicator_name(wait.comm));
    });
    violation.unmatched = facts.unmatched;
    violation.decided_after = std::chrono::duration<double>(ending.decided - ending.since).count();
    std::vector<Rank> blocked;
    std::vector<Rank> finalizing;
    for (const RankSituation& each : violation.situations) {
        (in_finalize(each) ? finalizing : blocked).push_back(each.rank);
    }
    if (!blocked.empty() && !finalizing.empty()) {
        // Python calls MPI_Finalize on its way out.
        if (const auto exception = exception_words(facts.seen.stderr_file).python) {
            for (RankSituation& each : violation.situations) {
                if (in_finalize(each)) {
                    add_detail(each, quoted(*exception));
                }
            }
        }
    }
    const std::vector<Rank> live = live_ranks(ending);
    std::vector<Rank> others;
    std::set_difference(live.begin(), live.end(), violation.ranks.begin(), violation.ranks.end(),
                        std::back_inserter(others));
    const std::string who = in_words(blocked.empty() ? violation.ranks : blocked);
    if (!others.empty()) {
        violation.message =
            fmt::format("{} can never go on: they wait for each other, or for ranks that have ended, while {} went on",
                        who, in_words(others));
    } else if (blocked.empty() || finalizing.empty()) {
        violation.message =
            fmt::format("{} can never go on: every rank is blocked and nothing that they wait for can come", who);
    } else {
        violation.message = fmt::format("{} can never go on: nothing that {} for can come; {} {} in MPI_Finalize", who,
                                        blocked.size() == 1 ? "it waits" : "they wait", in_words(finalizing),
                                        finalizing.size() == 1 ? "waits" : "wait");
    }
    return violation;
}

/// Of those that the run was ended for, and after them of all others that live.
std::vector<RankSituation> situations_of_all(const RunFacts& facts) {
    const RunEnding& ending = facts.seen.ending;
    std::vector<bool> shown = ending.ranks;  // one that has left MPI_Finalize may not come to its end
    for (const Rank rank : live_ranks(ending)) {
        shown[static_cast<std::size_t>(rank)] = true;
    }
    std::vector<RankSituation> situations = situations_of(facts, ranks_of(shown));
    std::stable_partition(situations.begin(), situations.end(),
                          [&](const RankSituation& each) { return ending.ranks[static_cast<std::size_t>(each.rank)]; });
    return situations;
}

/// Nothing but polling has happened for a while.
Violation livelock(const RunFacts& facts) {
    const RunEnding& ending = facts.seen.ending;
    Violation violation;
    violation.kind = ending.certain ? replay::ViolationKind::livelock : replay::ViolationKind::possible_livelock;
    violation.ranks = ranks_of(ending.ranks);
    violation.situations = situations_of_all(facts);
    const bool one = violation.ranks.size() == 1;
    const auto lasted = std::chrono::duration<double>(ending.decided - ending.since).count();
    if (ending.overlong) {
        violation.message = fmt::format(
            "{} {} on and on: this run has lasted {:.0f} s, far longer than any before; whether it would come to an "
            "end is "
            "not known",
            in_words(violation.ranks), one ? "goes" : "go", lasted);
        return violation;
    }
    std::string how_long = fmt::format("no rank has sent or received anything for {:.1f} s", lasted);
    if (ending.virtual_time) {
        const auto days = std::chrono::duration_cast<std::chrono::hours>(*ending.virtual_time).count() / 24;
        how_long = ending.certain
                       ? "nobody sends or receives anything, no time-out is to come"
                       : fmt::format("no rank has sent or received anything for {} days of virtual time", days);
    }
    violation.message = fmt::format("{} {} again and again for something that {}: {}, and all others are blocked{}",
                                    in_words(violation.ranks), one ? "asks" : "ask",
                                    ending.certain ? "cannot come" : "does not come", how_long,
                                    ending.certain ? ""
                                    : one          ? "; but it is not certain that it would never stop"
                                                   : "; but it is not certain that they would never stop");
    return violation;
}

/// Some ranks have not come back to MPI for longer than the user allows, or never will.
Violation hang(const RunFacts& facts) {
    const RunEnding& ending = facts.seen.ending;
    Violation violation;
    violation.kind = replay::ViolationKind::hang;
    violation.ranks = ranks_of(ending.ranks);
    violation.situations = situations_of_all(facts);
    const bool one = violation.ranks.size() == 1;
    violation.message = ending.certain ? fmt::format(
                                             "{} never {} back to MPI: {} in a loop in which all that {} could change "
                                             "is again and again the same, "
                                             "or all threads there wait for each other",
                                             in_words(violation.ranks), one ? "comes" : "come",
                                             one ? "it is" : "each is", one ? "it" : "each")
                                       : fmt::format("{} {} made no MPI call for longer than --hang-limit allows",
                                                     in_words(violation.ranks), one ? "has" : "have");
    std::vector<Rank> stopped;
    std::copy_if(violation.ranks.begin(), violation.ranks.end(), std::back_inserter(stopped), [&](Rank rank) {
        return static_cast<std::size_t>(rank) < ending.stopped.size() && ending.stopped[static_cast<std::size_t>(rank)];
    });
    if (!stopped.empty()) {
        violation.message +=
            fmt::format("; {} stopped by a signal (SIGSTOP, SIGTSTP, SIGTTIN or SIGTTOU)",
                        stopped == violation.ranks ? (one ? "it is" : "they are")
                                                   : in_words(stopped) + (stopped.size() == 1 ? " is" : " are"));
    }
    violation.decided_after = std::chrono::duration<double>(ending.decided - ending.since).count();
    return violation;
}

/// Of a communicator that MPI_Comm_create_group or MPI_Comm_create_from_group is to make, from its name; else empty.
std::string_view tag_to_be_made_with(std::string_view call, std::string_view name) {
    constexpr std::string_view before = " with tag ";
    const auto begin = name.rfind(before);
    const bool has_tag = call == "MPI_Comm_create_group" || call == "MPI_Comm_create_from_group";
    if (!has_tag || begin == std::string_view::npos || !name.starts_with(call)) {
        return {};
    }
    const std::string_view tag = name.substr(begin + before.size());
    return tag.substr(0, tag.rfind(", ranks "));
}

/// A deadlock because ranks enter the collectives of several communicators in different orders, if it is one.
std::optional<Violation> collective_order(const RunFacts& facts) {
    const std::vector<EnteredOutOfOrder>& cycle = facts.collective_order;
    // A rank waits for ever in a collective that others have entered otherwise, and they go on.
    const bool comes_of_mismatch =
        std::any_of(facts.mismatches.begin(), facts.mismatches.end(), [&](const CollectiveMismatch& mismatch) {
            return transport::breaks_order(mismatch.difference) &&
                   std::any_of(cycle.begin(), cycle.end(),
                               [&](const EnteredOutOfOrder& each) { return mismatch.is_on(each.step.comm); });
        });
    if (cycle.empty() || comes_of_mismatch) {
        return std::nullopt;
    }
    Violation violation{
        .kind = replay::ViolationKind::collective_mismatch, .message = {}, .ranks = {}, .situations = {}};
    std::string entered;
    bool same_call = true;
    std::set<std::string> tags;
    for (std::size_t i = 0; i < cycle.size(); ++i) {
        const OrderStep& step = cycle[i].step;
        const Rank next = cycle[(i + 1) % cycle.size()].step.rank;
        RankSituation found = cycle[i].entered;
        const std::string comm = facts.communicator_name(step.comm);
        entered += fmt::format("{}rank {} has entered {} on {}",
                               i == 0                  ? ""
                               : i + 1 == cycle.size() ? " and "
                                                       : ", ",
                               step.rank, found.call, comm);
        same_call = same_call && found.call == cycle.front().entered.call;
        tags.emplace(tag_to_be_made_with(found.call, comm));
        found.detail = fmt::format("on {}, waits for rank {} to enter it", comm, next);
        violation.ranks.push_back(step.rank);
        violation.situations.push_back(std::move(found));
    }
    std::sort(violation.ranks.begin(), violation.ranks.end());
    const std::string what =
        same_call && tags.size() > 1 && !tags.contains("")
            ? fmt::format("give different tags to {}, or call it in different orders", cycle.front().entered.call)
            : "enter collectives of different communicators in different orders";
    violation.message =
        fmt::format("{} {}: {}, and each is needed in another one's", in_words(violation.ranks), what, entered);
    return violation;
}

/// What the MPI library makes of a mismatch: it hangs, gives up, or gets another amount of data than it expects.
bool is_consequence(const Violation& violation, const CollectiveMismatch& mismatch,
                    const std::vector<RankState>& states) {
    if (mismatch.difference == transport::Difference::types) {
        return false;  // the library does not notice
    }
    const std::string call = violation.situations.empty() ? "" : violation.situations.front().call;
    if (violation.kind == replay::ViolationKind::abort) {
        return call != "MPI_Abort";
    }
    if (violation.kind == replay::ViolationKind::truncation) {
        const std::array receives{"MPI_Recv", "MPI_Mrecv", "MPI_Sendrecv", "MPI_Sendrecv_replace"};
        return std::find(receives.begin(), receives.end(), call) == receives.end();
    }
    if (violation.kind == replay::ViolationKind::livelock ||
        violation.kind == replay::ViolationKind::possible_livelock) {
        return transport::breaks_order(mismatch.difference);  // they poll for what does not end
    }
    if (violation.kind != replay::ViolationKind::deadlock) {
        return false;
    }
    return transport::breaks_order(mismatch.difference) ||
           std::any_of(states.begin(), states.end(), [&](const RankState& state) {
               return state.blocked && std::any_of(state.waits.begin(), state.waits.end(), [&](const Wait& wait) {
                          return wait.kind == WaitKind::collective && mismatch.is_on(wait.comm);
                      });
           });
}

bool ended_by_itself(const RankEnd& end) {
    return end.how == RankEnd::How::exited || end.how == RankEnd::How::signalled;
}

/// Whether another rank ended on its own account.
bool somebody_else_died(const RunFacts& facts, Rank rank) {
    for (std::size_t i = 0; i < facts.seen.ends.size(); ++i) {
        const auto other = static_cast<Rank>(i);
        const bool asked_to_abort =
            std::any_of(facts.seen.aborts.begin(), facts.seen.aborts.end(),
                        [&](const launch::AbortRequest& request) { return request.rank == other; });
        const RankFacts& own = facts.ranks[i];
        if (other != rank && ended_by_itself(facts.seen.ends[i]) && !own.finalized &&
            (own.started || !asked_to_abort)) {
            return true;
        }
    }
    return false;
}

/// Whether a rank may end with this status.
bool is_good(const RunFacts& facts, int status) {
    const std::vector<int>& good = facts.seen.good_exits;
    return status == 0 || std::find(good.begin(), good.end(), status) != good.end();
}

/// Where an exception of Python's may have ended the rank.
std::optional<RankSituation> exception_situation(const RunFacts& facts, Rank rank, int status) {
    constexpr int of_exceptions = 1;
    const auto words = status == of_exceptions ? exception_words(facts.seen.stderr_file).python : std::nullopt;
    if (!words) {
        return std::nullopt;
    }
    return RankSituation{
        .rank = rank, .call = "exit", .detail = quoted(*words), .where = words->where, .stack = {words->where}};
}

/// Whether it says what is wrong with the call in which a rank was in the end.
bool tells_of_call(const Violation& found, const std::optional<RankSituation>& last) {
    return (replay::is_misuse(found.kind) || replay::is_about_buffers(found.kind)) && last &&
           !found.situations.empty() && found.situations.front().call == last->call &&
           replay::source_place(found.situations.front().where) == replay::source_place(last->where);
}

/// What the end of a rank says; of an exit into `exits`, of one in MPI_Abort, of which the rank has not told, into
/// `ended_in_abort`, of all else into the record, or where the rank has told what it comes of into that.
void judge_end(RunFacts& facts, Rank rank, RunRecord& record, std::vector<Exit>& exits,
               std::vector<Violation>& ended_in_abort) {
    RankFacts& own = facts.ranks[static_cast<std::size_t>(rank)];
    const RankEnd& end = facts.seen.ends[static_cast<std::size_t>(rank)];
    const auto has = [&](replay::ViolationKind kind) {
        return std::any_of(own.violations.begin(), own.violations.end(),
                           [&](const Violation& violation) { return violation.kind == kind; });
    };
    for (Violation& violation : own.violations) {
        if (violation.kind == replay::ViolationKind::abort && !violation.situations.empty()) {
            const auto exception = exception_words(facts.seen.stderr_file).python;
            const auto said =
                exception ? std::optional(quoted(*exception)) : words_before_abort(facts.seen.stderr_file, rank);
            add_detail(violation.situations.front(), said.value_or(""));
        }
    }
    if (end.how == RankEnd::How::running || has(replay::ViolationKind::thread_level)) {
        return;  // where a thread has called that must not, the rank ends by that
    }
    const bool taken = end.how == RankEnd::How::taken;
    const bool signalled = end.how == RankEnd::How::signalled;
    const bool requested = std::any_of(facts.seen.aborts.begin(), facts.seen.aborts.end(),
                                       [&](const launch::AbortRequest& request) { return request.rank == rank; });
    // Another process manager may hear of an abort without our knowing, and hang up on the library, which then ends in
    // some way of its own. What it said first counts.
    const LibraryWords words =
        requested || taken || signalled || end.code != 0 ? library_words(facts.seen.stderr_file, rank) : LibraryWords();
    const std::string& said = words.end;
    const bool asked_to_abort =
        requested || has(replay::ViolationKind::abort) || !said.empty() || !words.assertion.empty();
    // It may also take a rank that was just dying of a signal, which the rank has noted.
    const bool crashed = signalled || (taken && own.crash_signal != 0);
    if (crashed && !asked_to_abort) {
        if (has(replay::ViolationKind::crash)) {
            // A failed assertion has said what it is; the place of the assertion is where the stack begins.
            return;
        }
        const std::string signal = signal_text(taken ? own.crash_signal : end.code);
        Violation violation{.kind = replay::ViolationKind::crash,
                            .message = fmt::format("rank {} was ended by signal {}", rank, signal),
                            .ranks = {rank},
                            .situations = {}};
        violation.situations.push_back(last_situation(rank, own.crash_stack, ""));
        if (crashed_in_abort(own.crash_stack)) {
            // It was to end there in any case; how it did says something of what came before.
            violation.kind = replay::ViolationKind::abort;
            violation.situations.front().detail = fmt::format("ended in it by signal {}", signal);
            violation.message = "MPI_Abort was called; " + violation.situations.front().detail;
            replay::add_consequence(violation, replay::ViolationKind::crash);
            ended_in_abort.push_back(std::move(violation));
            return;
        }
        if ((taken ? own.crash_signal : end.code) == SIGABRT) {
            if (const auto words = exception_words(facts.seen.stderr_file).cpp) {
                violation.situations.back().detail = quoted(*words);
            }
        }
        record.violations.push_back(std::move(violation));
        return;
    }
    if (has(replay::ViolationKind::abort) || has(replay::ViolationKind::crash) || (taken && !asked_to_abort)) {
        return;
    }
    if (asked_to_abort) {
        if (!own.started && somebody_else_died(facts, rank)) {
            return;  // it was still in MPI_Init, which needs the other
        }
        const int error_class = replay::error_class_of(own.failing != 0 ? own.failing : code_of(said));
        const replay::Misuse* cause = replay::misuse(error_class);
        using Kind = replay::ViolationKind;
        const Kind kind = cause != nullptr ? cause->kind : Kind::abort;
        /// Whether the rank was ended for one of these.
        const auto comes_of = [kind](std::vector<Violation>& all, const auto& tells) {
            const auto told = std::find_if(all.begin(), all.end(), tells);
            if (told == all.end()) {
                return false;
            }
            if (told->kind != kind) {
                replay::add_consequence(*told, Kind::abort);
            }
            return true;
        };
        // Of an argument that is invalid the rank says what it is, if it can.
        const auto is_finer = [kind](const Violation& each) {
            return (kind == Kind::argument_value &&
                    (each.kind == Kind::argument_lock || each.kind == Kind::argument_assertion ||
                     each.kind == Kind::argument_dimensions)) ||
                   (kind == Kind::argument_operator && each.kind == Kind::argument_datatype) ||
                   (kind == Kind::argument_buffer && each.kind == Kind::buffer_overlap);
        };
        if (own.failing != 0 && cause != nullptr && (has(kind) || comes_of(own.violations, is_finer))) {
            return;  // it has said itself what MPI, or the program's error handler, ended it for
        }
        if (comes_of(own.violations, [&own](const Violation& each) { return tells_of_call(each, own.situation); })) {
            return;  // it has said what is wrong in this call, in words of its own
        }
        const auto tells_of_misuse = [](const Violation& each) { return replay::is_misuse(each.kind); };
        if (cause == nullptr &&
            (comes_of(own.violations, tells_of_misuse) ||
             (!words.assertion.empty() && (comes_of(record.violations, tells_of_misuse) ||  // of the ranks before
                                           std::any_of(facts.ranks.begin(), facts.ranks.end(), [&](RankFacts& each) {
                                               return comes_of(each.violations, tells_of_misuse);
                                           }))))) {
            return;  // MPI was handed what it may not be, and may end in any way
        }
        if (error_class == replay::error_in_statuses && std::any_of(replay::misuses.begin(), replay::misuses.end(),
                                                                    [&](const auto& each) { return has(each.kind); })) {
            return;  // the rank has told of each status
        }
        Violation violation;
        violation.kind = kind;
        violation.message = !words.assertion.empty() ? words.assertion
                            : said.empty()           ? fmt::format("the MPI library ended rank {}", rank)
                                                     : said;
        violation.ranks = {rank};
        if (auto last = own.situation; last && !last->call.empty()) {
            add_detail(*last, words.stack);
            if (const auto exception = exception_words(facts.seen.stderr_file).python) {
                add_detail(*last, quoted(*exception));
            }
            violation.situations.push_back(*std::move(last));
        }
        record.violations.push_back(std::move(violation));
    } else if (own.started && !own.finalized && own.open_sessions != 0 && end.code == 0) {
        Violation violation{.kind = replay::ViolationKind::leak_session,
                            .message = "sessions made by MPI_Session_init were never finalized",
                            .ranks = {rank},
                            .situations = {}};
        violation.situations.push_back({.rank = rank,
                                        .call = "MPI_Session_init",
                                        .detail = replay::counted(own.open_sessions, "session"),
                                        .where = own.session});
        record.violations.push_back(std::move(violation));
    } else if (const bool out = kept_out(facts, static_cast<std::size_t>(rank)),
               unfinished = own.started && !own.finalized;
               out || unfinished || !is_good(facts, end.code)) {
        std::optional<RankSituation> situation = exit_situation(own, rank, end.code);
        if (!situation) {
            situation = exception_situation(facts, rank, end.code);
        }
        const auto told = std::find_if(own.violations.begin(), own.violations.end(),
                                       [&](const Violation& each) { return tells_of_call(each, situation); });
        if (told != own.violations.end()) {
            replay::add_consequence(*told, replay::ViolationKind::exit);
            return;  // the library has ended the rank for what was wrong there
        }
        const bool too_late = own.finalized && situation && is_call_of_mpi(*situation);
        exits.push_back({.rank = rank,
                         .status = end.code,
                         .without = out          ? " without calling MPI_Init, as others did"
                                    : unfinished ? " without calling MPI_Finalize"
                                    : too_late   ? ": MPI was called after it was finalized, which ends the rank"
                                                 : "",
                         .situation = std::move(situation)});
    }
}

/// One violation for each place, and for what is missing.
void add_exits(std::vector<Exit> exits, const std::vector<std::string>& wrappers, std::vector<Violation>& violations) {
    std::map<std::pair<std::string, std::string_view>, std::vector<Exit>> by_cause;
    for (Exit& each : exits) {
        Violation alone{.kind = replay::ViolationKind::exit, .message = {}, .ranks = {}, .situations = {}};
        if (each.situation) {
            alone.situations.push_back(*each.situation);
            name_users_places(alone, wrappers);
            each.situation = alone.situations.front();
        } else {
            alone.message = fmt::format("status {}", each.status);
        }
        by_cause[{replay::cause_of(alone), each.without}].push_back(std::move(each));
    }
    for (auto& [cause, ended] : by_cause) {
        Violation violation{.kind = replay::ViolationKind::exit, .message = {}, .ranks = {}, .situations = {}};
        std::set<int> statuses;
        for (Exit& each : ended) {
            violation.ranks.push_back(each.rank);
            statuses.insert(each.status);
        }
        for (Exit& each : ended) {
            if (each.situation) {
                if (statuses.size() > 1) {
                    add_detail(*each.situation, fmt::format("status {}", each.status));
                }
                violation.situations.push_back(*std::move(each.situation));
            }
        }
        violation.message = fmt::format("{} exited with {}{}", in_words(violation.ranks),
                                        statuses.size() == 1 ? fmt::format("status {}", *statuses.begin())
                                                             : fmt::format("statuses {}", fmt::join(statuses, ", ")),
                                        cause.second);
        violations.push_back(std::move(violation));
    }
    std::sort(violations.end() - static_cast<std::ptrdiff_t>(by_cause.size()), violations.end(),
              [](const Violation& one, const Violation& other) { return one.ranks < other.ranks; });
}

/// Where a rank was at its end by itself when its sanitizers put a status of theirs in the place of the program's, it
/// has ended with the program's.
void restore_statuses(RunFacts& facts) {
    for (std::size_t i = 0; i < facts.seen.sanitizers.size(); ++i) {
        RankEnd& end = facts.seen.ends[i];
        if (facts.ranks[i].exit_status && facts.seen.sanitizers[i].ended_rank && end.how == RankEnd::How::exited &&
            is_sanitizers_status(end.code)) {
            end.code = *facts.ranks[i].exit_status;
        }
    }
}

/// What the rank's sanitizers have said, in the place of how they have ended it.
void judge_sanitizers(RunFacts& facts, Rank rank, RunRecord& record, std::vector<Exit>& exits) {
    if (facts.seen.sanitizers.empty()) {
        return;
    }
    SanitizersWords& words = facts.seen.sanitizers[static_cast<std::size_t>(rank)];
    const RankEnd& end = facts.seen.ends[static_cast<std::size_t>(rank)];
    const bool by_address = std::any_of(words.violations.begin(), words.violations.end(), [](const Violation& each) {
        return each.kind == replay::ViolationKind::sanitizer_address;
    });
    const bool exited = words.ended_rank && end.how == RankEnd::How::exited && is_sanitizers_status(end.code) &&
                        !facts.ranks[static_cast<std::size_t>(rank)].exit_status;
    std::erase_if(exits, [&](const Exit& each) { return exited && each.rank == rank; });
    std::erase_if(record.violations, [&](const Violation& violation) {
        return violation.ranks == std::vector<Rank>{rank} && violation.kind == replay::ViolationKind::crash &&
               by_address;
    });
    std::move(words.violations.begin(), words.violations.end(), std::back_inserter(record.violations));
    if (words.doubted.calls != 0) {
        record.not_modelled[replay::conflicts_beside_openmp].add(words.doubted);
    }
}

/// How the rank has crashed: "was ended by ..." of "rank 3 was ended by ...".
std::string_view predicate_of(const Violation& crash) {
    const std::string subject = crash.ranks.empty() ? "" : fmt::format("rank {} ", crash.ranks.front());
    const std::string_view message = crash.message;
    return message.starts_with(subject) ? message.substr(subject.size()) : message;
}

/// A message of other types than its receive asks for may also be too long for it; and what is put beside a window may
/// crash whose memory that is, in MPI.
bool follows_from(const Violation& consequence, const Violation& cause) {
    if (cause.situations.empty() || consequence.situations.empty()) {
        return false;
    }
    const RankSituation& first = cause.situations.front();
    const RankSituation& then = consequence.situations.front();
    if (cause.kind == replay::ViolationKind::type_message) {
        return consequence.kind == replay::ViolationKind::truncation && first.rank == then.rank &&
               replay::source_place(first.where) == replay::source_place(then.where);
    }
    if (cause.kind == replay::ViolationKind::collective_mismatch && replay::is_misuse(consequence.kind)) {
        // A collective in which ranks contradict each other is refused.
        return std::any_of(cause.situations.begin(), cause.situations.end(), [&](const RankSituation& each) {
            return each.call == then.call && replay::source_place(each.where) == replay::source_place(then.where);
        });
    }
    return cause.kind == replay::ViolationKind::argument_displacement &&
           consequence.kind == replay::ViolationKind::crash && then.call.starts_with("MPI_");
}

void drop_what_comes_of_others(std::vector<Violation>& violations) {
    std::vector<bool> is_told(violations.size());
    for (std::size_t i = 0; i < violations.size(); ++i) {
        for (Violation& other : violations) {
            if (follows_from(violations[i], other)) {
                replay::add_consequence(other, violations[i].kind);
                is_told[i] = true;
            }
        }
    }
    std::vector<Violation> kept;
    for (std::size_t i = 0; i < violations.size(); ++i) {
        if (!is_told[i]) {
            kept.push_back(std::move(violations[i]));
        }
    }
    violations = std::move(kept);
}

/// Where a rank has ended the run since MPI cannot start processes, no end of a rank is the program's fault.
void drop_ends_without_processes(RunRecord& record) {
    const bool ended = std::any_of(record.not_modelled.begin(), record.not_modelled.end(), [](const auto& each) {
        return std::string_view(each.first).starts_with(replay::processes_by);
    });
    std::erase_if(record.violations, [ended](const Violation& violation) {
        using Kind = replay::ViolationKind;
        return ended &&
               (violation.kind == Kind::abort || violation.kind == Kind::exit || violation.kind == Kind::crash ||
                violation.kind == Kind::deadlock || violation.kind == Kind::hang);
    });
}

/// Makes one violation of those with one cause.
void merge_same(std::vector<Violation>& violations) {
    constexpr std::string_view was = "was ";
    std::vector<Violation> merged;
    std::map<std::string, std::size_t> known;
    for (Violation& violation : violations) {
        const auto [same, is_new] = known.try_emplace(replay::cause_of(violation), merged.size());
        if (is_new) {
            merged.push_back(std::move(violation));
            continue;
        }
        Violation& first = merged[same->second];
        if (violation.kind == replay::ViolationKind::crash) {
            const std::string how(predicate_of(violation));
            violation.message = first.message;
            replay::take_in(first, std::move(violation));
            if (how.starts_with(was)) {
                first.message = in_words(first.ranks) + " were " + how.substr(was.size());
            }
        } else {
            replay::take_in(first, std::move(violation));
        }
    }
    violations = std::move(merged);
}

/// Where it is certain that the program did not repeat itself: a rank has come to MPI_Finalize without an operation
/// that it had come to before, or has ended without sending a message that is decided to be received, though everything
/// that the run left to chance came as it was decided.
std::optional<Violation> did_not_repeat(const RunFacts& facts, const std::vector<replay::Epoch>& epochs) {
    const bool all_kept = std::none_of(facts.ranks.begin(), facts.ranks.end(),
                                       [](const RankFacts& each) { return each.omitted.has_value(); });
    const auto is_known = [&](Rank rank) {
        return all_kept && rank >= 0 && static_cast<std::size_t>(rank) < facts.ranks.size();
    };
    const auto finalizing = [&](Rank rank) {
        return is_known(rank) && facts.ranks[static_cast<std::size_t>(rank)].finalizing;
    };
    /// How the rank has ended, so that it sends nothing more; empty: it has not.
    const auto end_of = [&](Rank rank) -> std::string {
        if (finalizing(rank)) {
            return "has come to MPI_Finalize";
        }
        const RankEnd end = is_known(rank) ? facts.seen.ends[static_cast<std::size_t>(rank)] : RankEnd{};
        return end.how != RankEnd::How::signalled ? ""
               : may_come_from_outside(end.code)
                   ? "was ended by signal " + signal_text(end.code) + ", which comes from outside,"
                   : "was ended by signal " + signal_text(end.code);
    };
    const auto divergence = [](Rank rank, std::string message, std::vector<RankSituation> situations) {
        return Violation{.kind = replay::ViolationKind::divergence,
                         .message = std::move(message),
                         .ranks = {rank},
                         .situations = std::move(situations)};
    };
    const auto find = [&](const replay::EpochId& id) {
        const auto found =
            std::lower_bound(epochs.begin(), epochs.end(), id,
                             [](const replay::Epoch& epoch, const auto& wanted) { return epoch.id < wanted; });
        return found != epochs.end() && found->id == id ? &*found : nullptr;
    };
    for (const replay::Decision& decision : facts.seen.decisions) {
        if (finalizing(decision.epoch.rank) && find(decision.epoch) == nullptr) {
            return divergence(decision.epoch.rank,
                              fmt::format("rank {} has come to MPI_Finalize without its operation {} (counting the "
                                          "nondeterministic ones from 0), to which it came before",
                                          decision.epoch.rank, decision.epoch.index),
                              {});
        }
    }
    const bool all_decided = std::all_of(epochs.begin(), epochs.end(),
                                         [](const replay::Epoch& epoch) { return epoch.forced || !epoch.outcome; });
    for (const replay::Decision& decision : facts.seen.decisions) {
        const replay::Epoch* const epoch = find(decision.epoch);
        const Rank source = decision.outcome.source;
        const bool open = epoch != nullptr && facts.open_decisions.first &&
                          facts.open_decisions.first->rank == epoch->id.rank &&
                          facts.open_decisions.first->where == epoch->where && epoch->forced && !epoch->outcome;
        const std::string end = all_decided && open && replay::chooses_message(epoch->kind) ? end_of(source) : "";
        if (!end.empty()) {
            return divergence(
                source,
                fmt::format("rank {} {} without sending a message with tag {} to rank {}, which it sent before", source,
                            end, decision.outcome.tag, decision.epoch.rank),
                {{.rank = epoch->id.rank, .call = epoch->call, .detail = "", .where = epoch->where}});
        }
    }
    return std::nullopt;
}

/// Makes one note of what several ranks, or copies that the compiler made of one line, have noted alike.
void merge_notes(std::vector<Violation>& notes) {
    std::vector<Violation> merged;
    for (Violation& note : notes) {
        const RankSituation& situation = note.situations.front();
        const auto same = std::find_if(merged.begin(), merged.end(), [&](const Violation& other) {
            return other.kind == note.kind && other.message == note.message &&
                   replay::source_place(other.situations.front().where) == replay::source_place(situation.where);
        });
        if (same == merged.end()) {
            merged.push_back(std::move(note));
        } else if (same->ranks.back() != situation.rank) {  // they come rank by rank
            same->ranks.push_back(situation.rank);
            same->situations.push_back(situation);
        }
    }
    notes = std::move(merged);
}

}  // namespace

RunRecord judge(RunFacts facts) {
    RunRecord record;
    record.protocol = facts.protocol;
    record.cut_short = facts.seen.ending.cut_short || facts.open_decisions.cut_off;
    auto& ranks = facts.ranks;
    restore_statuses(facts);
    refuse_unsuitable(facts);
    bool all_finalized = true;
    bool all_finalizing = true;
    std::vector<Exit> exits;
    std::vector<Violation> ended_in_abort;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        const auto rank = static_cast<Rank>(i);
        if (!ranks[i].internal_error.empty()) {
            throw InternalError(fmt::format("internal error in rank {}: {}", rank, ranks[i].internal_error));
        }
        all_finalized = all_finalized && ranks[i].finalized;
        all_finalizing = all_finalizing && ranks[i].finalizing;
        if (!ranks[i].started && facts.seen.ends[i].how == RankEnd::How::exited && facts.seen.ends[i].code == 0 &&
            !kept_out(facts, i) && !facts.not_modelled.contains(replay::executed_before_init)) {
            ++record.not_modelled["ranks that ended without calling MPI_Init, as far as can be seen"].calls;
        }
        if (!ranks[i].log_sound) {
            record.not_modelled[fmt::format("the log of rank {} was overwritten by the program", rank)].calls = 1;
        }
        if (ranks[i].divergence) {
            record.diverged = true;
            record.violations.push_back(*ranks[i].divergence);
        }
        std::move(ranks[i].epochs.begin(), ranks[i].epochs.end(), std::back_inserter(record.epochs));
        if (ranks[i].omitted) {
            record.omitted.emplace(rank, *ranks[i].omitted);
        }
        std::move(ranks[i].notes.begin(), ranks[i].notes.end(), std::back_inserter(record.notes));
        judge_end(facts, rank, record, exits, ended_in_abort);
        judge_sanitizers(facts, rank, record, exits);
        for (Violation& violation : ranks[i].violations) {
            if (violation.kind == replay::ViolationKind::crash && violation.situations.front().stack.empty()) {
                violation.situations.front().stack = program_stack(ranks[i].crash_stack);  // the assertion's own
            }
        }
        std::move(ranks[i].violations.begin(), ranks[i].violations.end(), std::back_inserter(record.violations));
        std::move(ranks[i].foreseen.begin(), ranks[i].foreseen.end(), std::back_inserter(record.foreseen));
    }
    // Those that have told of their call with its error code come first.
    std::move(ended_in_abort.begin(), ended_in_abort.end(), std::back_inserter(record.violations));
    add_exits(std::move(exits), facts.seen.wrappers, record.violations);
    for (const auto& [feature, calls] : facts.not_modelled) {
        record.not_modelled[feature].add(calls);
    }
    switch (facts.seen.ending.reason) {
        case RunEnding::Reason::finished:
            break;
        case RunEnding::Reason::deadlock: {
            Violation stuck = deadlock(facts);
            if (stuck.kind == replay::ViolationKind::deadlock && !record.diverged) {
                stuck = collective_order(facts).value_or(std::move(stuck));
            }
            record.violations.push_back(std::move(stuck));
            break;
        }
        case RunEnding::Reason::livelock:
            record.violations.push_back(livelock(facts));
            break;
        case RunEnding::Reason::hang:
            record.violations.push_back(hang(facts));
            break;
        case RunEnding::Reason::doubt:
            break;
    }
    bool out_of_order = false;
    for (const CollectiveMismatch& mismatch : facts.mismatches) {
        Violation told = mismatch.violation;
        std::erase_if(record.violations, [&](const Violation& violation) {
            const bool comes_of_it = is_consequence(violation, mismatch, facts.seen.ending.states);
            if (comes_of_it) {
                replay::add_consequence(told, violation.kind);
            }
            return comes_of_it;
        });
        record.violations.push_back(std::move(told));
        out_of_order = out_of_order || transport::breaks_order(mismatch.difference);
    }
    if (all_finalized && !out_of_order) {
        std::move(facts.uneven_collectives.begin(), facts.uneven_collectives.end(),
                  std::back_inserter(record.violations));
    }
    if (!facts.seen.message_leaks) {
        const auto messages = std::stable_partition(
            record.violations.begin(), record.violations.end(),
            [](const Violation& each) { return each.kind != replay::ViolationKind::leak_message; });
        std::move(messages, record.violations.end(), std::back_inserter(record.notes));
        record.violations.erase(messages, record.violations.end());
    }
    merge_notes(record.notes);
    if (!all_finalizing) {
        // What they hold may still be freed, but for the session of a rank that has ended without finalizing it.
        std::erase_if(record.violations, [](const Violation& violation) {
            return replay::is_leak(violation.kind) && violation.kind != replay::ViolationKind::leak_session;
        });
    }
    if (all_finalized) {
        const bool all_seen =
            std::none_of(replay::unseen_calls.begin(), replay::unseen_calls.end(),
                         [&](std::string_view calls) { return record.not_modelled.contains(std::string(calls)); });
        for (Violation& violation : facts.unreceived) {
            const bool counts =
                all_seen && (facts.seen.message_leaks || violation.kind != replay::ViolationKind::leak_message);
            (counts ? record.violations : record.notes).push_back(std::move(violation));
        }
    }
    auto imprecise = std::find_if(record.violations.begin(), record.violations.end(),
                                  [](const Violation& v) { return v.kind == replay::ViolationKind::imprecise_match; });
    if (imprecise == record.violations.end() &&
        (facts.open_decisions.first || facts.seen.ending.reason == RunEnding::Reason::doubt)) {
        imprecise = record.violations.insert(record.violations.end(), imprecise_match(facts.open_decisions.first));
    }
    if (imprecise != record.violations.end()) {
        // The run is not one that MPI allows: nothing else in it says anything about the program. But what was decided
        // cannot be expected to come where the program did not do before it what it had done.
        const auto noticed = std::find_if(record.violations.begin(), record.violations.end(), [](const Violation& v) {
            return v.kind == replay::ViolationKind::divergence;
        });
        const Violation doubt =
            noticed != record.violations.end() ? *noticed : did_not_repeat(facts, record.epochs).value_or(*imprecise);
        record.violations.clear();
        record.foreseen.clear();
        record.notes.clear();
        if (!facts.seen.stopped) {  // else it may still have come
            record.violations.push_back(doubt);
        }
        record.diverged = true;
    }
    drop_what_comes_of_others(record.violations);
    drop_ends_without_processes(record);
    keep_closed(record);
    for (Violation& violation : record.violations) {
        name_users_places(violation, facts.seen.wrappers);
    }
    if (facts.seen.finds_wrappers) {  // a run for its places alone; to a sweep they are names of what it explores
        name_users_places(record.epochs, facts.stacks, facts.seen.wrappers);
    }
    merge_same(record.violations);
    if (facts.seen.stopped && !facts.seen.stacks.empty()) {
        for (const RankFacts& rank : facts.ranks) {
            if (rank.situation) {
                record.stopped_at.push_back(*rank.situation);
            }
        }
    }
    record.communicators = std::move(facts.communicators);
    record.stacks = std::move(facts.stacks);
    return record;
}

}  // namespace dampi::scheduler
