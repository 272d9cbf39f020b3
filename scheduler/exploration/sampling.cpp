#include "scheduler/exploration/sampling.hpp"

#include "base/check.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace dampi::scheduler {

using heuristics::LargeNumber;
using heuristics::SizeEstimate;
using replay::Interleaving;

namespace {

/// What walks go by: little of what a record holds.
std::unique_ptr<const replay::RunRecord> for_walks(const replay::RunRecord& record) {
    auto copy = std::make_unique<replay::RunRecord>();
    copy->protocol = record.protocol;
    copy->epochs = record.epochs;
    return copy;
}

}  // namespace

std::optional<Interleaving> Sampling::next() {
    if (begun_ && walks_) {
        auto interleaving = next_of_walks();
        if (interleaving || trials_out_ != 0) {
            return interleaving;  // a bound on interleavings is not to come between walks
        }
    }
    if (auto interleaving = explorer_->next()) {
        const std::uint64_t inner = interleaving->number;
        return hand_out(std::move(*interleaving), {.inner = inner, .walk = {}});
    }
    return std::nullopt;
}

Interleaving Sampling::hand_out(Interleaving interleaving, HandedOut what) {
    interleaving.number = ++last_number_;
    trials_out_ += what.inner == 0 ? 1 : 0;
    handed_out_.emplace(interleaving.number, what);
    return interleaving;
}

std::optional<Interleaving> Sampling::next_of_walks() {
    for (;;) {
        if (!settings_.walks && runs_ + running_.size() >= 2 * runs_for_walks) {
            return std::nullopt;
        }
        for (const auto& [number, walk] : going_on_) {
            if (!running_.contains(number)) {
                running_.insert(number);
                return hand_out({.number = 0, .decisions = walk.walk.decisions(), .trial = true},
                                {.inner = 0, .walk = number});
            }
        }
        while (going_on_.contains(unbegun_) || ended_.contains(unbegun_)) {
            ++unbegun_;
        }
        if (unbegun_ >= *walks_) {
            base_.reset();
            return std::nullopt;
        }
        if (!base_) {
            // Only in a sweep that goes on; what else is out is a walk's from before, or this run.
            return trials_out_ != 0 ? std::nullopt
                                    : std::optional(hand_out({.number = 0, .decisions = {}, .trial = true}, {}));
        }
        begin_walk();
    }
}

void Sampling::begin_walk() {
    SampledWalk begun{.walk = {}, .chance = {settings_.seed, unbegun_}, .deviated = false};
    begun.walk.go_on(*base_, std::ref(begun.chance));
    take_in(unbegun_, std::move(begun));
}

void Sampling::take_in(std::uint32_t number, SampledWalk walk) {
    running_.erase(number);
    if (walk.deviated || walk.walk.estimate()) {
        going_on_.erase(number);
        ended_.emplace(number, walk.deviated ? std::nullopt : walk.walk.estimate());
        estimate_.reset();
    } else {
        going_on_.insert_or_assign(number, std::move(walk));
    }
}

std::optional<Lesson> Sampling::learn(std::uint64_t number, const replay::RunRecord& record,
                                      const std::stop_token& stop) const {
    const HandedOut& told = handed_out_.at(number);
    Lesson lesson;
    SampledRun sampled;
    if (told.inner != 0) {
        std::optional<Lesson> inner = explorer_->learn(told.inner, record, stop);
        if (!inner) {
            return std::nullopt;
        }
        lesson = std::move(*inner);
        sampled.inner_number = std::exchange(lesson.number, number);
        sampled.too_large = !begun_ && record.epochs.size() > most_epochs;
        if (!begun_ && !lesson.deviation && !lesson.trial && !sampled.too_large) {
            base_ = for_walks(record);
            sampled.expected_runs = heuristics::expected_departures(record);
        }
    } else if (told.walk) {
        lesson.number = number;
        SampledWalk walk = going_on_.at(*told.walk);
        lesson.deviation = first_deviation(record, walk.walk.decisions());
        walk.deviated = lesson.deviation.has_value() || record.epochs.size() > most_epochs;
        if (!walk.deviated) {
            walk.walk.go_on(record, std::ref(walk.chance));
        }
        sampled.walk = {*told.walk, std::move(walk)};
    } else {
        lesson.number = number;
        lesson.deviation = first_deviation(record, {});
        sampled.too_large = record.epochs.size() > most_epochs;
        if (!lesson.deviation && !sampled.too_large) {
            base_ = for_walks(record);
        }
    }
    lesson.sampled = std::move(sampled);
    return lesson;
}

void Sampling::apply(const Lesson& lesson) {
    if (const auto handed_out = handed_out_.extract(lesson.number)) {
        trials_out_ -= handed_out.mapped().inner == 0 ? 1 : 0;
    }
    last_number_ = std::max(last_number_, lesson.number);
    if (!lesson.sampled) {
        throw Error("the journal is of a sweep without random walks");
    }
    const SampledRun& sampled = *lesson.sampled;
    if (sampled.inner_number != 0) {
        begun_ = true;
        Lesson inner = lesson;
        inner.number = sampled.inner_number;
        inner.sampled.reset();
        explorer_->apply(inner);
        if (sampled.too_large) {
            walks_ = 0;
        } else if (sampled.expected_runs && !walks_) {
            decide_on_walks(*sampled.expected_runs);
        }
        return;
    }
    ++runs_;
    if (sampled.walk) {
        const auto& [number, walk] = *sampled.walk;
        take_in(number, walk);
    } else if (lesson.deviation || sampled.too_large) {
        walks_ = 0;  // there is nothing that they could begin with
    }
}

void Sampling::decide_on_walks(double expected_runs) {
    walks_ = 0;
    if (settings_.if_many && explorer_->progress() * fewest_to_estimate < 1 && explorer_->pending() != 0) {
        const double worth = static_cast<double>(runs_for_walks) / std::max(expected_runs, 1.0);
        walks_ = std::min(most_walks, static_cast<std::uint32_t>(worth));
    }
}

void Sampling::give_back(std::uint64_t number) {
    const auto handed_out = handed_out_.extract(number);
    DAMPI_CHECK(!handed_out.empty());
    const HandedOut& told = handed_out.mapped();
    if (told.inner != 0) {
        explorer_->give_back(told.inner);
        return;
    }
    --trials_out_;
    if (told.walk) {
        running_.erase(*told.walk);
    }
}

ExplorerState Sampling::state() const {
    ExplorerState state = explorer_->state();
    state.sampling = {.begun = begun_,
                      .inner_last_number = std::exchange(state.last_number, last_number_),
                      .walks = walks_,
                      .going_on = going_on_,
                      .ended = ended_,
                      .runs = runs_};
    return state;
}

void Sampling::restore(ExplorerState state) {
    SamplingState sampling = std::exchange(state.sampling, {});
    last_number_ = std::exchange(state.last_number, sampling.inner_last_number);
    begun_ = sampling.begun;
    walks_ = sampling.walks;
    going_on_ = std::move(sampling.going_on);
    ended_ = std::move(sampling.ended);
    runs_ = sampling.runs;
    explorer_->restore(std::move(state));
}

std::optional<SizeEstimate> Sampling::estimate() const {
    if (!walks_ || *walks_ == 0) {
        return std::nullopt;
    }
    if (!estimate_) {
        // Only up to the first that has not ended: those that are done early are the short ones.
        std::vector<LargeNumber> estimates;
        std::uint32_t next = 0;
        for (const auto& [number, estimate] : ended_) {
            if (number != next) {
                break;
            }
            ++next;
            if (estimate) {
                estimates.push_back(*estimate);
            }
        }
        estimate_ = heuristics::estimate_size(estimates);
        estimate_->walks = *walks_;
        estimate_->abandoned = next - estimates.size();
    }
    estimate_->runs = runs_;
    return estimate_;
}

}  // namespace dampi::scheduler
