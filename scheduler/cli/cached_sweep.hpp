// What --cache makes of a command: what there is of its sweep already, and what of a sweep that has ended is worth
// keeping. How it is kept: sweep_cache.hpp.
#pragma once

#include "scheduler/cli/settled_request.hpp"
#include "scheduler/cli/sweep_cache.hpp"
#include "scheduler/report/verdict.hpp"
#include "scheduler/sweep/sweep_journal.hpp"

namespace dampi::scheduler {

/// The cache, and what it has of the sweep that is asked for.
struct CachedSweep {
    SettledRequest request;
    SweepCache cache;
    SweepCache::Entry entry;
};

/// What the cache has; says what of it the user should know. `given` has --cache. Throws dampi::Error.
[[nodiscard]] CachedSweep look_into_cache(const Options& given, const OwnParts& own);

/// Keeps what is worth it, and says why not, where it is not kept: the sweep is what counts. `out_of_time`: it was
/// interrupted, or its time was over. Closes the journal.
void keep_in_cache(CachedSweep& cached, const ReportInputs& inputs, const Options& given, const OwnParts& own,
                   SweepJournal& journal, bool out_of_time);

}  // namespace dampi::scheduler
