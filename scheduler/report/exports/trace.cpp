// See trace.hpp.
#include "scheduler/report/exports/trace.hpp"

#include "base/atomic_file.hpp"
#include "base/types.hpp"
#include "replay/terminal_words.hpp"
#include "scheduler/report/call_places.hpp"
#include "scheduler/report/causal_depth.hpp"
#include "scheduler/report/exports/exported_text.hpp"
#include "scheduler/report/text_report.hpp"
#include "scheduler/sweep/outcome_words.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace dampi::scheduler {
namespace {

using Json = nlohmann::json;
using replay::Rank;

// In microseconds, as the format counts.
constexpr std::uint64_t step = 1000;
constexpr std::uint64_t operation_length = 800;
constexpr std::uint64_t sends_begin = 850;  ///< behind the operation that they come after
constexpr std::uint64_t most_sends = step - sends_begin - 1;

// Some readers take what is numbered 0 for what has no number.
constexpr int process = 1;
constexpr int thread_of(Rank rank) { return rank + 1; }

Json number_or_any(std::int32_t number, std::int32_t any) { return number == any ? Json("any") : Json(number); }

/// The call at which the arrow of the message ends that a call has met: after which its rank has it; of a request that
/// nobody has completed the call that began it, or the rank's last, for an arrow does not go back. Nothing if that is
/// not later than the send either.
std::optional<std::size_t> arrival(const std::vector<replay::CallEvent>& calls, const std::vector<CallPlace>& places,
                                   std::size_t sent, std::size_t call) {
    if (places[call].arrives) {
        return *places[call].arrives;
    }
    std::size_t last = call;
    while (last + 1 < calls.size() && calls[last + 1].name.rank == calls[call].name.rank) {
        ++last;
    }
    for (const std::size_t each : {call, last}) {
        if (places[each].depth > places[sent].depth) {
            return each;
        }
    }
    return std::nullopt;
}

class Trace {
public:
    explicit Trace(const std::string& title) {
        events_.push_back({{"ph", "M"},
                           {"name", "process_name"},
                           {"pid", process},
                           {"tid", process},
                           {"args", {{"name", valid_text(title)}}}});
    }

    void add_slice(Rank rank, const std::string& name, std::uint64_t begin, std::uint64_t length, Json arguments) {
        if (ranks_.insert(rank).second) {
            events_.push_back({{"ph", "M"},
                               {"name", "thread_name"},
                               {"pid", process},
                               {"tid", thread_of(rank)},
                               {"args", {{"name", fmt::format("rank {}", rank)}}}});
        }
        events_.push_back({{"ph", "X"},
                           {"name", valid_text(name)},
                           {"cat", "mpi"},
                           {"pid", process},
                           {"tid", thread_of(rank)},
                           {"ts", begin},
                           {"dur", length},
                           {"args", std::move(arguments)}});
    }

    /// All calls of a run, with their messages; returns a depth behind them all.
    std::uint64_t add_calls(const ReportInputs& inputs, const Finding& finding,
                            const std::vector<replay::CallEvent>& calls) {
        std::map<replay::EpochId, const replay::Epoch*> epochs;
        for (const replay::Epoch& epoch : finding.epochs) {
            epochs.emplace(epoch.id, &epoch);
        }
        const std::vector<CallPlace> places = call_places(calls);
        std::uint64_t end = 1;
        for (std::size_t i = 0; i < calls.size(); ++i) {
            const replay::CallEvent& call = calls[i];
            const auto epoch = call.epoch ? epochs.find({call.name.rank, *call.epoch}) : epochs.end();
            end = std::max<std::uint64_t>(end, places[i].depth + std::uint64_t{1});
            Json arguments{{"where", valid_text(replay::place_text(call.where))}};
            if (epoch != epochs.end()) {
                arguments["what"] = valid_text(choice_text(inputs.result, *epoch->second));
                arguments["forced"] = epoch->second->forced;
            }
            if (call.kind == replay::CallKind::send || call.kind == replay::CallKind::receive ||
                call.kind == replay::CallKind::probe) {
                arguments["peer"] = number_or_any(call.peer, base::any_source);
                arguments["tag"] = number_or_any(call.tag, base::any_tag);
            }
            add_slice(call.name.rank, call.function, places[i].depth * step, operation_length, std::move(arguments));
            const bool meets = call.match && call.kind != replay::CallKind::send;
            const auto sent = meets ? replay::place_of(calls, *call.match) : std::nullopt;
            const auto met = sent ? arrival(calls, places, *sent, i) : std::nullopt;
            if (met) {
                const std::uint64_t number = ++arrows_;
                const std::size_t arrives = *met;
                add_end("s", call.match->rank, places[*sent].depth * step + operation_length - 1, number);
                add_end("f", call.name.rank, places[arrives].depth * step + operation_length - 1, number);
            }
        }
        return end;
    }

    /// The message that the receive at this depth took.
    void add_message(const replay::Epoch& receive, const DiagramPlace& place) {
        const Rank source = receive.outcome->source;
        const std::uint64_t before = sends_[{source, place.sent_after}]++;
        const std::uint64_t sent = place.sent_after * step + sends_begin + std::min(before, most_sends);
        add_slice(source, fmt::format("message to rank {}", receive.id.rank), sent, 1,
                  {{"what", fmt::format("sent to rank {} with tag {}", receive.id.rank, receive.outcome->tag)}});
        const std::uint64_t number = ++arrows_;
        add_end("s", source, sent, number);
        add_end("f", receive.id.rank, place.depth * step + 1, number);
    }

    /// `omitted`: operations of the interleaving that are not in it.
    [[nodiscard]] Json take(std::uint64_t omitted = 0) {
        // In the order of their times, which some readers of the format rely on; what names the threads comes first.
        std::stable_sort(events_.begin(), events_.end(), [](const Json& one, const Json& other) {
            const auto time = [](const Json& event) { return event.value("ts", std::uint64_t{0}); };
            return std::pair(one["ph"] != "M", time(one)) < std::pair(other["ph"] != "M", time(other));
        });
        return {{"traceEvents", std::move(events_)},
                {"displayTimeUnit", "ms"},
                {"otherData",
                 {{"axis", "each millisecond is a step in the order of causes: it is no time"},
                  {"operations_left_out", omitted}}}};
    }

private:
    void add_end(const char* phase, Rank rank, std::uint64_t when, std::uint64_t number) {
        Json end{{"ph", phase}, {"name", "message"}, {"cat", "match"}, {"pid", process}, {"tid", thread_of(rank)},
                 {"ts", when},  {"id", number}};
        if (*phase == 'f') {
            end["bp"] = "e";  // the slice that it lies in, not the next
        }
        events_.push_back(std::move(end));
    }

    Json events_ = Json::array();
    std::set<Rank> ranks_;
    std::map<std::pair<Rank, std::uint32_t>, std::uint64_t> sends_;  ///< so many are drawn there
    std::uint64_t arrows_ = 0;
};

std::string title_of(const ReportInputs& inputs, std::uint64_t interleaving, const std::string& what) {
    return fmt::format("{} with {} processes, interleaving {}: {}", inputs.options.program, inputs.options.processes,
                       interleaving, what);
}

Json trace_of(const ReportInputs& inputs, const Finding& finding) {
    const replay::Violation& violation = finding.violation;
    Trace trace(title_of(inputs, finding.reproducer.number, std::string(text_of(violation.kind))));
    const std::vector<replay::CallEvent>* const calls =
        !inputs.calls.empty() && !inputs.calls.front().failing.empty() ? &inputs.calls.front().failing : nullptr;
    const std::vector<DiagramPlace> places = diagram_places(finding.epochs);
    std::uint64_t end = calls != nullptr ? trace.add_calls(inputs, finding, *calls) : 1;
    for (std::size_t i = 0; calls == nullptr && i < finding.epochs.size(); ++i) {
        const replay::Epoch& epoch = finding.epochs[i];
        end = std::max<std::uint64_t>(end, places[i].depth + 1);
        trace.add_slice(epoch.id.rank, epoch.call, places[i].depth * step, operation_length,
                        {{"what", valid_text(choice_text(inputs.result, epoch))},
                         {"where", valid_text(replay::place_text(epoch.where))},
                         {"forced", epoch.forced}});
        if (epoch.outcome && replay::chooses_message(epoch.kind) && !epoch.outcome->gave_up()) {
            trace.add_message(epoch, places[i]);
        }
    }
    for (const replay::RankSituation& situation : violation.situations) {
        const std::string& call = situation.call.empty() ? "outside MPI" : situation.call;
        trace.add_slice(situation.rank, fmt::format("{}: {}", text_of(violation.kind), call), end * step,
                        operation_length,
                        {{"what", valid_text(situation.detail.empty() ? violation.message : situation.detail)},
                         {"arguments", valid_text(situation.arguments)},
                         {"where", valid_text(replay::place_text(situation.where))},
                         {"stack", valid_text(replay::stack_text(situation.stack))}});
    }
    return trace.take(calls != nullptr ? 0 : finding.epochs_omitted);
}

Json trace_of(const ReportInputs& inputs, const InterleavingOutcome& interleaving) {
    Trace trace(title_of(inputs, interleaving.number, "no finding"));
    const std::vector<CallSite>& sites = inputs.result.sites.sites();
    std::size_t i = 0;
    for (OutcomeWords words(interleaving.outcomes); words.now(); words.take(), ++i) {
        const auto& [epoch, came_to] = *words.now();
        const std::uint32_t number = i < interleaving.sites.size() ? interleaving.sites[i] : CallSites::unknown;
        const CallSite site = number < sites.size() ? sites[number] : CallSite{};
        trace.add_slice(epoch.rank, site.call.empty() ? "operation" : site.call,
                        (epoch.index + std::uint64_t{1}) * step, operation_length,
                        {{"what", fmt::format("{}#{}{}", epoch.rank, epoch.index, came_to)},
                         {"where", valid_text(replay::place_text(site.where))},
                         {"forced", nullptr}});
    }
    return trace.take();
}

}  // namespace

Json make_trace(const ReportInputs& inputs) {
    const SweepResult& result = inputs.result;
    if (!result.findings.empty()) {
        return trace_of(inputs, result.findings.front());
    }
    if (!result.interleavings.empty()) {
        return trace_of(inputs, result.interleavings.front());
    }
    return Trace(fmt::format("{}: no interleaving is listed", inputs.options.program)).take();
}

void write_trace(const std::filesystem::path& path, const ReportInputs& inputs) {
    base::write_file_atomically(path, make_trace(inputs).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
}

}  // namespace dampi::scheduler
