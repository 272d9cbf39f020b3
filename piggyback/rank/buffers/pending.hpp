// The buffers of operations that are pending: from their beginning until the program gets to know that they are
// complete. Only keeps them, and says which of them meet another region; what is wrong is for used_buffers to say.
#pragma once

#include "piggyback/rank/buffers/interval_set.hpp"
#include "piggyback/rank/buffers/region.hpp"
#include "piggyback/rank/buffers/still_memory.hpp"
#include "piggyback/rank/sanitizers/fibers.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace dampi::piggyback {

/// What an operation does with the memory.
enum class BufferRole : std::uint8_t { send, receive };

struct BufferUse {
    Region region;
    BufferRole role = BufferRole::send;
    const char* array = nullptr;  ///< the name of an array among the arguments; null: it is a buffer
};

struct PendingUse {
    BufferUse use;
    const char* function = "";  ///< a string literal
    std::uint64_t site = 0;
    std::uint64_t sum = 0;                         ///< of what was there at first
    bool is_summed = false;                        ///< it must stay as it was
    bool of_access = false;                        ///< to a window: its memory in this rank
    StillMemory::Token still = StillMemory::none;  ///< it must stay as it is while the program is outside of MPI
    bool is_the_operations = false;                ///< the program may not touch it, or only read it if it is sent
    std::uint32_t touches = 0;                     ///< seen of the program's, where somebody looks (touches)
    std::uint64_t told = 0;                        ///< the listener's word for it
    std::uint64_t since = 0;                       ///< PendingBuffers::lessons when it began
    /// Of one of the operation's, for all of them.
    sanitizers::Fibers::Token fiber = sanitizers::Fibers::none;
};

/// Is told of the memory that operations use which are no accesses to windows, while they do.
class UseListener {
public:
    UseListener() = default;
    UseListener(const UseListener&) = delete;
    UseListener& operator=(const UseListener&) = delete;
    virtual ~UseListener() = default;
    /// What end_use() is to be called with; 0: it need not be. `function`: a string literal.
    virtual std::uint64_t begin_use(const BufferUse& use, const char* function, std::uint64_t site) = 0;
    virtual void end_use(std::uint64_t token) = 0;
};

class PendingBuffers {
public:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    UseListener* listener = nullptr;  ///< null: nobody listens
    std::uint64_t lessons = 0;        ///< calls from which the program may have learned something of other ranks

    /// Adds one to a chain of which `next` is the first; returns the new first.
    std::uint32_t add(const BufferUse& use, const char* function, std::uint64_t site, std::uint32_t next) {
        const std::uint32_t number = unused_slot();
        Slot& slot = slots_[number];
        slot.pending.use = use;
        slot.pending.function = function;
        slot.pending.site = site;
        slot.pending.is_summed = false;
        slot.pending.of_access = false;
        slot.pending.still = StillMemory::none;
        slot.pending.is_the_operations = false;
        slot.pending.touches = 0;
        slot.pending.told = 0;
        slot.pending.since = lessons;
        slot.pending.fiber = sanitizers::Fibers::none;
        slot.next = next;
        slot.is_pending = true;
        ++size_;
        of(use.role).insert(use.region.begin, use.region.end, number);
        return number;
    }

    [[nodiscard]] PendingUse& at(std::uint32_t number) { return slots_[number].pending; }

    /// Calls `visit(PendingUse)` for each of a chain, and takes it away. They stay in the sets until all are gone, or
    /// most of many.
    template <typename Visit>
    void release(std::uint32_t first, Visit&& visit) {
        while (first != none) {
            Slot& slot = slots_[first];
            visit(std::as_const(slot.pending));
            if (slot.pending.still != StillMemory::none) {
                still_.remove(slot.pending.still);
            }
            if (slot.pending.told != 0) {
                listener->end_use(slot.pending.told);
            }
            if (slot.pending.fiber != sanitizers::Fibers::none) [[unlikely]] {
                fibers_.end(slot.pending.fiber);
            }
            slot.is_pending = false;
            --size_;
            first = slot.next;
        }
        if (size_ == 0) {
            sent_.clear();
            received_.clear();
            used_ = 0;
            unused_ = none;
        } else if (sent_.size() + received_.size() > 2 * size_ + 32) {
            remove_gone();
        }
    }

    /// Calls `visit(PendingUse)` for each of a chain.
    template <typename Visit>
    void for_each_of(std::uint32_t first, Visit&& visit) const {
        for (; first != none; first = slots_[first].next) {
            visit(slots_[first].pending);
        }
    }

    /// Whether any_meeting() surely has nobody to visit.
    [[nodiscard]] bool meets_none(const BufferUse& use) const {
        return received_.has_none_in(use.region.begin, use.region.end) &&
               (use.role == BufferRole::send || sent_.has_none_in(use.region.begin, use.region.end));
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

    /// Calls `visit(PendingUse)` for all.
    template <typename Visit>
    void for_each(Visit&& visit) {
        for (std::uint32_t number = 0; number < used_; ++number) {
            if (slots_[number].is_pending) {
                visit(slots_[number].pending);
            }
        }
    }

    [[nodiscard]] std::size_t size() const { return size_; }

    /// Those of them that are watched while the program is outside of MPI, and what else is watched with them.
    [[nodiscard]] StillMemory& still() { return still_; }

    /// What ThreadSanitizer is told of them, and of what else is pending.
    [[nodiscard]] sanitizers::Fibers& fibers() { return fibers_; }

private:
    struct Slot {
        PendingUse pending;
        std::uint32_t next = none;  ///< of the same operation; of those that are unused
        bool is_pending = false;    ///< false: gone, and maybe still in a set
    };

    std::uint32_t unused_slot() {
        if (unused_ != none) {
            return std::exchange(unused_, slots_[unused_].next);
        }
        if (used_ == made_) {
            slots_.emplace_back();
            ++made_;
        }
        return used_++;
    }

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

    StillMemory still_;
    sanitizers::Fibers fibers_;
    IntervalSet sent_;
    IntervalSet received_;
    std::vector<Slot> slots_;
    std::uint32_t made_ = 0;       ///< slots
    std::uint32_t used_ = 0;       ///< so many have been in use since all were gone
    std::uint32_t unused_ = none;  ///< the first of those among them that are not
    std::size_t size_ = 0;
};

/// Those of one operation, which are let go of with it.
class HeldBuffers {
public:
    HeldBuffers() = default;
    ~HeldBuffers() { release(); }
    HeldBuffers(const HeldBuffers&) = delete;
    HeldBuffers& operator=(const HeldBuffers&) = delete;

    /// `in` outlives this. The reference is valid until one more is added to any.
    PendingUse& add(PendingBuffers& in, const BufferUse& use, const char* function = "", std::uint64_t site = 0) {
        in_ = &in;
        first_ = in.add(use, function, site, first_);
        return in.at(first_);
    }
    /// What the operation does with all of them, of which there are some, is this fiber's.
    void set_fiber(sanitizers::Fibers::Token fiber) { in_->at(first_).fiber = fiber; }
    /// Those of `other` are its own from now on; it has none yet.
    void take(HeldBuffers& other) {
        in_ = other.in_;
        first_ = std::exchange(other.first_, PendingBuffers::none);
    }
    /// Calls `visit(PendingUse)` for each.
    template <typename Visit>
    void for_each(Visit&& visit) const {
        if (first_ != PendingBuffers::none) {
            in_->for_each_of(first_, visit);
        }
    }
    /// The operation is complete, as the program knows, or nobody will know when it is. Calls `visit(PendingUse)` for
    /// each before it is gone.
    template <typename Visit>
    void release(Visit&& visit) {
        if (first_ != PendingBuffers::none) {
            in_->release(std::exchange(first_, PendingBuffers::none), visit);
        }
    }
    void release() {
        release([](const PendingUse& /*pending*/) {});
    }

private:
    PendingBuffers* in_ = nullptr;
    std::uint32_t first_ = PendingBuffers::none;
};

}  // namespace dampi::piggyback
