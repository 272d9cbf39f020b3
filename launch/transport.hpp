// Settings of MPICH and UCX: those that make a job's start-up cheaper without the program being able to tell, and
// the one that decides which sends wait for their receive.
#pragma once

#include "launch/program/program.hpp"
#include "replay/buffering.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace dampi::launch {

struct TransportChoice {
    std::string name;
    std::string value;  ///< empty: the variable is left alone
    std::string why;    ///< a phrase for people
};

/// What was decided about each of the settings. A variable that the user has set, in our environment or in `chosen`
/// (what he wants in the ranks' environment), is left alone, and so is one that would defeat such a setting.
/// `patched`: for the patched MPICH (mpi_library.hpp), which has other settings.
std::vector<TransportChoice> transport_choices(const Program& program,
                                               const std::vector<std::pair<std::string, std::string>>& chosen = {},
                                               bool patched = false);

/// The setting for ranks that initialise the package's MPICH alone and send through it to nobody but themselves: UCX
/// need not load the transports to other machines, which are most of what is mapped in such a process.
TransportChoice choice_for_ranks_alone(const std::vector<std::pair<std::string, std::string>>& chosen = {});

/// The setting for ranks of which parts of the memory are closed at times (--check-buffers), beside those `choices`: no
/// other process may have the system read or write there, which would fail.
TransportChoice choice_for_closed_memory(const std::vector<TransportChoice>& choices,
                                         const std::vector<std::pair<std::string, std::string>>& chosen = {});

/// Likewise for ranks with windows: accesses to these are messages, which their targets take in calls of their own. No
/// value where that cannot be had.
TransportChoice choice_for_accesses_by_messages(const Program& program, const std::vector<TransportChoice>& choices,
                                                const std::vector<std::pair<std::string, std::string>>& chosen = {});

/// The variables to add to the ranks' environment. Empty for a program for which nothing is safe.
std::vector<std::pair<std::string, std::string>> transport_environment(const std::vector<TransportChoice>& choices);

/// Where the library begins to let a send wait for its receive (rendezvous).
struct Rendezvous {
    /// Variables to set, also against the user's.
    std::vector<std::pair<std::string, std::string>> settings;
    /// Messages of at least so many bytes wait, smaller ones do not. no_rendezvous where none does, and where
    /// the user has set something that is not understood, so that nothing is known.
    std::uint64_t threshold = replay::no_rendezvous;
};

/// `chosen` and `patched` as above. The user's own threshold is respected unless buffering is infinite; it is UCX's for
/// the patched MPICH, too, so that a program finds the same sends waiting with both.
Rendezvous rendezvous_for(replay::Buffering buffering,
                          const std::vector<std::pair<std::string, std::string>>& chosen = {}, bool patched = false);

}  // namespace dampi::launch
