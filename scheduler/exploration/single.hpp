// "Exploration" of exactly one interleaving: what replaying a decision file is.
#pragma once

#include "scheduler/exploration/explorer.hpp"

#include <utility>

namespace dampi::scheduler {

class SingleInterleaving final : public Explorer {
public:
    explicit SingleInterleaving(replay::Interleaving interleaving) : interleaving_(std::move(interleaving)) {}

    std::optional<replay::Interleaving> next() override {
        return std::exchange(handed_out_, true) ? std::nullopt : std::optional(interleaving_);
    }
    [[nodiscard]] std::optional<Lesson> learn(std::uint64_t number, const replay::RunRecord& record,
                                              const std::stop_token& /*stop*/) const override {
        Lesson lesson;
        lesson.number = number;
        lesson.deviation = first_deviation(record, interleaving_.decisions);
        return lesson;
    }
    void apply(const Lesson& lesson) override { state_.last_number = lesson.number; }
    void give_back(std::uint64_t /*number*/) override { handed_out_ = false; }
    [[nodiscard]] ExplorerState state() const override { return state_; }
    void restore(ExplorerState state) override {
        state_ = std::move(state);
        handed_out_ = state_.last_number != 0;
    }
    [[nodiscard]] std::uint64_t pending() const override { return handed_out_ ? 0 : 1; }

private:
    replay::Interleaving interleaving_;
    bool handed_out_ = false;
    ExplorerState state_;
};

}  // namespace dampi::scheduler
