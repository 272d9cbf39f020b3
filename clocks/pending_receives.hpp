// The receives that a rank has posted and that are not yet known to have matched, in posting order. Answers
// the question behind the CompleteNow set (dissertation, rule R4): which of them must have matched before a
// given receive, by MPI's non-overtaking rule? Pure bookkeeping, no MPI. Not thread-safe.
#pragma once

#include "base/types.hpp"
#include "clocks/posting_queue.hpp"

#include <cstddef>

namespace dampi::clocks {

/// `Payload` is what the caller keeps with each receive.
template <typename Payload>
class PendingReceives {
public:
    struct Entry {
        base::PostingOrder order = 0;
        base::ReceiveSpec spec;
        Payload payload{};
    };

    /// Entries must be added in posting order. Returns what is kept with it.
    Payload& add(base::PostingOrder order, const base::ReceiveSpec& spec) {
        Entry& added = entries_.append(order);
        added.spec = spec;
        return added.payload;
    }

    /// The earliest pending receive posted before `order` that accepts such a message; null if none. It
    /// matches-before the operation posted as `order`, if that one has taken (or seen) such a message.
    [[nodiscard]] Entry* first_before(base::PostingOrder order, base::CommId comm, base::Rank source, base::Tag tag) {
        for (Entry& entry : entries_) {
            if (entry.order >= order) {
                break;
            }
            if (entry.spec.fits(comm, source, tag)) {
                return &entry;
            }
        }
        return nullptr;
    }

    /// The pending receive posted as `order`; null if there is none.
    [[nodiscard]] Entry* find(base::PostingOrder order) { return entries_.find(order); }

    /// Takes out what find() or first_before() has found.
    void erase(Entry* found) { entries_.erase(found); }

    /// Takes out the receive posted as `order`; false if it was not pending.
    bool remove(base::PostingOrder order) {
        Entry* found = find(order);
        if (found != nullptr) {
            erase(found);
        }
        return found != nullptr;
    }

    [[nodiscard]] bool empty() const { return entries_.empty(); }
    [[nodiscard]] std::size_t size() const { return entries_.size(); }
    [[nodiscard]] auto begin() { return entries_.begin(); }
    [[nodiscard]] auto end() { return entries_.end(); }
    [[nodiscard]] auto begin() const { return entries_.begin(); }
    [[nodiscard]] auto end() const { return entries_.end(); }

private:
    PostingQueue<Entry> entries_;
};

}  // namespace dampi::clocks
