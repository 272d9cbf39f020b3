#include "scheduler/isp/report.hpp"

#include "scheduler/isp/call_text.hpp"
#include "scheduler/isp/completes_before.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace dampi::scheduler::isp {
namespace {

using replay::CallEvent;
using replay::CallKind;
using replay::Violation;

constexpr const char* rule = "-----------------------------------------\n";
/// ISP shows no longer lists with an error.
constexpr std::size_t most_calls_shown = 200;

std::string program_name(const Options& options) { return std::filesystem::path(options.program).filename().string(); }

std::string place_text(const replay::CodePlace& where) {
    return where.file.empty() ? std::string() : fmt::format(" {}:{}", where.file, where.line);
}

std::string call_line(const CallEvent& call, std::uint64_t order) {
    std::string text = fmt::format("o={} i={} rank={} {}{}", order, call.name.index, call.name.rank, display_name(call),
                                   place_text(call.where));
    switch (call.kind) {
        case CallKind::send:
            text += fmt::format(" dest={} stag={}", call.peer, call.tag);
            break;
        case CallKind::receive:
        case CallKind::probe:
            text += fmt::format(" src={} rtag={}", call.peer, call.tag);
            break;
        case CallKind::collective:
        case CallKind::completion:
        case CallKind::finalize:
        case CallKind::abort:
            break;
    }
    return text;
}

std::string list_of_calls(const Interleaving& run, const Options& options, std::uint64_t before) {
    const std::vector<CompletesBefore> after = completes_before(run.calls, options.sends_block);
    std::string text;
    replay::Rank rank = -1;
    for (std::size_t at = 0; at < run.calls.size(); ++at) {
        const CallEvent& call = run.calls[at];
        if (call.name.rank != rank) {
            rank = call.name.rank;
            text += fmt::format("Transition list for {}\n", rank);
        }
        text += fmt::format("{} {}{{", call.name.index, call_line(call, before + call.order));
        for (std::size_t i = 0; i < after[at].within.size(); ++i) {
            text += fmt::format("{}[{}, {}]", i == 0 ? "" : ", ", rank, after[at].within[i]);
        }
        text += "} {";
        for (std::size_t i = 0; i < after[at].across.size(); ++i) {
            text += fmt::format("{}[{}, {}]", i == 0 ? "" : ", ", after[at].across[i].rank, after[at].across[i].index);
        }
        text += "}";
        if (call.match) {
            text += fmt::format("\t Matched [{},{}]", call.match->rank, call.match->index);
        } else if (!call.issue) {
            text += "\t No match";
        }
        text += "\n";
    }
    return text;
}

std::string ranks_of(const Violation& violation) {
    return fmt::format("{}", violation.ranks.empty() ? 0 : violation.ranks.front());
}

/// The sentences for one violation, without a rule around them; nothing for leaks.
std::string sentences(const Violation& violation, std::uint64_t number, const Options& options) {
    const replay::RankSituation situation =
        violation.situations.empty() ? replay::RankSituation{} : violation.situations.front();
    const std::string killing = fmt::format("Killing program {}\n", program_name(options));
    const std::string where =
        situation.where.file.empty() ? "unknown" : fmt::format("{}:{}", situation.where.file, situation.where.line);
    switch (trouble_of(violation)) {
        case Trouble::deadlock: {
            std::string text = "No matching MPI call found!\n";
            text += fmt::format("Detected a DEADLOCK in interleaving {}\n{}\n", number, violation.message);
            for (const replay::RankSituation& each : violation.situations) {
                text += fmt::format("Rank {}: {}{}{}\n", each.rank, each.call.empty() ? "outside MPI" : each.call,
                                    place_text(each.where),
                                    each.arguments.empty() ? "" : fmt::format(" ({})", each.arguments));
            }
            return text + killing;
        }
        case Trouble::assertion:
            return fmt::format("Program assertion failed!\nRank {}: {}: {}: {}\n{}", ranks_of(violation), where,
                               situation.where.function, violation.message, killing);
        case Trouble::abort:
            return fmt::format("MPI_Abort on rank {} caused abort on all ranks.\n{}: {}\n{}", ranks_of(violation),
                               where, violation.message, killing);
        case Trouble::invalid_rank:
            return fmt::format("Rank {}: Invalid rank in {} at {}\n{}\n{}", ranks_of(violation), situation.call, where,
                               violation.message, killing);
        case Trouble::refused:
            return fmt::format("Fatal error in P{}: {}\nRank {}: at {}\n{}", situation.call, violation.message,
                               ranks_of(violation), where, killing);
        case Trouble::crash:
            return fmt::format("Receiving empty buffer - Terminating ...\nRank {}: {}{}\n{}", ranks_of(violation),
                               violation.message, place_text(situation.where), killing);
        case Trouble::leak:
            return "";
        case Trouble::other:
        case Trouble::none:
            return fmt::format("{}\n", violation.message);
    }
    return "";
}

}  // namespace

std::string as_said_here(std::string sentence) {
    constexpr std::pair<std::string_view, std::string_view> own[] = {
        {"the bound of --max-interleavings 1", "one, as --exp-mode asks"},
        {"--mixing-bound", "--bound"},
    };
    for (const auto& [theirs, ours] : own) {
        if (const std::size_t at = sentence.find(theirs); at != std::string::npos) {
            sentence.replace(at, theirs.size(), ours);
        }
    }
    constexpr std::string_view foreign = "dampi-run ";
    for (std::size_t at = 0; (at = sentence.find("--", at)) != std::string::npos; at += 2) {
        const std::string_view option = std::string_view(sentence).substr(at);
        const bool begins = at == 0 || sentence[at - 1] == ' ' || sentence[at - 1] == '(';
        const bool is_own = option.starts_with("--bound") || option.starts_with("--exp-mode");
        if (begins && !is_own) {
            sentence.insert(at, foreign);
            at += foreign.size();
        }
    }
    return sentence;
}

std::string introduction(const Options& options) {
    if (options.quiet) {
        return "";
    }
    std::string command = options.program;
    for (const std::string& argument : options.arguments) {
        command += " " + argument;
    }
    return fmt::format("ISP - Insitu Partial Order\n{}Command:        {}\nNumber Procs:   {}\nBlocking Sends: {}\n{}",
                       rule, command, options.processes, options.sends_block ? "Enabled" : "Disabled", rule);
}

std::string Narrator::interleaving(const Interleaving& run) {
    const std::uint64_t before = calls_;
    ++interleavings_;
    calls_ += run.calls.size();
    std::string errors;
    std::map<replay::Rank, std::vector<const Violation*>> leaks;
    for (const Violation& violation : run.violations) {
        const Trouble trouble = trouble_of(violation);
        errors += sentences(violation, run.number, options_);
        if (trouble == Trouble::leak) {
            for (const replay::Rank rank : violation.ranks) {
                leaks[rank].push_back(&violation);
            }
        } else if (trouble == Trouble::deadlock) {
            deadlock_ = true;
        } else if (trouble == Trouble::other) {
            other_ = true;
        } else if (first_ == Trouble::none) {
            first_ = trouble;
        }
    }
    if (options_.quiet) {
        return "";
    }

    std::string text = fmt::format("INTERLEAVING :{}\n", run.number);
    if (options_.report_every != 0) {
        for (const CallEvent& call : run.calls) {
            if ((before + call.order) % options_.report_every == 0) {
                text += fmt::format("Processed: {}\n", call_line(call, before + call.order));
            }
        }
    }
    if (options_.every_list || (!errors.empty() && run.calls.size() < most_calls_shown)) {
        text += rule + list_of_calls(run, options_, before);
    }
    if (!errors.empty()) {
        text += rule + errors;
    }
    std::string counts;
    std::map<replay::Rank, std::uint64_t> calls;
    for (const CallEvent& call : run.calls) {
        ++calls[call.name.rank];
    }
    for (replay::Rank rank = 0; rank < options_.processes; ++rank) {
        if (leaks.contains(rank)) {
            counts += fmt::format("Rank {}: {} resource leaks detected.\n", rank, leaks[rank].size());
            for (const Violation* leak : leaks[rank]) {
                counts += fmt::format("Rank {}: {}: {}{}\n", rank, resource_of(*leak), leak->message,
                                      leak->situations.empty() ? "" : place_text(leak->situations.front().where));
            }
        }
        if (options_.count_calls) {
            counts += fmt::format("Rank {}: {} MPI calls trapped.\n", rank, calls[rank]);
        }
    }
    if (!counts.empty()) {
        text += rule + counts;
    }
    return text;
}

std::string Narrator::conclusion() const {
    if (options_.quiet) {
        return "";
    }
    return fmt::format("{}{}\nTotal Explored Interleavings: {}\nInterleaving Exploration Mode: {}\n{}", rule,
                       deadlock_ ? "ISP detected deadlock!!!" : "ISP detected no deadlocks!", interleavings_,
                       options_.mode, rule);
}

ExitCode Narrator::exit_code() const {
    if (first_ != Trouble::none) {
        return exit_code_of(first_);
    }
    return deadlock_ ? ExitCode::deadlock : exit_code_of(other_ ? Trouble::other : Trouble::none);
}

}  // namespace dampi::scheduler::isp
