#include "scheduler/judgement/open_decisions.hpp"

#include <cstddef>

namespace dampi::scheduler {
namespace {

using launch::RankEnd;
using replay::Decision;
using replay::Epoch;

bool is_open(const RecordReader& reader, const Epoch& epoch, const Decision& decision, const RankEnd& end) {
    if (!epoch.forced || epoch.outcome || decision.open || end.how == RankEnd::How::taken) {
        return false;
    }
    const bool has_ended = end.how != RankEnd::How::running;
    if (replay::is_polling(epoch.kind)) {
        return !has_ended && !decision.outcome.gave_up();
    }
    if (!replay::chooses_message(epoch.kind)) {
        return !has_ended && !decision.outcome.completed.empty();
    }
    // A receive may be posted long before its rank waits for it, and meet its message meanwhile.
    return !reader.has_open_message({.comm = decision.comm, .source = decision.outcome.source, .tag = decision.tag},
                                    epoch.id.rank);
}

}  // namespace

std::optional<replay::RankSituation> open_decision(RecordReader& reader, const std::vector<Decision>& decisions,
                                                   const std::vector<RankEnd>& ends) {
    for (const Decision& decision : decisions) {
        const auto rank = static_cast<std::size_t>(decision.epoch.rank);
        if (rank >= reader.ranks().size() || decision.epoch.index >= reader.ranks()[rank].epochs.size()) {
            continue;
        }
        const Epoch& epoch = reader.ranks()[rank].epochs[decision.epoch.index];
        if (is_open(reader, epoch, decision, ends[rank])) {
            return replay::RankSituation{
                .rank = decision.epoch.rank, .call = epoch.call, .detail = {}, .where = epoch.where};
        }
    }
    return std::nullopt;
}

}  // namespace dampi::scheduler
