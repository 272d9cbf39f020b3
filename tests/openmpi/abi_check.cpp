// Built with Open MPI: that what piggyback/openmpi knows of Open MPI's programs is what its headers say. Run with the
// real library; prints what differs. Exit status: 0 nothing, 1 something.
#include "piggyback/openmpi/abi.hpp"

#include <mpi.h>

#include <cstdint>
#include <cstdio>
#include <string>

namespace abi = dampi::piggyback::openmpi;

static_assert(abi::any_source == MPI_ANY_SOURCE && abi::proc_null == MPI_PROC_NULL && abi::root == MPI_ROOT);
static_assert(MPI_ANY_TAG == -1 && MPI_UNDEFINED == -32766 && MPI_SUCCESS == 0);
static_assert(sizeof(abi::Status) == sizeof(MPI_Status) &&
              offsetof(abi::Status, source) == offsetof(MPI_Status, MPI_SOURCE) &&
              offsetof(abi::Status, tag) == offsetof(MPI_Status, MPI_TAG) &&
              offsetof(abi::Status, error) == offsetof(MPI_Status, MPI_ERROR) &&
              offsetof(abi::Status, cancelled) == offsetof(MPI_Status, _cancelled) &&
              offsetof(abi::Status, bytes) == offsetof(MPI_Status, _ucount));
static_assert(abi::error_string_room == MPI_MAX_ERROR_STRING && abi::object_name_room == MPI_MAX_OBJECT_NAME &&
              abi::library_version_room == MPI_MAX_LIBRARY_VERSION_STRING &&
              abi::info_key_room == MPI_MAX_INFO_KEY + 1);
static_assert(MPI_MAX_PROCESSOR_NAME >= 128);  // MPICH's
static_assert(abi::cart == MPI_CART && abi::graph == MPI_GRAPH && abi::dist_graph == MPI_DIST_GRAPH);
static_assert(abi::order_c == MPI_ORDER_C && abi::order_fortran == MPI_ORDER_FORTRAN);
static_assert(abi::distribute_block == MPI_DISTRIBUTE_BLOCK && abi::distribute_cyclic == MPI_DISTRIBUTE_CYCLIC &&
              abi::distribute_none == MPI_DISTRIBUTE_NONE &&
              abi::distribute_default_argument == MPI_DISTRIBUTE_DFLT_DARG);
static_assert(abi::mode_nocheck == MPI_MODE_NOCHECK && abi::mode_noprecede == MPI_MODE_NOPRECEDE &&
              abi::mode_noput == MPI_MODE_NOPUT && abi::mode_nostore == MPI_MODE_NOSTORE &&
              abi::mode_nosucceed == MPI_MODE_NOSUCCEED);
static_assert(abi::lock_exclusive == MPI_LOCK_EXCLUSIVE && abi::lock_shared == MPI_LOCK_SHARED);
static_assert(abi::win_unified == MPI_WIN_UNIFIED && abi::win_separate == MPI_WIN_SEPARATE);
static_assert(abi::typeclass_integer == MPI_TYPECLASS_INTEGER && abi::typeclass_real == MPI_TYPECLASS_REAL &&
              abi::typeclass_complex == MPI_TYPECLASS_COMPLEX);
static_assert(abi::comm_type_shared == MPI_COMM_TYPE_SHARED && abi::keyval_invalid == MPI_KEYVAL_INVALID);
static_assert(int(abi::tag_ub) == int(MPI_TAG_UB) && int(abi::lastusedcode) == int(MPI_LASTUSEDCODE) &&
              int(abi::universe_size) == int(MPI_UNIVERSE_SIZE) && int(abi::win_base) == int(MPI_WIN_BASE) &&
              int(abi::win_model) == int(MPI_WIN_MODEL));
static_assert(int(abi::combiner_named) == int(MPI_COMBINER_NAMED) &&
              int(abi::combiner_struct) == int(MPI_COMBINER_STRUCT) &&
              int(abi::combiner_resized) == int(MPI_COMBINER_RESIZED) &&
              int(abi::combiner_hindexed_block) == int(MPI_COMBINER_HINDEXED_BLOCK));
// The same in both libraries.
static_assert(MPI_MODE_CREATE == 1 && MPI_MODE_RDONLY == 2 && MPI_MODE_WRONLY == 4 && MPI_MODE_RDWR == 8 &&
              MPI_MODE_DELETE_ON_CLOSE == 16 && MPI_MODE_UNIQUE_OPEN == 32 && MPI_MODE_EXCL == 64 &&
              MPI_MODE_APPEND == 128 && MPI_MODE_SEQUENTIAL == 256 && MPI_SEEK_SET == 600 && MPI_SEEK_CUR == 602 &&
              MPI_SEEK_END == 604 && MPI_DISPLACEMENT_CURRENT == -54278278);
static_assert(MPI_IDENT == 0 && MPI_CONGRUENT == 1 && MPI_SIMILAR == 2 && MPI_UNEQUAL == 3);
static_assert(MPI_THREAD_SINGLE == 0 && MPI_THREAD_FUNNELED == 1 && MPI_THREAD_SERIALIZED == 2 &&
              MPI_THREAD_MULTIPLE == 3);
static_assert(MPI_WIN_FLAVOR_CREATE == 1 && MPI_WIN_FLAVOR_ALLOCATE == 2 && MPI_WIN_FLAVOR_DYNAMIC == 3 &&
              MPI_WIN_FLAVOR_SHARED == 4);
static_assert(sizeof(MPI_Aint) == sizeof(long) && sizeof(MPI_Offset) == 8 && sizeof(MPI_Count) == 8 &&
              sizeof(MPI_Fint) == 4);

#define ERROR_CLASS(name, value) static_assert(name == (value));
#include "piggyback/openmpi/error_classes.def"
#undef ERROR_CLASS

// Those that mpi.h does not declare.
extern "C" {
extern char ompi_mpi_ub[], ompi_mpi_lb[], ompi_mpi_unavailable[], ompi_mpi_errors_throw_exceptions[];
}

namespace {

int differences = 0;

void expect(bool is_so, const std::string& what) {
    if (!is_so) {
        std::printf("%s is another\n", what.c_str());
        ++differences;
    }
}

/// The number of a handle in Fortran, which Open MPI only says between MPI_Init and MPI_Finalize.
int number_of(MPI_Comm handle) { return MPI_Comm_c2f(handle); }
int number_of(MPI_Group handle) { return MPI_Group_c2f(handle); }
int number_of(MPI_Request handle) { return MPI_Request_c2f(handle); }
int number_of(MPI_Message handle) { return MPI_Message_c2f(handle); }
int number_of(MPI_Errhandler handle) { return MPI_Errhandler_c2f(handle); }
int number_of(MPI_Info handle) { return MPI_Info_c2f(handle); }
int number_of(MPI_Win handle) { return MPI_Win_c2f(handle); }
int number_of(MPI_Op handle) { return MPI_Op_c2f(handle); }
int number_of(MPI_Datatype handle) { return MPI_Type_c2f(handle); }

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
#define OBJECT(type, symbol, size, fortran, mpich)                                                                    \
    if ((fortran) >= 0) {                                                                                             \
        const int number = number_of(reinterpret_cast<type>(reinterpret_cast<std::uintptr_t>(&(symbol))));            \
        expect(number == (fortran), std::string(#symbol ": its number in Fortran, ") + std::to_string(number) + ","); \
    }
#include "piggyback/openmpi/predefined.def"
#undef OBJECT
#define SAME(name, symbol) \
    expect(reinterpret_cast<std::uintptr_t>(name) == reinterpret_cast<std::uintptr_t>(&(symbol)), #name)
    SAME(MPI_COMM_WORLD, ompi_mpi_comm_world);
    SAME(MPI_COMM_NULL, ompi_mpi_comm_null);
    SAME(MPI_REQUEST_NULL, ompi_request_null);
    SAME(MPI_MESSAGE_NO_PROC, ompi_message_no_proc);
    SAME(MPI_INT, ompi_mpi_int);
    SAME(MPI_LONG_LONG_INT, ompi_mpi_long_long_int);
    SAME(MPI_C_COMPLEX, ompi_mpi_c_float_complex);
    SAME(MPI_DOUBLE_PRECISION, ompi_mpi_dblprec);
    SAME(MPI_SUM, ompi_mpi_op_sum);
    SAME(MPI_FILE_NULL, ompi_mpi_file_null);
    SAME(MPI_ERRORS_RETURN, ompi_mpi_errors_return);
    expect(reinterpret_cast<std::uintptr_t>(MPI_IN_PLACE) == abi::in_place, "MPI_IN_PLACE");
    expect(reinterpret_cast<std::uintptr_t>(MPI_UNWEIGHTED) == abi::unweighted, "MPI_UNWEIGHTED");
    expect(reinterpret_cast<std::uintptr_t>(MPI_WEIGHTS_EMPTY) == abi::weights_empty, "MPI_WEIGHTS_EMPTY");
    expect(MPI_STATUS_IGNORE == abi::status_ignore && MPI_STATUSES_IGNORE == abi::status_ignore, "MPI_STATUS_IGNORE");
    expect(MPI_BOTTOM == nullptr, "MPI_BOTTOM");
    MPI_Finalize();
    return differences == 0 ? 0 : 1;
}
