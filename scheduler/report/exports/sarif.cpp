// See sarif.hpp.
#include "scheduler/report/exports/sarif.hpp"

#include "base/atomic_file.hpp"
#include "base/check.hpp"
#include "replay/other_answers.hpp"
#include "scheduler/report/call_places.hpp"
#include "scheduler/report/explanation.hpp"
#include "scheduler/report/exports/exported_text.hpp"
#include "scheduler/report/exports/sweep_names.hpp"
#include "scheduler/report/fingerprint.hpp"
#include "scheduler/report/pass_criteria.hpp"
#include "scheduler/report/severity.hpp"
#include "scheduler/report/source_root.hpp"
#include "scheduler/report/text_report.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace dampi::scheduler {
namespace {

using Json = nlohmann::json;
using replay::violation_kinds::Severity;

/// Findings after so many places of code flows have none: readers refuse files of more than some megabytes.
constexpr std::size_t most_flow_places = 20'000;
/// Ranks of a finding whose places and stacks are listed.
constexpr std::size_t most_related = 64;

constexpr const char* root_id = "%SRCROOT%";

std::string uri_of(const std::string& path) {
    constexpr std::string_view plain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/!$&'()*+,;=@";
    std::string uri;
    for (const char c : path) {
        if (plain.find(c) != std::string_view::npos) {
            uri += c;
        } else {
            uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
        }
    }
    return uri;
}

Json text(const std::string& words) { return {{"text", valid_text(words)}}; }

/// SARIF has levels of its own.
const char* level_name(Severity severity) {
    switch (severity) {
        case Severity::error:
            return "error";
        case Severity::portability:
        case Severity::doubt:
            return "warning";
        case Severity::warning:
            return "note";
    }
    check_failed("the severity is known", __FILE__, __LINE__);
}

Json rules() {
    Json all = Json::array();
    for (const replay::violation_kinds::Line& line : replay::violation_kinds::lines) {
        all.push_back(
            {{"id", line.text},
             {"shortDescription", text(std::string(line.sentence))},
             {"fullDescription", text(fmt::format("{} {}", line.sentence, line.remedy))},
             {"help", text(fmt::format("{} {} shows an example.", line.remedy, explaining_command(line.text)))},
             {"defaultConfiguration", {{"level", level_name(line.severity)}}}});
    }
    return all;
}

/// How an operation of the interleaving stands to those of other ranks: what happened before it has a lower number.
std::uint64_t execution_order(const replay::Epoch& epoch) {
    return std::max(epoch.past.vector.size(), epoch.past.lamport.value);
}

class Results {
public:
    Results(const ReportInputs& inputs, const std::filesystem::path& root) : inputs_(inputs), root_(root) {}

    /// `calls`: those of the run that shows it, or null.
    void add(const Finding& finding, Severity severity, const std::filesystem::path& decisions,
             const std::vector<std::filesystem::path>& outputs = {},
             const std::vector<replay::CallEvent>* calls = nullptr) {
        const replay::Violation& violation = finding.violation;
        std::string message = violation.message;
        for (const std::filesystem::path& output : outputs) {
            message += "\nThe program's output: " + (inputs_.options.output / output).string();
        }
        if (!decisions.empty()) {
            message += "\nReplay: " + replay_command(inputs_, decisions);
        }
        Json result{{"ruleId", text_of(violation.kind)},
                    {"ruleIndex", number_of(violation.kind)},
                    {"level", level_name(severity)},
                    {"message", text(message)},
                    {"locations", Json::array({main_place(finding)})},
                    {"partialFingerprints", {{"dampiFinding/v1", fingerprint(violation, sources_)}}},
                    {"properties",
                     {{"ranks", violation.ranks},
                      {"interleavings", finding.count},
                      {"firstInterleaving", finding.first_interleaving}}}};
        Json related = Json::array();
        Json stacks = Json::array();
        for (std::size_t i = 0; i < std::min(most_related, violation.situations.size()); ++i) {
            const replay::RankSituation& situation = violation.situations[i];
            related.push_back(place(situation.where, words(situation)));
            if (!situation.stack.empty()) {
                stacks.push_back(stack(situation));
            }
        }
        if (!related.empty()) {
            result["relatedLocations"] = std::move(related);
        }
        if (!stacks.empty()) {
            result["stacks"] = std::move(stacks);
        }
        if (Json flow = code_flow(finding, calls); !flow.is_null()) {
            result["codeFlows"] = Json::array({std::move(flow)});
        }
        results_.push_back(std::move(result));
    }

    /// Says of the result added last how it stands to the baseline.
    void compare(bool known) { results_.back()["baselineState"] = known ? "unchanged" : "new"; }

    /// Says of the result added last why the user lives with it.
    void suppress(const Passing::Applied& by) {
        results_.back()["suppressions"].push_back({{"kind", by.in_source ? "inSource" : "external"},
                                                   {"status", "accepted"},
                                                   {"justification", valid_text(by.reason)}});
    }

    /// Says of the result added last that the sweep is to find it.
    void expect() {
        results_.back()["suppressions"].push_back(
            {{"kind", "external"}, {"status", "accepted"}, {"justification", "expected (--expect)"}});
    }

    void add_gone(const Passing::Known& gone) {
        results_.push_back({{"ruleId", valid_text(gone.kind)},
                            {"message", text(gone.message)},
                            {"partialFingerprints", {{"dampiFinding/v1", valid_text(gone.fingerprint)}}},
                            {"baselineState", "absent"}});
    }

    [[nodiscard]] Json take() { return std::move(results_); }

private:
    [[nodiscard]] Json artifact(const std::string& file) const {
        if (const auto inside = path_within(root_, file)) {
            return {{"uri", uri_of(*inside)}, {"uriBaseId", root_id}};
        }
        return {{"uri", "file://" + uri_of(std::filesystem::absolute(file).lexically_normal().string())}};
    }

    [[nodiscard]] Json place(const replay::CodePlace& where, const std::string& message) const {
        Json place = Json::object();
        const std::string& file = where.file.empty() ? where.module : where.file;
        if (!file.empty()) {
            place["physicalLocation"] = {{"artifactLocation", artifact(file)}};
        }
        if (!where.file.empty() && where.line > 0) {
            place["physicalLocation"]["region"] = {{"startLine", where.line}};
            if (where.column > 0) {
                place["physicalLocation"]["region"]["startColumn"] = where.column;
            }
        }
        if (!where.function.empty()) {
            place["logicalLocations"] =
                Json::array({{{"fullyQualifiedName", valid_text(where.function)}, {"kind", "function"}}});
        }
        if (!message.empty()) {
            place["message"] = text(message);
        }
        return place;
    }

    /// Readers show nothing that has no place, so the program stands in where none is known.
    [[nodiscard]] Json main_place(const Finding& finding) const {
        const replay::CodePlace* where = finding_place(finding);
        if (where != nullptr && !where->file.empty()) {
            return place(*where, "");
        }
        return {{"physicalLocation", {{"artifactLocation", artifact(inputs_.options.program)}}}};
    }

    static std::string words(const replay::RankSituation& situation) {
        std::string words = fmt::format("rank {}: ", situation.rank);
        if (!situation.call.empty()) {
            words += situation.call + (situation.arguments.empty() ? "" : "(" + situation.arguments + ")");
        } else {
            words += "outside MPI" + (situation.last_call.empty() ? "" : ", after " + situation.last_call);
        }
        return words + (situation.detail.empty() ? "" : ": " + situation.detail);
    }

    [[nodiscard]] Json stack(const replay::RankSituation& situation) const {
        Json frames = Json::array();
        for (const replay::CodePlace& frame : situation.stack) {
            frames.push_back({{"location", place(frame, "")}});
        }
        return {{"message", text(fmt::format("rank {}", situation.rank))}, {"frames", std::move(frames)}};
    }

    /// A thread for each rank that chose or sent something or is part of the finding; null where nothing was chosen.
    Json code_flow(const Finding& finding, const std::vector<replay::CallEvent>* calls) {
        if (finding.epochs.empty() || flow_places_ > most_flow_places) {
            return nullptr;
        }
        Steps steps;
        if (calls == nullptr || !steps_of_calls(finding, *calls, steps)) {
            steps = {};
            for (const replay::Epoch& epoch : finding.epochs) {
                steps.add(epoch.id.rank, place(epoch.where, choice_text(inputs_.result, epoch)), execution_order(epoch),
                          is_choice(epoch) ? "essential" : "important");
            }
        }
        const std::uint64_t end = steps.last + 1;
        for (const replay::RankSituation& situation : finding.violation.situations) {
            steps.add(situation.rank, place(situation.where, words(situation)), end, "essential");
        }
        flow_places_ += steps.count;
        Json flows = Json::array();
        for (auto& [rank, locations] : steps.threads) {
            flows.push_back({{"id", fmt::format("rank {}", rank)},
                             {"message", text(fmt::format("rank {}", rank))},
                             {"locations", std::move(locations)}});
        }
        return {{"message", text("the interleaving that shows it")}, {"threadFlows", std::move(flows)}};
    }

    struct Steps {
        std::map<replay::Rank, Json> threads;
        std::uint64_t last = 0;
        std::size_t count = 0;

        void add(replay::Rank rank, Json location, std::uint64_t order, const char* importance) {
            ++count;
            last = std::max(last, order);
            threads[rank].push_back(
                {{"location", std::move(location)}, {"executionOrder", order}, {"importance", importance}});
        }
    };

    /// The choices and the sends; false where not all choices are among the calls.
    bool steps_of_calls(const Finding& finding, const std::vector<replay::CallEvent>& calls, Steps& steps) const {
        std::map<replay::EpochId, const replay::Epoch*> epochs;
        for (const replay::Epoch& epoch : finding.epochs) {
            epochs.emplace(epoch.id, &epoch);
        }
        std::size_t found = 0;
        const std::vector<CallPlace> places = call_places(calls);
        for (std::size_t i = 0; i < calls.size(); ++i) {
            const replay::CallEvent& call = calls[i];
            const auto epoch = call.epoch ? epochs.find({call.name.rank, *call.epoch}) : epochs.end();
            if (epoch != epochs.end()) {
                ++found;
                steps.add(call.name.rank, place(call.where, choice_text(inputs_.result, *epoch->second)),
                          places[i].depth, is_choice(*epoch->second) ? "essential" : "important");
            } else if (call.kind == replay::CallKind::send) {
                const auto taker = call.match ? replay::place_of(calls, *call.match) : std::nullopt;
                steps.add(call.name.rank,
                          place(call.where,
                                fmt::format("{} with tag {}: {}", call.function, call.tag,
                                            taker ? fmt::format("rank {} took the message", calls[*taker].name.rank)
                                                  : "nobody took the message")),
                          places[i].depth, taker && calls[*taker].epoch ? "important" : "unimportant");
            }
        }
        return found == epochs.size();
    }

    const ReportInputs& inputs_;
    const std::filesystem::path& root_;
    SourceLines sources_;
    std::size_t flow_places_ = 0;
    Json results_ = Json::array();
};

/// What was left out, and why the sweep ended early, if it did.
Json notifications(const ReportInputs& inputs) {
    Json all = Json::array();
    if (!inputs.error.empty()) {
        all.push_back({{"level", "error"}, {"message", text(inputs.error)}});
    }
    for (const LeftOut& left : everything_left_out(inputs.result)) {
        const std::string how = remedy(left);
        all.push_back({{"level", "warning"}, {"message", text(left.what + (how.empty() ? "" : " (" + how + ")"))}});
    }
    return all;
}

/// `name`: what the sweep is told by from others.
Json run_of(const ReportInputs& inputs, const std::filesystem::path& root, const std::string& name) {
    const SweepResult& result = inputs.result;
    Results results(inputs, root);
    for (std::size_t i = 0; i < result.findings.size(); ++i) {
        const ListedCalls* const calls = i < inputs.calls.size() ? &inputs.calls[i] : nullptr;
        results.add(result.findings[i], severity_of(result, result.findings[i]), file_at(inputs.finding_files, i),
                    outputs_of(inputs, i), calls != nullptr ? &calls->failing : nullptr);
        if (inputs.passing.baseline) {
            results.compare(inputs.passing.of(i).known);
        }
        for (const std::size_t by : inputs.passing.of(i).suppressed_by) {
            results.suppress(inputs.passing.suppressions[by]);
        }
        if (expects(inputs.options, result.findings[i].violation.kind)) {
            results.expect();
        }
    }
    for (const Passing::Known& gone : inputs.passing.gone) {
        results.add_gone(gone);
    }
    for (std::size_t i = 0; i < result.doubts.size(); ++i) {
        results.add(result.doubts[i], Severity::doubt, file_at(inputs.doubt_files, i));
    }
    for (const Finding& note : result.notes) {
        results.add(note, Severity::warning, {});
    }
    return {{"tool", {{"driver", {{"name", "dampi"}, {"version", inputs.version}, {"rules", rules()}}}}},
            {"automationDetails", {{"id", valid_text(fmt::format("dampi/{}/", name))}}},
            {"originalUriBaseIds", {{root_id, {{"uri", "file://" + uri_of(root.string()) + "/"}}}}},
            {"invocations", Json::array({{{"executionSuccessful", inputs.error.empty()},
                                          {"exitCode", exit_status_of(inputs)},
                                          {"properties", {{"cached", !inputs.cached.empty()}}},
                                          {"toolExecutionNotifications", notifications(inputs)}}})},
            {"results", results.take()}};
}

std::size_t count_results(const Json& sarif) {
    std::size_t count = 0;
    for (const Json& run : sarif["runs"]) {
        count += run["results"].size();
    }
    return count;
}

/// Takes this member from all results behind the first `kept` of the file, or, without a member, the results.
std::size_t take_from_results(Json& sarif, const char* member, std::size_t kept) {
    std::size_t before = 0;
    std::size_t taken = 0;
    for (Json& run : sarif["runs"]) {
        Json& results = run["results"];
        const std::size_t size = results.size();
        const std::size_t stay = std::min(size, kept - std::min(kept, before));
        if (member == nullptr) {
            taken += size - stay;
            results.erase(results.begin() + static_cast<std::ptrdiff_t>(stay), results.end());
        }
        for (std::size_t i = stay; i < results.size(); ++i) {
            taken += results[i].erase(member);
        }
        before += size;
    }
    return taken;
}

/// Takes what is least missed, as little of it as need be (but for a tenth).
void keep_within(const SarifLimits& limits, Json& sarif) {
    constexpr std::size_t room = 500;  // of the notification
    const std::size_t all = count_results(sarif);
    std::vector<std::string> left_out;
    const auto note = [&](std::size_t taken, const char* what) {
        if (taken > 0) {
            left_out.push_back(fmt::format("{} of {} results", what, taken));
        }
    };
    std::size_t kept = std::min(all, limits.results);
    take_from_results(sarif, nullptr, kept);
    const auto too_large = [&] { return text_of_sarif(sarif).size() + room > limits.bytes; };
    if (kept == all && !too_large()) {
        return;
    }
    for (const auto& [member, what] : {std::pair("codeFlows", "the interleavings"), std::pair("stacks", "the stacks"),
                                       std::pair("relatedLocations", "the places of the other ranks")}) {
        std::size_t taken = 0;
        for (std::size_t with = kept; with > 0 && too_large();) {
            with -= (with + 9) / 10;
            taken += take_from_results(sarif, member, with);
        }
        note(taken, what);
    }
    while (kept > 0 && too_large()) {
        kept -= (kept + 9) / 10;
        take_from_results(sarif, nullptr, kept);
    }
    if (kept < all) {
        left_out.insert(left_out.begin(), fmt::format("{} of {} results", all - kept, all));
    }
    if (!left_out.empty()) {
        sarif["runs"][0]["invocations"][0]["toolExecutionNotifications"].push_back(
            {{"level", "warning"},
             {"message",
              text(fmt::format("left out of this file, which readers take only up to {} results and {} bytes: {}; "
                               "report.json has them",
                               limits.results, limits.bytes, fmt::join(left_out, ", ")))}});
    }
}

}  // namespace

std::string text_of_sarif(const Json& sarif) { return sarif.dump(2) + "\n"; }

Json make_sarif(std::span<const ReportInputs> sweeps, const std::filesystem::path& root, const SarifLimits& limits) {
    Json runs = Json::array();
    const std::vector<std::string> names = sweep_names(sweeps);
    for (std::size_t i = 0; i < sweeps.size(); ++i) {
        runs.push_back(run_of(sweeps[i], root, names[i]));
    }
    Json sarif{
        {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"}, {"version", "2.1.0"}, {"runs", std::move(runs)}};
    keep_within(limits, sarif);
    return sarif;
}

void write_sarif(const std::filesystem::path& path, std::span<const ReportInputs> sweeps,
                 const std::filesystem::path& root) {
    base::write_file_atomically(path, text_of_sarif(make_sarif(sweeps, root)));
}

}  // namespace dampi::scheduler
