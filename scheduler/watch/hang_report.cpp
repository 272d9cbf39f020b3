#include "scheduler/watch/hang_report.hpp"

#include "base/atomic_file.hpp"
#include "scheduler/report/json_report.hpp"
#include "scheduler/report/situation_text.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace dampi::scheduler::watch {
namespace {

constexpr std::size_t told_frames = 8;

double seconds(std::chrono::milliseconds time) { return static_cast<double>(time.count()) / 1000; }

std::string many(const std::vector<int>& ranks) {
    return fmt::format("{} {}", ranks.size() == 1 ? "rank" : "ranks", rank_ranges(ranks));
}

std::string text_of(const replay::CodePlace& place) {
    const std::string name =
        place.function.empty()
            ? fmt::format("{}+{:#x}", std::filesystem::path(place.module).filename().string(), place.offset)
            : place.function;
    return place.file.empty()
               ? name
               : fmt::format("{} ({}:{})", name, std::filesystem::path(place.file).filename().string(), place.line);
}

std::string text_of(const HangGroup& group) {
    std::string text = fmt::format("  {}{}: {}\n", many(group.ranks), group.is_blamed ? " (blamed)" : "", group.state);
    for (std::size_t i = 0; i < std::min(group.stack.size(), told_frames); ++i) {
        text += fmt::format("      {}{}\n", i == 0 ? "at " : "by ", text_of(group.stack[i]));
    }
    for (const std::string& detail : details_of(group)) {
        text += "      " + detail + "\n";
    }
    return text;
}

nlohmann::json json_of(const replay::CodePlace& place) {
    return {{"module", place.module},
            {"offset", place.offset},
            {"function", place.function},
            {"file", place.file},
            {"line", place.line}};
}

nlohmann::json json_of(const HangGroup& group) {
    nlohmann::json stack = nlohmann::json::array();
    for (const auto& place : group.stack) {
        stack.push_back(json_of(place));
    }
    nlohmann::json iterations = nlohmann::json::array();
    for (const auto& iteration : group.iterations) {
        iterations.push_back({{"loop", json_of(iteration.loop)},
                              {"in_function", iteration.is_there},
                              {"number", iteration.number},
                              {"call", iteration.call},
                              {"over_all_rounds", iteration.in_all}});
    }
    nlohmann::json variables = nlohmann::json::array();
    for (const HangVariables& of : group.variables) {
        nlohmann::json values = nlohmann::json::object();
        for (const auto& [name, value] : of.values) {
            values.emplace(name, value);  // that of the innermost scope comes first
        }
        variables.push_back({{"rank", of.rank}, {"function", of.function}, {"values", std::move(values)}});
    }
    return {{"ranks", group.ranks},
            {"state", group.state},
            {"function", group.function},
            {"outside_mpi", group.is_outside},
            {"stopped", group.is_stopped},
            {"idle", group.is_idle},
            {"other_thread", group.is_other_thread},
            {"died", group.has_died},
            {"blamed", group.is_blamed},
            {"least_progressed", group.is_least},
            {"stack", std::move(stack)},
            {"iterations", std::move(iterations)},
            {"variables", std::move(variables)}};
}

/// Whether there are ranks that are blamed, and this holds for all of them.
bool has_blamed(const HangReport& report, bool HangGroup::*property) {
    bool is_any = false;
    for (const HangGroup& group : report.groups) {
        if (group.is_blamed && !(group.*property)) {
            return false;
        }
        is_any = is_any || group.is_blamed;
    }
    return is_any;
}

std::string headline_of_outside(const HangReport& report) {
    const bool is_one = report.blamed.size() == 1;
    if (has_blamed(report, &HangGroup::is_other_thread)) {
        return fmt::format("{} of {} {} the processor outside MPI without end; no rank gets on",
                           is_one ? "a thread" : "threads", many(report.blamed), is_one ? "uses" : "use");
    }
    const std::string others = fmt::format("the others wait for {}", is_one ? "it" : "them");
    if (!has_blamed(report, &HangGroup::is_idle)) {
        const bool none_idle = std::none_of(report.groups.begin(), report.groups.end(),
                                            [](const HangGroup& group) { return group.is_blamed && group.is_idle; });
        return fmt::format("{} {} without end, {}", many(report.blamed),
                           !none_idle ? "are outside MPI"
                           : is_one   ? "computes"
                                      : "compute",
                           others);
    }
    std::set<std::string> where;
    for (const HangGroup& group : report.groups) {
        if (group.is_blamed && !group.stack.empty()) {
            replay::CodePlace place = group.stack.front();
            place.file.clear();
            where.insert(text_of(place));
        }
    }
    return fmt::format("{} {} outside MPI without end{}, {}", many(report.blamed),
                       is_one ? "sleeps or is blocked" : "sleep or are blocked",
                       where.size() == 1 ? " in " + *where.begin() : std::string{}, others);
}

}  // namespace

std::string name_of(HangKind kind) {
    static const std::array names{"computation", "communication", "deadlock", "stopped"};
    return names[static_cast<std::size_t>(kind)];
}

std::string rank_ranges(std::vector<int> ranks) {
    std::sort(ranks.begin(), ranks.end());
    std::string text;
    for (std::size_t i = 0; i < ranks.size();) {
        std::size_t end = i;
        while (end + 1 < ranks.size() && ranks[end + 1] <= ranks[end] + 1) {
            ++end;
        }
        text += (text.empty() ? "" : ", ") + std::to_string(ranks[i]);
        if (ranks[end] != ranks[i]) {
            text += (ranks[end] == ranks[i] + 1 ? ", " : "-") + std::to_string(ranks[end]);
        }
        i = end + 1;
    }
    return text;
}

std::string headline_of(const HangReport& report) {
    switch (report.kind) {
        case HangKind::computation:
            return headline_of_outside(report);
        case HangKind::stopped:
            return fmt::format("{} {} stopped by a signal, the others wait", many(report.blamed),
                               report.blamed.size() == 1 ? "has been" : "have been");
        case HangKind::deadlock:
            if (has_blamed(report, &HangGroup::has_died)) {
                return fmt::format("{} {} ended without MPI_Finalize, so {} can never go on", many(report.blamed),
                                   report.blamed.size() == 1 ? "has" : "have", many(report.wait_for->core));
            }
            return fmt::format("{} can never go on: what {} for, nobody else can do", many(report.wait_for->core),
                               report.wait_for->core.size() == 1 ? "it waits" : "they wait");
        case HangKind::communication:
            if (has_blamed(report, &HangGroup::has_died)) {
                return fmt::format("{} {} ended without MPI_Finalize, and none of the others gets on",
                                   many(report.blamed), report.blamed.size() == 1 ? "has" : "have");
            }
            break;
    }
    return "all ranks are in MPI, and none gets on: a message was lost or never sent, or a collective lacks a rank";
}

std::string basis_of(const HangReport& report) {
    if (report.from_facts) {
        return "decided from facts: the messages that were sent and received, and what each call waits for";
    }
    std::string text = fmt::format("no rank has got on for {:.1f} s", seconds(report.quiet));
    text += report.samples_in_a_row == 0
                ? std::string("; the job had not run long enough for statistics")
                : fmt::format("; {} suspicious samples in a row, more than chance explains ({:g} in a whole job)",
                              report.samples_in_a_row, report.significance);
    if (report.needs_no_room) {
        text += "; by the messages sent and received it is a deadlock, unless MPI finds room for a standard send yet";
    }
    return text;
}

std::vector<std::string> details_of(const HangGroup& group) {
    std::vector<std::string> details;
    for (const HangIteration& iteration : group.iterations) {
        if (!iteration.call.empty()) {
            details.push_back(fmt::format("has called {} {} time{} at {}", iteration.call, iteration.number,
                                          iteration.number == 1 ? "" : "s", text_of(iteration.loop)));
            continue;
        }
        details.push_back(fmt::format("iteration {}{} of the loop {} {}", iteration.number,
                                      iteration.in_all ? " in all" : "", iteration.is_there ? "in" : "in or around",
                                      text_of(iteration.loop)));
    }
    for (const HangVariables& of : group.variables) {
        std::string text;
        for (const auto& [name, value] : of.values) {
            text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, value);
        }
        details.push_back(fmt::format("rank {} in {}: {}", of.rank, of.function, text));
    }
    return details;
}

std::string make_hang_text(const HangReport& report) {
    std::string text =
        fmt::format("HANG ({}) after {:.0f} s: {}\n", name_of(report.kind), seconds(report.since), headline_of(report));
    text += "  " + basis_of(report) + "\n";
    if (report.size > report.ranks_seen) {
        text += fmt::format("  only {} of {} ranks can be seen; what the others do is not known here\n",
                            report.ranks_seen, report.size);
    }
    for (const HangGroup& group : report.groups) {
        text += text_of(group);
    }
    if (report.wait_for && report.kind == HangKind::deadlock) {
        std::ostringstream waits;
        print_wait_for(waits, *report.wait_for, report.size);
        text += waits.str();
    }
    if (!report.least_progressed.empty()) {
        text += fmt::format("  least progressed: {}\n", many(report.least_progressed));
    }
    return text;
}

void write_hang_json(const std::filesystem::path& file, const HangReport& report,
                     std::optional<std::chrono::milliseconds> went_on_after) {
    nlohmann::json groups = nlohmann::json::array();
    for (const HangGroup& group : report.groups) {
        groups.push_back(json_of(group));
    }
    nlohmann::json json{{"schema", "dampi-hang-1"},
                        {"kind", name_of(report.kind)},
                        {"quiet_seconds", seconds(report.quiet)},
                        {"found_after_seconds", seconds(report.since)},
                        {"suspicious_samples", report.samples_in_a_row},
                        {"significance", report.significance},
                        {"eye", report.with_layer ? "layer" : "stacks"},
                        {"ranks_seen", report.ranks_seen},
                        {"size", report.size},
                        {"lost_machines", report.lost_machines},
                        {"blamed", report.blamed},
                        {"least_progressed", report.least_progressed},
                        {"groups", std::move(groups)},
                        {"wait_for", report.wait_for ? wait_for_to_json(*report.wait_for) : nlohmann::json(nullptr)},
                        {"decided", report.from_facts ? "facts" : "statistics"},
                        {"deadlock_without_room", report.needs_no_room},
                        {"not_decided_from_facts", report.facts_doubt},
                        {"went_on", went_on_after.has_value()}};
    if (went_on_after) {
        json["went_on_after_seconds"] = seconds(*went_on_after);
    }
    // What a program's symbols contain need not be UTF-8.
    base::write_file_atomically(file, json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

}  // namespace dampi::scheduler::watch
