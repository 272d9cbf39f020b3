// Whether a sweep passes where it is a test among others: a plain value that the reports tell; made by
// pass_criteria.hpp.
#pragma once

#include "replay/violation_kind.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace dampi::scheduler {

struct Passing {
    /// Of each of the result's findings, in their order.
    struct Judged {
        std::string fingerprint;
        bool known = false;  ///< the baseline has it
        bool fails = true;   ///< it makes the sweep fail
        /// Places in `suppressions`: those that together stand for what the ranks did.
        std::vector<std::size_t> suppressed_by = {};
    };
    /// A finding of the baseline's.
    struct Known {
        std::string fingerprint;
        std::string kind;
        std::string message;
    };

    /// A suppression, and what has come of it.
    struct Applied {
        std::string file;  ///< of suppressions, or of the program's source
        bool in_source = false;
        std::size_t line = 0;  ///< in the file
        std::string what;      ///< as it stands there, without the reason
        std::string reason;
        std::size_t findings = 0;  ///< that it keeps from failing
        bool expired = false;
        std::string trouble = {};  ///< not empty: it cannot be understood, which is said here
        /// Kinds of what came of findings that it names, sorted, which nothing suppresses there: so these fail.
        std::set<replay::ViolationKind> not_covered = {};
        std::size_t partly = 0;  ///< findings that fail since nothing stands for others of their places
    };

    std::vector<Judged> findings;
    std::optional<std::filesystem::path> suppressions_file;
    std::vector<Applied> suppressions;
    std::optional<std::filesystem::path> baseline;
    std::vector<Known> gone;           ///< in the baseline, and not found any more
    std::vector<std::string> missing;  ///< what was expected, and not found
    std::optional<int> exit_status;    ///< none as long as it is that of the verdict

    /// Of the finding at this place.
    [[nodiscard]] Judged of(std::size_t i) const { return i < findings.size() ? findings[i] : Judged{}; }

    /// Why the finding at this place is suppressed; none where it is not.
    [[nodiscard]] std::optional<std::string> suppressed(std::size_t i) const {
        std::vector<std::string> reasons;
        for (const std::size_t each : of(i).suppressed_by) {
            if (std::find(reasons.begin(), reasons.end(), suppressions[each].reason) == reasons.end()) {
                reasons.push_back(suppressions[each].reason);
            }
        }
        std::string all;
        for (const std::string& reason : reasons) {
            all.append(all.empty() ? "" : "; ").append(reason);
        }
        return reasons.empty() ? std::nullopt : std::optional(all);
    }
};

}  // namespace dampi::scheduler
