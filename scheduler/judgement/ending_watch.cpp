#include "scheduler/judgement/ending_watch.hpp"

#include "scheduler/judgement/stuck_ranks.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace dampi::scheduler {

EndingWatch::EndingWatch(const EndingLimits& limits, DecisionOpen decision_open)
    : livelock_(limits.livelock, limits.certain_livelock),
      run_limit_(limits.run),
      doubt_limit_(limits.doubt),
      decision_open_(std::move(decision_open)) {
    if (limits.hang) {
        hang_.emplace(*limits.hang);
    }
}

bool EndingWatch::decision_is_open(Time now) {
    constexpr std::chrono::milliseconds between_questions{200};
    if (decision_asked_ == Time{} || now - decision_asked_ >= between_questions) {
        decision_asked_ = now;
        decision_was_open_ = decision_open_();
    }
    return decision_was_open_;
}

void EndingWatch::note_deadlock(const std::vector<RankState>& states, const std::vector<bool>& stuck, Time since,
                                Time now) {
    if (ending_.reason != RunEnding::Reason::deadlock || ending_.ranks != stuck) {
        ending_.ranks = stuck;
        ending_.since = since;
        ending_.decided = now;
        ending_.states = states;
    }
    ending_.reason = RunEnding::Reason::deadlock;
}

bool EndingWatch::note_livelock(const std::vector<RankState>& states, bool certain,
                                std::chrono::nanoseconds virtual_time, bool death, Time now) {
    if (ending_.reason != RunEnding::Reason::finished || death) {
        return false;
    }
    ending_.reason = RunEnding::Reason::livelock;
    ending_.certain = certain;
    ending_.virtual_time = virtual_time;
    ending_.since = ending_.decided = now;
    ending_.states = states;
    ending_.ranks.clear();
    std::transform(states.begin(), states.end(), std::back_inserter(ending_.ranks),
                   [](const RankState& state) { return state.alive && !state.finalized && state.polls; });
    return true;
}

bool EndingWatch::finds_no_headway(std::vector<RankState> states, const OthersSleep& others_sleep,
                                   const LoopsForEver& loops, const ProcessorTimeOf& processor_time, bool death,
                                   Time now) {
    const bool first = ending_.reason == RunEnding::Reason::finished && !death;
    if (std::vector<bool> in_loops = first ? endless_loops_.look(states, loops, now) : std::vector<bool>();
        !in_loops.empty()) {
        ending_.reason = RunEnding::Reason::hang;
        ending_.ranks = std::move(in_loops);
        ending_.since = endless_loops_.since();
        ending_.decided = now;
        ending_.states = std::move(states);
        return true;
    }
    if (first && livelock_.look(states, others_sleep, now)) {
        ending_.reason = RunEnding::Reason::livelock;
        ending_.ranks = livelock_.polling();
        ending_.certain = livelock_.certain();
        ending_.since = livelock_.since();
        ending_.decided = now;
        ending_.states = std::move(states);
        return true;
    }
    if (first && (!hang_ || !hang_->suspects()) && is_overlong(states, now)) {
        return true;
    }
    if (!hang_) {
        return false;
    }
    std::vector<bool> hung = hang_->look(states, processor_time, now);
    if (hung.empty()) {
        return false;
    }
    if (first) {
        ending_.reason = RunEnding::Reason::hang;
        ending_.ranks = std::move(hung);
        ending_.stopped = hang_->stopped();
        ending_.certain = false;
        ending_.since = now - hang_->limit();
        ending_.decided = now;
        ending_.states = std::move(states);
    }
    ending_.cut_short = true;
    return true;
}

bool EndingWatch::is_overlong(const std::vector<RankState>& states, Time now) {
    begin_ = begin_ == Time{} ? now : begin_;
    if (!run_limit_ || now - begin_ < *run_limit_) {
        return false;
    }
    ending_.reason = RunEnding::Reason::livelock;
    ending_.certain = false;
    ending_.overlong = true;
    ending_.since = begin_;
    ending_.decided = now;
    ending_.states = states;
    ending_.ranks.clear();
    std::transform(states.begin(), states.end(), std::back_inserter(ending_.ranks), live);
    ending_.cut_short = true;
    return true;
}

bool EndingWatch::waits_in_vain(const std::vector<RankState>& states, bool death, Time now) {
    std::vector<std::uint64_t> traffic;
    std::transform(states.begin(), states.end(), std::back_inserter(traffic),
                   [](const RankState& state) { return state.traffic; });
    if (traffic != traffic_ || quiet_since_ == Time{}) {
        traffic_ = std::move(traffic);
        quiet_since_ = now;
        return false;
    }
    if (now - quiet_since_ < doubt_limit_ || death || ending_.reason != RunEnding::Reason::finished ||
        !decision_is_open(now)) {
        return false;
    }
    ending_.reason = RunEnding::Reason::doubt;
    ending_.ranks.assign(states.size(), false);
    ending_.states = states;
    return true;
}

bool EndingWatch::nobody_needs_more_time(bool death, Time now) {
    if (!death && ending_.reason != RunEnding::Reason::deadlock) {
        return false;
    }
    if (fatal_since_ == Time{}) {
        fatal_since_ = now;
    }
    const auto given = now - fatal_since_;
    ending_.cut_short = given > patience_after_fatal && (given > patience_with_decisions || !decision_is_open(now));
    return ending_.cut_short;
}

}  // namespace dampi::scheduler
