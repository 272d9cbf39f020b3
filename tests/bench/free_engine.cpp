#include "tests/bench/free_engine.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace dampi::bench {

using replay::Decision;
using replay::Epoch;
using replay::Rank;

replay::RunRecord FreeEngine::run(const replay::Interleaving& interleaving, std::stop_token /*stop*/) {
    replay::RunRecord record;
    const auto& decisions = interleaving.decisions;
    auto decision = decisions.begin();
    for (std::uint32_t master = 0; master < masters_; ++master) {
        const auto rank = static_cast<Rank>(master);
        clocks::Clock known;
        std::vector<std::uint64_t> taken(workers_, 0);
        for (std::uint32_t index = 0; index < rounds_ * workers_; ++index) {
            const std::uint64_t round = index / workers_;
            Epoch epoch;
            epoch.id = {.rank = rank, .index = index};
            epoch.comm = 1;
            epoch.tag = 0;
            epoch.posted = known;
            epoch.past = known;
            while (decision != decisions.end() && decision->epoch < epoch.id) {
                ++decision;
            }
            std::uint32_t worker = 0;
            if (decision != decisions.end() && decision->epoch == epoch.id) {
                worker = static_cast<std::uint32_t>(decision->outcome.source) - masters_;
                epoch.forced = true;
            } else {
                while (taken[worker] != round) {
                    ++worker;
                }
            }
            const auto source = [&](std::uint32_t which) { return static_cast<Rank>(masters_ + which); };
            epoch.outcome = replay::Outcome{.source = source(worker), .tag = 0, .number = round, .completed = {}};
            for (std::uint32_t other = 0; other < workers_; ++other) {
                if (other != worker && taken[other] == round) {
                    epoch.potential_matches.push_back(
                        {.source = source(other), .tag = 0, .number = round, .past = known});
                }
            }
            ++taken[worker];
            known.vector.add(rank, index);
            record.epochs.push_back(std::move(epoch));
        }
    }
    return record;
}

std::uint64_t FreeEngine::outcomes() const {
    double count = 1;
    for (std::uint32_t i = 0; i < masters_ * rounds_; ++i) {
        for (std::uint32_t worker = 2; worker <= workers_; ++worker) {
            count *= worker;
        }
    }
    return count < 1e18 ? static_cast<std::uint64_t>(count) : 0;
}

}  // namespace dampi::bench
