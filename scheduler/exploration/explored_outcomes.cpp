#include "scheduler/exploration/explored_outcomes.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace dampi::scheduler {
namespace {

bool in_order(const replay::EpochId& a, const replay::EpochId& b) {
    return std::tie(a.index, a.rank) < std::tie(b.index, b.rank);
}

}  // namespace

ExploredOutcomes::Item ExploredOutcomes::item(const replay::EpochId& id, const replay::Outcome& outcome,
                                              bool open) const {
    Item made{.epoch = id, .open = open, .outcome = outcome};
    // The same source means the same message, wherever what happened before is the same.
    made.outcome.tag = 0;
    made.outcome.number = 0;
    if (!with_false_answers_) {
        made.outcome.false_answers = 0;
    }
    return made;
}

bool ExploredOutcomes::answers(const Item& known, const Item& asked) const {
    return known.epoch == asked.epoch &&
           (asked.open ? known.outcome.false_answers >= asked.outcome.false_answers : known.outcome == asked.outcome);
}

bool ExploredOutcomes::add(const std::vector<replay::Epoch>& epochs) {
    std::vector<Item> items;
    for (const replay::Epoch& epoch : epochs) {
        if (epoch.outcome) {
            items.push_back(item(epoch.id, *epoch.outcome, false));
        }
    }
    std::sort(items.begin(), items.end(), [](const Item& a, const Item& b) { return in_order(a.epoch, b.epoch); });
    Node* node = &root_;
    std::size_t next = 0;
    while (next != items.size()) {
        const auto edge = std::find_if(node->edges.begin(), node->edges.end(),
                                       [&](const Edge& each) { return answers(each.items.front(), items[next]); });
        if (edge == node->edges.end()) {
            Edge fresh;
            fresh.items.assign(items.begin() + static_cast<std::ptrdiff_t>(next), items.end());
            fresh.node = std::make_unique<Node>();
            fresh.node->ends = true;
            node->edges.push_back(std::move(fresh));
            ++size_;
            return true;
        }
        std::size_t same = 0;
        while (same != edge->items.size() && next != items.size() && answers(edge->items[same], items[next])) {
            ++same;
            ++next;
        }
        if (same != edge->items.size()) {  // they part within the edge
            auto between = std::make_unique<Node>();
            Edge rest;
            rest.items.assign(std::make_move_iterator(edge->items.begin() + static_cast<std::ptrdiff_t>(same)),
                              std::make_move_iterator(edge->items.end()));
            rest.node = std::move(edge->node);
            between->edges.push_back(std::move(rest));
            edge->items.resize(same);
            edge->node = std::move(between);
        }
        node = edge->node.get();
    }
    if (node->ends) {
        return false;
    }
    node->ends = true;
    ++size_;
    return true;
}

bool ExploredOutcomes::covers(const std::vector<replay::Decision>& decisions) const {
    std::vector<Item> asked;
    for (const replay::Decision& decision : decisions) {
        asked.push_back(item(decision.epoch, decision.outcome, decision.open));
    }
    std::sort(asked.begin(), asked.end(), [](const Item& a, const Item& b) { return in_order(a.epoch, b.epoch); });
    return size_ != 0 && covers(root_, asked, 0);
}

bool ExploredOutcomes::covers(const Node& node, const std::vector<Item>& asked, std::size_t next) const {
    if (next == asked.size()) {
        return true;  // some outcome ends below
    }
    return std::any_of(node.edges.begin(), node.edges.end(), [&](const Edge& edge) {
        std::size_t at = next;
        for (const Item& known : edge.items) {
            if (at == asked.size()) {
                return true;
            }
            if (known.epoch == asked[at].epoch) {
                if (!answers(known, asked[at])) {
                    return false;
                }
                ++at;
            } else if (in_order(asked[at].epoch, known.epoch)) {
                return false;  // the epoch asked for is not in there
            }
        }
        return covers(*edge.node, asked, at);
    });
}

}  // namespace dampi::scheduler
