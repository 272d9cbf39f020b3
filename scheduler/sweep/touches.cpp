#include "scheduler/sweep/touches.hpp"

#include "replay/terminal_words.hpp"
#include "scheduler/buffer_touches.hpp"
#include "scheduler/sweep/findings_apart.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace dampi::scheduler {
namespace {

using replay::RankSituation;
using replay::Violation;
using replay::ViolationKind;

/// How the names of functions begin whose operations go on behind the call, and use buffers, or let others use memory.
constexpr std::array<std::string_view, 16> begin_pending{"MPI_Win_",    "MPI_Isend",    "MPI_Ibsend",    "MPI_Issend",
                                                         "MPI_Irsend",  "MPI_Irecv",    "MPI_Imrecv",    "MPI_Ibcast",
                                                         "MPI_Igather", "MPI_Iscatter", "MPI_Iall",      "MPI_Ireduce",
                                                         "MPI_Iscan",   "MPI_Iexscan",  "MPI_Ineighbor", "MPI_Start"};

bool is_of(const RankSituation& situation, const replay::CodePlace& place) {
    const auto is_there = [&](const replay::CodePlace& frame) {
        return replay::source_place(frame) == replay::source_place(place);
    };
    return is_there(situation.where) || std::any_of(situation.stack.begin(), situation.stack.end(), is_there);
}

/// What only such runs look for.
bool is_of_touches(const Violation& violation) {
    const auto touches = [](const RankSituation& each) { return each.call == "load" || each.call == "store"; };
    return touches_buffers(violation.kind) ||
           ((violation.kind == ViolationKind::rma_race || violation.kind == ViolationKind::argument_assertion) &&
            std::any_of(violation.situations.begin(), violation.situations.end(), touches));
}

/// How sure it is that `known`, which was noticed when a later call came, is what `touch` tells of.
enum class Same : std::uint8_t {
    no,
    maybe,  ///< another operation of the same function, with a buffer of the same size: a store into both is told once
    yes,    ///< the same operation
};

Same compare(const RankSituation& known, const RankSituation& touched) {
    constexpr std::string_view pending = "pending: ";
    if (!known.detail.starts_with(pending) || !touched.detail.starts_with(pending) || known.rank != touched.rank ||
        known.call != touched.call) {
        return Same::no;
    }
    const bool alike = known.detail == touched.detail && known.where.function == touched.where.function;
    return is_of(touched, known.where) ? Same::yes : alike ? Same::maybe : Same::no;
}

/// Of what any of the ranks did: those that do the same are told of together.
Same compare(const Violation& known, const Violation& touch) {
    Same same = Same::no;
    if (known.kind == ViolationKind::buffer_modified && known.kind == touch.kind) {
        for (const RankSituation& each : known.situations) {
            for (const RankSituation& touched : touch.situations) {
                same = std::max(same, compare(each, touched));
            }
        }
    }
    return same;
}

void tell_place(Finding& known, const RankSituation& store) {
    std::string& detail = known.violation.situations.front().detail;
    if (detail.empty() && store.where.line > 0) {
        detail = fmt::format("changed at {}:{}", replay::printable(store.where.file), store.where.line);
    }
}

}  // namespace

bool may_leave_pending(const launch::Program& program) {
    return std::any_of(program.mpi_functions.begin(), program.mpi_functions.end(), [](const std::string& function) {
        return std::any_of(begin_pending.begin(), begin_pending.end(),
                           [&](std::string_view beginning) { return function.starts_with(beginning); });
    });
}

namespace {

/// What an interleaving takes. Of the sweep's own time the ranks' MPI library may have taken most, which has repeated
/// one of them and not come to its end.
double seconds_of_one(const SweepResult& result) {
    const double share = result.seconds / static_cast<double>(result.explored);
    if (result.interleavings.empty()) {
        return share;
    }
    double sum = 0;
    for (const InterleavingOutcome& each : result.interleavings) {
        sum += each.seconds;
    }
    return std::min(share, sum / static_cast<double>(result.interleavings.size()));
}

}  // namespace

std::chrono::milliseconds time_for_touches(const SweepResult& result) {
    constexpr double at_least = 2;
    constexpr double share = 0.1;
    const double time = std::max(at_least, share * result.seconds);
    const bool fits = result.explored != 0 && seconds_of_one(result) < time;
    return std::chrono::milliseconds(fits ? static_cast<std::int64_t>(1000 * time) : 0);
}

bool went_otherwise(const std::vector<Finding>& seen, const SweepResult& result) {
    return std::any_of(seen.begin(), seen.end(), [&](const Finding& finding) {
        return !is_of_touches(finding.violation) &&
               std::none_of(result.findings.begin(), result.findings.end(),
                            [&](const Finding& known) { return known.violation.kind == finding.violation.kind; });
    });
}

void take_in_touches(std::vector<Finding> seen, SweepResult& result) {
    FindingsApart findings(result.findings);
    for (Finding& finding : seen) {
        if (!is_of_touches(finding.violation)) {
            continue;
        }
        // What such runs have shown before is of another store.
        const auto same = [&](const Finding& known) {
            return known.shown_by == Finding::ShownBy::touches ? Same::no : compare(known.violation, finding.violation);
        };
        const auto known =
            std::max_element(result.findings.begin(), result.findings.end(),
                             [&](const Finding& one, const Finding& other) { return same(one) < same(other); });
        if (known != result.findings.end() && same(*known) != Same::no) {
            tell_place(*known, finding.violation.situations.front());
            continue;
        }
        finding.shown_by = Finding::ShownBy::touches;
        findings.take_in(std::move(finding));
    }
}

}  // namespace dampi::scheduler
