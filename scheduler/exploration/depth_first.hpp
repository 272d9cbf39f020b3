// Depth-first exploration over the epochs in Lamport order (dissertation, section 5.3.2.4, made exact).
//
// The epochs of a run are ordered by (final clock, rank, index). Forcing all of a run's epochs up to one of
// them, with another of its sources for the last, determines the run up to there: everything in the causal
// past of an epoch or of a late message has a smaller clock and so is among the forced. The runs thus form a
// tree whose nodes are epochs and whose branches are their sources; it is walked depth first, and each branch
// is taken once. A message that an earlier run could not show (a rank had died before it was sent) is added
// to its node when a later run does.
#pragma once

#include "scheduler/exploration/explorer.hpp"

#include <vector>

namespace dampi::scheduler {

class DepthFirst final : public Explorer {
public:
    std::optional<replay::Interleaving> next() override;
    void learn(const replay::RunRecord& record) override;
    [[nodiscard]] std::uint64_t pending() const override;
    [[nodiscard]] bool last_diverged() const override { return last_diverged_; }

private:
    struct Node {
        replay::EpochId epoch;
        replay::EpochKind kind = replay::EpochKind::receive;
        replay::CommId comm = 0;
        replay::Tag tag = 0;
        std::optional<replay::Rank> chosen{};  ///< none: it never matched in the run that made the node
        std::vector<replay::Rank> untried{};   ///< sorted, taken from the front
        std::vector<replay::Rank> tried{};
    };

    static Node make_node(const replay::Epoch& epoch);
    static void add_alternatives(Node& node, const replay::Epoch& epoch);

    std::vector<Node> path_;
    std::uint64_t handed_out_ = 0;
    std::vector<replay::Decision> handed_out_decisions_;
    bool last_diverged_ = false;
};

}  // namespace dampi::scheduler
