// Exploration under several modes of buffering, one after the other: --buffering all.
#pragma once

#include "replay/buffering.hpp"
#include "scheduler/exploration/explorer.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace dampi::scheduler {

/// Hands out the interleavings of one explorer for each mode. Their numbers go on from mode to mode. What is pending is
/// that of the present mode: nothing is known yet of those to come.
class EachBuffering final : public Explorer {
public:
    /// `make` makes the explorer of one mode, which knows nothing of the others.
    EachBuffering(std::vector<replay::Buffering> modes, std::function<std::unique_ptr<Explorer>()> make)
        : modes_(std::move(modes)), make_(std::move(make)) {}

    std::optional<replay::Interleaving> next() override;
    void learn(const replay::RunRecord& record) override { explorer_->learn(record); }
    [[nodiscard]] std::uint64_t pending() const override { return explorer_ == nullptr ? 0 : explorer_->pending(); }
    [[nodiscard]] const std::optional<Deviation>& deviation() const override { return explorer_->deviation(); }
    [[nodiscard]] std::map<std::string, std::uint64_t> left_out() const override;

private:
    std::vector<replay::Buffering> modes_;
    std::function<std::unique_ptr<Explorer>()> make_;
    std::size_t begun_ = 0;               ///< of modes_; explorer_ belongs to the last one
    std::unique_ptr<Explorer> explorer_;  ///< null before the first and after the last
    std::uint64_t handed_out_ = 0;        ///< the last number
    std::uint64_t before_ = 0;            ///< numbers that belong to earlier modes
    std::map<std::string, std::uint64_t> left_out_before_;
};

}  // namespace dampi::scheduler
