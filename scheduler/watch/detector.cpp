#include "scheduler/watch/detector.hpp"

#include <algorithm>
#include <limits>

namespace dampi::scheduler::watch {
namespace {

using std::chrono::seconds;

/// A place that has been passed so often is known: that the next time takes the longest is less likely than one in so
/// many, that it takes twelve times as long far less.
constexpr std::uint64_t visits_of_known = 10;
/// More than ten, since a slow-down by ten is none.
constexpr int times_the_longest = 12;

constexpr Milliseconds least_known = seconds{5};
constexpr Milliseconds least_unknown = seconds{30};
constexpr Milliseconds least_all_in_mpi = seconds{6};
constexpr Milliseconds least_polling = seconds{15};
constexpr Milliseconds least_stopped = seconds{6};
constexpr Milliseconds least_many = seconds{120};
/// While too little is known for statistics.
constexpr Milliseconds least_without_model = seconds{10};

bool gets_on(const RankLook& before, const RankLook& now) {
    return before.token != now.token || (before.where == Whereabouts::ended) != (now.where == Whereabouts::ended) ||
           before.rank != now.rank;
}

/// How many ranks have got on; all, where there are others than before.
std::size_t count_progress(const Look& before, const Look& now) {
    if (before.size() != now.size()) {
        return now.size();
    }
    std::size_t count = 0;
    for (std::size_t i = 0; i < now.size(); ++i) {
        count += gets_on(before[i], now[i]) ? 1 : 0;
    }
    return count;
}

}  // namespace

Standstill standstill_of(const Look& look) {
    std::size_t outside = 0;
    std::size_t polling = 0;
    std::size_t stopped = 0;
    std::size_t there = 0;
    bool is_traced = false;
    for (const RankLook& rank : look) {
        there += rank.where != Whereabouts::ended ? 1 : 0;
        outside += rank.where == Whereabouts::outside ? 1 : 0;
        polling += rank.where == Whereabouts::polling ? 1 : 0;
        stopped += rank.where != Whereabouts::ended && rank.stopped ? 1 : 0;
        is_traced = is_traced || rank.traced;
    }
    Standstill standstill;
    standstill.kind = is_traced                             ? StandstillKind::debugged
                      : stopped != 0 && stopped == there    ? StandstillKind::all_stopped
                      : stopped != 0                        ? StandstillKind::some_stopped
                      : outside != 0 && outside * 2 > there ? StandstillKind::many_outside
                      : outside != 0                        ? StandstillKind::few_outside
                      : polling != 0                        ? StandstillKind::polling
                                                            : StandstillKind::all_in_mpi;
    standstill.visits = std::numeric_limits<std::uint64_t>::max();
    for (const RankLook& rank : look) {
        const bool is_meant = rank.where != Whereabouts::ended && (outside == 0 || rank.where == Whereabouts::outside);
        if (is_meant) {
            standstill.places.push_back(rank.place);
            standstill.visits = std::min(standstill.visits, rank.visits);
        }
    }
    std::sort(standstill.places.begin(), standstill.places.end());
    standstill.places.erase(std::unique(standstill.places.begin(), standstill.places.end()), standstill.places.end());
    return standstill;
}

std::optional<Milliseconds> Patience::with(const Standstill& standstill) const {
    const bool is_known = standstill.visits >= visits_of_known;
    Milliseconds least{0};
    switch (standstill.kind) {
        case StandstillKind::debugged:
        case StandstillKind::all_stopped:
            return std::nullopt;
        case StandstillKind::some_stopped:
            return least_stopped;
        case StandstillKind::few_outside:
            least = is_known ? least_known : least_unknown;
            break;
        case StandstillKind::many_outside:
            if (!is_known) {
                return std::nullopt;  // a computation without MPI may take any time
            }
            least = least_many;
            break;
        case StandstillKind::polling:
            least = least_polling;
            break;
        case StandstillKind::all_in_mpi:
            least = least_all_in_mpi;
            break;
    }
    const auto found = longest_.find({standstill.kind, standstill.places});
    const Milliseconds here = found == longest_.end() ? Milliseconds{0} : found->second;
    // Where nothing is known of the place, what is known of others.
    return std::max({least, here * times_the_longest, is_known ? Milliseconds{0} : longest_of_all_ * 3});
}

void Patience::learn(const Standstill& standstill, Milliseconds lasted) {
    Milliseconds& longest = longest_[{standstill.kind, standstill.places}];
    longest = std::max(longest, lasted);
    longest_of_all_ = std::max(longest_of_all_, lasted);
}

Milliseconds Detector::quiet(Time now) const {
    return quiet_since_ ? std::chrono::duration_cast<Milliseconds>(now - *quiet_since_) : Milliseconds{0};
}

void Detector::end_quiet(Time now) {
    if (quiet_since_ && quiet(now) > Milliseconds{0}) {
        patience_.learn(standstill_, quiet(now));
    }
    quiet_since_ = now;
}

bool Detector::observe(Time now, const Look& look, std::optional<double> active) {
    if (count_progress(last_, look) != 0 || !quiet_since_) {
        end_quiet(now);
        sampled_progress_ = true;
    }
    // What a rank that polls does next is another question than what it waits for: a standstill is what it last was.
    standstill_ = standstill_of(look);
    last_ = look;
    if (standstill_.kind == StandstillKind::debugged || standstill_.kind == StandstillKind::all_stopped) {
        skip(now);
        return false;
    }
    if (wants_sample(now)) {
        const double of_layer =
            look.empty() ? 0
                         : static_cast<double>(count_progress(last_sample_, look)) / static_cast<double>(look.size());
        suspicion_.add(active.value_or(of_layer), !sampled_progress_);
        last_sample_ = look;
        sampled_progress_ = false;
        next_sample_ = now + suspicion_.next_wait();
    }
    const auto patience = patience_.with(standstill_);
    if (look.empty() || !patience || quiet(now) < *patience * caution_) {
        return false;
    }
    return suspicion_.needed() == 0 ? quiet(now) >= least_without_model : suspicion_.is_excessive();
}

void Detector::skip(Time now) {
    quiet_since_ = now;
    suspicion_.refute();
    sampled_progress_ = true;
}

void Detector::refute(Time now) {
    end_quiet(now);
    suspicion_.refute();
    sampled_progress_ = true;
}

}  // namespace dampi::scheduler::watch
