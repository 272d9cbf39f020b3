#include "scheduler/supervision/ending_watch.hpp"

#include <utility>

namespace dampi::scheduler {

EndingWatch::EndingWatch(std::chrono::milliseconds livelock_limit, std::optional<std::chrono::milliseconds> hang_limit)
    : livelock_(livelock_limit) {
    if (hang_limit) {
        hang_.emplace(*hang_limit);
    }
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

bool EndingWatch::finds_no_headway(std::vector<RankState> states, const OthersSleep& others_sleep, bool death,
                                   Time now) {
    const bool first = ending_.reason == RunEnding::Reason::finished && !death;
    if (first && livelock_.look(states, others_sleep, now)) {
        ending_.reason = RunEnding::Reason::livelock;
        ending_.ranks = livelock_.polling();
        ending_.since = livelock_.since();
        ending_.decided = now;
        ending_.states = std::move(states);
        return true;
    }
    if (!hang_) {
        return false;
    }
    std::vector<bool> hung = hang_->look(states, now);
    if (hung.empty()) {
        return false;
    }
    if (first) {
        ending_.reason = RunEnding::Reason::hang;
        ending_.ranks = std::move(hung);
        ending_.states = std::move(states);
    }
    ending_.cut_short = true;
    return true;
}

bool EndingWatch::nobody_needs_more_time(bool death, Time now) {
    if (!death && ending_.reason != RunEnding::Reason::deadlock) {
        return false;
    }
    if (fatal_since_ == Time{}) {
        fatal_since_ = now;
    }
    ending_.cut_short = now - fatal_since_ > patience_after_fatal;
    return ending_.cut_short;
}

}  // namespace dampi::scheduler
