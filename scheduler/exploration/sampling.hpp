// Estimates how many outcomes there are while another explorer explores them: makes random walks
// (heuristics/random_walk.hpp) first.
//
// The runs of walks are trials: no interleavings that count, but what goes wrong in them is found. While there are any,
// nothing else is run. All walks begin with the record of the first interleaving, which is run in any case, so a walk
// needs a run only where it leaves those it has. Walks go on side by side, each with its own chance, and the estimate
// is made of them in the order of their numbers: it does not depend on how many run at the same time. Which walks are
// made is fixed before any of them is.
#pragma once

#include "heuristics/random_walk.hpp"
#include "heuristics/size_estimate.hpp"
#include "scheduler/exploration/explorer.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

namespace dampi::scheduler {

struct SamplingSettings {
    std::optional<std::uint32_t> walks;
    /// Where `walks` is not given: make as many as are worth it, if the explorer thinks after its first interleaving
    /// that there are many.
    bool if_many = true;
    std::uint64_t seed = 1;
};

class Sampling final : public Explorer {
public:
    // Where the number of walks is not given:
    static constexpr double fewest_to_estimate = 10'000;  ///< interleavings that seem likely
    static constexpr std::uint32_t most_walks = 20;
    /// Expected, at most; no walk is begun or goes on after twice as many.
    static constexpr std::uint64_t runs_for_walks = 100;
    /// What a walk looks at grows with the square of these.
    static constexpr std::size_t most_epochs = 5000;

    /// `explorer` explores the same program, with vector clocks and no additional false answers.
    Sampling(std::unique_ptr<Explorer> explorer, SamplingSettings settings)
        : explorer_(std::move(explorer)), settings_(settings), walks_(settings.walks) {}

    std::optional<replay::Interleaving> next() override;
    [[nodiscard]] std::optional<Lesson> learn(std::uint64_t number, const replay::RunRecord& record,
                                              const std::stop_token& stop) const override;
    void apply(const Lesson& lesson) override;
    void give_back(std::uint64_t number) override;
    [[nodiscard]] ExplorerState state() const override;
    void restore(ExplorerState state) override;
    [[nodiscard]] std::uint64_t pending() const override { return explorer_->pending(); }
    [[nodiscard]] double progress() const override { return explorer_->progress(); }
    [[nodiscard]] LeftOutAlternatives left_out() const override { return explorer_->left_out(); }
    [[nodiscard]] std::optional<heuristics::SizeEstimate> estimate() const override;

private:
    struct HandedOut {
        std::uint64_t inner = 0;            ///< the other explorer's number; 0: a walk's
        std::optional<std::uint32_t> walk;  ///< none of either: the run that walks begin with
    };

    std::optional<replay::Interleaving> next_of_walks();
    void begin_walk();
    void take_in(std::uint32_t number, SampledWalk walk);
    replay::Interleaving hand_out(replay::Interleaving interleaving, HandedOut what);
    void decide_on_walks(double expected_runs);

    std::unique_ptr<Explorer> explorer_;
    SamplingSettings settings_;
    std::map<std::uint64_t, HandedOut> handed_out_;
    std::uint64_t trials_out_ = 0;  ///< of handed_out_
    std::uint64_t last_number_ = 0;
    bool begun_ = false;                  ///< the first interleaving has come back
    std::optional<std::uint32_t> walks_;  ///< to make; none: not decided
    std::uint32_t unbegun_ = 0;           ///< no walk from here on is begun
    std::map<std::uint32_t, SampledWalk> going_on_;
    std::set<std::uint32_t> running_;  ///< of going_on_
    std::map<std::uint32_t, std::optional<heuristics::LargeNumber>> ended_;
    std::uint64_t runs_ = 0;
    /// What walks begin with. Not kept: a sweep that goes on makes that run again, if there are walks to begin.
    mutable std::unique_ptr<const replay::RunRecord> base_;
    mutable std::optional<heuristics::SizeEstimate> estimate_;  ///< of all up to now; none: to be made anew
};

}  // namespace dampi::scheduler
