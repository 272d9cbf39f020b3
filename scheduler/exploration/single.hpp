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
    void learn(const replay::RunRecord& record) override {
        deviation_ = first_deviation(record, interleaving_.decisions);
    }
    [[nodiscard]] std::uint64_t pending() const override { return 0; }
    [[nodiscard]] const std::optional<Deviation>& deviation() const override { return deviation_; }

private:
    replay::Interleaving interleaving_;
    bool handed_out_ = false;
    std::optional<Deviation> deviation_;
};

}  // namespace dampi::scheduler
