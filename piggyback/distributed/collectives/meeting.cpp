#include "piggyback/distributed/collectives/meeting.hpp"

#include "piggyback/distributed/matching/matching.hpp"
#include "piggyback/distributed/progress.hpp"
#include "piggyback/rank/code_places.hpp"
#include "piggyback/rank/time/virtual_time.hpp"
#include "transport/collective_mismatch.hpp"
#include "transport/log.hpp"

#include <algorithm>
#include <atomic>
#include <tuple>

namespace dampi::piggyback::distributed {

using transport::breaks_order;
using transport::Contribution;
using transport::Difference;
using transport::difference;
using transport::Token;

Contribution contribution(std::uint32_t operation, const Flow& flow, std::uint64_t site, std::uint64_t sequence) {
    return {.sequence = sequence,
            .clock = 0,
            .operation = operation,
            .reduction = static_cast<std::uint32_t>(flow.reduction),
            .root = flow.root,
            .site = site,
            .sent = flow.sent,
            .received = flow.received,
            .sent_data = flow.sent_data,
            .received_data = flow.received_data,
            .arguments = flow.arguments};
}

namespace {

/// Of this rank's part, if all members wait for each other and it can be all there is to say of it.
std::uint64_t digest_for_glances(Communicator& communicator, const Contribution& entered, const Flow& flow) {
    const bool all_wait = flow.sources == Flow::Sources::everyone && flow.counts.null() && !communicator.inter &&
                          flow.readers + 1 == communicator.members.size();
    if (!all_wait || entered.shares != 0 || entered.entered_at != 0) {
        return 0;
    }
    Contribution part = entered;
    part.sequence = 0;
    part.clock = 0;
    part.site = 0;
    if (UsualPart& usual = communicator.usual; usual.digest == 0 || usual.part != part) {
        usual = {.part = part, .digest = digest_of(part)};
    }
    return communicator.usual.digest;
}

}  // namespace

Entered publish(DistributedLayer& layer, Communicator& communicator, std::uint32_t operation, const Flow& flow,
                std::uint64_t site, Reading reading) {
    count_up(layer.board().synchronisations);
    note_exchange();
    if (communicator.records.empty()) {
        communicator.records.resize(all_ranks(communicator));
    }
    Token& own = communicator.records[static_cast<std::size_t>(communicator.rank)];
    if (own == 0) {
        own = layer.port.begin_record(communicator.id);
    }
    Contribution entered = contribution(operation, flow, site, communicator.collectives++);
    entered.clock = publish(layer, layer.clocks.now());
    entered.entered_at = layer.port.passed();
    entered.shares = flow.shares == nullptr ? 0 : layer.shown_shares.show(layer.port, *flow.shares);
    const std::uint64_t digest =
        reading == Reading::before_leaving ? digest_for_glances(communicator, entered, flow) : 0;
    layer.port.enter(own, entered, digest, digest == 0 ? flow.readers : 0);
    return {.own = entered, .digest = digest};
}

Token Meeting::record(int index, Token& searched) {
    Token& known = communicator_.records[static_cast<std::size_t>(index)];
    if (known == 0) {
        known = layer_.port.find_record(world_rank(communicator_, index), communicator_.id, searched);
    }
    return known;
}

bool Meeting::has_entered(Token record) const { return record != 0 && layer_.port.entered(record) > own_.sequence; }

bool Meeting::is_there(int index) {
    Token searched = 0;
    return has_entered(record(index, searched));
}

void Meeting::await() {
    Waiting waiting(layer_, call_, [this](WaitDescription& description) {
        for_each_source(communicator_, flow_, [&](int index) {
            if (!is_there(index)) {
                description.add(wait_item(world_rank(communicator_, index)));
            }
        });
    });
    for_each_source(communicator_, flow_, [&](int index) {
        Token searched = 0;
        for (;;) {
            if (out_of_order_ || after_uneven_one_) {
                // Where nobody waits, of two that come at the same time at least one sees the other.
                std::atomic_thread_fence(std::memory_order_seq_cst);
            }
            const Token found = record(index, searched);
            if (has_entered(found)) {
                read(found, index);
                return;
            }
            if (out_of_order_) {
                return;
            }
            if (after_uneven_one_) {
                layer_.count_not_modelled("collectives after ones that do not fit");
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

void Meeting::collect(Known known) {
    reads_ = known;
    for_each_source(communicator_, flow_, [&](int index) {
        Token searched = 0;
        const Token found = record(index, searched);
        if (has_entered(found)) {
            read(found, index);
        }
    });
    if (!reads_everyone()) {
        look_beside();
    }
}

void Meeting::learn_of(int index, transport::ClockName clock) {
    const bool news = reads_ == Known::everything || !layer_.port.is_known(clock, layer_.clocks.now()->clock);
    if (news && !layer_.port.is_known(clock, clock_)) {
        clock_.merge(layer_.port.clock_of(world_rank(communicator_, index), clock));
    }
}

bool Meeting::read_at_a_glance(Token record, int index) {
    if (digest_ == 0 || !communicator_.usual.agrees) {
        return false;
    }
    const auto glance = layer_.port.glance(record, own_.sequence);
    if (!glance || glance->digest != digest_) {
        return false;
    }
    learn_of(index, glance->clock);
    return true;
}

void Meeting::read(Token record, int index) {
    if (read_at_a_glance(record, index)) {
        return;
    }
    if (const auto contribution = layer_.port.read(record, own_.sequence)) {
        passed_ = std::max(passed_, contribution->entered_at);
        learn_of(index, contribution->clock);
        if (compare(*contribution, index) && digest_ != 0 && digest_of(*contribution) == digest_) {
            communicator_.usual.agrees = true;
        }
    }
}

clocks::Snapshot Meeting::known() const {
    layer_.windows.hearsay.somebody();
    learn_time(passed_);
    return clock_ == clocks::Clock{} ? clocks::Snapshot() : clocks::Snapshot(clock_);
}

void Meeting::look_beside() {
    const auto look = [this](int index) {
        Token searched = 0;
        const Token found = index == communicator_.rank ? 0 : record(index, searched);
        if (has_entered(found)) {
            if (const auto contribution = layer_.port.look(found, own_.sequence)) {
                compare(*contribution, index);
            }
        }
    };
    const int size = static_cast<int>(communicator_.members.size());
    const int remote_size = static_cast<int>(communicator_.peers.size());
    // Of two ranks side by side at least one sees the other.
    std::atomic_thread_fence(std::memory_order_seq_cst);
    look((communicator_.rank + size - 1) % size);
    look((communicator_.rank + 1) % size);
    if (communicator_.inter && communicator_.rank < remote_size) {
        look(size + communicator_.rank);
    }
}

void note_refused(DistributedLayer& layer, Communicator& communicator) {
    layer.windows.phases_are_known = false;
    if (!communicator.disordered) {
        communicator.disordered = true;
        layer.port.disorder(communicator.records[static_cast<std::size_t>(communicator.rank)]);
    }
}

bool Meeting::compare(const Contribution& other, int index) {
    Token searched = 0;
    if (communicator_.disordered || layer_.port.is_disordered(record(index, searched))) {
        return false;
    }
    if (communicator_.apart) {
        return false;
    }
    const base::Rank rank = world_rank(communicator_, index);
    Contribution mine = own_;
    Contribution theirs = other;
    auto found = difference(layer_.rank(), mine, rank, theirs);
    if (found == Difference::none && compare_shares(rank, mine, theirs)) {
        found = difference(layer_.rank(), mine, rank, theirs);
    }
    if (found == Difference::none) {
        return true;
    }
    mismatch_ = mismatch_ || found != Difference::types;
    out_of_order_ = out_of_order_ || breaks_order(found);
    communicator_.uneven = communicator_.uneven || found == Difference::amount || found == Difference::arguments;
    // Once for each call of the program, which may be in a loop.
    if (communicator_.mismatched_sites.insert(own_.site).second) {
        log_mismatch(mine, theirs, index);
    }
    return false;
}

bool Meeting::compare_shares(base::Rank rank, Contribution& mine, Contribution& theirs) const {
    if (flow_.shares == nullptr || theirs.shares == 0) {
        return false;
    }
    const auto [given, asked] = shares_in(layer_.port, theirs.shares);
    const auto found = transport::differing_shares(
        {.rank = rank, .part = theirs, .given = given, .asked = asked},
        {.rank = layer_.rank(), .part = mine, .given = flow_.shares->given, .asked = flow_.shares->asked});
    if (found) {
        std::tie(theirs, mine) = *found;
    }
    return found.has_value();
}

void Meeting::log_mismatch(const Contribution& mine, const Contribution& other, int index) {
    const auto part = [](const Contribution& of) {
        return transport::PartFields{.site = of.site,
                                     .sent = of.sent,
                                     .received = of.received,
                                     .arguments = of.arguments,
                                     .operation = of.operation,
                                     .reduction = of.reduction,
                                     .root = of.root,
                                     .sent_data = transport::fields_of(of.sent_data),
                                     .received_data = transport::fields_of(of.received_data)};
    };
    if (!is_logged_place(own_.site)) {
        log_modules(layer_);
    }
    layer_.log.append(transport::MismatchRecord{.comm = communicator_.id,
                                                .sequence = own_.sequence,
                                                .peer = world_rank(communicator_, index),
                                                .own = part(mine),
                                                .theirs = part(other)});
    layer_.board().mismatch.store(1, std::memory_order_release);
}

bool Meeting::may_have_to_wait() {
    if (!reads_everyone() || communicator_.inter || mismatch_) {
        for (std::size_t i = 0; i < all_ranks(communicator_); ++i) {
            const int index = static_cast<int>(i);
            if (index != communicator_.rank && !is_there(index)) {
                return true;
            }
        }
    }
    return mismatch_;
}

int note_unknown(DistributedLayer& layer, int result) {
    if (result == MPI_SUCCESS) {
        layer.count_not_modelled("collectives on unknown communicators");
    }
    return result;
}

}  // namespace dampi::piggyback::distributed
