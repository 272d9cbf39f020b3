// The buffers of operations that are pending: from their beginning until the program gets to know that they are
// complete. Only keeps them, and says which of them meet another region; what is wrong is for used_buffers to say.
#pragma once

#include "piggyback/rank/buffers/interval_set.hpp"
#include "piggyback/rank/buffers/region.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace dampi::piggyback {

/// What an operation does with the memory.
enum class BufferRole : std::uint8_t { send, receive };

struct BufferUse {
    Region region;
    BufferRole role = BufferRole::send;
};

struct PendingUse {
    BufferUse use;
    const char* function = "";  ///< a string literal
    std::uint64_t site = 0;
    std::optional<std::uint64_t> sum{};  ///< of what is sent, as it was at first; nothing where it may change
};

class PendingBuffers {
public:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    /// Adds one to a chain of which `next` is the first; returns the new first.
    std::uint32_t add(const PendingUse& use, std::uint32_t next) {
        std::uint32_t number = unused_;
        if (number == none) {
            number = static_cast<std::uint32_t>(slots_.size());
            slots_.emplace_back();
        } else {
            unused_ = slots_[number].next;
        }
        slots_[number] = {.pending = use, .next = next, .is_pending = true};
        ++size_;
        of(use.use.role).insert(use.use.region.begin, use.use.region.end, number);
        return number;
    }

    /// They stay in the sets until all are gone, or most of many.
    void release(std::uint32_t first) {
        for (; first != none; first = slots_[first].next) {
            slots_[first].is_pending = false;
            --size_;
        }
        if (size_ == 0) {
            sent_.clear();
            received_.clear();
            slots_.clear();
            unused_ = none;
        } else if (sent_.size() + received_.size() > 2 * size_ + 64) {
            remove_gone();
        }
    }

    /// Calls `visit(PendingUse)` for those whose bounds meet those of `use` and of which one of both is written, until
    /// it returns true; whether it has.
    template <typename Visit>
    bool any_meeting(const BufferUse& use, Visit&& visit) {
        const auto visited = [&](std::uint32_t number) {
            Slot& slot = slots_[number];
            return slot.is_pending && visit(slot.pending);
        };
        const Region& region = use.region;
        return received_.any_overlapping(region.begin, region.end, visited) ||
               (use.role == BufferRole::receive && sent_.any_overlapping(region.begin, region.end, visited));
    }

    /// Calls `visit(PendingUse)` for each of a chain.
    template <typename Visit>
    void for_each(std::uint32_t first, Visit&& visit) const {
        for (; first != none; first = slots_[first].next) {
            visit(slots_[first].pending);
        }
    }

    [[nodiscard]] std::size_t size() const { return size_; }

private:
    struct Slot {
        PendingUse pending;
        std::uint32_t next = none;  ///< of the same operation; of those that are unused
        bool is_pending = false;    ///< false: gone, and maybe still in a set
    };

    void remove_gone() {
        const auto is_gone = [&](std::uint32_t number) {
            Slot& slot = slots_[number];
            if (!slot.is_pending) {
                slot.next = std::exchange(unused_, number);
            }
            return !slot.is_pending;
        };
        sent_.remove_if(is_gone);
        received_.remove_if(is_gone);
    }

    IntervalSet& of(BufferRole role) { return role == BufferRole::send ? sent_ : received_; }

    IntervalSet sent_;
    IntervalSet received_;
    std::vector<Slot> slots_;
    std::uint32_t unused_ = none;
    std::size_t size_ = 0;
};

/// Those of one operation, which are let go of with it.
class HeldBuffers {
public:
    HeldBuffers() = default;
    ~HeldBuffers() { release(); }
    HeldBuffers(const HeldBuffers&) = delete;
    HeldBuffers& operator=(const HeldBuffers&) = delete;

    /// `in` outlives this.
    void add(PendingBuffers& in, const PendingUse& use) {
        in_ = &in;
        first_ = in.add(use, first_);
    }
    template <typename Visit>
    void for_each(Visit&& visit) const {
        if (first_ != PendingBuffers::none) {
            in_->for_each(first_, visit);
        }
    }
    /// The operation is complete, as the program knows, or nobody will know when it is.
    void release() {
        if (first_ != PendingBuffers::none) {
            in_->release(std::exchange(first_, PendingBuffers::none));
        }
    }

private:
    PendingBuffers* in_ = nullptr;
    std::uint32_t first_ = PendingBuffers::none;
};

}  // namespace dampi::piggyback
