#include "scheduler/exploration/outcome_count.hpp"

#include "base/hash.hpp"
#include "replay/cause.hpp"
#include "replay/violation_kind.hpp"
#include "scheduler/exploration/way_over_states.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <unordered_map>
#include <utility>

#include <boost/multiprecision/cpp_int.hpp>

namespace dampi::scheduler {
namespace {

/// Runs, times causes, of which is counted how many outcomes lead to them.
constexpr std::size_t most_counted = 5'000'000;

using replay::Decision;
using Number = boost::multiprecision::cpp_int;

constexpr std::uint64_t no_way = ~std::uint64_t{0};

/// From one of a run's branches on: what is behind it, and behind those that follow. The last is the run's own end.
struct Part {
    std::uint32_t branch = 0;
    std::size_t run = 0;  ///< the run that was made for the branch
    Number sum = 0;
    Number showing = 0;               ///< of these, those that lead to the cause that is counted
    double chance = 0;                ///< that it comes to one of them
    bool unsure = false;              ///< whether these are known
    std::uint64_t shortest = no_way;  ///< choices of the shortest way from the run's begin over here to one of them
    enum class State : std::uint8_t { new_one, under_way, known } state = State::new_one;
};

struct Node {
    const OutcomeCount::Run* run = nullptr;
    std::vector<Part> parts;  ///< ascending by branch; the end last
    bool shows = false;       ///< the cause that is counted
};

/// The parts depend on each other without a circle: what is behind a state is less than what is behind those before.
class Counting {
public:
    explicit Counting(const std::vector<OutcomeCount::Run>& runs) {
        nodes_.reserve(runs.size());
        for (const OutcomeCount::Run& run : runs) {
            places_.emplace(run.number, nodes_.size());
            nodes_.push_back({.run = &run, .parts = {}});
        }
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            const OutcomeCount::Run& run = *nodes_[i].run;
            if (run.parent == 0) {
                roots_.push_back(i);
            } else if (const auto parent = places_.find(run.parent); parent != places_.end()) {
                nodes_[parent->second].parts.push_back({.branch = run.branch, .run = i});
            } else {
                sound_ = false;
            }
        }
        for (Node& node : nodes_) {
            std::stable_sort(node.parts.begin(), node.parts.end(),
                             [](const Part& a, const Part& b) { return a.branch < b.branch; });
            node.parts.emplace_back();
        }
    }

    std::optional<Number> sum() {
        Number all = 0;
        for (const std::size_t root : roots_) {
            work_.push_back({root, 0});
            while (sound_ && !work_.empty()) {
                step();
            }
            all += nodes_[root].parts.front().sum;
        }
        return sound_ ? std::optional(all) : std::nullopt;
    }

    /// Behind sum().
    std::optional<OutcomesOfCause> count(const OutcomeCount::Shown& shown) {
        for (Node& node : nodes_) {
            node.shows = std::any_of(node.run->shown.begin(), node.run->shown.end(),
                                     [&](const OutcomeCount::Shown& each) { return each.cause == shown.cause; });
        }
        for (const Name& name : known_) {
            count_showing(name, shown.by_state);
        }
        Number all = 0;
        double chance = 0;
        for (const std::size_t root : roots_) {
            const Part& part = nodes_[root].parts.front();
            if (part.unsure) {
                return std::nullopt;
            }
            all += part.showing;
            chance += part.chance / static_cast<double>(roots_.size());
        }
        return OutcomesOfCause{.cause = shown.cause, .outcomes = all.str(), .chance = chance};
    }

    /// Behind count(): of the cause that was counted last.
    [[nodiscard]] std::vector<Decision> shortest_way() const {
        const auto root = std::min_element(roots_.begin(), roots_.end(), [&](std::size_t a, std::size_t b) {
            return nodes_[a].parts.front().shortest < nodes_[b].parts.front().shortest;
        });
        if (root == roots_.end() || nodes_[*root].parts.front().shortest == no_way) {
            return {};
        }
        WayOverStates way;
        for (Name at{*root, 0};;) {
            const auto [place, number] = at;
            const Node& node = nodes_[place];
            if (!is_end(place, number)) {
                const std::size_t child = node.parts[number].run;
                at = nodes_[child].parts.front().shortest <= node.parts[number + 1].shortest ? Name{child, 0}
                                                                                             : Name{place, number + 1};
                continue;
            }
            way.follow(choices_up_to(place, ~std::uint32_t{0}));
            if (node.shows) {
                return way.decisions();
            }
            at = *behind(*node.run->merged);
            way.change_to(choices_up_to(at.first, node.run->merged->settled));
        }
    }

    /// What is behind each state that runs went on behind, and there with the run that had been there before: of all
    /// outcomes, or of those that lead to the cause that was counted last.
    void compare(const std::optional<OutcomeCount::Shown>& shown, std::vector<MeetingDifference>& differences) const {
        for (const Node& node : nodes_) {
            for (const replay::Meeting& meeting : node.run->meetings) {
                compare(*node.run, meeting, shown ? std::optional(shown->cause) : std::nullopt,
                        shown && shown->by_state, differences);
            }
        }
    }

private:
    using Name = std::pair<std::size_t, std::size_t>;  ///< a node and one of its parts

    /// Works on the last of work_: that is known now, or what it needs comes first.
    void step() {
        const auto [place, number] = work_.back();
        Part& part = nodes_[place].parts[number];
        if (part.state == Part::State::known) {
            work_.pop_back();
            return;
        }
        const std::vector<Name> needs = needs_of(place, number);
        if (!sound_) {
            return;
        }
        part.state = Part::State::under_way;
        for (const Name& need : needs) {
            const Part& needed = nodes_[need.first].parts[need.second];
            if (needed.state != Part::State::known) {
                sound_ = sound_ && needed.state == Part::State::new_one;
                work_.push_back(need);
                return;
            }
        }
        part.sum = needs.empty() && !(is_end(place, number) && nodes_[place].run->goes_on) ? 1 : 0;
        for (const Name& need : needs) {
            part.sum += nodes_[need.first].parts[need.second].sum;
        }
        part.state = Part::State::known;
        known_.push_back(work_.back());
        work_.pop_back();
    }

    /// What it is made of; of the end of a run that has not ended in a state of another one: nothing.
    std::vector<Name> needs_of(std::size_t place, std::size_t number) {
        const Node& node = nodes_[place];
        if (!is_end(place, number)) {
            return {{node.parts[number].run, 0}, {place, number + 1}};
        }
        if (!node.run->merged) {
            return {};
        }
        const auto owner = behind(*node.run->merged);
        sound_ = sound_ && owner;
        return owner ? std::vector{*owner} : std::vector<Name>();
    }

    /// What the run had chosen when so many epochs had come to their outcome; it follows its decisions first.
    [[nodiscard]] std::vector<Decision> choices_up_to(std::size_t place, std::uint32_t settled) const {
        std::vector<Decision> all;
        for (const OutcomeCount::Run* run = nodes_[place].run;;) {
            for (const OutcomeCount::Step& step : run->steps) {
                if (step.settled <= settled) {
                    all.push_back(step.made);
                }
            }
            all.insert(all.end(), run->needed.begin(), run->needed.end());
            if (run->parent == 0) {
                return all;
            }
            settled = run->branch - 1;
            run = nodes_[places_.at(run->parent)].run;
        }
    }

    [[nodiscard]] bool is_end(std::size_t place, std::size_t number) const {
        return number + 1 == nodes_[place].parts.size();
    }

    [[nodiscard]] std::optional<Name> behind(const replay::Merge& at) const {
        const auto owner = places_.find(at.run);
        return owner == places_.end()
                   ? std::nullopt
                   : std::optional(Name{owner->second, first_behind(nodes_[owner->second], at.settled)});
    }

    /// How many of the run's parts from this one on belong to the same choice.
    static std::size_t left_of_choice(const Node& node, std::size_t number) {
        std::size_t end = number;
        while (end + 1 < node.parts.size() && node.parts[end].branch == node.parts[number].branch) {
            ++end;
        }
        return end - number;
    }

    void count_showing(const Name& name, bool by_state) {
        const auto [place, number] = name;
        Node& node = nodes_[place];
        Part& part = node.parts[number];
        const std::vector<Name> needs = needs_of(place, number);
        part.unsure = false;
        part.showing = 0;
        part.chance = 0;
        part.shortest = no_way;
        if (is_end(place, number)) {
            if (node.run->goes_on) {
                return;
            }
            if (node.shows) {
                part.showing = part.sum;
                part.chance = 1;
                part.shortest = node.run->length;
            } else if (!needs.empty()) {
                const Part& owners = nodes_[needs.front().first].parts[needs.front().second];
                part.showing = owners.showing;
                part.chance = owners.chance;
                // All show it: it may be in what the owner had done before, and this run has not.
                part.unsure = owners.unsure || (!by_state && owners.showing == owners.sum);
                if (owners.shortest != no_way) {
                    part.shortest = node.run->length + owners.shortest - node.run->merged->settled;
                }
            }
            return;
        }
        const Part& child = nodes_[needs[0].first].parts[needs[0].second];
        const Part& rest = nodes_[needs[1].first].parts[needs[1].second];
        const bool goes_on = node.run->goes_on && is_end(place, number + 1);
        const auto left = goes_on ? 0.0 : static_cast<double>(left_of_choice(node, number));
        part.showing = child.showing + rest.showing;
        part.chance = (child.chance + left * rest.chance) / (left + 1);
        part.unsure = child.unsure || rest.unsure;
        part.shortest = std::min(child.shortest, rest.shortest);
    }

    static std::size_t first_behind(const Node& node, std::uint32_t settled) {
        const auto end = node.parts.end() - 1;
        return static_cast<std::size_t>(
            std::partition_point(node.parts.begin(), end, [&](const Part& part) { return part.branch <= settled; }) -
            node.parts.begin());
    }

    void compare(const OutcomeCount::Run& run, const replay::Meeting& meeting, std::optional<std::uint64_t> cause,
                 bool by_state, std::vector<MeetingDifference>& differences) const {
        const auto there = behind(meeting.earlier);
        const auto here = behind({.run = run.number, .settled = meeting.settled});
        if (!there || !here) {
            return;
        }
        const Part& own = nodes_[here->first].parts[here->second];
        const Part& earlier = nodes_[there->first].parts[there->second];
        const Number& own_number = cause ? own.showing : own.sum;
        const Number& earlier_number = cause ? earlier.showing : earlier.sum;
        // Where all show it, it may be in what one of them had done before.
        const bool may_differ = cause && (own.unsure || earlier.unsure ||
                                          (!by_state && (own.showing == own.sum || earlier.showing == earlier.sum)));
        if (own_number != earlier_number && !may_differ) {
            differences.push_back({.run = run.number,
                                   .settled = meeting.settled,
                                   .earlier = meeting.earlier,
                                   .outcomes = own_number.str(),
                                   .earlier_outcomes = earlier_number.str(),
                                   .cause = cause});
        }
    }

    std::vector<Node> nodes_;
    std::vector<Name> known_;  ///< each behind those that it is made of
    std::unordered_map<std::uint64_t, std::size_t> places_;
    std::vector<std::size_t> roots_;
    std::vector<Name> work_;
    bool sound_ = true;
};

}  // namespace

std::uint64_t digest_of_cause(const replay::Violation& violation) {
    return base::Hash().add(replay::cause_of(violation)).value();
}

void OutcomeCount::add(Run run) {
    merged_ += run.merged ? 1 : 0;
    const bool were_kept = choices_ <= most_choices;
    choices_ += run.needed.size() + run.steps.size();
    if (choices_ > most_choices) {
        run.needed = {};
        run.steps = {};
    }
    runs_.push_back(std::move(run));
    if (were_kept && choices_ > most_choices) {
        for (Run& each : runs_) {
            each.needed = {};
            each.steps = {};
        }
    }
}

void OutcomeCount::go_on(std::uint64_t number) {
    const auto run = std::find_if(runs_.rbegin(), runs_.rend(), [&](const Run& each) { return each.number == number; });
    if (run != runs_.rend() && run->merged) {
        run->merged.reset();
        run->goes_on = true;
        --merged_;
    }
}

std::vector<OutcomeCount::Shown> OutcomeCount::shown_by(const replay::RunRecord& record) {
    std::vector<Shown> all;
    for (const replay::Violation& violation : record.violations) {
        if (!replay::is_doubt(violation.kind)) {
            all.push_back({.cause = digest_of_cause(violation),
                           .by_state = replay::is_stuck(violation.kind) || replay::is_leak(violation.kind) ||
                                       replay::ends_rank(violation.kind)});
        }
    }
    const auto by_cause = [](const Shown& a, const Shown& b) { return a.cause < b.cause; };
    std::sort(all.begin(), all.end(), by_cause);
    all.erase(std::unique(all.begin(), all.end(), [](const Shown& a, const Shown& b) { return a.cause == b.cause; }),
              all.end());
    return all;
}

OutcomesOfMode OutcomeCount::count(const replay::Buffering& buffering) const {
    OutcomesOfMode counted{.buffering = buffering, .merged = merged_, .outcomes = {}};
    Counting counting(runs_);
    const auto sum = counting.sum();
    if (!sum) {
        return counted;
    }
    counted.outcomes = sum->str();
    std::map<std::uint64_t, Shown> causes;
    for (const Run& run : runs_) {
        counted.compared += run.meetings.size();
        for (const Shown& shown : run.shown) {
            causes.emplace(shown.cause, shown);
        }
    }
    counting.compare(std::nullopt, counted.differences);
    std::size_t left = most_counted;
    for (const auto& [cause, shown] : causes) {
        if (left < runs_.size()) {
            break;
        }
        left -= runs_.size();
        if (auto of_cause = counting.count(shown)) {
            if (choices_ <= most_choices) {
                of_cause->shortest_way = counting.shortest_way();
            }
            counted.by_cause.push_back(std::move(*of_cause));
        }
        counting.compare(shown, counted.differences);
    }
    return counted;
}

}  // namespace dampi::scheduler
