#include "piggyback/openmpi/values.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace dampi::piggyback::openmpi {
namespace {

struct Pair {
    int openmpi;
    int mpich;
};

template <std::size_t size>
int mpich_of(const std::array<Pair, size>& pairs, int value) {
    const auto found =
        std::find_if(pairs.begin(), pairs.end(), [value](const Pair& pair) { return pair.openmpi == value; });
    return found != pairs.end() ? found->mpich : value;
}

template <std::size_t size>
int openmpi_of(const std::array<Pair, size>& pairs, int value) {
    const auto found =
        std::find_if(pairs.begin(), pairs.end(), [value](const Pair& pair) { return pair.mpich == value; });
    return found != pairs.end() ? found->openmpi : value;
}

/// A value that one library gives a meaning and the other does not has to lose it, so each list is a permutation.
constexpr std::array ranks{Pair{any_source, MPI_ANY_SOURCE}, Pair{proc_null, MPI_PROC_NULL}, Pair{root, MPI_ROOT},
                           Pair{-3, -4}};  // -3 is MPICH's root, -4 Open MPI's

constexpr std::array error_classes{
#define ERROR_CLASS(name, value) Pair{value, name},
#include "piggyback/openmpi/error_classes.def"
#undef ERROR_CLASS
};

constexpr std::array asserts{Pair{mode_nocheck, MPI_MODE_NOCHECK}, Pair{mode_noprecede, MPI_MODE_NOPRECEDE},
                             Pair{mode_noput, MPI_MODE_NOPUT}, Pair{mode_nostore, MPI_MODE_NOSTORE},
                             Pair{mode_nosucceed, MPI_MODE_NOSUCCEED}};
constexpr std::array lock_types{Pair{lock_exclusive, MPI_LOCK_EXCLUSIVE}, Pair{lock_shared, MPI_LOCK_SHARED}};
constexpr std::array orders{Pair{order_c, MPI_ORDER_C}, Pair{order_fortran, MPI_ORDER_FORTRAN}};
constexpr std::array distributions{Pair{distribute_block, MPI_DISTRIBUTE_BLOCK},
                                   Pair{distribute_cyclic, MPI_DISTRIBUTE_CYCLIC},
                                   Pair{distribute_none, MPI_DISTRIBUTE_NONE}};
constexpr std::array distribution_arguments{Pair{distribute_default_argument, MPI_DISTRIBUTE_DFLT_DARG}};
constexpr std::array typeclasses{Pair{typeclass_integer, MPI_TYPECLASS_INTEGER},
                                 Pair{typeclass_real, MPI_TYPECLASS_REAL},
                                 Pair{typeclass_complex, MPI_TYPECLASS_COMPLEX}};
constexpr std::array split_types{Pair{comm_type_shared, MPI_COMM_TYPE_SHARED}};
constexpr std::array topologies{Pair{cart, MPI_CART}, Pair{graph, MPI_GRAPH}, Pair{dist_graph, MPI_DIST_GRAPH}};
constexpr std::array combiner_values{Pair{combiner_named, MPI_COMBINER_NAMED},
                                     Pair{combiner_dup, MPI_COMBINER_DUP},
                                     Pair{combiner_contiguous, MPI_COMBINER_CONTIGUOUS},
                                     Pair{combiner_vector, MPI_COMBINER_VECTOR},
                                     Pair{combiner_hvector_integer, MPI_COMBINER_HVECTOR_INTEGER},
                                     Pair{combiner_hvector, MPI_COMBINER_HVECTOR},
                                     Pair{combiner_indexed, MPI_COMBINER_INDEXED},
                                     Pair{combiner_hindexed_integer, MPI_COMBINER_HINDEXED_INTEGER},
                                     Pair{combiner_hindexed, MPI_COMBINER_HINDEXED},
                                     Pair{combiner_indexed_block, MPI_COMBINER_INDEXED_BLOCK},
                                     Pair{combiner_struct_integer, MPI_COMBINER_STRUCT_INTEGER},
                                     Pair{combiner_struct, MPI_COMBINER_STRUCT},
                                     Pair{combiner_subarray, MPI_COMBINER_SUBARRAY},
                                     Pair{combiner_darray, MPI_COMBINER_DARRAY},
                                     Pair{combiner_f90_real, MPI_COMBINER_F90_REAL},
                                     Pair{combiner_f90_complex, MPI_COMBINER_F90_COMPLEX},
                                     Pair{combiner_f90_integer, MPI_COMBINER_F90_INTEGER},
                                     Pair{combiner_resized, MPI_COMBINER_RESIZED},
                                     Pair{combiner_hindexed_block, MPI_COMBINER_HINDEXED_BLOCK}};
static_assert(combiner_values.size() == combiners);
constexpr std::array keyval_values{Pair{keyval_invalid, MPI_KEYVAL_INVALID},
                                   Pair{tag_ub, MPI_TAG_UB},
                                   Pair{host, MPI_HOST},
                                   Pair{io, MPI_IO},
                                   Pair{wtime_is_global, MPI_WTIME_IS_GLOBAL},
                                   Pair{appnum, MPI_APPNUM},
                                   Pair{lastusedcode, MPI_LASTUSEDCODE},
                                   Pair{universe_size, MPI_UNIVERSE_SIZE},
                                   Pair{win_base, MPI_WIN_BASE},
                                   Pair{win_size, MPI_WIN_SIZE},
                                   Pair{win_disp_unit, MPI_WIN_DISP_UNIT},
                                   Pair{win_create_flavor, MPI_WIN_CREATE_FLAVOR},
                                   Pair{win_model, MPI_WIN_MODEL}};
static_assert(keyval_values.size() == keyvals + 1);

/// MPICH's codes have their class there; one with the bit above was made by the program.
constexpr int class_mask = 0x7f;
constexpr int made_by_program = 0x40000000;

}  // namespace

int rank_to_mpich(int rank) noexcept { return rank < 0 ? mpich_of(ranks, rank) : rank; }
int rank_to_openmpi(int rank) noexcept { return rank < 0 ? openmpi_of(ranks, rank) : rank; }

MPI_Status to_mpich(const Status& status) noexcept {
    MPI_Status result{};
    result.count_lo = static_cast<int>(status.bytes);
    result.count_hi_and_cancelled = static_cast<int>((status.bytes >> 32U) << 1U) | (status.cancelled != 0 ? 1 : 0);
    result.MPI_SOURCE = rank_to_mpich(status.source);
    result.MPI_TAG = status.tag;
    result.MPI_ERROR = code_to_mpich(status.error);
    return result;
}

Status to_openmpi(const MPI_Status& status) noexcept {
    const auto high = static_cast<std::size_t>(static_cast<unsigned>(status.count_hi_and_cancelled) >> 1U);
    return {.source = rank_to_openmpi(status.MPI_SOURCE),
            .tag = status.MPI_TAG,
            .error = code_to_openmpi(status.MPI_ERROR),
            .cancelled = status.count_hi_and_cancelled & 1,
            .bytes = (high << 32U) | static_cast<unsigned>(status.count_lo)};
}

int code_to_mpich(int code) noexcept { return code == 0 ? 0 : mpich_of(error_classes, code); }

int code_to_openmpi(int code) noexcept {
    if (code == 0 || (code & made_by_program) != 0) {
        return code;
    }
    return openmpi_of(error_classes, code & class_mask);
}

int assert_to_mpich(int assert) noexcept {
    int result = 0;
    for (const Pair& pair : asserts) {
        if ((assert& pair.openmpi) != 0) {
            result |= pair.mpich;
            assert &= ~pair.openmpi;
        }
    }
    return result | assert;
}

int lock_type_to_mpich(int type) noexcept { return mpich_of(lock_types, type); }
int order_to_mpich(int order) noexcept { return mpich_of(orders, order); }
int order_to_openmpi(int order) noexcept { return openmpi_of(orders, order); }
int distribution_to_mpich(int distribution) noexcept { return mpich_of(distributions, distribution); }
int distribution_to_openmpi(int distribution) noexcept { return openmpi_of(distributions, distribution); }
int distribution_argument_to_mpich(int argument) noexcept { return mpich_of(distribution_arguments, argument); }
int distribution_argument_to_openmpi(int argument) noexcept { return openmpi_of(distribution_arguments, argument); }
int typeclass_to_mpich(int typeclass) noexcept { return mpich_of(typeclasses, typeclass); }
int split_type_to_mpich(int type) noexcept { return mpich_of(split_types, type); }
int topology_to_openmpi(int topology) noexcept { return openmpi_of(topologies, topology); }
int combiner_to_openmpi(int combiner) noexcept { return openmpi_of(combiner_values, combiner); }
int keyval_to_mpich(int keyval) noexcept { return mpich_of(keyval_values, keyval); }
int keyval_to_openmpi(int keyval) noexcept { return openmpi_of(keyval_values, keyval); }

}  // namespace dampi::piggyback::openmpi
