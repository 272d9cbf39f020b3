// What the light layer follows so that a deadlock can be decided from facts: counts the messages that the rank's first
// thread sends and receives, and says what the call that it is in waits for (transport/watch's Traffic). Where it
// cannot follow the program it says so, once and for all. Calls of one thread only.
#pragma once

#include "piggyback/watch/shapes.hpp"
#include "transport/watch/watch_board.hpp"

#include <cstdint>

namespace dampi::piggyback::watch {

/// What the MPI library in use is asked, and how it is to be understood.
struct Library {
    bool is_open_mpi = false;  ///< else of MPICH's kin
    std::uint64_t world = 0;   ///< handles of predefined objects
    std::uint64_t self = 0;
    std::uint64_t no_communicator = 0;
    std::uint64_t no_request = 0;
    using Asked = int (*)(std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t);
    Asked group_of = nullptr;  ///< PMPI_Comm_group
    Asked free_group = nullptr;
    Asked translate = nullptr;  ///< PMPI_Group_translate_ranks
    Asked size_of = nullptr;
    Asked is_inter = nullptr;
};

/// After MPI_Init. Nothing is followed before.
void begin_traffic(transport::watch::Traffic& traffic, const Library& library, int rank, int size, int thread_level,
                   std::uint32_t doubts) noexcept;

/// Whatever the first thread calls now or later says nothing any more.
void doubt_traffic(std::uint32_t reason) noexcept;

/// A call begins. `waits`: it does not answer "nothing yet".
void begin_call(const Shape& shape, const std::uint64_t* words, bool waits) noexcept;

/// It has ended. `success`: with MPI_SUCCESS; `found`: it has not answered "nothing yet".
void end_call(const Shape& shape, const std::uint64_t* words, bool success, bool found) noexcept;

}  // namespace dampi::piggyback::watch
