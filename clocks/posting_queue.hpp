// What a rank keeps of operations that it has posted, in posting order: new ones come at the end, and they mostly go
// from the beginning, so both cost next to nothing. Not thread-safe.
#pragma once

#include "base/types.hpp"

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <vector>

namespace dampi::clocks {

/// `Element` has a member `order`, its PostingOrder.
template <typename Element>
class PostingQueue {
public:
    /// A new one, with nothing but its order. This must be above that of all others.
    Element& append(base::PostingOrder order) {
        Element& added = elements_.emplace_back();
        added.order = order;
        return added;
    }

    /// The element of this order; null if there is none. Valid until the next append() or erase().
    [[nodiscard]] Element* find(base::PostingOrder order) {
        if (empty() || order < front().order) {
            return nullptr;
        }
        // Orders only grow, so an element cannot stand further behind the first than its order is above that one's.
        // Mostly it stands just there.
        const std::size_t furthest = std::min<std::uint64_t>(order - front().order, size() - 1);
        if (elements_[head_ + furthest].order == order) {
            return &elements_[head_ + furthest];
        }
        const auto found =
            std::lower_bound(begin(), begin() + static_cast<std::ptrdiff_t>(furthest), order,
                             [](const Element& element, base::PostingOrder wanted) { return element.order < wanted; });
        return found->order == order ? &*found : nullptr;
    }

    /// Takes out what find() has found.
    void erase(Element* found) {
        const auto position = found - elements_.data();
        const auto head = static_cast<std::ptrdiff_t>(head_);
        if (2 * (position - head) >= static_cast<std::ptrdiff_t>(size())) {
            elements_.erase(elements_.begin() + position);
        } else {
            std::move_backward(begin(), elements_.begin() + position, elements_.begin() + position + 1);
            if constexpr (!std::is_trivially_destructible_v<Element>) {
                elements_[head_] = {};  // lets go what it has
            }
            ++head_;
        }
        if (empty()) {
            elements_.clear();
            head_ = 0;
        } else if (head_ > least_gap && head_ > elements_.size() / 2) {
            elements_.erase(elements_.begin(), begin());
            head_ = 0;
        }
    }

    [[nodiscard]] bool empty() const { return head_ == elements_.size(); }
    [[nodiscard]] std::size_t size() const { return elements_.size() - head_; }
    [[nodiscard]] const Element& front() const { return elements_[head_]; }
    [[nodiscard]] const Element& back() const { return elements_.back(); }
    [[nodiscard]] auto begin() { return elements_.begin() + static_cast<std::ptrdiff_t>(head_); }
    [[nodiscard]] auto end() { return elements_.end(); }
    [[nodiscard]] auto begin() const { return elements_.begin() + static_cast<std::ptrdiff_t>(head_); }
    [[nodiscard]] auto end() const { return elements_.end(); }

private:
    static constexpr std::size_t least_gap = 64;

    std::vector<Element> elements_;
    std::size_t head_ = 0;  ///< elements before it are gone
};

}  // namespace dampi::clocks
