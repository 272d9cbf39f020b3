// From what the user asked for to a sweep that can begin: new, again from its directory or from the cache, or the one
// interleaving of a decision file. Takes the directory, and says what it has set aside there; runs nothing.
#pragma once

#include "scheduler/cli/settled_request.hpp"
#include "scheduler/cli/sweep_cache.hpp"
#include "scheduler/cli/sweep_directory.hpp"
#include "scheduler/exploration/explorer.hpp"
#include "scheduler/sweep/sweep_account.hpp"
#include "scheduler/sweep/sweep_journal.hpp"

#include <filesystem>
#include <memory>
#include <optional>

namespace dampi::scheduler {

/// A sweep and where it is kept.
struct PreparedSweep {
    SettledRequest request;
    std::unique_ptr<Explorer> explorer;
    SweepAccount account;
    std::unique_ptr<SweepJournal> journal;  ///< none for a replay
    bool from_cache = false;                ///< it goes on from a journal of the cache's
    /// Of a replay: what its file reproduces is one of portability.
    std::optional<replay::ViolationKind> known_portability = {};
};

/// Whether the user wants only a part of all interleavings.
[[nodiscard]] bool bounded(const Options& options);

/// Of which stretches of polling calls the sweep counts the number of false answers among what happened.
[[nodiscard]] CountedPolls counted_polls(const Options& options);

/// Chooses what the sweep runs, from its first interleaving on.
[[nodiscard]] std::unique_ptr<Explorer> explorer_for_sweep(const SettledRequest& request);

/// Tells the user where the journal of an earlier sweep is now that had not come to its end.
void tell_what_was_set_aside(const Options& given, const std::optional<std::filesystem::path>& set_aside);

/// As --resume, --replay or neither of them say. `layer`: libdampi.so. Throws dampi::Error where something does not
/// fit.
[[nodiscard]] PreparedSweep prepare(const Options& given, const SweepDirectory& directory,
                                    const std::filesystem::path& layer);
/// A sweep that begins.
[[nodiscard]] PreparedSweep prepare_new(SettledRequest request, const SweepDirectory& directory,
                                        const std::filesystem::path& layer);
/// Of the journal of this sweep that the cache has.
[[nodiscard]] PreparedSweep prepare_from_cache(SettledRequest request, SweepCache& cache,
                                               const SweepDirectory& directory);

}  // namespace dampi::scheduler
