// The receives of one rank that have met no message, in posting order, and by what they ask for: so that the first one
// which fits a message is found without looking at all. Pure bookkeeping. Not thread-safe.
#pragma once

#include "base/types.hpp"
#include "clocks/lazy_clocks.hpp"
#include "transport/requests/protocol.hpp"

#include <map>
#include <tuple>

namespace dampi::scheduler::central {

class PostedReceives {
public:
    using Operation = transport::requests::Operation;
    using InOrder = std::map<base::PostingOrder, Operation>;

    /// `asked`: what it waits for, with the decided source if there is one. Each order once.
    void add(base::PostingOrder order, const base::ReceiveSpec& asked, Operation operation) {
        all_.emplace(order, operation);
        by_wish_[wish(asked)].emplace(order, operation);
    }

    /// Of one that is there, with the same `asked`.
    void remove(base::PostingOrder order, const base::ReceiveSpec& asked) {
        all_.erase(order);
        const auto found = by_wish_.find(wish(asked));
        found->second.erase(order);
        if (found->second.empty()) {
            by_wish_.erase(found);
        }
    }

    /// The first that fits such a message; no_operation if none does.
    [[nodiscard]] Operation first_for(base::CommId comm, base::Rank source, base::Tag tag) const {
        auto first = std::pair(clocks::never_taken, transport::requests::no_operation);
        for (const base::Rank of : {source, base::any_source}) {
            for (const base::Tag with : {tag, base::any_tag}) {
                const auto found = by_wish_.find({comm, of, with});
                if (found != by_wish_.end() && found->second.begin()->first < first.first) {
                    first = *found->second.begin();
                }
            }
        }
        return first.second;
    }

    [[nodiscard]] bool empty() const { return all_.empty(); }
    [[nodiscard]] InOrder::const_iterator begin() const { return all_.begin(); }
    [[nodiscard]] InOrder::const_iterator end() const { return all_.end(); }
    /// The first that was posted after `order`.
    [[nodiscard]] InOrder::const_iterator after(base::PostingOrder order) const { return all_.upper_bound(order); }

private:
    using Wish = std::tuple<base::CommId, base::Rank, base::Tag>;
    static Wish wish(const base::ReceiveSpec& asked) { return {asked.comm, asked.source, asked.tag}; }

    InOrder all_;
    std::map<Wish, InOrder> by_wish_;
};

}  // namespace dampi::scheduler::central
