#include "tests/oracle/comparison.hpp"

#include <regex>

namespace dampi::oracle {
namespace {

constexpr const char* unclear_send = "synchronous send, receiver unclear";
constexpr const char* unclear_room = "several receives could have made room";

std::string describe(const Execution& execution) { return execution.matches + (execution.deadlock ? " deadlock" : ""); }

}  // namespace

std::set<std::string> Comparison::kinds() const {
    std::set<std::string> kinds;
    for (const Disagreement& disagreement : disagreements) {
        kinds.insert(disagreement.kind);
    }
    return kinds;
}

std::string to_text(const std::set<Execution>& executions) {
    std::string text;
    for (const Execution& execution : executions) {
        text += "    " + describe(execution) + "\n";
    }
    return text;
}

bool must_find_all(const Program& program, clocks::Protocol protocol) {
    return protocol == clocks::Protocol::vector || epochs_in_sequence(program);
}

std::set<Execution> without_false_answers(const std::set<Execution>& model) {
    static const std::regex count("~[0-9]+");
    std::set<Execution> without;
    for (const Execution& execution : model) {
        without.insert({.matches = std::regex_replace(execution.matches, count, ""), .deadlock = execution.deadlock});
    }
    return without;
}

Comparison compare(const Program& program, const std::set<Execution>& model, const harness::Report& report,
                   clocks::Protocol protocol, bool counted) {
    Comparison result;
    const auto add = [&](const char* kind, const std::string& what) { result.disagreements.push_back({kind, what}); };
    if (!report.outcomes) {
        add("failure", "the report lists no outcomes");
        return result;
    }
    result.explored = report.explored;
    std::set<Execution> run;
    std::set<std::string> matches;
    for (const auto& reported : *report.outcomes) {
        const bool doubtful = reported.verdicts.contains("imprecise-match") || reported.verdicts.contains("divergence");
        if (doubtful) {
            continue;  // a disagreement already, below; it did not come to its end
        }
        const Execution execution{.matches = reported.outcome, .deadlock = reported.verdicts.contains("deadlock")};
        if (!matches.insert(execution.matches).second && !has_cancels(program)) {
            add("duplicate", "run twice: " + describe(execution));
        }
        run.insert(execution);
        if (model.contains(execution)) {
            continue;
        }
        const Execution opposite{.matches = execution.matches, .deadlock = !execution.deadlock};
        if (model.contains(opposite)) {
            add(execution.deadlock ? "false-deadlock" : "unseen-deadlock", execution.matches);
        } else {
            add("unsound", describe(execution));
        }
    }
    if (report.duplicates != 0 && !has_cancels(program) && !result.kinds().contains("duplicate")) {
        add("duplicate", std::to_string(report.duplicates) + " reported");
    }
    for (const auto& doubt : report.doubts) {
        if (has_cancels(program)) {  // whether one comes in time cannot be forced
            result.unclear = true;
            continue;
        }
        add("doubt", doubt.kind + ": " + doubt.message);
    }
    for (const auto& violation : report.violations) {
        if (violation.kind != "deadlock" && violation.kind != "leak/message") {
            add("violation", violation.kind + ": " + violation.message);
        }
    }
    for (const std::string& left : report.left_out) {
        if (left.find(unclear_send) != std::string::npos || left.find(unclear_room) != std::string::npos) {
            result.unclear = true;
        } else if (has_cancels(program) || !counted) {
            result.unclear = true;
        } else if (report.doubts.empty()) {
            add("left-out", left);
        }
    }
    if (!report.complete && report.left_out.empty() && report.doubts.empty()) {
        add("left-out", "it is incomplete without a reason");
    }
    for (const Execution& execution : model) {
        if (!matches.contains(execution.matches)) {
            result.missed.insert(execution);
        }
    }
    if (!result.missed.empty() && !result.unclear && must_find_all(program, protocol)) {
        add("missed", std::to_string(result.missed.size()) + " executions, first " + describe(*result.missed.begin()));
    }
    return result;
}

}  // namespace dampi::oracle
