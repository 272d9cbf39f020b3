#include "scheduler/judgement/open_decisions.hpp"

#include <cstddef>

namespace dampi::scheduler {
namespace {

using launch::RankEnd;
using replay::Decision;
using replay::Epoch;

/// Whether a rank has ended before its time, which ends the run, wherever the others are by then.
bool is_cut_off(const RecordReader& reader, const std::vector<RankEnd>& ends) {
    for (std::size_t rank = 0; rank < ends.size(); ++rank) {
        if (ends[rank].how != RankEnd::How::running &&
            reader.run().phase(static_cast<base::Rank>(rank)) != transport::Phase::finalized) {
            return true;
        }
    }
    return false;
}

/// Whoever waits in it has not gone on: to everybody else it is a slow rank, as there may always be. A receive, or its
/// cancellation, may be called long before its rank waits for it, and others of that rank have then met what it would
/// have taken.
bool holds_up_its_rank(const Epoch& epoch) {
    return epoch.kind != replay::EpochKind::cancel &&
           (replay::is_polling(epoch.kind) || !replay::chooses_message(epoch.kind));
}

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

OpenDecisions open_decisions(RecordReader& reader, const std::vector<Decision>& decisions,
                             const std::vector<RankEnd>& ends) {
    OpenDecisions open;
    const bool cut_off = is_cut_off(reader, ends);
    for (const Decision& decision : decisions) {
        const auto rank = static_cast<std::size_t>(decision.epoch.rank);
        if (rank >= reader.ranks().size() || decision.epoch.index >= reader.ranks()[rank].epochs.size()) {
            continue;
        }
        const Epoch& epoch = reader.ranks()[rank].epochs[decision.epoch.index];
        if (!is_open(reader, epoch, decision, ends[rank])) {
            continue;
        }
        if (cut_off && holds_up_its_rank(epoch)) {
            open.cut_off = true;
            continue;
        }
        open.first =
            replay::RankSituation{.rank = decision.epoch.rank, .call = epoch.call, .detail = {}, .where = epoch.where};
        break;
    }
    return open;
}

}  // namespace dampi::scheduler
