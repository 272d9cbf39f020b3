// Making and freeing reduction operators, attribute keys and error handlers. Keys may be freed while attributes use
// them, and error handlers while they are attached.
#include "piggyback/interception/calls.hpp"
#include "piggyback/rank/errors/thrown.hpp"
#include "piggyback/rank/resources/following.hpp"
#include "piggyback/rank/resources/keyvals.hpp"

#include <atomic>

namespace dampi::piggyback {
namespace {

std::atomic<bool> keyvals_made = false;

int made_keyval(const Call& call, int result, const int* keyval) {
    keyvals_made.store(true, std::memory_order_relaxed);
    return made(ResourceKind::keyval, call, result, keyval);
}

}  // namespace

bool has_made_keyvals() noexcept { return keyvals_made.load(std::memory_order_relaxed); }

}  // namespace dampi::piggyback

namespace dampi::piggyback::calls {

int op_create(Call& call, MPI_User_function* user_fn, int commute, MPI_Op* op) noexcept {
    return made(ResourceKind::operation, call, PMPI_Op_create(user_fn, commute, op), op);
}

int op_create_c(Call& call, MPI_User_function_c* user_fn, int commute, MPI_Op* op) noexcept {
    return made(ResourceKind::operation, call, PMPI_Op_create_c(user_fn, commute, op), op);
}

int comm_create_keyval(Call& call, MPI_Comm_copy_attr_function* comm_copy_attr_fn,
                       MPI_Comm_delete_attr_function* comm_delete_attr_fn, int* comm_keyval,
                       void* extra_state) noexcept {
    const int result = PMPI_Comm_create_keyval(comm_copy_attr_fn, comm_delete_attr_fn, comm_keyval, extra_state);
    return made_keyval(call, result, comm_keyval);
}

int type_create_keyval(Call& call, MPI_Type_copy_attr_function* type_copy_attr_fn,
                       MPI_Type_delete_attr_function* type_delete_attr_fn, int* type_keyval,
                       void* extra_state) noexcept {
    const int result = PMPI_Type_create_keyval(type_copy_attr_fn, type_delete_attr_fn, type_keyval, extra_state);
    return made_keyval(call, result, type_keyval);
}

int win_create_keyval(Call& call, MPI_Win_copy_attr_function* win_copy_attr_fn,
                      MPI_Win_delete_attr_function* win_delete_attr_fn, int* win_keyval, void* extra_state) noexcept {
    const int result = PMPI_Win_create_keyval(win_copy_attr_fn, win_delete_attr_fn, win_keyval, extra_state);
    return made_keyval(call, result, win_keyval);
}

int keyval_create(Call& call, MPI_Copy_function* copy_fn, MPI_Delete_function* delete_fn, int* keyval,
                  void* extra_state) noexcept {
    return made_keyval(call, PMPI_Keyval_create(copy_fn, delete_fn, keyval, extra_state), keyval);
}

int comm_free_keyval(Call&, int* comm_keyval) noexcept {
    return freed(ResourceKind::keyval, comm_keyval, [&] { return PMPI_Comm_free_keyval(comm_keyval); });
}

int type_free_keyval(Call&, int* type_keyval) noexcept {
    return freed(ResourceKind::keyval, type_keyval, [&] { return PMPI_Type_free_keyval(type_keyval); });
}

int win_free_keyval(Call&, int* win_keyval) noexcept {
    return freed(ResourceKind::keyval, win_keyval, [&] { return PMPI_Win_free_keyval(win_keyval); });
}

int keyval_free(Call&, int* keyval) noexcept {
    return freed(ResourceKind::keyval, keyval, [&] { return PMPI_Keyval_free(keyval); });
}

int comm_create_errhandler(Call& call, MPI_Comm_errhandler_function* comm_errhandler_fn,
                           MPI_Errhandler* errhandler) noexcept {
    const int result = PMPI_Comm_create_errhandler(keeping_exceptions(comm_errhandler_fn), errhandler);
    return made(ResourceKind::errhandler, call, result, errhandler);
}

int win_create_errhandler(Call& call, MPI_Win_errhandler_function* win_errhandler_fn,
                          MPI_Errhandler* errhandler) noexcept {
    const int result = PMPI_Win_create_errhandler(keeping_exceptions(win_errhandler_fn), errhandler);
    return made(ResourceKind::errhandler, call, result, errhandler);
}

int file_create_errhandler(Call& call, MPI_File_errhandler_function* file_errhandler_fn,
                           MPI_Errhandler* errhandler) noexcept {
    const int result = PMPI_File_create_errhandler(keeping_exceptions_of_file(file_errhandler_fn), errhandler);
    return made(ResourceKind::errhandler, call, result, errhandler);
}

int errhandler_create(Call& call, MPI_Comm_errhandler_function* comm_errhandler_fn,
                      MPI_Errhandler* errhandler) noexcept {
    const int result = PMPI_Errhandler_create(keeping_exceptions(comm_errhandler_fn), errhandler);
    return made(ResourceKind::errhandler, call, result, errhandler);
}

int errhandler_free(Call&, MPI_Errhandler* errhandler) noexcept {
    return freed(ResourceKind::errhandler, errhandler, [&] { return PMPI_Errhandler_free(errhandler); });
}

int comm_get_errhandler(Call& call, MPI_Comm comm, MPI_Errhandler* errhandler) noexcept {
    return made(ResourceKind::errhandler, call, PMPI_Comm_get_errhandler(comm, errhandler), errhandler);
}

int win_get_errhandler(Call& call, MPI_Win win, MPI_Errhandler* errhandler) noexcept {
    return made(ResourceKind::errhandler, call, PMPI_Win_get_errhandler(win, errhandler), errhandler);
}

int file_get_errhandler(Call& call, MPI_File file, MPI_Errhandler* errhandler) noexcept {
    return made(ResourceKind::errhandler, call, PMPI_File_get_errhandler(file, errhandler), errhandler);
}

int errhandler_get(Call& call, MPI_Comm comm, MPI_Errhandler* errhandler) noexcept {
    return made(ResourceKind::errhandler, call, PMPI_Errhandler_get(comm, errhandler), errhandler);
}

int session_create_errhandler(Call& call, MPI_Session_errhandler_function* session_errhandler_fn,
                              MPI_Errhandler* errhandler) noexcept {
    const int result = PMPI_Session_create_errhandler(keeping_exceptions(session_errhandler_fn), errhandler);
    return made(ResourceKind::errhandler, call, result, errhandler);
}

int session_get_errhandler(Call& call, MPI_Session session, MPI_Errhandler* errhandler) noexcept {
    return made(ResourceKind::errhandler, call, PMPI_Session_get_errhandler(session, errhandler), errhandler);
}

}  // namespace dampi::piggyback::calls
