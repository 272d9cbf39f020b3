// The progress of a sweep while it goes on: a line on a terminal, or lines of JSON for other programs.
#pragma once

#include "heuristics/size_estimate.hpp"
#include "scheduler/request.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace dampi::scheduler {

/// Of a sweep whose interleavings workers run.
struct WorkersShown {
    std::uint64_t present = 0;
    std::uint64_t slots = 0;  ///< interleavings that these run at the same time
    std::uint64_t lost = 0;
};

struct ProgressNumbers {
    std::uint64_t explored = 0;
    std::uint64_t explored_before = 0;  ///< of these, by the sweeps that this one goes on from
    std::uint64_t trials = 0;           ///< runs that are no interleavings, without those sweeps
    std::uint64_t running = 0;
    std::uint64_t pending = 0;                       ///< known to be left, without those running
    std::uint64_t violations = 0;                    ///< distinct ones
    double part_done = 0;                            ///< Explorer::progress()
    std::chrono::milliseconds elapsed{};             ///< without those sweeps
    std::optional<heuristics::SizeEstimate> size{};  ///< of the number of all interleavings, by random walks
    std::optional<WorkersShown> workers{};
};

struct Estimate {
    double interleavings = 0;              ///< of all, done and left; may be infinite
    bool by_walks = false;                 ///< it is what random walks say
    std::optional<double> seconds_left{};  ///< at the rate up to now
};

/// What random walks say; without any, as if everything that is not known were like what is known. Nothing before
/// enough is known to say anything.
[[nodiscard]] std::optional<Estimate> estimate(const ProgressNumbers& numbers);

/// "12 interleavings done, 5 known to be left, 8.3/s, 1 violation, about 90 in all, 9.4 s left", with walks
/// "about 1.3 million (+-20%) in all", cut to `width`
/// columns.
[[nodiscard]] std::string progress_line(const ProgressNumbers& numbers, std::size_t width);

/// These numbers as one line of JSON, without the line's end. `finished`: of the last line.
[[nodiscard]] std::string progress_json(const ProgressNumbers& numbers, bool finished);

/// Owned by one thread at a time.
class Progress {
public:
    /// Writes to `descriptor` (stderr's). `automatic` is a line if that is a terminal, and otherwise nothing.
    Progress(int descriptor, ProgressKind kind);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// May be called as often as wanted: the line is written at most ten times a second, JSON at most once.
    void update(const ProgressNumbers& numbers);

    /// The sweep has ended: removes the line, before anything else is printed; as JSON the last line.
    void end(const ProgressNumbers& numbers);

private:
    void erase();

    int descriptor_;
    ProgressKind kind_;
    std::size_t shown_ = 0;  ///< columns
    std::optional<std::chrono::steady_clock::time_point> last_{};
};

}  // namespace dampi::scheduler
