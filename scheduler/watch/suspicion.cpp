#include "scheduler/watch/suspicion.hpp"

#include "base/check.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace dampi::scheduler::watch {
namespace {

/// Longer intervals would make the time until a hang is seen longer than they are worth; what is left of the dependence
/// of samples on each other is why this is never the only judge.
constexpr int most_doubled = 4;
constexpr std::size_t window = 16;
constexpr std::size_t most_samples = 4000;  ///< then the older half goes, so that a job's later phases count

/// With how many samples which quantile is known how exactly: ParaStack's table 5.2.
struct Exactness {
    double tolerance;
    double quantile;
    std::size_t samples;
};
constexpr std::array exactness{Exactness{0.05, 0.06, 86}, Exactness{0.1, 0.12, 42}, Exactness{0.2, 0.27, 19},
                               Exactness{0.3, 0.47, 11}};

double mean_of(const std::vector<double>& samples) {
    return std::accumulate(samples.begin(), samples.end(), 0.0) / static_cast<double>(samples.size());
}

}  // namespace

RunsLimits accepted_runs(int smaller) {
    DAMPI_CHECK(smaller >= 2 && smaller <= 8);
    static constexpr int any = std::numeric_limits<int>::max();
    static constexpr std::array<RunsLimits, 7> limits{RunsLimits{3, any}, RunsLimits{3, any}, RunsLimits{4, any},
                                                      RunsLimits{5, any}, RunsLimits{5, 12},  RunsLimits{5, 13},
                                                      RunsLimits{5, 13}};
    return limits[static_cast<std::size_t>(smaller - 2)];
}

bool look_random(const std::vector<double>& samples, double mean) {
    int above = 0;
    int runs = 0;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const bool is_above = samples[i] >= mean;
        above += is_above ? 1 : 0;
        runs += i == 0 || is_above != (samples[i - 1] >= mean) ? 1 : 0;
    }
    if (std::adjacent_find(samples.begin(), samples.end(), std::not_equal_to<>()) == samples.end()) {
        return true;
    }
    const int smaller = std::min(above, static_cast<int>(samples.size()) - above);
    if (smaller < 2) {
        return false;
    }
    const RunsLimits limits = accepted_runs(std::min(smaller, 8));
    return runs >= limits.lowest && runs <= limits.highest;
}

Suspicion::Suspicion(Significance significance, Milliseconds interval, std::uint64_t seed)
    : significance_(significance), random_(seed), interval_(interval), longest_interval_(interval * most_doubled) {
    DAMPI_CHECK(significance.alpha > 0 && significance.alpha < 1 && significance.job_length.count() > 0 &&
                interval.count() > 0);
}

Milliseconds Suspicion::next_wait() {
    std::uniform_int_distribution<Milliseconds::rep> more(0, interval_.count());
    return interval_ / 2 + Milliseconds{more(random_)};
}

Suspicion::Model Suspicion::model() const {
    const auto known = std::find_if(exactness.begin(), exactness.end(),
                                    [this](const Exactness& row) { return sorted_.size() >= row.samples; });
    if (known == exactness.end()) {
        return {};
    }
    // The value that this part of the samples does not exceed; where samples have few values, the part may be larger,
    // or none at all: then anything below the least value is suspicious.
    const auto size = static_cast<double>(sorted_.size());
    const auto at = static_cast<std::size_t>(known->quantile * size);
    const double at_quantile = sorted_[std::min(at, sorted_.size() - 1)];
    const auto part = [&](auto end) { return static_cast<double>(end - sorted_.begin()) / size; };
    const double up_to = part(std::upper_bound(sorted_.begin(), sorted_.end(), at_quantile));
    const auto below = std::lower_bound(sorted_.begin(), sorted_.end(), at_quantile);
    // A sample is suspicious only where nobody has got on, either.
    const auto chance = [&](double at_most) {
        return std::min(std::min(at_most, quiet_ / size) + known->tolerance, 0.99);
    };
    if (up_to <= 0.5) {
        return {at_quantile, chance(up_to)};
    }
    if (below != sorted_.begin()) {
        return {*std::prev(below), chance(part(below))};
    }
    // Half of the samples and more have the least value. Where that is none, a hang cannot be below it.
    return at_quantile > 0 ? Model{std::nextafter(at_quantile, 0.0), chance(0)} : Model{0, chance(up_to)};
}

std::size_t Suspicion::needed() const {
    const Model known = model();
    if (known.chance >= 1) {
        return 0;
    }
    const double tests = static_cast<double>(std::chrono::milliseconds(significance_.job_length).count()) /
                         static_cast<double>(interval_.count());
    return static_cast<std::size_t>(
        std::ceil(std::log(significance_.alpha / std::max(tests, 1.0)) / std::log(known.chance)));
}

void Suspicion::add(double active, bool quiet) {
    ++count_;
    const Model known = model();
    if (quiet && (known.chance >= 1 || active <= known.threshold)) {
        held_.push_back(active);
        return;
    }
    refute();
    keep(active, quiet);
}

void Suspicion::refute() {
    for (const double held : std::exchange(held_, {})) {
        keep(held, true);
    }
}

void Suspicion::halve() {
    std::vector<double> half;  // every second one: the same distribution
    for (std::size_t i = 0; i < sorted_.size(); i += 2) {
        half.push_back(sorted_[i]);
    }
    sorted_ = std::move(half);
    quiet_ /= 2;
}

void Suspicion::keep(double active, bool quiet) {
    quiet_ += quiet ? 1 : 0;
    sorted_.insert(std::upper_bound(sorted_.begin(), sorted_.end(), active), active);
    if (sorted_.size() > most_samples) {
        halve();
    }
    window_.push_back(active);
    if (window_.size() >= window) {
        test_runs();
    }
}

void Suspicion::test_runs() {
    const double mean = mean_of(window_);
    const double boundary = has_mean_ ? last_mean_ : mean;
    // Where mostly nobody gets on from one sample to the next, they say too little.
    const bool is_too_short = quiet_ * 2 > static_cast<double>(sorted_.size());
    if (interval_ < longest_interval_ * (is_too_short ? most_doubled : 1) &&
        (is_too_short || !look_random(window_, boundary))) {
        interval_ *= 2;
        halve();
    }
    last_mean_ = mean;
    has_mean_ = true;
    window_.clear();
}

}  // namespace dampi::scheduler::watch
