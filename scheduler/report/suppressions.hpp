// Findings that the user has decided to live with: a file of suppressions, one a line, and which findings each of them
// stands for. Decides which findings do not make a sweep fail for that reason; they stay in every report, and doubts of
// dampi's own are never suppressed.
//
//     # reason, until a month or a day, are for the people who come later
//     leak/* fun:libfoo_init        # libfoo keeps its communicator until exit, until 2027-01
//     rma/race file:halo.c module:libhalo.so*   # known, see the issue tracker
#pragma once

#include "replay/violation.hpp"

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace dampi::scheduler {

struct Suppression {
    /// What must be somewhere on a call stack, or be the place itself.
    struct Frame {
        enum class What { function, file, module };
        What what = What::function;
        std::string pattern;  ///< with the shell's wildcards; of files and modules the whole path or its last part
    };

    std::size_t line = 0;  ///< in the file, from 1
    std::string text;      ///< as it stands there, without the reason
    std::string kind;      ///< the text of a kind of violation, or the shell's wildcards
    std::vector<Frame> frames;
    std::string reason;
    std::optional<std::chrono::year_month_day> until;  ///< the last day on which it holds
};

/// Throws dampi::Error with a sentence that begins with the file (and the line, if it is about one) where it cannot be
/// read, is too large, or a line is no suppression.
[[nodiscard]] std::vector<Suppression> read_suppressions(const std::filesystem::path& file);

/// What stands behind `allow` in a comment of the program's source (source_suppressions.hpp): a kind, and behind `#`
/// the reason, which may be missing there. Throws dampi::Error as read_suppressions().
[[nodiscard]] Suppression read_allowance(const std::string& file, std::size_t line, std::string_view text);

/// Whether what every rank did must be suppressed, and not what one of them did: for leaks, crashes, aborts and exits,
/// which are each rank's own.
[[nodiscard]] bool is_each_ranks_own(replay::ViolationKind kind);

/// Whether it stands for what this rank did in a violation of this kind: it names the kind, and all its frames are on
/// the call stack, or are the place.
[[nodiscard]] bool suppresses(const Suppression& suppression, replay::ViolationKind kind,
                              const replay::RankSituation& situation);

/// Whether its last day was before `today`.
[[nodiscard]] bool has_expired(const Suppression& suppression, std::chrono::year_month_day today);

/// Lines for the file that together suppress such a violation, as if it were of this kind: of what is each rank's own
/// one for each place. read_suppressions() takes them as they are. Their reason says that one is to be given.
[[nodiscard]] std::set<std::string> suppression_lines(const replay::Violation& violation, replay::ViolationKind kind);

}  // namespace dampi::scheduler
