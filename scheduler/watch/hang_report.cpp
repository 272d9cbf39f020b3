#include "scheduler/watch/hang_report.hpp"

#include "base/atomic_file.hpp"

#include <algorithm>
#include <array>

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

std::string headline(const HangReport& report) {
    switch (report.kind) {
        case HangKind::computation:
            return fmt::format("{} {} without end, the others wait for {}", many(report.blamed),
                               report.blamed.size() == 1 ? "computes" : "compute",
                               report.blamed.size() == 1 ? "it" : "them");
        case HangKind::stopped:
            return fmt::format("{} {} stopped by a signal, the others wait", many(report.blamed),
                               report.blamed.size() == 1 ? "has been" : "have been");
        case HangKind::deadlock:
            return "ranks wait for each other, and nobody else can end that";
        case HangKind::communication:
            break;
    }
    return "all ranks are in MPI, and none gets on: a message was lost or never sent, or a collective lacks a rank";
}

std::string text_of(const HangGroup& group) {
    std::string text = fmt::format("  {}{}: {}\n", many(group.ranks), group.is_blamed ? " (blamed)" : "", group.state);
    for (std::size_t i = 0; i < std::min(group.stack.size(), told_frames); ++i) {
        text += fmt::format("      {}{}\n", i == 0 ? "at " : "by ", text_of(group.stack[i]));
    }
    for (const HangIteration& iteration : group.iterations) {
        text += fmt::format("      iteration {} of the loop in {}\n", iteration.number, text_of(iteration.loop));
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
        iterations.push_back({{"loop", json_of(iteration.loop)}, {"number", iteration.number}});
    }
    return {{"ranks", group.ranks},
            {"state", group.state},
            {"function", group.function},
            {"outside_mpi", group.is_outside},
            {"stopped", group.is_stopped},
            {"blamed", group.is_blamed},
            {"least_progressed", group.is_least},
            {"stack", std::move(stack)},
            {"iterations", std::move(iterations)}};
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

std::string make_hang_text(const HangReport& report) {
    std::string text =
        fmt::format("HANG ({}) after {:.0f} s: {}\n", name_of(report.kind), seconds(report.since), headline(report));
    text += fmt::format("  no rank has got on for {:.1f} s", seconds(report.quiet));
    text += report.samples_in_a_row == 0
                ? std::string("; the job had not run long enough for statistics\n")
                : fmt::format("; {} suspicious samples in a row, more than chance explains ({:g} in a whole job)\n",
                              report.samples_in_a_row, report.significance);
    if (report.size > report.ranks_seen) {
        text += fmt::format("  only {} of {} ranks are on this machine; what the others do is not known here\n",
                            report.ranks_seen, report.size);
    }
    for (const HangGroup& group : report.groups) {
        text += text_of(group);
    }
    for (const HangWait& wait : report.waits) {
        text += fmt::format("  rank {} waits for rank {} in {}\n", wait.rank, wait.for_rank, wait.function);
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
    nlohmann::json waits = nlohmann::json::array();
    for (const HangWait& wait : report.waits) {
        waits.push_back({{"rank", wait.rank}, {"for", wait.for_rank}, {"function", wait.function}});
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
                        {"blamed", report.blamed},
                        {"least_progressed", report.least_progressed},
                        {"groups", std::move(groups)},
                        {"waits", std::move(waits)},
                        {"went_on", went_on_after.has_value()}};
    if (went_on_after) {
        json["went_on_after_seconds"] = seconds(*went_on_after);
    }
    // What a program's symbols contain need not be UTF-8.
    base::write_file_atomically(file, json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

}  // namespace dampi::scheduler::watch
