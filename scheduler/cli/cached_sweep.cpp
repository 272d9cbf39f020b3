#include "scheduler/cli/cached_sweep.hpp"

#include "base/check.hpp"

#include <algorithm>
#include <iostream>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace dampi::scheduler {
namespace {

/// What of a sweep is worth keeping: a verdict where nothing was cut short. Where dampi was in doubt, or a busy machine
/// may be what was found, the next sweep is to try again.
SweepCache::Kept worth_keeping(const ReportInputs& inputs, bool out_of_time) {
    using Kept = SweepCache::Kept;
    const auto depends_on_speed = [](const Finding& finding) {
        return finding.violation.kind == replay::ViolationKind::hang;
    };
    if (!inputs.error.empty() || !inputs.result.doubts.empty() ||
        std::any_of(inputs.result.findings.begin(), inputs.result.findings.end(), depends_on_speed)) {
        return Kept::nothing;
    }
    const bool whole_corpus = std::none_of(inputs.corpus.begin(), inputs.corpus.end(), [](const CorpusCase& each) {
        return each.state == CorpusCase::State::not_run;
    });
    return inputs.result.ended_early || out_of_time || !whole_corpus ? Kept::journal : Kept::verdict;
}

}  // namespace

CachedSweep look_into_cache(const Options& given, const OwnParts& own) {
    SettledRequest request = settle(given, own.layer);
    SweepKey key = key_of(request, own);
    CachedSweep cached{.request = std::move(request), .cache = SweepCache(*given.cache, std::move(key)), .entry = {}};
    cached.entry = cached.cache.look();
    if (cached.entry.kept == SweepCache::Kept::nothing) {
        cached.cache.release();
    }
    if (cached.entry.kept == SweepCache::Kept::journal && given.verbosity >= 0) {
        std::cerr << fmt::format("dampi-run: {} has a sweep of this command that had not come to its end: it goes on\n",
                                 given.cache->string());
    }
    if (!cached.entry.differences.empty() && given.verbosity >= 0) {
        std::cerr << fmt::format("dampi-run: the sweep that {} has of this command is of no use any more: {}\n",
                                 given.cache->string(), fmt::join(cached.entry.differences, "; "));
    }
    return cached;
}

void keep_in_cache(CachedSweep& cached, const ReportInputs& inputs, const Options& given, const OwnParts& own,
                   SweepJournal& journal, bool out_of_time) {
    try {
        const std::vector<std::string> changed = differences(cached.cache.key(), key_of(settle(given, own.layer), own));
        if (!changed.empty()) {
            throw Error(fmt::format("something has changed during the sweep: {}", fmt::join(changed, "; ")));
        }
        journal.close();
        cached.cache.keep(worth_keeping(inputs, out_of_time), inputs, inputs.options.output);
    } catch (const Error& error) {
        std::cerr << "dampi-run: this sweep is not kept in the cache: " << error.what() << '\n';
    }
}

}  // namespace dampi::scheduler
