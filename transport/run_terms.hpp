// How a run is to be, for all its ranks alike: what dampi-run settles before they start. Nobody changes it afterwards.
#pragma once

#include <cstdint>

namespace dampi::transport {

/// Which orders between ranks clocks are to follow beside messages (clocks/marks.hpp).
enum Mark : std::uint32_t {
    mark_postings = 1,
    mark_buffered = 2,
    mark_windows = 8,
    marks_doubtful = 4,  ///< there may be an order between ranks that clocks do not know of
};

/// Whether the program's own loads and stores in buffers of pending operations and in windows are looked for.
enum BufferChecks : std::uint32_t {
    checks_no_buffers = 0,
    checks_where_it_can = 1,  ///< of what cannot be watched nothing is said
    checks_and_notes = 2,     ///< it is noted
};

struct RunTerms {
    std::uint32_t processes;
    std::uint32_t protocol;              ///< clocks::Protocol
    std::uint32_t virtual_time;          ///< 1: the program's clocks tell RankPort::passed()
    std::uint32_t buffering;             ///< replay::Buffering::Kind of standard-mode sends
    std::uint32_t record_stacks;         ///< 1: call stacks and follow-ups of epochs belong into the record
    std::uint32_t places_have_stacks;    ///< 1: each call of MPI is told as a place with its call stack (stack_places)
    std::uint32_t warns_unusual;         ///< 1: of calls that are legal, but unusual, a note is made
    std::uint32_t checks_buffers;        ///< BufferChecks
    std::uint32_t piggyback;             ///< replay::Piggyback
    std::uint32_t marks;                 ///< Mark: which are followed (clocks/marks.hpp)
    std::uint64_t free_seed;             ///< replay::Interleaving::free_seed
    std::uint64_t rendezvous_threshold;  ///< messages of so many bytes wait for their receive
};

}  // namespace dampi::transport
