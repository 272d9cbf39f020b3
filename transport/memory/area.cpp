#include "transport/memory/area.hpp"

#include "base/check.hpp"
#include "replay/buffering.hpp"
#include "replay/decision_threads.hpp"

#include <map>
#include <utility>

namespace dampi::transport::memory {
namespace {

constexpr const char* system_name = "dampi-run";
constexpr const char* what = "the run's shared memory";
/// Of the part for decisions: so that most runs of a sweep need the same size.
constexpr std::uint64_t decisions_unit = std::uint64_t{64} << 10;

}  // namespace

Area Area::create(std::uint32_t processes, const std::vector<replay::Decision>& decisions, clocks::Protocol protocol,
                  MemoryFile used) {
    const RankLayout layout = rank_layout(processes);
    std::uint64_t position_count = 0;
    std::uint64_t turn_count = 0;
    std::map<base::Rank, replay::ThreadOrder::Turns> turns;
    for (std::size_t i = 0; i < decisions.size(); ++i) {
        position_count += decisions[i].outcome.completed.size();
        if (replay::is_last_with_threads(decisions, i)) {
            const auto& of_rank = turns[decisions[i].epoch.rank] = decisions[i].threads.turns();
            turn_count += of_rank.size();
        }
    }
    const std::uint64_t entries_size = decisions.size() * sizeof(DecisionEntry);
    const std::uint64_t positions_size = position_count * sizeof(std::uint32_t);
    const std::uint64_t decisions_size =
        (entries_size + positions_size + turn_count * sizeof(TurnEntry) + decisions_unit - 1) / decisions_unit *
        decisions_unit;
    const Offset ranks = 4096 + decisions_size;
    const std::uint64_t size = ranks + layout.size * processes;

    Area area;
    area.file_ = used.size() == size ? std::move(used) : MemoryFile::create(system_name, what, size);
    area.processes_ = processes;
    area.ranks_ = ranks;
    area.rank_size_ = layout.size;
    area.decisions_ = 4096;
    area.positions_ = area.decisions_ + entries_size;
    area.protocol_ = protocol;
    area.layout_ = layout;

    AreaHeader& header = area.header();
    header.magic = magic;
    header.version = layout_version;
    header.processes = processes;
    header.total_size = size;
    header.decisions = area.decisions_;
    header.decision_count = decisions.size();
    header.positions = area.positions_;
    header.protocol = static_cast<std::uint32_t>(protocol);
    header.rendezvous_threshold = replay::no_rendezvous;
    header.ranks = ranks;
    header.rank_size = layout.size;

    auto* entries = &area.at<DecisionEntry>(area.decisions_);
    auto* positions = &area.at<std::uint32_t>(area.positions_);
    std::uint64_t position = 0;
    std::size_t index = 0;
    for (const replay::Decision& decision : decisions) {
        DAMPI_CHECK(decision.epoch.rank >= 0 && decision.epoch.rank < static_cast<base::Rank>(processes));
        DAMPI_CHECK(index == 0 || decisions[index - 1].epoch < decision.epoch);
        RankHeader& rank = area.rank(decision.epoch.rank);
        if (rank.decisions_end == 0) {
            rank.decisions_begin = index;
        }
        entries[index] = {.rank = decision.epoch.rank,
                          .index = decision.epoch.index,
                          .comm = decision.comm,
                          .tag = decision.tag,
                          .source = decision.outcome.source,
                          .kind = static_cast<std::uint32_t>(decision.kind),
                          .poll = decision.outcome.poll,
                          .open = decision.open ? 1U : 0U,
                          .false_answers = decision.outcome.false_answers,
                          .additional = decision.additional,
                          .released = decision.outcome.released,
                          .completed_count = static_cast<std::uint32_t>(decision.outcome.completed.size()),
                          .completed_begin = position};
        for (const std::uint32_t completed : decision.outcome.completed) {
            positions[position++] = completed;
        }
        ++index;
        rank.decisions_end = index;
    }
    Offset place = area.positions_ + positions_size;
    for (const auto& [rank, of_rank] : turns) {
        area.rank(rank).turns = place;
        area.rank(rank).turn_count = of_rank.size();
        for (const replay::ThreadTurn& turn : of_rank) {
            area.at<TurnEntry>(place) = {.thread = turn.thread, .operations = turn.operations};
            place += sizeof(TurnEntry);
        }
    }
    return area;
}

Area Area::attach(const char* path, KeptMappings* kept) {
    Area area;
    area.file_ = MemoryFile::attach(path, what, kept);
    const AreaHeader& header = area.header();
    if (area.file_.size() < sizeof header || header.magic != magic || header.version != layout_version ||
        header.total_size != area.file_.size()) {
        throw Error(std::string(path) + " is not the shared memory of a run of this version of dampi");
    }
    area.processes_ = header.processes;
    area.ranks_ = header.ranks;
    area.rank_size_ = header.rank_size;
    area.decisions_ = header.decisions;
    area.positions_ = header.positions;
    area.protocol_ = static_cast<clocks::Protocol>(header.protocol);
    area.layout_ = rank_layout(header.processes);
    return area;
}

Area Area::copy() const {
    Area made;
    made.file_ = file_.copy(system_name);
    made.processes_ = processes_;
    made.ranks_ = ranks_;
    made.rank_size_ = rank_size_;
    made.decisions_ = decisions_;
    made.positions_ = positions_;
    made.protocol_ = protocol_;
    made.layout_ = layout_;
    return made;
}

}  // namespace dampi::transport::memory
