// The outcomes that have been explored, as a tree with shared beginnings. Answers the question on which "each
// outcome once" rests: has any of them all of these epochs with these outcomes?
#pragma once

#include "replay/decision.hpp"
#include "replay/epoch.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace dampi::scheduler {

class ExploredOutcomes {
public:
    /// `with_false_answers`: polling calls that answered false a different number of times are different.
    explicit ExploredOutcomes(bool with_false_answers) : with_false_answers_(with_false_answers) {}

    /// Adds what a run's epochs came to (sorted by id). False if it was there before.
    bool add(const std::vector<replay::Epoch>& epochs);

    /// Whether an outcome that was added does all that the decisions (sorted by epoch) say.
    [[nodiscard]] bool covers(const std::vector<replay::Decision>& decisions) const;

    [[nodiscard]] std::size_t size() const { return size_; }

private:
    /// An epoch and what it came to; in the tree sorted by index first, which comes close to the causal order.
    struct Item {
        replay::EpochId epoch;
        bool open = false;  ///< in questions: any outcome with at least these false answers will do
        replay::Outcome outcome{};
    };
    struct Node;
    /// A way on: all its items, then the node behind (null: an outcome ends here).
    struct Edge {
        std::vector<Item> items;
        std::unique_ptr<Node> node;
    };
    struct Node {
        bool ends = false;  ///< an outcome ends here
        std::vector<Edge> edges;
    };

    [[nodiscard]] Item item(const replay::EpochId& id, const replay::Outcome& outcome, bool open) const;
    [[nodiscard]] bool answers(const Item& known, const Item& asked) const;
    [[nodiscard]] bool covers(const Node& node, const std::vector<Item>& asked, std::size_t next) const;

    bool with_false_answers_;
    Node root_;
    std::size_t size_ = 0;
};

}  // namespace dampi::scheduler
