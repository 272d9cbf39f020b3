// The buffer that the program has attached for sends in buffered mode. Nothing lies in it: the data is in the memory
// that ranks share. But a program that may need more than it has attached must be told.
#pragma once

#include "piggyback/rank/call.hpp"

#include <cstdint>

#include <mpi.h>

namespace dampi::piggyback::central {

class AttachedBuffer {
public:
    void attach(std::uint64_t size) { size_ = size; }
    void detach() { size_ = 0; }
    [[nodiscard]] std::uint64_t size() const { return size_; }

private:
    std::uint64_t size_ = 0;
};

/// A message with so many bytes of data must have room beside all those that are not known to have been received: if
/// not, it is a violation, and the run goes on. If it has none even alone, the error has been delivered.
int check_room(const Call& call, MPI_Comm comm, std::uint64_t bytes);

}  // namespace dampi::piggyback::central
