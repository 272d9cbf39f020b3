// The buffer that the program has attached for sends in buffered mode. Nothing lies in it: the data is in the memory
// that ranks share. buffer_room.hpp sees whether it would have had room.
#pragma once

#include <cstdint>

namespace dampi::piggyback::central {

class AttachedBuffer {
public:
    void attach(std::uint64_t size) { size_ = size; }
    void detach() { size_ = 0; }
    [[nodiscard]] std::uint64_t size() const { return size_; }

private:
    std::uint64_t size_ = 0;
};

}  // namespace dampi::piggyback::central
