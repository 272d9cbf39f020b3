// MPI's functions come twice: with counts of type int and, with names that end in _c, of type MPI_Count. Bodies take a
// Count, which stands for both; the program's call is passed on in the width in which it was made, so that MPI says the
// same of it (in error messages).
#pragma once

#include <climits>

#include <mpi.h>

namespace dampi::piggyback {

/// How many elements a message has, and whether the program called a function for large counts.
struct Count {
    MPI_Count value = 0;
    bool large = false;

    Count() = default;
    Count(int count) : value(count) {}                     // NOLINT(google-explicit-constructor): by overloading
    Count(MPI_Count count) : value(count), large(true) {}  // NOLINT(google-explicit-constructor): likewise

    /// For calls of the layer's own: the usual functions as long as they can take it.
    static Count narrowed(MPI_Count count) { return count <= INT_MAX ? Count(static_cast<int>(count)) : Count(count); }
};

/// One of MPI's functions in both widths; the count is the second argument.
template <typename Small, typename Large>
struct BothWidths {
    Small* small;
    Large* large;

    template <typename Buffer, typename... Rest>
    int operator()(Buffer buffer, Count count, Rest... rest) const {
        return count.large ? large(buffer, count.value, rest...)
                           : small(buffer, static_cast<int>(count.value), rest...);
    }
};
template <typename Small, typename Large>
BothWidths(Small*, Large*) -> BothWidths<Small, Large>;

}  // namespace dampi::piggyback
