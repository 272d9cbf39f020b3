// Whether a job's ranks are less active than chance explains. The statistical half of hang detection: H. Li, "Scalable
// and automated hang detection", chapter 5 (ParaStack), with its misprints corrected. Samples of how many ranks are
// active, taken at random intervals that grow until samples are independent of each other, make an empirical
// distribution; a hang is so many consecutive samples at its low end that chance is excluded at the asked significance.
// It never decides alone that a job hangs (detector.hpp). Departures: the significance is of the whole job, not of each
// test; suspicious is a sample at which nobody has got on since the last one, and how surprising it is, is how often
// that was so while no more ranks were active, instead of a fixed quantile: a few ranks have few values; samples of a
// series that is suspicious count only after it has ended, so that a hang does not teach its own model; ranks that are
// all equally active at all times are no reason for longer intervals.
#pragma once

#include <chrono>
#include <cstddef>
#include <random>
#include <vector>

namespace dampi::scheduler::watch {

using Milliseconds = std::chrono::milliseconds;

/// How likely a false alarm may be in a whole job, and how long that is.
struct Significance {
    double alpha = 0.001;
    std::chrono::seconds job_length{std::chrono::hours{24}};
};

/// The accepted numbers of runs (stretches of samples on the same side of the mean) by the number of samples on the
/// side that has fewer, for sixteen samples: from `lowest` to `highest`, at the significance 0.05.
struct RunsLimits {
    int lowest = 0;
    int highest = 0;
};
/// `smaller`: 2 to 8.
[[nodiscard]] RunsLimits accepted_runs(int smaller);

/// Whether samples look like independent ones (Wald and Wolfowitz' test); `mean` parts the sides. Nothing is said
/// against samples that are all alike.
[[nodiscard]] bool look_random(const std::vector<double>& samples, double mean);

class Suspicion {
public:
    /// `interval`: the first one, and the shortest; the longest is four times as long, and sixteen times where
    /// most of the time nobody gets on.
    explicit Suspicion(Significance significance, Milliseconds interval, std::uint64_t seed = 1);

    /// How long to wait until the next sample: between half and one and a half intervals.
    [[nodiscard]] Milliseconds next_wait();
    [[nodiscard]] Milliseconds interval() const { return interval_; }

    /// A sample: the part of the ranks that is active, 0 to 1; `quiet`: nobody has got on since the last one.
    void add(double active, bool quiet);
    /// The ranks get on after all.
    void refute();

    /// How many of the last samples are suspicious, without interruption.
    [[nodiscard]] std::size_t in_a_row() const { return held_.size(); }
    /// How many are needed; 0 while too little is known.
    [[nodiscard]] std::size_t needed() const;
    [[nodiscard]] bool is_excessive() const { return needed() != 0 && in_a_row() >= needed(); }
    [[nodiscard]] std::size_t samples() const { return count_; }

private:
    struct Sample {
        double active = 0;
        bool quiet = false;
    };
    void keep(const Sample& sample);
    void halve();
    void test_runs();
    /// Of a sample like those of the series in a healthy job, at most; 1: not known.
    [[nodiscard]] double chance() const;

    Significance significance_;
    std::mt19937_64 random_;
    Milliseconds interval_;
    Milliseconds longest_interval_;
    std::vector<Sample> kept_;    ///< the distribution
    std::size_t count_ = 0;       ///< taken in all
    std::vector<double> window_;  ///< the last ones, for the test of runs
    double last_mean_ = 0;
    bool has_mean_ = false;
    std::vector<double> held_;  ///< suspicious ones: they become part of the distribution when the ranks get on
};

}  // namespace dampi::scheduler::watch
