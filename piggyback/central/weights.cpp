#include "piggyback/central/weights.hpp"

#include "piggyback/rank/next_function.hpp"

namespace dampi::piggyback::central {

const int* unweighted() {
    static const int* const value = *next_function<int* const*>("MPI_UNWEIGHTED", "libmpich.so.12");
    return value;
}

const int* weights_empty() {
    static const int* const value = *next_function<int* const*>("MPI_WEIGHTS_EMPTY", "libmpich.so.12");
    return value;
}

}  // namespace dampi::piggyback::central
