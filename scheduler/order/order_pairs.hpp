// Of the runs of a sweep: pairs in which choices came out differently, and in which a rank's memory was another one in
// MPI_Finalize, or another output was printed. As alike as they can be had, so that what differs says what these
// choices do. Keeps a few runs. One thread at a time.
#pragma once

#include "base/digest.hpp"
#include "replay/decision.hpp"
#include "replay/run_record.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dampi::scheduler {

/// What is kept of a run.
struct CourseOfRun {
    struct Choice {
        replay::EpochId epoch;
        std::string call;
        replay::CodePlace where;
        replay::Outcome outcome;
        std::uint32_t told = 0;  ///< replay::RankCourse::told
    };

    replay::Interleaving pinned;  ///< repeats it
    std::vector<Choice> choices;  ///< sorted by epoch
    std::vector<base::Digest> ends;
    std::optional<std::uint64_t> printed;  ///< replay::RunRecord::printed

    [[nodiscard]] bool ends_like(const CourseOfRun& other) const {
        return ends == other.ends && printed == other.printed;
    }
};

/// Two runs, and a rank whose memory differs at the end, or may have differed before.
struct OrderPair {
    replay::Rank rank = 0;
    std::shared_ptr<const CourseOfRun> one;
    std::shared_ptr<const CourseOfRun> other;
    std::vector<std::pair<std::size_t, std::size_t>> differing;  ///< choices of both that came out differently
};

class OrderPairs {
public:
    static constexpr std::size_t most_kept_runs = 64;         ///< of each mode of buffering
    static constexpr std::size_t most_kept_choices = 20'000;  ///< of all these together
    static constexpr std::size_t most_sets = 64;              ///< of rank and places
    static constexpr std::size_t most_pairs_of_set = 16;
    static constexpr std::size_t most_pairs_alike = 4;

    /// A run that has been taken in.
    void look(const replay::Interleaving& interleaving, const replay::RunRecord& record);

    /// For each rank and set of places where choices came out differently the pairs that say most, the best first;
    /// those first in which a rank has made such choices itself. Without those whose places contain those of another.
    [[nodiscard]] std::vector<std::vector<OrderPair>> pairs() const;
    /// So many runs were compared.
    [[nodiscard]] std::uint64_t compared() const { return compared_; }
    /// Each run that was looked at has come to its end, or to a state of one that has, with the same memory in each
    /// rank.
    [[nodiscard]] bool all_equal() const { return all_known_ && all_equal_ && compared_ > 1; }

private:
    using Places = std::vector<std::string>;
    /// Less is better: places; whether what was printed is the same; ranks that have made none of the choices that came
    /// out differently and end alike; ranks and places whose last choice came out differently; and choices that did.
    using Score = std::array<std::size_t, 5>;

    void compare(const std::shared_ptr<const CourseOfRun>& earlier, const std::shared_ptr<const CourseOfRun>& run);

    std::map<replay::Buffering, std::vector<std::shared_ptr<const CourseOfRun>>> kept_;
    std::map<std::pair<Places, replay::Rank>, std::multimap<Score, OrderPair>> candidates_;
    std::size_t kept_choices_ = 0;
    std::uint64_t compared_ = 0;
    bool all_known_ = true;
    bool all_equal_ = true;
};

}  // namespace dampi::scheduler
