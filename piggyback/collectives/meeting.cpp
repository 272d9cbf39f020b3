#include "piggyback/collectives/meeting.hpp"

#include "piggyback/communicators/names.hpp"
#include "piggyback/matching/matching.hpp"
#include "piggyback/progress.hpp"

#include <atomic>
#include <string>

namespace dampi::piggyback {

using replay::area::CommunicatorRecord;
using replay::area::Contribution;
using replay::area::Offset;

std::uint64_t publish(Layer& layer, const Call& call, Communicator& communicator, std::uint32_t operation,
                      const Flow& flow) {
    count_up(layer.header().collectives_entered);
    const std::uint64_t sequence = communicator.collectives++;
    if (communicator.records.empty()) {
        communicator.records.resize(all_ranks(communicator));
    }
    Offset& own = communicator.records[static_cast<std::size_t>(communicator.rank)];
    if (own == 0) {
        own = add_record(layer.area, layer.slab, layer.rank(), communicator.id);
    }
    enter(layer.area, layer.slab, layer.area.at<CommunicatorRecord>(own),
          {.sequence = sequence,
           .clock = publish(layer, layer.clocks.now()),
           .operation = operation,
           .root = flow.root,
           .site = call.site()},
          flow.readers);
    return sequence;
}

CommunicatorRecord* Meeting::record(int index, Offset& searched) {
    Offset& known = communicator_.records[static_cast<std::size_t>(index)];
    if (known == 0) {
        known = find_record(layer_.area, world_rank(communicator_, index), communicator_.id, searched);
        if (known == 0) {
            return nullptr;
        }
    }
    return &layer_.area.at<CommunicatorRecord>(known);
}

bool Meeting::has_entered(int index) {
    Offset searched = 0;
    const CommunicatorRecord* found = record(index, searched);
    return found != nullptr && replay::area::has_entered(*found, sequence_);
}

void Meeting::await() {
    Waiting waiting(layer_, call_, [this](WaitDescription& description) {
        for_each_source(communicator_, flow_, [&](int index) {
            if (!has_entered(index)) {
                description.add(wait_item(world_rank(communicator_, index)));
            }
        });
    });
    for_each_source(communicator_, flow_, [&](int index) {
        Offset searched = 0;
        for (;;) {
            const CommunicatorRecord* found = record(index, searched);
            if (found != nullptr && replay::area::has_entered(*found, sequence_)) {
                read(*found, index);
                return;
            }
            if (mismatch_) {
                return;
            }
            make_progress();
            waiting.pause();
        }
    });
    if (!reads_everyone()) {
        look_beside();
    }
}

void Meeting::collect() {
    for_each_source(communicator_, flow_, [&](int index) {
        Offset searched = 0;
        const CommunicatorRecord* found = record(index, searched);
        if (found != nullptr && replay::area::has_entered(*found, sequence_)) {
            read(*found, index);
        }
    });
    if (!reads_everyone()) {
        look_beside();
    }
}

void Meeting::read(const CommunicatorRecord& record, int index) {
    if (const auto contribution = replay::area::read(layer_.area, record, sequence_)) {
        if (!is_published_known(layer_.area, contribution->clock, layer_.clocks.now()->clock) &&
            !is_published_known(layer_.area, contribution->clock, clock_)) {
            clock_.merge(layer_.others_clocks.read(layer_.area, world_rank(communicator_, index), contribution->clock));
        }
        compare(*contribution, index);
    }
}

void Meeting::look_beside() {
    const int size = static_cast<int>(communicator_.members.size());
    // Of two ranks side by side at least one sees the other.
    std::atomic_thread_fence(std::memory_order_seq_cst);
    for (const int step : {size - 1, 1}) {
        const int index = (communicator_.rank + step) % size;
        Offset searched = 0;
        const CommunicatorRecord* found = index == communicator_.rank ? nullptr : record(index, searched);
        if (found != nullptr && replay::area::has_entered(*found, sequence_)) {
            if (const auto contribution = peek(layer_.area, *found, sequence_)) {
                compare(*contribution, index);
            }
        }
    }
}

void Meeting::compare(const Contribution& other, int index) {
    const bool same_root = other.root == flow_.root || other.root == replay::area::unknown_root ||
                           flow_.root == replay::area::unknown_root;
    if (mismatch_ || (other.operation == operation_ && same_root)) {
        return;
    }
    mismatch_ = true;
    const auto text = [&](std::uint32_t operation, clocks::Rank root, clocks::Rank rank) {
        return std::string(replay::area::operation_name(operation)) +
               (root >= 0 ? " with root " + std::to_string(root) : "") + " in rank " + std::to_string(rank);
    };
    std::string mine = text(operation_, flow_.root, layer_.rank());
    std::string theirs = text(other.operation, other.root, world_rank(communicator_, index));
    if (world_rank(communicator_, index) < layer_.rank()) {
        std::swap(mine, theirs);  // the same sentence from both sides
    }
    layer_.record_violation("collective/mismatch",
                            mine + " meets " + theirs + ": both are collective " + std::to_string(sequence_) +
                                " (counted from 0) of " + name_of(communicator_),
                            call_);
}

bool Meeting::may_have_to_wait() {
    if (!reads_everyone() || communicator_.inter || mismatch_) {
        for (std::size_t i = 0; i < all_ranks(communicator_); ++i) {
            const int index = static_cast<int>(i);
            if (index != communicator_.rank && !has_entered(index)) {
                return true;
            }
        }
    }
    return mismatch_;
}

int note_unknown(Layer& layer, int result) {
    if (result == MPI_SUCCESS) {
        layer.count_not_modelled("collectives on unknown communicators");
    }
    return result;
}

}  // namespace dampi::piggyback
