// What a program that was compiled with Open MPI's mpi.h (version 4 or 5) has otherwise than one with MPICH's: handles,
// statuses and the values of constants. A test compares with Open MPI's headers. What is the same in both (MPI_ANY_TAG,
// MPI_UNDEFINED, MPI_BOTTOM, results of comparisons, thread levels, flags of files, sizes of MPI_Aint, MPI_Offset and
// MPI_Count) is not here.
#pragma once

#include <cstddef>

namespace dampi::piggyback::openmpi {

/// A pointer to something that the program knows nothing of.
using Handle = const void*;

/// In Fortran six numbers in a row, which may be where a std::size_t may not.
struct __attribute__((packed, aligned(4))) Status {
    int source;
    int tag;
    int error;
    int cancelled;
    std::size_t bytes;
};

inline constexpr int any_source = -1;
inline constexpr int proc_null = -2;
inline constexpr int root = -4;

inline constexpr std::size_t in_place = 1;
inline constexpr std::size_t unweighted = 2;
inline constexpr std::size_t weights_empty = 3;
inline constexpr std::nullptr_t status_ignore = nullptr;

/// Room that the program gives for a string, its end included.
inline constexpr int error_string_room = 256;
inline constexpr int object_name_room = 64;
inline constexpr int library_version_room = 256;
inline constexpr int info_key_room = 37;

inline constexpr int cart = 1;
inline constexpr int graph = 2;
inline constexpr int dist_graph = 3;

inline constexpr int order_c = 0;
inline constexpr int order_fortran = 1;
inline constexpr int distribute_block = 0;
inline constexpr int distribute_cyclic = 1;
inline constexpr int distribute_none = 2;
inline constexpr int distribute_default_argument = -1;

inline constexpr int mode_nocheck = 1;
inline constexpr int mode_noprecede = 2;
inline constexpr int mode_noput = 4;
inline constexpr int mode_nostore = 8;
inline constexpr int mode_nosucceed = 16;
inline constexpr int lock_exclusive = 1;
inline constexpr int lock_shared = 2;

inline constexpr int win_unified = 0;
inline constexpr int win_separate = 1;

inline constexpr int typeclass_integer = 1;
inline constexpr int typeclass_real = 2;
inline constexpr int typeclass_complex = 3;

inline constexpr int comm_type_shared = 0;

inline constexpr int keyval_invalid = -1;
/// Predefined attributes, from 0 on.
enum Keyval {
    tag_ub,
    host,
    io,
    wtime_is_global,
    appnum,
    lastusedcode,
    universe_size,
    win_base,
    win_size,
    win_disp_unit,
    win_create_flavor,
    win_model,
    keyvals
};

/// Datatypes' constructors, from 0 on.
enum Combiner {
    combiner_named,
    combiner_dup,
    combiner_contiguous,
    combiner_vector,
    combiner_hvector_integer,
    combiner_hvector,
    combiner_indexed,
    combiner_hindexed_integer,
    combiner_hindexed,
    combiner_indexed_block,
    combiner_struct_integer,
    combiner_struct,
    combiner_subarray,
    combiner_darray,
    combiner_f90_real,
    combiner_f90_complex,
    combiner_f90_integer,
    combiner_resized,
    combiner_hindexed_block,
    combiners
};

}  // namespace dampi::piggyback::openmpi
