// Decides from looks at a job's ranks whether it hangs. Three judges have to agree: nobody has got on for longer than
// this place of the program has ever taken (a model of its own for each place, so for each phase); the samples are more
// than chance explains (suspicion.hpp); and at the end, whoever has asked looks at the stacks of all ranks once more
// and still sees no change. Pure: times are given, nothing is read.
#pragma once

#include "scheduler/watch/look.hpp"
#include "scheduler/watch/suspicion.hpp"

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace dampi::scheduler::watch {

using Time = std::chrono::steady_clock::time_point;

/// Who keeps a job from getting on, as far as one look tells. The order of what is asked first.
enum class StandstillKind : std::uint8_t {
    debugged,      ///< somebody else's debugger holds a rank: nothing is judged
    all_stopped,   ///< as a job that is suspended is: nothing is judged
    some_stopped,  ///< a signal has stopped some
    few_outside,   ///< at most half of the ranks compute, the others wait for them
    many_outside,  ///< more do
    polling,       ///< none computes, some ask in vain
    all_in_mpi,    ///< all wait
};

struct Standstill {
    StandstillKind kind = StandstillKind::all_in_mpi;
    std::vector<std::uint64_t> places;  ///< of the ranks that it is about
    std::uint64_t visits = 0;           ///< the least among their places
    auto operator<=>(const Standstill&) const = default;
};

[[nodiscard]] Standstill standstill_of(const Look& look);

/// How long nobody has got on while ranks were at these places, and was right not to.
class Patience {
public:
    /// How long a standstill like this one may last before it is one too many; nothing: for ever.
    [[nodiscard]] std::optional<Milliseconds> with(const Standstill& standstill) const;
    /// One has ended by itself.
    void learn(const Standstill& standstill, Milliseconds lasted);

private:
    using Key = std::pair<StandstillKind, std::vector<std::uint64_t>>;
    std::map<Key, Milliseconds> longest_;
    Milliseconds longest_of_all_{0};
};

class Detector {
public:
    /// `interval`: the shortest between samples. `caution`: with how many times the patience that has to do, where
    /// more depends on it than a message.
    Detector(Significance significance, Milliseconds interval, int caution = 1, std::uint64_t seed = 1)
        : suspicion_(significance, interval, seed), caution_(caution) {}

    /// Whether the look is to count as a sample, at this time.
    [[nodiscard]] bool wants_sample(Time now) const { return now >= next_sample_; }

    /// Takes a look; true when all but the last judge say that it hangs. `active`: the part of ranks that are, by the
    /// eye's measure; nothing: by who has got on since the last sample.
    bool observe(Time now, const Look& look, std::optional<double> active = std::nullopt);
    /// The monitor itself has slept too long, or the job was suspended: this time says nothing.
    void skip(Time now);
    /// The last judge has seen ranks get on.
    void refute(Time now);

    [[nodiscard]] Milliseconds quiet(Time now) const;
    [[nodiscard]] const Suspicion& suspicion() const { return suspicion_; }
    [[nodiscard]] const Standstill& standstill() const { return standstill_; }

private:
    void end_quiet(Time now);

    Suspicion suspicion_;
    Patience patience_;
    int caution_;
    Look last_;
    Look last_sample_;
    Standstill standstill_;
    std::optional<Time> quiet_since_;
    Time next_sample_{};
    bool sampled_progress_ = true;  ///< somebody has got on since the last sample
};

}  // namespace dampi::scheduler::watch
