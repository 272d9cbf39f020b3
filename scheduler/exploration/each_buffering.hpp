// Exploration under several modes of buffering, one after the other: --buffering all.
#pragma once

#include "replay/buffering.hpp"
#include "scheduler/exploration/explorer.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <set>
#include <vector>

namespace dampi::scheduler {

/// Hands out the interleavings of one explorer for each mode. Their numbers go on from mode to mode. What is pending is
/// that of the present mode: nothing is known yet of those to come.
class EachBuffering final : public Explorer {
public:
    /// At least one mode. `make` makes the explorer of one, which knows nothing of the others.
    EachBuffering(std::vector<replay::Buffering> modes, std::function<std::unique_ptr<Explorer>()> make)
        : modes_(std::move(modes)), make_(std::move(make)), explorer_(make_()) {}

    std::optional<replay::Interleaving> next() override;
    [[nodiscard]] std::optional<Lesson> learn(std::uint64_t number, const replay::RunRecord& record,
                                              const std::stop_token& stop) const override;
    void apply(const Lesson& lesson) override;
    void give_back(std::uint64_t number) override;
    [[nodiscard]] ExplorerState state() const override;
    void restore(ExplorerState state) override;
    [[nodiscard]] std::uint64_t pending() const override { return explorer_->pending(); }
    [[nodiscard]] double progress() const override;
    [[nodiscard]] LeftOutAlternatives left_out() const override;
    /// Of the modes up to the present one together.
    [[nodiscard]] std::optional<heuristics::SizeEstimate> estimate() const override;
    [[nodiscard]] std::vector<OutcomesOfMode> outcomes() const override;

private:
    void begin_next_part();

    std::vector<replay::Buffering> modes_;
    std::function<std::unique_ptr<Explorer>()> make_;
    std::unique_ptr<Explorer> explorer_;  ///< of the present mode
    std::uint32_t part_ = 0;              ///< its place in modes_
    std::set<std::uint64_t> running_;     ///< handed out and not come back
    std::uint64_t last_number_ = 0;       ///< of those handed out
    std::uint64_t before_ = 0;            ///< numbers that belong to earlier modes
    LeftOutAlternatives left_out_before_;
    std::optional<heuristics::SizeEstimate> estimate_before_;
    std::vector<OutcomesOfMode> outcomes_before_;
};

}  // namespace dampi::scheduler
