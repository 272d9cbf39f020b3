// A hash map from MPI handles (small integers in MPICH) to pointers or small values, for the paths where
// every nanosecond counts: open addressing, no allocation per entry. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dampi::piggyback {

template <typename Value>
class HandleMap {
public:
    HandleMap() : slots_(std::size_t{1} << (32 - first_shift)) {}

    /// Null when the handle is not there. Valid until the next insert or erase.
    [[nodiscard]] Value* find(int handle) {
        for (std::size_t i = home(handle);; i = (i + 1) & mask()) {
            Slot& slot = slots_[i];
            if (!slot.used) {
                return nullptr;
            }
            if (slot.handle == handle) {
                return &slot.value;
            }
        }
    }

    /// The handle must not be there yet.
    Value& insert(int handle, Value value) {
        if ((size_ + 1) * 2 > slots_.size()) {
            grow();
        }
        ++size_;
        return place(handle, std::move(value));
    }

    void erase(int handle) {
        std::size_t i = home(handle);
        while (slots_[i].used && slots_[i].handle != handle) {
            i = (i + 1) & mask();
        }
        if (!slots_[i].used) {
            return;
        }
        --size_;
        // Close the gap: move back what would no longer be found.
        for (std::size_t j = (i + 1) & mask(); slots_[j].used; j = (j + 1) & mask()) {
            const std::size_t wanted = home(slots_[j].handle);
            if (((j - wanted) & mask()) >= ((j - i) & mask())) {
                slots_[i] = std::move(slots_[j]);
                i = j;
            }
        }
        slots_[i] = Slot{};
    }

    [[nodiscard]] std::size_t size() const { return size_; }

    template <typename Visit>
    void for_each(Visit&& visit) {
        for (Slot& slot : slots_) {
            if (slot.used) {
                visit(slot.handle, slot.value);
            }
        }
    }

private:
    struct Slot {
        int handle = 0;
        bool used = false;
        Value value{};
    };

    [[nodiscard]] std::size_t mask() const { return slots_.size() - 1; }
    /// Handles of a kind are mostly numbered one by one: the highest bits of their product with the golden ratio lie
    /// far apart (Knuth, The Art of Computer Programming, 6.4).
    [[nodiscard]] std::size_t home(int handle) const {
        return static_cast<std::uint32_t>(handle) * std::uint32_t{2654435769U} >> shift_;
    }
    Value& place(int handle, Value value) {
        std::size_t i = home(handle);
        while (slots_[i].used) {
            i = (i + 1) & mask();
        }
        slots_[i].handle = handle;
        slots_[i].used = true;
        slots_[i].value = std::move(value);
        return slots_[i].value;
    }
    void grow() {
        std::vector<Slot> old(slots_.size() * 2);
        old.swap(slots_);
        --shift_;
        for (Slot& slot : old) {
            if (slot.used) {
                place(slot.handle, std::move(slot.value));
            }
        }
    }

    static constexpr unsigned first_shift = 26;

    std::vector<Slot> slots_;  ///< 2^(32 - shift_)
    unsigned shift_ = first_shift;
    std::size_t size_ = 0;
};

}  // namespace dampi::piggyback
