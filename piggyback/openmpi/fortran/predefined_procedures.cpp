#include "piggyback/openmpi/fortran/predefined_procedures.hpp"

#include <algorithm>
#include <array>

#define VISIBLE __attribute__((visibility("default")))

extern "C" {

// The names under which compilers and Open MPI's own modules know a procedure.
#define NAMES(lower, upper)                                                                                          \
    __asm__(".globl mpi_" #lower "\n.set mpi_" #lower ", mpi_" #lower "_\n.globl mpi_" #lower "__\n.set mpi_" #lower \
            "__, mpi_" #lower "_\n.globl MPI_" #upper "\n.set MPI_" #upper ", mpi_" #lower "_\n.globl ompi_" #lower  \
            "_f\n.set ompi_" #lower "_f, mpi_" #lower "_\n");
// NOLINTBEGIN(bugprone-macro-parentheses)
#define PREDEFINED_PROCEDURES(object, OBJECT, value)                                                             \
    VISIBLE void mpi_##object##null_copy_fn_(int*, int*, value*, value*, value*, int* flag, int* error) {        \
        *flag = 0;                                                                                               \
        *error = 0;                                                                                              \
    }                                                                                                            \
    VISIBLE void mpi_##object##dup_fn_(int*, int*, value*, const value* in, value* out, int* flag, int* error) { \
        *flag = 1;                                                                                               \
        *out = *in;                                                                                              \
        *error = 0;                                                                                              \
    }                                                                                                            \
    VISIBLE void mpi_##object##null_delete_fn_(int*, int*, value*, value*, int* error) { *error = 0; }           \
    NAMES(object##null_copy_fn, OBJECT##NULL_COPY_FN)                                                            \
    NAMES(object##dup_fn, OBJECT##DUP_FN)                                                                        \
    NAMES(object##null_delete_fn, OBJECT##NULL_DELETE_FN)
// NOLINTEND(bugprone-macro-parentheses)
PREDEFINED_PROCEDURES(comm_, COMM_, MPI_Aint)
PREDEFINED_PROCEDURES(type_, TYPE_, MPI_Aint)
PREDEFINED_PROCEDURES(win_, WIN_, MPI_Aint)
PREDEFINED_PROCEDURES(, , int)

/// Never called: it says that there is none.
VISIBLE void mpi_conversion_fn_null_() {}
NAMES(conversion_fn_null, CONVERSION_FN_NULL)
VISIBLE void mpi_conversion_fn_null_f() __attribute__((alias("mpi_conversion_fn_null_")));
}

namespace dampi::piggyback::openmpi::fortran {
namespace {

struct Known {
    const void* procedure;
    Predefined what;
};

template <typename Procedure>
Known known(Procedure* procedure, Predefined what) {
    return {reinterpret_cast<const void*>(procedure), what};
}

}  // namespace

Predefined predefined_procedure(const void* procedure) noexcept {
    static const std::array all{known(mpi_comm_null_copy_fn_, Predefined::null_copy),
                                known(mpi_type_null_copy_fn_, Predefined::null_copy),
                                known(mpi_win_null_copy_fn_, Predefined::null_copy),
                                known(mpi_null_copy_fn_, Predefined::null_copy),
                                known(mpi_comm_dup_fn_, Predefined::dup),
                                known(mpi_type_dup_fn_, Predefined::dup),
                                known(mpi_win_dup_fn_, Predefined::dup),
                                known(mpi_dup_fn_, Predefined::dup),
                                known(mpi_comm_null_delete_fn_, Predefined::null_delete),
                                known(mpi_type_null_delete_fn_, Predefined::null_delete),
                                known(mpi_win_null_delete_fn_, Predefined::null_delete),
                                known(mpi_null_delete_fn_, Predefined::null_delete),
                                known(mpi_conversion_fn_null_, Predefined::null_conversion)};
    const auto* found =
        std::find_if(all.begin(), all.end(), [procedure](const Known& each) { return each.procedure == procedure; });
    return found != all.end() ? found->what : Predefined::none;
}

}  // namespace dampi::piggyback::openmpi::fortran
