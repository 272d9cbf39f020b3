// See kept_report.hpp. A line that says what it is, a line with the build, a line with the check sum of the rest, and
// the values as bytes (replay/serialization.hpp).
#include "scheduler/report/kept_report.hpp"

#include "base/atomic_file.hpp"
#include "base/check.hpp"
#include "base/hash.hpp"
#include "heuristics/bounds_serialization.hpp"
#include "replay/serialization.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

namespace dampi::replay {

template <>
struct LastValue<scheduler::CorpusCase::State> {
    static constexpr auto value = scheduler::CorpusCase::State::not_run;
};

template <>
struct LastValue<scheduler::Confirmation::Result> {
    static constexpr auto value = scheduler::Confirmation::Result::differed;
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
    auto& [file, in_source, line, what, reason, findings, expired, trouble] = applied;
    dampi::replay::members(archive, file, in_source, line, what, reason, findings, expired, trouble);
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
    auto& [path, patched, directory, why] = library;
    dampi::replay::members(archive, path, patched, directory, why);
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
           by_buffering, seconds, parts] = result;
    dampi::replay::members(archive, explored, unfinished, ended_early, trials, walk_runs, pending, size_estimate,
                           outcomes, merge_faults, duplicates, imprecise_matches, divergences, findings, doubts, notes,
                           not_modelled, communicators, left_out, left_out_by_bounds, interleavings, outcomes_omitted,
                           outcomes_limit, printed, sites, outcome_sites_omitted, by_buffering, seconds, parts);
}

/// Those that reports speak of; the files that they were written to are not among them.
template <typename Archive>
void serialize(Archive& archive, dampi::scheduler::Options& options, unsigned /*version*/) {
    dampi::replay::members(archive, options.processes, options.replay, options.clock, options.explore_polls,
                           options.bounds, options.order, options.seed, options.sample, options.buffering,
                           options.virtual_time, options.fresh_directory, options.environment, options.launcher,
                           options.mpi, options.message_leaks, options.good_exits, options.wrappers, options.baseline,
                           options.suppressions, options.gen_suppressions, options.fail_on, options.expect,
                           options.incomplete_ok, options.minimize, options.corpus, options.corpus_add, options.program,
                           options.arguments, options.given);
}

template <typename Archive>
void serialize(Archive& archive, dampi::scheduler::ReportInputs& inputs, unsigned /*version*/) {
    auto& [result, options, clock, engine, handed_over, engine_reason, first_run, confirmations, mpi_library,
           time_reason, piggyback, not_checked, version, finding_files, needed_files, doubt_files, finding_graphs,
           was_finished, launching, error, passing, corpus, corpus_added] = inputs;
    dampi::replay::members(archive, result, options, clock, engine, handed_over, engine_reason, first_run,
                           confirmations, mpi_library, time_reason, piggyback, not_checked, version, finding_files,
                           needed_files, doubt_files, finding_graphs, was_finished, launching, error, passing, corpus,
                           corpus_added);
}

}  // namespace boost::serialization

namespace dampi::scheduler {
namespace {

constexpr std::string_view first_line = "dampi-kept-report/1";

std::string check_sum(std::string_view text) { return fmt::format("{:016x}", base::Hash().add(text).value()); }

/// Up to the end of the line, which is taken off the text.
std::string_view take_line(std::string_view& text) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
}

/// What reports look up in lists.
bool is_consistent(const ReportInputs& inputs) {
    const auto within = [](const auto& places, std::size_t size) {
        return std::all_of(places.begin(), places.end(), [size](std::size_t place) { return place < size; });
    };
    return std::all_of(inputs.corpus.begin(), inputs.corpus.end(),
                       [&](const CorpusCase& each) { return within(each.findings, inputs.result.findings.size()); }) &&
           std::all_of(inputs.passing.findings.begin(), inputs.passing.findings.end(), [&](const auto& each) {
               return !each.suppressed_by || *each.suppressed_by < inputs.passing.suppressions.size();
           });
}

}  // namespace

void keep_report(const std::filesystem::path& directory, const ReportInputs& inputs, const std::string& build) {
    const std::string bytes = replay::to_bytes(inputs);
    base::write_file_atomically(directory / kept_report_name,
                                fmt::format("{}\n{}\n{}\n", first_line, build, check_sum(bytes)) + bytes);
}

ReportInputs read_kept_report(const std::filesystem::path& directory, const std::string& build) {
    const std::filesystem::path file = directory / kept_report_name;
    std::ifstream in(file, std::ios::binary);
    std::ostringstream content;
    if (!in || !(content << in.rdbuf())) {
        throw Error(directory.string() + " has no " + kept_report_name +
                    ": give the directory of a sweep that dampi-run has brought to its report");
    }
    const std::string text = std::move(content).str();
    std::string_view rest = text;
    const auto damaged = [&] {
        return Error(file.string() + " is damaged: run the sweep again, or go on with it (dampi-run --resume " +
                     directory.string() + ")");
    };
    if (take_line(rest) != first_line) {
        throw damaged();
    }
    if (take_line(rest) != build) {
        throw Error(file.string() + " was written by another build of dampi: use its dampi-report");
    }
    const std::string_view sum = take_line(rest);
    if (sum != check_sum(rest)) {
        throw damaged();
    }
    try {
        ReportInputs inputs = replay::from_bytes<ReportInputs>(rest);
        inputs.options.output = directory;
        if (is_consistent(inputs)) {
            return inputs;
        }
    } catch (const Error&) {
        // told below, with the file's name
    }
    throw damaged();
}

}  // namespace dampi::scheduler
