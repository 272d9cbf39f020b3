// Values in a row, as many as a call has; on the stack if they are few.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace dampi::piggyback::openmpi {

/// Room for so many without the heap.
inline constexpr std::size_t usual_count = 16;

template <typename Value>
class Room {
public:
    explicit Room(std::size_t count) : size_(count) {
        if (count > few_.size()) {
            many_.resize(count);
        }
    }
    [[nodiscard]] Value* data() { return many_.empty() ? few_.data() : many_.data(); }
    [[nodiscard]] std::size_t size() const { return size_; }

private:
    std::array<Value, usual_count> few_;
    std::vector<Value> many_;
    std::size_t size_;
};

}  // namespace dampi::piggyback::openmpi
