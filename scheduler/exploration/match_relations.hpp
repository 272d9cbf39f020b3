// Exploration over match relations: every feasible outcome, each once. ARCHITECTURE.md ("Exploration") has the
// argument.
//
// An outcome is the set of a run's epochs with what each came to. A run adds to what was decided its *steps*, the other
// epochs with what they came to, in causal order. All outcomes with the same decisions are: this run's; and for each
// step and each alternative of its epoch, the outcomes that have the steps before it, what the alternative needs, and
// the alternative. These parts do not overlap, so nothing must be remembered of what is done. Alternatives are those
// that the run shows, and those of its steps that later runs show which keep the step.
//
// In memory are only the runs of which something is left: as many as decisions were made one after the other.
#pragma once

#include "heuristics/order.hpp"
#include "heuristics/search_bounds.hpp"
#include "scheduler/exploration/causality.hpp"
#include "scheduler/exploration/explorer.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace dampi::scheduler {

struct MatchRelationsSettings {
    std::uint32_t explore_polls = 0;  ///< up to so many additional false answers of polling calls in one run
    heuristics::SearchBoundSettings bounds;
    heuristics::Order order = heuristics::Order::depth_first;
    std::uint64_t seed = 1;  ///< of what is left to chance; 0: the runs are as free as MPI makes them
};

class MatchRelations final : public Explorer {
public:
    explicit MatchRelations(MatchRelationsSettings settings = {})
        : settings_(std::move(settings)), bounds_(settings_.bounds) {}

    std::optional<replay::Interleaving> next() override;
    [[nodiscard]] Lesson learn(std::uint64_t number, const replay::RunRecord& record) const override;
    void apply(const Lesson& lesson) override;
    void give_back(std::uint64_t number) override;
    [[nodiscard]] ExplorerState state() const override;
    void restore(ExplorerState state) override;
    [[nodiscard]] std::uint64_t pending() const override { return begun_ ? pending_ : 1; }
    [[nodiscard]] double progress() const override { return done_; }
    [[nodiscard]] std::map<std::string, std::uint64_t> left_out() const override;

private:
    using Pending = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  ///< step and index
    struct Run : UnfinishedRun {
        Run* parent = nullptr;
        Pending pending;             ///< the last is next
        std::size_t unfinished = 0;  ///< runs for alternatives of this one
    };
    struct HandedOut {
        Run* parent = nullptr;  ///< null: for the first run and for trials
        AlternativeName origin;
        std::optional<PollingPlaceName> trial;
        std::vector<UnfinishedRun::Kept> kept;
        std::optional<replay::Decision> open;  ///< also decided, but what it comes to is a step
        std::vector<replay::Decision> decisions;
    };
    class Reading;

    HandedOut take(Run& run, std::uint32_t step, std::uint32_t index);
    HandedOut take_trial(const PollingPlaceName& name);
    replay::Interleaving hand_out(HandedOut handed_out);
    void keep_run(const Lesson& lesson, HandedOut handed_out, double share);
    static Pending::iterator place_in_pending(Run& run, std::uint32_t step, std::uint32_t index);
    void add_pending(Run& run, std::uint32_t step, std::uint32_t index);
    void set_pending(Run& run);
    void finish(Run* run);

    MatchRelationsSettings settings_;
    heuristics::SearchBounds bounds_;
    std::map<std::uint64_t, std::unique_ptr<Run>> runs_;  ///< of which something is left
    std::set<std::uint64_t> with_pending_;                ///< of runs_
    std::map<std::uint64_t, HandedOut> handed_out_;
    std::uint64_t last_number_ = 0;
    bool begun_ = false;
    std::uint64_t pending_ = 0;
    double done_ = 0;
    std::map<std::string, std::uint64_t> left_out_;
    std::map<PollingPlaceName, PollingPlace> polling_places_;
};

}  // namespace dampi::scheduler
