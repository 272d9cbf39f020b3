#include "piggyback/rank/resources/type_contents.hpp"

#include <cstddef>
#include <utility>

namespace dampi::piggyback {
namespace {

bool is_basic_combiner(int combiner) {
    return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_INTEGER ||
           combiner == MPI_COMBINER_F90_REAL || combiner == MPI_COMBINER_F90_COMPLEX;
}

/// That of a predefined one where MPI refuses it.
int combiner_of(MPI_Datatype datatype) {
    MPI_Count integers = 0;
    MPI_Count addresses = 0;
    MPI_Count large_counts = 0;
    MPI_Count inner = 0;
    int combiner = MPI_COMBINER_NAMED;
    PMPI_Type_get_envelope_c(datatype, &integers, &addresses, &large_counts, &inner, &combiner);
    return combiner;
}

}  // namespace

TypeContents::TypeContents(MPI_Datatype datatype) {
    MPI_Count integers = 0;
    MPI_Count addresses = 0;
    MPI_Count large_counts = 0;
    MPI_Count inner = 0;
    if (PMPI_Type_get_envelope_c(datatype, &integers, &addresses, &large_counts, &inner, &combiner_) != MPI_SUCCESS) {
        return;
    }
    is_known_ = true;
    if (is_basic()) {
        return;
    }
    std::vector<int> small(static_cast<std::size_t>(integers));
    std::vector<MPI_Aint> displacements(static_cast<std::size_t>(addresses));
    std::vector<MPI_Count> large(static_cast<std::size_t>(large_counts));
    inner_.resize(static_cast<std::size_t>(inner), MPI_DATATYPE_NULL);
    is_known_ = PMPI_Type_get_contents_c(datatype, integers, addresses, large_counts, inner, small.data(),
                                         displacements.data(), large.data(), inner_.data()) == MPI_SUCCESS;
    numbers_.assign(small.begin(), small.end());
    if (!large.empty()) {
        numbers_ = std::move(large);
    }
}

TypeContents::~TypeContents() {
    for (MPI_Datatype& each : inner_) {
        if (each != MPI_DATATYPE_NULL && !is_basic_combiner(combiner_of(each))) {
            PMPI_Type_free(&each);
        }
    }
}

bool TypeContents::is_basic() const { return is_basic_combiner(combiner_); }

}  // namespace dampi::piggyback
