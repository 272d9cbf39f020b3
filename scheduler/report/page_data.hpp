// What report.html shows, as one value: report.json's, and what a person needs beside it. For each finding its meaning
// and remedy, ranks in the same state together, the command that shows it again, where its operations stand in a
// diagram, and the difference to the nearest passing interleaving; the lines of the source around each place; of each
// call that chooses, what it took and could have taken. Pure: the page (page.hpp) only draws it.
#pragma once

#include "scheduler/report/excerpts.hpp"
#include "scheduler/report/verdict.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace dampi::scheduler {

// What the page has at most, so that it opens quickly whatever the sweep was. What is left out is told in it.

inline constexpr std::size_t most_page_findings = 200;
inline constexpr std::size_t most_page_epochs = 20'000;  ///< of all findings: those of the worst ones
inline constexpr std::uint64_t most_page_outcome_bytes = std::uint64_t{4} << 20;  ///< of all interleavings' texts
/// Text of outcomes that is compared to find nearest passing interleavings.
inline constexpr std::uint64_t most_compared_bytes = std::uint64_t{128} << 20;

/// The fields of report.json's summary (scheduler/report/json_report), and:
///   verdict_line, complete_means    sentences
///   kinds            what each kind of finding means, its remedy, its severity, and the command that explains it
///   worst_first      the findings of all lists, worst first: {list, index, title}
///   runs             {modes, kinds, list: [[number, mode, outcomes, [kind...], [site...]]...], omitted}
///   sites            what each call that chooses took: {call, where, messages, taken, possible}; sites_omitted
///   sources          "file:line" -> {first, lines}
/// in each operation of a finding's run: false_polls, what the polls asked that answered false before, and in each of
/// its other_polls words: what that asked;
/// and in each finding: replay; groups; places, of its epochs: [depth, sent_after, by_issue, by_outcome, zone]
/// (DiagramPlace, EpochContext); difference, where outcomes have the messages that they took, [request or null, source,
/// tag], or no_difference: why there is none; calls and passing_calls, of the run that shows it and of the one that
/// passes, or null (why_no_calls: a clause, or empty): {functions, wheres, communicators, list: [[rank, kind
/// (CallKind), function, where, peer, tag, communicator, match, epoch, whether it came to something, depth, arrives,
/// by_issue, by_outcome, meeting, [request...], [completed request...]]...]} (CallEvent, CallPlace; of matches and
/// requests the place in the list, of epochs that among the finding's, null: none); call_differences of both
/// (CallDifference), or null.
[[nodiscard]] nlohmann::json make_page_data(const ReportInputs& inputs, const ReadLines& read_lines);

}  // namespace dampi::scheduler
