#include "scheduler/exploration/each_buffering.hpp"

#include <algorithm>
#include <utility>

namespace dampi::scheduler {

std::optional<replay::Interleaving> EachBuffering::next() {
    for (;;) {
        if (auto interleaving = explorer_->next()) {
            interleaving->number += before_;
            interleaving->buffering = modes_[part_];
            last_number_ = std::max(last_number_, interleaving->number);
            running_.insert(interleaving->number);
            return interleaving;
        }
        if (!running_.empty() || part_ + 1 == modes_.size()) {
            return std::nullopt;
        }
        begin_next_part();
    }
}

void EachBuffering::begin_next_part() {
    left_out_before_ = left_out();
    estimate_before_ = estimate();
    outcomes_before_ = outcomes();
    before_ = last_number_;
    explorer_ = make_();
    ++part_;
}

std::optional<Lesson> EachBuffering::learn(std::uint64_t number, const replay::RunRecord& record,
                                           const std::stop_token& stop) const {
    std::optional<Lesson> lesson = explorer_->learn(number - before_, record, stop);
    if (lesson) {
        lesson->part = part_;
    }
    return lesson;
}

void EachBuffering::apply(const Lesson& lesson) {
    while (part_ < lesson.part) {  // of an earlier sweep
        begin_next_part();
    }
    explorer_->apply(lesson);
    last_number_ = std::max(last_number_, before_ + lesson.number);
    running_.erase(before_ + lesson.number);
}

void EachBuffering::give_back(std::uint64_t number) {
    explorer_->give_back(number - before_);
    running_.erase(number);
}

ExplorerState EachBuffering::state() const {
    ExplorerState state = explorer_->state();
    state.part = part_;
    state.before = before_;
    state.left_out_before = left_out_before_;
    state.estimate_before = estimate_before_;
    state.outcomes_before = outcomes_before_;
    return state;
}

void EachBuffering::restore(ExplorerState state) {
    part_ = state.part;
    before_ = state.before;
    left_out_before_ = std::move(state.left_out_before);
    estimate_before_ = std::move(state.estimate_before);
    outcomes_before_ = std::move(state.outcomes_before);
    last_number_ = before_ + state.last_number;
    explorer_->restore(std::move(state));
}

double EachBuffering::progress() const {
    return (static_cast<double>(part_) + explorer_->progress()) / static_cast<double>(modes_.size());
}

std::optional<heuristics::SizeEstimate> EachBuffering::estimate() const {
    const auto present = explorer_->estimate();
    if (!present || !estimate_before_) {
        return present ? present : estimate_before_;
    }
    return heuristics::together(*estimate_before_, *present);
}

std::vector<OutcomesOfMode> EachBuffering::outcomes() const {
    std::vector<OutcomesOfMode> all = outcomes_before_;
    for (OutcomesOfMode& present : explorer_->outcomes()) {
        present.buffering = modes_[part_];
        for (MeetingDifference& difference : present.differences) {
            difference.run += before_;
            difference.earlier.run += before_;
        }
        all.push_back(std::move(present));
    }
    return all;
}

LeftOutAlternatives EachBuffering::left_out() const {
    LeftOutAlternatives all = left_out_before_;
    return all += explorer_->left_out();
}

}  // namespace dampi::scheduler
