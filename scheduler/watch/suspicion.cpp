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
/// Where samples say so little that they would take longer to judge, it is left to the others.
constexpr Milliseconds longest_judgement = std::chrono::minutes{1};
constexpr std::size_t most_samples = 4000;  ///< then half of them go, so that a job's later phases count

/// With how many samples a frequency is known how exactly: ParaStack's table 5.2.
struct Exactness {
    double tolerance;
    std::size_t samples;
};
constexpr std::array exactness{Exactness{0.05, 86}, Exactness{0.1, 42}, Exactness{0.2, 19}, Exactness{0.3, 11}};
constexpr double most_likely = 0.99;

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

double Suspicion::chance() const {
    const auto known = std::find_if(exactness.begin(), exactness.end(),
                                    [this](const Exactness& row) { return kept_.size() >= row.samples; });
    if (known == exactness.end()) {
        return 1;
    }
    const double most_active = held_.empty() ? 0 : *std::max_element(held_.begin(), held_.end());
    const auto alike = std::count_if(kept_.begin(), kept_.end(), [most_active](const Sample& sample) {
        return sample.quiet && sample.active <= most_active;
    });
    return std::min(static_cast<double>(alike) / static_cast<double>(kept_.size()) + known->tolerance, most_likely);
}

std::size_t Suspicion::needed() const {
    const double chance_of_one = chance();
    if (chance_of_one >= 1) {
        return 0;
    }
    const auto count_in = [this](Milliseconds time) {
        return static_cast<double>(time.count()) / static_cast<double>(interval_.count());
    };
    const double tests = std::max(count_in(significance_.job_length), 1.0);
    const double by_chance = std::ceil(std::log(significance_.alpha / tests) / std::log(chance_of_one));
    return static_cast<std::size_t>(std::min(by_chance, std::ceil(count_in(longest_judgement))));
}

void Suspicion::add(double active, bool quiet) {
    ++count_;
    if (quiet) {
        held_.push_back(active);
        return;
    }
    refute();
    keep({active, false});
}

void Suspicion::refute() {
    for (const double held : std::exchange(held_, {})) {
        keep({held, true});
    }
}

/// Every second one: the same distribution.
void Suspicion::halve() {
    std::size_t index = 0;
    std::erase_if(kept_, [&index](const Sample&) { return index++ % 2 != 0; });
}

void Suspicion::keep(const Sample& sample) {
    kept_.push_back(sample);
    if (kept_.size() > most_samples) {
        halve();
    }
    window_.push_back(sample.active);
    if (window_.size() >= window) {
        test_runs();
    }
}

void Suspicion::test_runs() {
    const double mean = mean_of(window_);
    const double boundary = has_mean_ ? last_mean_ : mean;
    // Where mostly nobody gets on from one sample to the next, they say too little.
    const bool is_too_short =
        std::count_if(kept_.begin(), kept_.end(), [](const Sample& sample) { return sample.quiet; }) * 2 >
        static_cast<std::ptrdiff_t>(kept_.size());
    if (interval_ < longest_interval_ * (is_too_short ? most_doubled : 1) &&
        (is_too_short || !look_random(window_, boundary))) {
        interval_ *= 2;
        if (is_too_short) {
            kept_.clear();  // they were of something else
        } else {
            halve();
        }
    }
    last_mean_ = mean;
    has_mean_ = true;
    window_.clear();
}

}  // namespace dampi::scheduler::watch
