#include "scheduler/exploration/depth_first.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace dampi::scheduler {

using replay::Epoch;
using replay::Interleaving;

namespace {

/// The order of exploration. Epochs that never matched come last: nothing depends on them.
auto position(const Epoch& epoch) {
    return std::make_tuple(!epoch.outcome, epoch.outcome ? epoch.final_clock : epoch.posted_clock, epoch.id);
}

}  // namespace

DepthFirst::Node DepthFirst::make_node(const Epoch& epoch) {
    Node node{.epoch = epoch.id, .kind = epoch.kind, .comm = epoch.comm, .tag = epoch.tag};
    if (epoch.outcome) {
        node.chosen = epoch.outcome->source;
        node.tried.push_back(epoch.outcome->source);
    }
    add_alternatives(node, epoch);
    return node;
}

void DepthFirst::add_alternatives(Node& node, const Epoch& epoch) {
    for (const replay::PotentialMatch& match : epoch.potential_matches) {
        const auto known = [&](const std::vector<replay::Rank>& sources) {
            return std::find(sources.begin(), sources.end(), match.source) != sources.end();
        };
        if (!known(node.tried) && !known(node.untried)) {
            node.untried.insert(std::upper_bound(node.untried.begin(), node.untried.end(), match.source), match.source);
        }
    }
}

std::optional<Interleaving> DepthFirst::next() {
    Interleaving interleaving;
    interleaving.number = handed_out_ + 1;
    if (handed_out_ != 0) {
        while (!path_.empty() && path_.back().untried.empty()) {
            path_.pop_back();
        }
        if (path_.empty()) {
            return std::nullopt;
        }
        Node& last = path_.back();
        last.chosen = last.untried.front();
        last.tried.push_back(last.untried.front());
        last.untried.erase(last.untried.begin());
        for (const Node& node : path_) {
            if (node.chosen) {
                interleaving.decisions.push_back({.epoch = node.epoch,
                                                  .kind = node.kind,
                                                  .comm = node.comm,
                                                  .tag = node.tag,
                                                  .source = *node.chosen});
            }
        }
        std::sort(interleaving.decisions.begin(), interleaving.decisions.end(),
                  [](const replay::Decision& a, const replay::Decision& b) { return a.epoch < b.epoch; });
    }
    ++handed_out_;
    handed_out_decisions_ = interleaving.decisions;
    return interleaving;
}

void DepthFirst::learn(const replay::RunRecord& record) {
    last_diverged_ = !followed(record, handed_out_decisions_);
    if (last_diverged_) {
        return;
    }
    std::map<replay::EpochId, Node*> on_path;
    for (Node& node : path_) {
        on_path.emplace(node.epoch, &node);
    }
    std::vector<const Epoch*> fresh;
    for (const Epoch& epoch : record.epochs) {
        const auto known = on_path.find(epoch.id);
        if (known == on_path.end()) {
            fresh.push_back(&epoch);
        } else {
            add_alternatives(*known->second, epoch);
        }
    }
    std::sort(fresh.begin(), fresh.end(), [](const Epoch* a, const Epoch* b) { return position(*a) < position(*b); });
    for (const Epoch* epoch : fresh) {
        path_.push_back(make_node(*epoch));
    }
}

std::uint64_t DepthFirst::pending() const {
    std::uint64_t count = 0;
    for (const Node& node : path_) {
        count += node.untried.size();
    }
    return count;
}

}  // namespace dampi::scheduler
