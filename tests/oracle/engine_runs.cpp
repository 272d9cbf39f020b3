#include "tests/oracle/engine_runs.hpp"

#include "scheduler/cli/command.hpp"
#include "scheduler/exploration/each_buffering.hpp"
#include "scheduler/exploration/match_relations.hpp"
#include "scheduler/report/verdict.hpp"
#include "scheduler/sweep/sweep.hpp"

#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

namespace dampi::oracle {
namespace {

std::vector<harness::Finding> findings_of(const std::vector<scheduler::Finding>& findings) {
    std::vector<harness::Finding> all;
    for (const scheduler::Finding& finding : findings) {
        harness::Finding& told = all.emplace_back();
        told.kind = text_of(finding.violation.kind);
        told.message = finding.violation.message;
        told.count = finding.count;
    }
    return all;
}

harness::Report report_of(const scheduler::SweepResult& result) {
    harness::Report report;
    const auto left_out = scheduler::everything_left_out(result);
    report.complete = left_out.empty();
    report.explored = result.explored;
    report.pending = result.pending;
    report.duplicates = result.duplicates.value_or(0);
    report.imprecise_matches = result.imprecise_matches;
    report.divergences = result.divergences;
    report.violations = findings_of(result.findings);
    report.doubts = findings_of(result.doubts);
    for (const scheduler::LeftOut& left : left_out) {
        report.left_out.push_back(left.reason + ": " + left.what);
    }
    auto& outcomes = report.outcomes.emplace();
    for (const scheduler::InterleavingOutcome& each : result.interleavings) {
        auto& outcome = outcomes.emplace_back();
        outcome.number = each.number;
        outcome.outcome = harness::canonical_outcome(each.outcomes);
        for (const replay::ViolationKind verdict : each.verdicts) {
            outcome.verdicts.emplace(text_of(verdict));
        }
    }
    return report;
}

}  // namespace

EngineRuns::EngineRuns(EngineRunsSettings settings)
    : settings_(std::move(settings)),
      file_(settings_.work / "program.txt"),
      interpreter_(scheduler::inspect(settings_.interpreter.string(), {file_.string()}, 2, settings_.layer)) {}

scheduler::ExecutionEngine& EngineRuns::engine(int processes) {
    scheduler::Engine& engine = engines_[processes];
    if (!engine.runs) {
        engine = scheduler::make_engine(replay::EngineKind::central, {.program = interpreter_,
                                                                      .name = settings_.interpreter.string(),
                                                                      .arguments = {file_.string()},
                                                                      .processes = processes,
                                                                      .layer = settings_.layer,
                                                                      .output = settings_.work,
                                                                      .protocol = settings_.protocol,
                                                                      // of another program's run
                                                                      .snapshots = scheduler::SnapshotUse::never});
    }
    return *engine.runs;
}

harness::Report EngineRuns::verify(const Program& program, std::uint64_t most_interleavings, std::uint64_t seed,
                                   std::uint32_t explore_polls) {
    std::ofstream(file_) << to_text(program);
    const scheduler::MatchRelationsSettings how{.explore_polls = has_tests(program) ? explore_polls : 0,
                                                .seed = seed,
                                                .one_past_of_several = settings_.buffering.counts_bytes()};
    scheduler::EachBuffering explorer({settings_.buffering},
                                      [&]() { return std::make_unique<scheduler::MatchRelations>(how); });
    scheduler::SweepAccount account(how.explore_polls != 0 ? scheduler::CountedPolls::all
                                                           : scheduler::CountedPolls::none);
    scheduler::SweepSettings sweep;
    sweep.limits.max_interleavings = most_interleavings;
    return report_of(run_sweep(engine(static_cast<int>(program.ranks.size())), explorer, account, sweep));
}

}  // namespace dampi::oracle
