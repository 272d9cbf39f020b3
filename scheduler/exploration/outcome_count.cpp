#include "scheduler/exploration/outcome_count.hpp"

#include <algorithm>
#include <cstddef>
#include <unordered_map>
#include <utility>

#include <boost/multiprecision/cpp_int.hpp>

namespace dampi::scheduler {
namespace {

using Number = boost::multiprecision::cpp_int;

/// From one of a run's branches on: what is behind it, and behind those that follow. The last is the run's own end.
struct Part {
    std::uint32_t branch = 0;
    std::size_t run = 0;  ///< the run that was made for the branch
    Number sum = 0;
    enum class State : std::uint8_t { new_one, under_way, known } state = State::new_one;
};

struct Node {
    const OutcomeCount::Run* run = nullptr;
    std::vector<Part> parts;  ///< ascending by branch; the end last
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
        std::vector<Name> needs;
        const bool is_end = number + 1 == nodes_[place].parts.size();
        if (is_end) {
            if (const auto& merged = nodes_[place].run->merged) {
                const auto owner = places_.find(merged->run);
                if (owner == places_.end()) {
                    sound_ = false;
                    return;
                }
                needs.push_back({owner->second, first_behind(nodes_[owner->second], merged->settled)});
            }
        } else {
            needs = {{part.run, 0}, {place, number + 1}};
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
        part.sum = is_end && needs.empty() ? 1 : 0;
        for (const Name& need : needs) {
            part.sum += nodes_[need.first].parts[need.second].sum;
        }
        part.state = Part::State::known;
        work_.pop_back();
    }

    static std::size_t first_behind(const Node& node, std::uint32_t settled) {
        const auto end = node.parts.end() - 1;
        return static_cast<std::size_t>(
            std::partition_point(node.parts.begin(), end, [&](const Part& part) { return part.branch <= settled; }) -
            node.parts.begin());
    }

    std::vector<Node> nodes_;
    std::unordered_map<std::uint64_t, std::size_t> places_;
    std::vector<std::size_t> roots_;
    std::vector<Name> work_;
    bool sound_ = true;
};

}  // namespace

OutcomesOfMode OutcomeCount::count(const replay::Buffering& buffering) const {
    const auto sum = Counting(runs_).sum();
    return {.buffering = buffering, .merged = merged_, .outcomes = sum ? std::optional(sum->str()) : std::nullopt};
}

}  // namespace dampi::scheduler
