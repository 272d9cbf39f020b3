// What a patched MPI library (piggyback/mpich) offers beside MPI: a value in the packet of each message, by which its
// receiver knows the message's envelope, and one that comes back from the receive, by which the sender of a synchronous
// message knows which that was. And a sleep that ends when something arrives. With a library that has no such functions
// nothing here does anything.
//
// Values only name what lies in the memory that the ranks share (envelopes, postings); what is known there, of whatever
// size, does not travel.
#pragma once

#include "base/types.hpp"
#include "clocks/lazy_clocks.hpp"
#include "piggyback/mpich/dampi_mpich.h"
#include "replay/piggyback.hpp"

#include <cstdint>
#include <optional>

#include <mpi.h>

namespace dampi::piggyback {

/// The library's functions; null where it does not offer them.
struct PatchedLibrary {
    decltype(&dampi_mpich_value) value = nullptr;
    decltype(&dampi_mpich_bind) bind = nullptr;
    decltype(&dampi_mpich_probed) probed = nullptr;
    decltype(&dampi_mpich_wait) wait = nullptr;
    decltype(&dampi_mpich_events) events = nullptr;
    decltype(&dampi_mpich_idle_hook) idle_hook = nullptr;
};

namespace library_values_detail {
/// Those that are used: without values the first three are null.
extern PatchedLibrary library;
}  // namespace library_values_detail

/// Looks for the functions, once, when MPI has been initialised. Values are used if the run is to have the native
/// piggyback; then a library without them ends the process with a sentence.
void find_library_values(replay::Piggyback piggyback);

/// Whether messages and receives carry values in this run.
[[nodiscard]] inline bool library_values_used() noexcept { return library_values_detail::library.value != nullptr; }

/// Whether the library is a patched one, with or without values: so MPICH's ch3 with a channel of sockets or memory.
[[nodiscard]] inline bool library_is_patched() noexcept { return library_values_detail::library.wait != nullptr; }

/// Where the library writes the values of one operation. Must stay where it is from bind() until MPI has completed the
/// operation, or unbind().
struct LibraryValues {
    dampi_mpich_values written{0, 0};
    bool bound = false;

    /// A receive's: the value of the message that it has matched; 0 for one without, or as long as it is not known.
    [[nodiscard]] std::uint64_t message() const noexcept { return __atomic_load_n(&written.message, __ATOMIC_ACQUIRE); }
    /// A send's: the value of the receive that has taken it; 0 likewise.
    [[nodiscard]] std::uint64_t receive() const noexcept { return __atomic_load_n(&written.receive, __ATOMIC_ACQUIRE); }

    /// Right after MPI has handed out the request.
    void bind(MPI_Request handle) noexcept {
        if (library_values_used()) {
            bound = true;
            library_values_detail::library.bind(handle, &written);
        }
    }
    /// The operation goes on without being watched.
    void unbind(MPI_Request handle) noexcept {
        if (bound) {
            bound = false;
            library_values_detail::library.bind(handle, nullptr);
        }
    }
    /// For the message that a probe of this thread has just found.
    void take_probed() noexcept {
        if (library_values_used()) {
            bound = true;
            written.message = library_values_detail::library.probed();
        }
    }
};

/// While it lives, operations that this thread starts carry the value. What is started otherwise (inside of
/// collectives, say) carries none.
class Carried {
public:
    explicit Carried(std::uint64_t value) noexcept {
        if (library_values_used()) {
            library_values_detail::library.value(value);
        }
    }
    ~Carried() {
        if (library_values_used()) {
            library_values_detail::library.value(0);
        }
    }
    Carried(const Carried&) = delete;
    Carried& operator=(const Carried&) = delete;
};

/// A rank, and the number of what it has made: an envelope that it has sent, or a posting.
struct Named {
    base::Rank rank = 0;
    std::uint64_t number = 0;

    bool operator==(const Named&) const = default;
};

namespace library_values_detail {
inline constexpr unsigned number_bits = 40;
}  // namespace library_values_detail

/// As a value, which is never 0. Ranks are below 2^23, numbers below 2^40.
[[nodiscard]] constexpr std::uint64_t value_of(const Named& named) {
    return ((static_cast<std::uint64_t>(named.rank) + 1) << library_values_detail::number_bits) | named.number;
}

/// The inverse; nothing for 0.
[[nodiscard]] constexpr std::optional<Named> named_by(std::uint64_t value) {
    if (value == 0) {
        return std::nullopt;
    }
    constexpr std::uint64_t numbers = (std::uint64_t{1} << library_values_detail::number_bits) - 1;
    return Named{.rank = static_cast<base::Rank>((value >> library_values_detail::number_bits) - 1),
                 .number = value & numbers};
}

}  // namespace dampi::piggyback
