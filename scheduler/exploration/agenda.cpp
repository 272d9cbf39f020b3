#include "scheduler/exploration/agenda.hpp"

#include "base/check.hpp"

#include <algorithm>

namespace dampi::scheduler {

using heuristics::Novelty;
using heuristics::Order;

namespace {

/// Depth first: what changes least comes last.
bool changes_more(const std::pair<std::uint32_t, std::uint32_t>& a, const std::pair<std::uint32_t, std::uint32_t>& b) {
    return a.first != b.first ? a.first < b.first : a.second > b.second;
}

std::uint64_t digest_at(unsigned level, const heuristics::Behaviour& behaviour) {
    return level == 3 ? behaviour.here : level == 2 ? behaviour.now : behaviour.after;
}

}  // namespace

void Agenda::add(const AlternativeName& name, const heuristics::Behaviour& behaviour) {
    const auto [run, is_new] = runs_.try_emplace(name.run);
    Left& left = run->second;
    if (is_new) {
        left.place = any_order_.size();
        any_order_.push_back(name.run);
    }
    const std::pair at(name.step, name.index);
    const auto place = std::lower_bound(left.alternatives.begin(), left.alternatives.end(), at, changes_more);
    DAMPI_CHECK(place == left.alternatives.end() || *place != at);
    left.alternatives.insert(place, at);
    ++size_;
    if (order_ == Order::newest) {
        add_if_new({name, behaviour});
    }
}

void Agenda::add_if_new(New each) {
    const unsigned level = novelty_.level(each.behaviour);
    if (level != 0 && listed_.size() < Novelty::most_seen && listed_.insert(digest_at(level, each.behaviour)).second) {
        new_[level].push_back(each);
    }
}

bool Agenda::contains(const AlternativeName& name) const {
    const auto run = runs_.find(name.run);
    return run != runs_.end() && std::binary_search(run->second.alternatives.begin(), run->second.alternatives.end(),
                                                    std::pair(name.step, name.index), changes_more);
}

void Agenda::remove(const AlternativeName& name) {
    DAMPI_CHECK(contains(name));
    const auto run = runs_.find(name.run);
    Left& left = run->second;
    left.alternatives.erase(std::lower_bound(left.alternatives.begin(), left.alternatives.end(),
                                             std::pair(name.step, name.index), changes_more));
    --size_;
    if (left.alternatives.empty()) {
        any_order_[left.place] = any_order_.back();
        runs_.at(any_order_.back()).place = left.place;
        any_order_.pop_back();
        runs_.erase(run);
    }
}

std::size_t Agenda::any(std::size_t count) { return std::uniform_int_distribution<std::size_t>(0, count - 1)(random_); }

std::optional<AlternativeName> Agenda::newest() {
    for (unsigned level = Novelty::levels; level != 0; --level) {
        std::vector<New>& list = new_[level];
        while (!list.empty()) {
            const std::size_t which = any(list.size());
            const New each = list[which];
            if (contains(each.name) && novelty_.level(each.behaviour) == level) {
                return each.name;
            }
            list[which] = list.back();
            list.pop_back();
            if (contains(each.name)) {
                add_if_new(each);
            }
        }
    }
    return std::nullopt;
}

std::optional<AlternativeName> Agenda::next(bool few_runs) {
    if (runs_.empty()) {
        return std::nullopt;
    }
    if (order_ == Order::newest) {
        if (const auto name = newest()) {
            return name;
        }
    }
    std::uint64_t run = runs_.rbegin()->first;
    if (!few_runs && order_ == Order::breadth_first) {
        run = runs_.begin()->first;
    } else if (!few_runs && order_ != Order::depth_first) {
        run = any_order_[any(any_order_.size())];
    }
    const Left& left = runs_.at(run);
    auto which = left.alternatives.size() - 1;
    if (!few_runs && order_ == Order::breadth_first) {
        which = 0;
    } else if (!few_runs && order_ != Order::depth_first) {
        which = any(left.alternatives.size());
    }
    const auto& [step, index] = left.alternatives[which];
    return AlternativeName{.run = run, .step = step, .index = index};
}

}  // namespace dampi::scheduler
