// Exploration over match relations: every feasible outcome, each once. ARCHITECTURE.md ("Exploration") has the
// argument.
//
// An outcome is the set of a run's epochs with what each came to. For an alternative of an epoch, the next
// interleaving keeps from the run all that does not depend on what the epoch came to, forces the alternative, and
// leaves the rest to the run. What an alternative itself depends on is among what is kept, so it is feasible. It is
// not run if an explored outcome has all of that already: everything beyond is then found from there.
#pragma once

#include "scheduler/exploration/causality.hpp"
#include "scheduler/exploration/explored_outcomes.hpp"
#include "scheduler/exploration/explorer.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

namespace dampi::scheduler {

class MatchRelations final : public Explorer {
public:
    /// `explore_polls`: up to how many additional false answers of polling calls are explored in one run.
    explicit MatchRelations(std::uint32_t explore_polls = 0)
        : explore_polls_(explore_polls), explored_(explore_polls != 0) {}

    std::optional<replay::Interleaving> next() override;
    void learn(const replay::RunRecord& record) override;
    [[nodiscard]] std::uint64_t pending() const override { return items_.size(); }
    [[nodiscard]] const std::optional<Deviation>& deviation() const override { return deviation_; }
    [[nodiscard]] std::map<std::string, std::uint64_t> left_out() const override;

private:
    /// A run whose alternatives are being explored.
    struct Run {
        replay::RunRecord record;
        std::vector<replay::Decision> decisions;
        std::unique_ptr<Causality> causality{};
    };
    /// What is known of the polling calls at one place of the program. Where false answers are not explored, it must at
    /// least be known whether they matter: they do not where the program just asks again.
    struct PollingPlace {
        bool asks_again = false;           ///< seen: after a false answer it repeats the call
        bool goes_on = false;              ///< seen: after a false answer it does something else
        std::shared_ptr<const Run> run{};  ///< where it answered at once
        std::size_t epoch = 0;
        bool tried = false;
        bool cut = false;  ///< with explore_polls: there were more false answers to explore
    };
    /// A decision that was not made: another outcome for one epoch of a run.
    struct Item {
        std::shared_ptr<const Run> run;
        std::size_t epoch = 0;
        replay::Outcome outcome;
        bool open = false;
        std::uint32_t additional = 0;
    };

    void add_alternatives(const std::shared_ptr<const Run>& run, std::size_t epoch);
    /// The epoch's other answers after so many false ones, `additional` of them not the run's own.
    void add_answers(const std::shared_ptr<const Run>& run, std::size_t epoch, std::uint32_t false_answers,
                     std::uint32_t additional);
    /// What a choice could report.
    [[nodiscard]] std::vector<std::vector<std::uint32_t>> possible_completions(const Run& run, std::size_t epoch);
    void add_item(Item item);
    PollingPlace& place_of(const replay::Epoch& epoch);
    void look_at_polls(const std::shared_ptr<const Run>& run);
    /// A run that shows whether a false answer matters at a place where that is not known; nothing if there is no such.
    std::optional<replay::Interleaving> next_trial();
    /// What is forced: all that does not depend on the epoch, and its new outcome.
    [[nodiscard]] static std::vector<replay::Decision> decisions_of(const Item& item);

    std::uint32_t explore_polls_;
    ExploredOutcomes explored_;
    std::vector<Item> items_;  ///< the last is taken next
    std::uint64_t handed_out_ = 0;
    bool handed_out_trial_ = false;
    std::vector<replay::Decision> handed_out_decisions_;
    std::optional<Deviation> deviation_;
    std::map<std::string, std::uint64_t> left_out_;
    std::map<std::tuple<std::string, std::uint64_t, replay::EpochKind>, PollingPlace> polling_places_;
};

}  // namespace dampi::scheduler
