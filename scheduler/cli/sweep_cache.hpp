// The cache of --cache: what has come of a command is kept in a directory, so that the same command has it again
// without running anything, as long as nothing has changed that decides what there is to find. A sweep that has not
// come to its end goes on where it was instead. One entry for each command, which the next sweep of it replaces.
//
// An entry is a directory: what was swept (`entry`, kept_file.hpp, with the check sum of what lies beside it), the
// reports' contents or the journal, and what the program printed.
#pragma once

#include "base/unique_fd.hpp"
#include "scheduler/cli/settled_request.hpp"
#include "scheduler/cli/sweep_identity.hpp"
#include "scheduler/report/verdict.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace dampi::scheduler {

/// All that decides what a sweep comes to.
struct SweepKey {
    SweepIdentity identity;
    /// What the identity leaves out, because a sweep that goes on may have it otherwise, or takes it from its own
    /// directory: "the library /lib/libc.so.6", "the input a.txt" (a check sum), "--minimize".
    std::map<std::string, std::string> others;
};

/// The files of this dampi that have a part in its runs.
struct OwnParts {
    std::filesystem::path layer;                ///< libdampi.so
    std::vector<std::filesystem::path> others;  ///< what else the ranks load or execute
};

/// Of the sweep that is asked for, with the files as they are now (the program's libraries and what is preloaded,
/// --cache-input, arguments that name files, the standard input, the corpus), and the variables whose names stand in
/// one of them. Throws dampi::Error where one of them cannot be read.
[[nodiscard]] SweepKey key_of(const SettledRequest& request, const OwnParts& own);

/// What differs, each a part of a sentence for the user. Empty: the same sweep.
[[nodiscard]] std::vector<std::string> differences(const SweepKey& then, const SweepKey& now);

class SweepCache {
public:
    /// What is kept of a sweep.
    enum class Kept : std::uint8_t {
        nothing,
        verdict,  ///< all reports
        journal,  ///< of a sweep that has not come to its end
    };

    /// Makes the directory where there is none. Throws dampi::Error.
    SweepCache(std::filesystem::path directory, SweepKey key);

    struct Entry {
        Kept kept = Kept::nothing;
        std::vector<std::string> differences;  ///< why what is kept is of no use
        ReportInputs inputs;                   ///< of a verdict
    };
    /// What there is for this sweep; until release() nobody replaces it. Throws dampi::Error where it is damaged.
    [[nodiscard]] Entry look();
    /// Copies what the program printed, and a journal, into the directory of a sweep. Throws dampi::Error.
    void bring(const std::filesystem::path& sweep) const;
    void release();

    /// Puts what has come of the sweep in the place of what was kept of this command; with `nothing`, removes that.
    /// `now`: the key as it is after the sweep. Throws dampi::Error.
    void keep(Kept kept, const ReportInputs& inputs, const std::filesystem::path& sweep);

    /// The entry's directory.
    [[nodiscard]] std::filesystem::path entry() const;
    [[nodiscard]] const SweepKey& key() const { return key_; }

private:
    void lock(int how);

    std::filesystem::path directory_;
    SweepKey key_;
    std::string build_;
    base::UniqueFd lock_;
};

}  // namespace dampi::scheduler
