// Exploration over match relations: every feasible outcome, each once. The argument is in
// docs/architecture/exploration.md.
//
// An outcome is the set of a run's epochs with what each came to. A run adds to what was decided its *steps*, the other
// epochs with what they came to, in causal order. All outcomes with the same decisions are: this run's; and for each
// step and each alternative of its epoch, the outcomes that have the steps before it, what the alternative needs, and
// the alternative. These parts do not overlap, so nothing must be remembered of what is done. Alternatives are those
// that the run shows, and those of its steps that later runs show which keep the step.
//
// In memory are only the runs of which something is left. Depth first, they are as many as decisions were made one
// after the other; the other orders keep more, up to a limit from which they, too, go depth first.
//
// Bounds of the search (heuristics/search_bounds) leave out all alternatives of a step, or none.
//
// What is kept is bounded, and so is the time that it takes to look at one run, whatever the run was like: of a run
// with very many alternatives those of its first steps are kept, and when very much is kept already, of further runs
// none. That is said (left_out).
#pragma once

#include "heuristics/order.hpp"
#include "heuristics/search_bounds.hpp"
#include "scheduler/exploration/agenda.hpp"
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
    /// Instead: where it is not proven that their number makes no difference, of one stretch in a run.
    bool explore_undecided_polls = false;
    heuristics::SearchBoundSettings bounds;
    heuristics::Order order = heuristics::Order::depth_first;
    std::uint64_t seed = 1;  ///< of what is left to chance; 0: the runs are as free as MPI makes them
    /// What a past holds is one of several things that would have been enough (replay::Buffering::Kind::bytes): the
    /// same alternative with another past, which does not contradict, is left out, and that is said.
    bool one_past_of_several = false;
    bool merge_states = false;  ///< runs may end in states of earlier ones (RunRecord::merged)
    /// Decisions, steps, and what alternatives need (some hundred bytes each), of all runs of which something is left.
    std::size_t most_kept = 300'000;
};

class MatchRelations final : public Explorer {
public:
    /// Of one run: alternatives, and decisions that they need (some hundred bytes each).
    static constexpr std::size_t most_needed_of_run = 60'000;
    /// Decisions and epochs of one run that are looked at to find these out.
    static constexpr std::size_t most_looked_at = 5'000'000;

    explicit MatchRelations(MatchRelationsSettings settings = {})
        : settings_(std::move(settings)), bounds_(settings_.bounds), agenda_(settings_.order, settings_.seed) {}

    std::optional<replay::Interleaving> next() override;
    [[nodiscard]] std::optional<Lesson> learn(std::uint64_t number, const replay::RunRecord& record,
                                              const std::stop_token& stop) const override;
    void apply(const Lesson& lesson) override;
    void give_back(std::uint64_t number) override;
    [[nodiscard]] ExplorerState state() const override;
    void restore(ExplorerState state) override;
    [[nodiscard]] std::uint64_t pending() const override { return begun_ ? agenda_.size() : 1; }
    [[nodiscard]] double progress() const override { return done_; }
    [[nodiscard]] LeftOutAlternatives left_out() const override;
    /// Of the mode that it explores, whichever that is.
    [[nodiscard]] std::vector<OutcomesOfMode> outcomes() const override {
        return outcomes_.empty() ? std::vector<OutcomesOfMode>() : std::vector{outcomes_.count({})};
    }

private:
    struct Run : UnfinishedRun {
        Run* parent = nullptr;
        std::size_t unfinished = 0;  ///< runs for alternatives of this one
        std::size_t size = 0;        ///< its decisions, steps, alternatives, and what these need
    };
    struct HandedOut {
        Run* parent = nullptr;  ///< null: for the first run and for trials
        AlternativeName origin;
        std::optional<PollingPlaceName> trial;
        std::vector<UnfinishedRun::Kept> kept;
        std::vector<replay::Decision> open;  ///< UnfinishedRun::open
        bool opened = false;                 ///< one of them is the alternative that it is run for
        std::vector<replay::Decision> decisions;
        heuristics::Room room;
    };
    class Reading;

    HandedOut take(Run& run, std::uint32_t step, std::uint32_t index);
    HandedOut take_trial(const PollingPlaceName& name);
    replay::Interleaving hand_out(HandedOut handed_out);
    static OutcomeCount::Run counted_run(const Lesson& lesson, const HandedOut& told);
    void keep_run(const Lesson& lesson, HandedOut handed_out, double share);
    static double share_out(Run& run, double share);
    void add_pending(const Run& run, std::uint32_t step, std::uint32_t index);
    void set_pending(const Run& run);
    void finish(Run* run);
    void learn_of_open_states(const Lesson& lesson);
    void give_up(const replay::Merge& name);
    void go_on(std::uint64_t number);
    bool go_on_where_nobody_was();
    [[nodiscard]] std::set<replay::Merge> may_be_given_up() const;
    void forget_settled_meetings();
    static std::size_t size_of(const Alternative& alternative);
    void keep_in_mind(Run& run);

    MatchRelationsSettings settings_;
    heuristics::SearchBounds bounds_;
    std::map<std::uint64_t, std::unique_ptr<Run>> runs_;  ///< of which something is left
    std::size_t kept_ = 0;                                ///< Run::size of all runs_
    Agenda agenda_;
    std::map<std::uint64_t, HandedOut> handed_out_;
    std::uint64_t last_number_ = 0;
    bool begun_ = false;
    double done_ = 0;
    LeftOutAlternatives left_out_;
    OutcomeCount outcomes_;
    OpenStates open_states_;
    std::vector<replay::Merge> given_up_;  ///< since an interleaving was handed out
    std::size_t looked_at_ = 0;            ///< kept_ when meetings were looked at
    std::map<PollingPlaceName, PollingPlace> polling_places_;
};

}  // namespace dampi::scheduler
