#include "scheduler/cli/prepared_sweep.hpp"

#include "replay/decision_file.hpp"
#include "scheduler/exploration/each_buffering.hpp"
#include "scheduler/exploration/match_relations.hpp"
#include "scheduler/exploration/sampling.hpp"
#include "scheduler/exploration/single.hpp"

#include <iostream>
#include <utility>

#include <fmt/format.h>

namespace dampi::scheduler {
namespace {

/// Nothing where no random walks are wanted or can be made. What does not belong to a sweep's identity only decides
/// whether any are begun.
std::optional<SamplingSettings> sampling_settings(const Options& options) {
    constexpr std::uint64_t few_interleavings = 200;
    const bool possible = options.explore_polls.value_or(0) == 0 && options.protocol() == clocks::Protocol::vector &&
                          !options.buffering.front().counts_bytes();
    const bool wanted = options.sample ? *options.sample != 0 : !bounded(options);
    if (!possible || !wanted) {
        return std::nullopt;
    }
    return SamplingSettings{.walks = options.sample,
                            .if_many = options.max_interleavings.value_or(few_interleavings) >= few_interleavings,
                            .seed = options.seed};
}

bool have_same_content(const std::filesystem::path& one, const std::filesystem::path& other) {
    return launch::content_fingerprint(one) == launch::content_fingerprint(other);
}

PreparedSweep prepare_replay(const Options& given, const SweepDirectory& directory,
                             const std::filesystem::path& layer) {
    const replay::DecisionFile file = replay::load_decision_file(*given.replay);
    SettledRequest request = settle_replay(given, file, layer);
    if (file.patched_mpi && !request.mpi_library.patched) {
        std::cerr << fmt::format("dampi-run: {} was made with the patched MPI library, this run has another: {}\n",
                                 given.replay->string(), request.mpi_library.why);
    }
    std::optional<std::filesystem::path> set_aside;
    [[maybe_unused]] const replay::JournalLock lock = directory.begin(set_aside);
    tell_what_was_set_aside(given, set_aside);
    return {std::move(request),
            std::make_unique<SingleInterleaving>(file.interleaving),
            SweepAccount(file.explore_polls != 0 ? CountedPolls::all : CountedPolls::undecided),
            nullptr,
            false,
            file.portability ? file.finding : std::nullopt};
}

/// A sweep that has come to its bound goes on by as many again.
std::uint64_t next_bound(std::uint64_t bound, std::uint64_t explored) { return bound * (explored / bound + 1); }

PreparedSweep prepare_to_resume(const Options& given, const SweepDirectory& directory,
                                const std::filesystem::path& layer) {
    const Build build = own_build(layer);
    replay::JournalLock lock = directory.reopen();
    replay::JournalReader reader(directory.journal());
    SettledRequest request = settle_resumed(given, read_header(given.output, reader.header(), build), build, layer);
    auto explorer = explorer_for_sweep(request);
    SweepAccount account(counted_polls(request.options));
    auto journal = std::make_unique<SweepJournal>(std::move(lock), reader, *explorer, account);
    directory.clear_reports();
    if (auto& most = request.options.max_interleavings; most && !given.given.contains("--max-interleavings")) {
        *most = next_bound(*most, account.explored());
    }
    return {std::move(request), std::move(explorer), std::move(account), std::move(journal)};
}

}  // namespace

std::unique_ptr<Explorer> explorer_for_sweep(const SettledRequest& request) {
    const Options& options = request.options;
    const MatchRelationsSettings settings{.explore_polls = options.explore_polls.value_or(0),
                                          .explore_undecided_polls = !options.explore_polls,
                                          .bounds = options.bounds,
                                          .order = options.order,
                                          .seed = options.seed,
                                          .one_past_of_several = options.buffering.front().counts_bytes(),
                                          .merge_states = request.merges_states};
    // Where runs merge their number says little about that of all outcomes. With workers they do not, but a sweep may
    // go on without.
    const auto sampling = request.could_merge ? std::nullopt : sampling_settings(options);
    return std::make_unique<EachBuffering>(options.buffering, [settings, sampling]() -> std::unique_ptr<Explorer> {
        auto explorer = std::make_unique<MatchRelations>(settings);
        if (sampling) {
            return std::make_unique<Sampling>(std::move(explorer), *sampling);
        }
        return explorer;
    });
}

CountedPolls counted_polls(const Options& options) {
    return !options.explore_polls        ? CountedPolls::undecided
           : *options.explore_polls == 0 ? CountedPolls::none
                                         : CountedPolls::all;
}

bool bounded(const Options& options) { return options.bounds != heuristics::SearchBoundSettings{}; }

void tell_what_was_set_aside(const Options& given, const std::optional<std::filesystem::path>& set_aside) {
    if (set_aside) {
        std::cerr << fmt::format(
            "dampi-run: an earlier sweep in {0} had not come to its end; its journal is now {1} (to go on with that "
            "sweep, move {1} to {2}, and give --resume {0})\n",
            given.output.string(), set_aside->string(), SweepDirectory(given.output).journal().string());
    }
}

PreparedSweep prepare_new(SettledRequest request, const SweepDirectory& directory, const std::filesystem::path& layer) {
    const Options& given = request.options;
    auto explorer = explorer_for_sweep(request);
    std::optional<std::filesystem::path> set_aside;
    replay::JournalLock lock = directory.begin(set_aside);
    tell_what_was_set_aside(given, set_aside);
    auto journal = std::make_unique<SweepJournal>(
        std::move(lock), header_bytes({.identity = identity_of(request.options, request.program, own_build(layer)),
                                       .options = free_options_of(request.options)}));
    SweepAccount account(counted_polls(given));
    return {std::move(request), std::move(explorer), std::move(account), std::move(journal)};
}

PreparedSweep prepare_from_cache(SettledRequest request, SweepCache& cache, const SweepDirectory& directory) {
    auto explorer = explorer_for_sweep(request);
    SweepAccount account(counted_polls(request.options));
    std::optional<std::filesystem::path> set_aside;
    replay::JournalLock lock = directory.begin(set_aside);
    cache.bring(request.options.output);
    cache.release();
    if (set_aside && have_same_content(*set_aside, directory.journal())) {
        std::filesystem::remove(*set_aside);  // it is this sweep that goes on
    } else {
        tell_what_was_set_aside(request.options, set_aside);
    }
    replay::JournalReader reader(directory.journal());
    auto journal = std::make_unique<SweepJournal>(std::move(lock), reader, *explorer, account);
    return {std::move(request), std::move(explorer), std::move(account), std::move(journal), true};
}

PreparedSweep prepare(const Options& given, const SweepDirectory& directory, const std::filesystem::path& layer) {
    if (given.resume) {
        return prepare_to_resume(given, directory, layer);
    }
    return given.replay ? prepare_replay(given, directory, layer) : prepare_new(settle(given, layer), directory, layer);
}

}  // namespace dampi::scheduler
