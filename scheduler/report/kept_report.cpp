// See kept_report.hpp. The values are kept as bytes (replay/serialization.hpp).
#include "scheduler/report/kept_report.hpp"

#include "base/check.hpp"
#include "heuristics/bounds_serialization.hpp"
#include "replay/serialization.hpp"
#include "scheduler/report/kept_file.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <system_error>

namespace dampi::replay {

template <>
struct LastValue<scheduler::CorpusCase::State> {
    static constexpr auto value = scheduler::CorpusCase::State::not_run;
};

template <>
struct LastValue<scheduler::Confirmation::Result> {
    static constexpr auto value = scheduler::Confirmation::Result::no_end;
};

}  // namespace dampi::replay

namespace boost::serialization {

template <typename Archive>
void save(Archive& archive, const std::filesystem::path& path, unsigned /*version*/) {
    archive << path.string();
}
template <typename Archive>
void load(Archive& archive, std::filesystem::path& path, unsigned /*version*/) {
    std::string text;
    archive >> text;
    path = text;
}
template <typename Archive>
void serialize(Archive& archive, std::filesystem::path& path, unsigned version) {
    split_free(archive, path, version);
}

template <typename Archive>
void serialize(Archive& archive, dampi::scheduler::Passing::Judged& judged, unsigned /*version*/) {
    auto& [fingerprint, known, fails, suppressed_by] = judged;
    dampi::replay::members(archive, fingerprint, known, fails, suppressed_by);
}

template <typename Archive>
void serialize(Archive& archive, dampi::scheduler::Passing::Known& known, unsigned /*version*/) {
    auto& [fingerprint, kind, message] = known;
    dampi::replay::members(archive, fingerprint, kind, message);
}

template <typename Archive>
void serialize(Archive& archive, dampi::scheduler::Passing::Applied& applied, unsigned /*version*/) {
    auto& [file, in_source, line, what, reason, findings, expired, trouble, not_covered, partly] = applied;
    dampi::replay::members(archive, file, in_source, line, what, reason, findings, expired, trouble, not_covered,
                           partly);
}

template <typename Archive>
void serialize(Archive& archive, dampi::scheduler::Passing& passing, unsigned /*version*/) {
    auto& [findings, suppressions_file, suppressions, baseline, gone, missing, exit_status] = passing;
    dampi::replay::members(archive, findings, suppressions_file, suppressions, baseline, gone, missing, exit_status);
}

template <typename Archive>
void serialize(Archive& archive, dampi::scheduler::CorpusCase& corpus, unsigned /*version*/) {
    auto& [file, state, why, findings] = corpus;
    dampi::replay::members(archive, file, state, why, findings);
}

template <typename Archive>
void serialize(Archive& archive, dampi::launch::MpiLibrary& library, unsigned /*version*/) {
    auto& [path, patched, directory, why, translated] = library;
    dampi::replay::members(archive, path, patched, directory, why, translated);
}

template <typename Archive>
void serialize(Archive& archive, dampi::scheduler::LeftOut::Place& place, unsigned /*version*/) {
    auto& [call, where, alternatives] = place;
    dampi::replay::members(archive, call, where, alternatives);
}

template <typename Archive>
void serialize(Archive& archive, dampi::scheduler::LeftOut& left, unsigned /*version*/) {
    auto& [reason, what, remedy, places] = left;
    dampi::replay::members(archive, reason, what, remedy, places);
}

template <typename Archive>
void serialize(Archive& archive, dampi::scheduler::SweepResult& result, unsigned /*version*/) {
    auto& [explored, unfinished, ended_early, trials, walk_runs, pending, size_estimate, outcomes, merge_faults,
           duplicates, imprecise_matches, divergences, findings, doubts, notes, not_modelled, communicators, left_out,
           left_out_by_bounds, interleavings, outcomes_omitted, outcomes_limit, printed, sites, outcome_sites_omitted,
           by_buffering, known_portability, clocks_may_miss, seconds, parts] = result;
    dampi::replay::members(archive, explored, unfinished, ended_early, trials, walk_runs, pending, size_estimate,
                           outcomes, merge_faults, duplicates, imprecise_matches, divergences, findings, doubts, notes,
                           not_modelled, communicators, left_out, left_out_by_bounds, interleavings, outcomes_omitted,
                           outcomes_limit, printed, sites, outcome_sites_omitted, by_buffering, clocks_may_miss,
                           seconds, parts);
}

/// Those that reports speak of; the files that they were written to are not among them.
template <typename Archive>
void serialize(Archive& archive, dampi::scheduler::Options& options, unsigned /*version*/) {
    dampi::replay::members(
        archive, options.processes, options.replay, options.clock, options.explore_polls, options.bounds, options.order,
        options.seed, options.sample, options.buffering, options.virtual_time, options.fresh_directory,
        options.environment, options.launcher, options.mpi, options.message_leaks, options.warns_unusual,
        options.good_exits, options.wrappers, options.baseline, options.suppressions, options.gen_suppressions,
        options.fail_on, options.expect, options.incomplete_ok, options.minimize, options.corpus, options.corpus_add,
        options.program, options.arguments, options.standard_input, options.given);
}

template <typename Archive>
void serialize(Archive& archive, dampi::scheduler::ReportInputs& inputs, unsigned /*version*/) {
    auto& [result, options, clock, engine, handed_over, engine_reason, first_run, confirmations, mpi_library,
           time_reason, merging_obstacle, piggyback, not_checked, version, finding_files, needed_files, doubt_files,
           finding_graphs, finding_outputs, was_finished, launching, error, passing, corpus, corpus_added, cached,
           workers, order, calls] = inputs;
    dampi::replay::members(archive, result, options, clock, engine, handed_over, engine_reason, first_run,
                           confirmations, mpi_library, time_reason, merging_obstacle, piggyback, not_checked, version,
                           finding_files, needed_files, doubt_files, finding_graphs, finding_outputs, was_finished,
                           launching, error, passing, corpus, corpus_added, cached, workers, order, calls);
}

}  // namespace boost::serialization

namespace dampi::scheduler {
namespace {

KeptFile file_in(const std::filesystem::path& directory) {
    return {.first_line = "dampi-kept-report/3", .path = directory / kept_report_name};
}

/// What reports look up in lists.
bool is_consistent(const ReportInputs& inputs) {
    const auto within = [](const auto& places, std::size_t size) {
        return std::all_of(places.begin(), places.end(), [size](std::size_t place) { return place < size; });
    };
    return std::all_of(inputs.corpus.begin(), inputs.corpus.end(),
                       [&](const CorpusCase& each) { return within(each.findings, inputs.result.findings.size()); }) &&
           std::all_of(inputs.passing.findings.begin(), inputs.passing.findings.end(), [&](const auto& each) {
               return within(each.suppressed_by, inputs.passing.suppressions.size());
           });
}

}  // namespace

void keep_report(const std::filesystem::path& directory, const ReportInputs& inputs, const std::string& build) {
    file_in(directory).write(build, bytes_of_report(inputs));
}

ReportInputs read_kept_report(const std::filesystem::path& directory, const std::string& build) {
    const KeptFile file = file_in(directory);
    std::error_code error;
    if (!std::filesystem::exists(file.path, error)) {
        throw Error(directory.string() + " has no " + kept_report_name +
                    ": give the directory of a sweep that dampi-run has brought to its report");
    }
    const std::string advice = "run the sweep again, or go on with it (dampi-run --resume " + directory.string() + ")";
    const std::optional<std::string> bytes = file.read(build, advice);
    if (!bytes) {
        throw Error(file.path.string() + " was written by another build of dampi: use its dampi-report");
    }
    try {
        ReportInputs inputs = report_of_bytes(*bytes);
        inputs.options.output = directory;
        return inputs;
    } catch (const Error&) {
        throw file.damaged(4, advice);
    }
}

std::string bytes_of_report(const ReportInputs& inputs) { return replay::to_bytes(inputs); }

ReportInputs report_of_bytes(std::string_view bytes) {
    ReportInputs inputs = replay::from_bytes<ReportInputs>(bytes);
    if (!is_consistent(inputs)) {
        throw Error("what is kept of the reports contradicts itself");
    }
    return inputs;
}

}  // namespace dampi::scheduler
