// The receives that a rank has posted and that are not yet known to have matched, in posting order. Answers
// the question behind the CompleteNow set (dissertation, rule R4): which of them must have matched before a
// given receive, by MPI's non-overtaking rule? Pure bookkeeping, no MPI. Not thread-safe.
#pragma once

#include "clocks/lazy_clocks.hpp"
#include "clocks/types.hpp"

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace dampi::clocks {

/// `Payload` is what the caller keeps with each receive.
template <typename Payload>
class PendingReceives {
public:
    struct Entry {
        PostingOrder order;
        ReceiveSpec spec;
        Payload payload;
    };

    /// Entries must be added in posting order.
    void add(PostingOrder order, const ReceiveSpec& spec, Payload payload) {
        entries_.push_back({order, spec, std::move(payload)});
    }

    /// The earliest pending receive posted before `order` that accepts such a message; null if none. It
    /// matches-before the operation posted as `order`, if that one has taken (or seen) such a message.
    [[nodiscard]] Entry* first_before(PostingOrder order, CommId comm, Rank source, Tag tag) {
        for (std::size_t i = head_; i < entries_.size() && entries_[i].order < order; ++i) {
            if (entries_[i].spec.fits(comm, source, tag)) {
                return &entries_[i];
            }
        }
        return nullptr;
    }

    /// The pending receive posted as `order`; null if there is none.
    [[nodiscard]] Entry* find(PostingOrder order) {
        for (std::size_t i = head_; i < entries_.size(); ++i) {
            if (entries_[i].order == order) {
                return &entries_[i];
            }
        }
        return nullptr;
    }

    /// Takes the receive posted as `order` out and returns what was kept with it; nothing if it was not pending.
    std::optional<Payload> remove(PostingOrder order) {
        std::size_t i = head_;
        while (i < entries_.size() && entries_[i].order != order) {
            ++i;
        }
        if (i == entries_.size()) {
            return std::nullopt;
        }
        Payload removed = std::move(entries_[i].payload);
        if (i != head_) {
            entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(i));
        } else if (++head_ == entries_.size()) {
            entries_.clear();
            head_ = 0;
        } else if (head_ > 64 && head_ > entries_.size() / 2) {
            entries_.erase(entries_.begin(), entries_.begin() + static_cast<std::ptrdiff_t>(head_));
            head_ = 0;
        }
        return removed;
    }

    [[nodiscard]] bool empty() const { return head_ == entries_.size(); }
    [[nodiscard]] std::size_t size() const { return entries_.size() - head_; }
    [[nodiscard]] auto begin() { return entries_.begin() + static_cast<std::ptrdiff_t>(head_); }
    [[nodiscard]] auto end() { return entries_.end(); }
    [[nodiscard]] auto begin() const { return entries_.begin() + static_cast<std::ptrdiff_t>(head_); }
    [[nodiscard]] auto end() const { return entries_.end(); }

private:
    std::vector<Entry> entries_;
    std::size_t head_ = 0;  ///< entries before it are gone
};

}  // namespace dampi::clocks
