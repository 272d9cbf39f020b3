// Making and freeing datatypes, and taking them apart.
#include "piggyback/interception/calls.hpp"
#include "piggyback/rank/engine.hpp"
#include "piggyback/rank/resources/following.hpp"
#include "piggyback/rank/resources/held_datatype.hpp"

namespace dampi::piggyback::calls {

int type_contiguous(Call& call, int count, MPI_Datatype oldtype, MPI_Datatype* newtype) noexcept {
    return made(ResourceKind::datatype, call, PMPI_Type_contiguous(count, oldtype, newtype), newtype);
}

int type_vector(Call& call, int count, int blocklength, int stride, MPI_Datatype oldtype,
                MPI_Datatype* newtype) noexcept {
    return made(ResourceKind::datatype, call, PMPI_Type_vector(count, blocklength, stride, oldtype, newtype), newtype);
}

int type_indexed(Call& call, int count, const int array_of_blocklengths[], const int array_of_displacements[],
                 MPI_Datatype oldtype, MPI_Datatype* newtype) noexcept {
    const int result = PMPI_Type_indexed(count, array_of_blocklengths, array_of_displacements, oldtype, newtype);
    return made(ResourceKind::datatype, call, result, newtype);
}

int type_create_hvector(Call& call, int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype,
                        MPI_Datatype* newtype) noexcept {
    const int result = PMPI_Type_create_hvector(count, blocklength, stride, oldtype, newtype);
    return made(ResourceKind::datatype, call, result, newtype);
}

int type_create_hindexed(Call& call, int count, const int array_of_blocklengths[],
                         const MPI_Aint array_of_displacements[], MPI_Datatype oldtype,
                         MPI_Datatype* newtype) noexcept {
    const int result =
        PMPI_Type_create_hindexed(count, array_of_blocklengths, array_of_displacements, oldtype, newtype);
    return made(ResourceKind::datatype, call, result, newtype);
}

int type_create_indexed_block(Call& call, int count, int blocklength, const int array_of_displacements[],
                              MPI_Datatype oldtype, MPI_Datatype* newtype) noexcept {
    const int result = PMPI_Type_create_indexed_block(count, blocklength, array_of_displacements, oldtype, newtype);
    return made(ResourceKind::datatype, call, result, newtype);
}

int type_create_hindexed_block(Call& call, int count, int blocklength, const MPI_Aint array_of_displacements[],
                               MPI_Datatype oldtype, MPI_Datatype* newtype) noexcept {
    const int result = PMPI_Type_create_hindexed_block(count, blocklength, array_of_displacements, oldtype, newtype);
    return made(ResourceKind::datatype, call, result, newtype);
}

int type_create_struct(Call& call, int count, const int array_of_blocklengths[],
                       const MPI_Aint array_of_displacements[], const MPI_Datatype array_of_types[],
                       MPI_Datatype* newtype) noexcept {
    const int result =
        PMPI_Type_create_struct(count, array_of_blocklengths, array_of_displacements, array_of_types, newtype);
    return made(ResourceKind::datatype, call, result, newtype);
}

int type_create_resized(Call& call, MPI_Datatype oldtype, MPI_Aint lb, MPI_Aint extent,
                        MPI_Datatype* newtype) noexcept {
    return made(ResourceKind::datatype, call, PMPI_Type_create_resized(oldtype, lb, extent, newtype), newtype);
}

int type_create_subarray(Call& call, int ndims, const int array_of_sizes[], const int array_of_subsizes[],
                         const int array_of_starts[], int order, MPI_Datatype oldtype, MPI_Datatype* newtype) noexcept {
    const int result =
        PMPI_Type_create_subarray(ndims, array_of_sizes, array_of_subsizes, array_of_starts, order, oldtype, newtype);
    return made(ResourceKind::datatype, call, result, newtype);
}

int type_create_darray(Call& call, int size, int rank, int ndims, const int array_of_gsizes[],
                       const int array_of_distribs[], const int array_of_dargs[], const int array_of_psizes[],
                       int order, MPI_Datatype oldtype, MPI_Datatype* newtype) noexcept {
    const int result = PMPI_Type_create_darray(size, rank, ndims, array_of_gsizes, array_of_distribs, array_of_dargs,
                                               array_of_psizes, order, oldtype, newtype);
    return made(ResourceKind::datatype, call, result, newtype);
}

int type_dup(Call& call, MPI_Datatype oldtype, MPI_Datatype* newtype) noexcept {
    int result = MPI_SUCCESS;
    {
        const Call::ProgramRuns callbacks(call);
        result = PMPI_Type_dup(oldtype, newtype);
    }
    return made(ResourceKind::datatype, call, result, newtype);
}

int type_free(Call& call, MPI_Datatype* datatype) noexcept {
    if (datatype != nullptr && held_datatype(*datatype) == MPI_DATATYPE_NULL) {
        MPI_Datatype none = MPI_DATATYPE_NULL;
        return PMPI_Type_free(&none);
    }
    return freed(ResourceKind::datatype, datatype, [&] {
        if (datatype != nullptr) {
            Layer::current()->types.forget(*datatype);
            Layer::current()->elements.forget(*datatype);
        }
        const Call::ProgramRuns callbacks(call);
        return PMPI_Type_free(datatype);
    });
}

int type_contiguous_c(Call& call, MPI_Count count, MPI_Datatype oldtype, MPI_Datatype* newtype) noexcept {
    return made(ResourceKind::datatype, call, PMPI_Type_contiguous_c(count, oldtype, newtype), newtype);
}

int type_vector_c(Call& call, MPI_Count count, MPI_Count blocklength, MPI_Count stride, MPI_Datatype oldtype,
                  MPI_Datatype* newtype) noexcept {
    const int result = PMPI_Type_vector_c(count, blocklength, stride, oldtype, newtype);
    return made(ResourceKind::datatype, call, result, newtype);
}

int type_indexed_c(Call& call, MPI_Count count, const MPI_Count array_of_blocklengths[],
                   const MPI_Count array_of_displacements[], MPI_Datatype oldtype, MPI_Datatype* newtype) noexcept {
    const int result = PMPI_Type_indexed_c(count, array_of_blocklengths, array_of_displacements, oldtype, newtype);
    return made(ResourceKind::datatype, call, result, newtype);
}

int type_create_hvector_c(Call& call, MPI_Count count, MPI_Count blocklength, MPI_Count stride, MPI_Datatype oldtype,
                          MPI_Datatype* newtype) noexcept {
    const int result = PMPI_Type_create_hvector_c(count, blocklength, stride, oldtype, newtype);
    return made(ResourceKind::datatype, call, result, newtype);
}

int type_create_hindexed_c(Call& call, MPI_Count count, const MPI_Count array_of_blocklengths[],
                           const MPI_Count array_of_displacements[], MPI_Datatype oldtype,
                           MPI_Datatype* newtype) noexcept {
    const int result =
        PMPI_Type_create_hindexed_c(count, array_of_blocklengths, array_of_displacements, oldtype, newtype);
    return made(ResourceKind::datatype, call, result, newtype);
}

int type_create_indexed_block_c(Call& call, MPI_Count count, MPI_Count blocklength,
                                const MPI_Count array_of_displacements[], MPI_Datatype oldtype,
                                MPI_Datatype* newtype) noexcept {
    const int result = PMPI_Type_create_indexed_block_c(count, blocklength, array_of_displacements, oldtype, newtype);
    return made(ResourceKind::datatype, call, result, newtype);
}

int type_create_hindexed_block_c(Call& call, MPI_Count count, MPI_Count blocklength,
                                 const MPI_Count array_of_displacements[], MPI_Datatype oldtype,
                                 MPI_Datatype* newtype) noexcept {
    const int result = PMPI_Type_create_hindexed_block_c(count, blocklength, array_of_displacements, oldtype, newtype);
    return made(ResourceKind::datatype, call, result, newtype);
}

int type_create_struct_c(Call& call, MPI_Count count, const MPI_Count array_of_blocklengths[],
                         const MPI_Count array_of_displacements[], const MPI_Datatype array_of_types[],
                         MPI_Datatype* newtype) noexcept {
    const int result =
        PMPI_Type_create_struct_c(count, array_of_blocklengths, array_of_displacements, array_of_types, newtype);
    return made(ResourceKind::datatype, call, result, newtype);
}

int type_create_resized_c(Call& call, MPI_Datatype oldtype, MPI_Count lb, MPI_Count extent,
                          MPI_Datatype* newtype) noexcept {
    return made(ResourceKind::datatype, call, PMPI_Type_create_resized_c(oldtype, lb, extent, newtype), newtype);
}

int type_create_subarray_c(Call& call, int ndims, const MPI_Count array_of_sizes[], const MPI_Count array_of_subsizes[],
                           const MPI_Count array_of_starts[], int order, MPI_Datatype oldtype,
                           MPI_Datatype* newtype) noexcept {
    const int result =
        PMPI_Type_create_subarray_c(ndims, array_of_sizes, array_of_subsizes, array_of_starts, order, oldtype, newtype);
    return made(ResourceKind::datatype, call, result, newtype);
}

int type_create_darray_c(Call& call, int size, int rank, int ndims, const MPI_Count array_of_gsizes[],
                         const int array_of_distribs[], const int array_of_dargs[], const int array_of_psizes[],
                         int order, MPI_Datatype oldtype, MPI_Datatype* newtype) noexcept {
    const int result = PMPI_Type_create_darray_c(size, rank, ndims, array_of_gsizes, array_of_distribs, array_of_dargs,
                                                 array_of_psizes, order, oldtype, newtype);
    return made(ResourceKind::datatype, call, result, newtype);
}

int type_hvector(Call& call, int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype,
                 MPI_Datatype* newtype) noexcept {
    return made(ResourceKind::datatype, call, PMPI_Type_hvector(count, blocklength, stride, oldtype, newtype), newtype);
}

int type_hindexed(Call& call, int count, int array_of_blocklengths[], MPI_Aint array_of_displacements[],
                  MPI_Datatype oldtype, MPI_Datatype* newtype) noexcept {
    const int result = PMPI_Type_hindexed(count, array_of_blocklengths, array_of_displacements, oldtype, newtype);
    return made(ResourceKind::datatype, call, result, newtype);
}

int type_struct(Call& call, int count, int array_of_blocklengths[], MPI_Aint array_of_displacements[],
                MPI_Datatype array_of_types[], MPI_Datatype* newtype) noexcept {
    const int result = PMPI_Type_struct(count, array_of_blocklengths, array_of_displacements, array_of_types, newtype);
    return made(ResourceKind::datatype, call, result, newtype);
}

int type_create_f90_complex(Call& call, int p, int r, MPI_Datatype* newtype) noexcept {
    return made_datatypes(call, PMPI_Type_create_f90_complex(p, r, newtype), newtype, 1);
}

int type_create_f90_integer(Call& call, int r, MPI_Datatype* newtype) noexcept {
    return made_datatypes(call, PMPI_Type_create_f90_integer(r, newtype), newtype, 1);
}

int type_create_f90_real(Call& call, int p, int r, MPI_Datatype* newtype) noexcept {
    return made_datatypes(call, PMPI_Type_create_f90_real(p, r, newtype), newtype, 1);
}

int type_get_contents(Call& call, MPI_Datatype datatype, int max_integers, int max_addresses, int max_datatypes,
                      int array_of_integers[], MPI_Aint array_of_addresses[],
                      MPI_Datatype array_of_datatypes[]) noexcept {
    const int result = PMPI_Type_get_contents(datatype, max_integers, max_addresses, max_datatypes, array_of_integers,
                                              array_of_addresses, array_of_datatypes);
    int integers = 0;
    int addresses = 0;
    int datatypes = 0;
    int combiner = 0;
    if (result == MPI_SUCCESS) {
        PMPI_Type_get_envelope(datatype, &integers, &addresses, &datatypes, &combiner);
    }
    return made_datatypes(call, result, array_of_datatypes, datatypes);
}

int type_get_contents_c(Call& call, MPI_Datatype datatype, MPI_Count max_integers, MPI_Count max_addresses,
                        MPI_Count max_large_counts, MPI_Count max_datatypes, int array_of_integers[],
                        MPI_Aint array_of_addresses[], MPI_Count array_of_large_counts[],
                        MPI_Datatype array_of_datatypes[]) noexcept {
    const int result =
        PMPI_Type_get_contents_c(datatype, max_integers, max_addresses, max_large_counts, max_datatypes,
                                 array_of_integers, array_of_addresses, array_of_large_counts, array_of_datatypes);
    MPI_Count integers = 0;
    MPI_Count addresses = 0;
    MPI_Count large_counts = 0;
    MPI_Count datatypes = 0;
    int combiner = 0;
    if (result == MPI_SUCCESS) {
        PMPI_Type_get_envelope_c(datatype, &integers, &addresses, &large_counts, &datatypes, &combiner);
    }
    return made_datatypes(call, result, array_of_datatypes, datatypes);
}

}  // namespace dampi::piggyback::calls
