// Sees each error that MPICH is about to hand to an error handler, for its functions that do so can be replaced. A
// handler may end the program, or jump out of MPI, so that the wrapper never sees the code: what it stands for is
// recorded before. Where errors come back as codes, that is left to the wrappers.
#include "piggyback/rank/call_depth.hpp"
#include "piggyback/rank/code_places.hpp"
#include "piggyback/rank/errors/errors.hpp"
#include "piggyback/rank/errors/held_error.hpp"
#include "piggyback/rank/errors/meaning.hpp"
#include "piggyback/rank/next_function.hpp"

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

namespace dampi::piggyback {
namespace {

/// Of MPIR_Err_return_comm and _win: the communicator or window (which may be null), the MPI function, the error.
using Deliver = int (*)(void* object, const char* function, int code);

/// Whether errors of the communicator or window are only returned; they begin with their handles.
template <typename Handle>
bool only_returned(Handle handle, int (*get_handler)(Handle, MPI_Errhandler*)) {
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    if (get_handler(handle, &handler) != MPI_SUCCESS) {
        return false;
    }
    const bool returned = handler == MPI_ERRORS_RETURN;
    PMPI_Errhandler_free(&handler);
    return returned;
}

bool only_returned_by_communicator(const void* object) {
    if (object != nullptr) {
        return only_returned(*static_cast<const MPI_Comm*>(object), PMPI_Comm_get_errhandler);
    }
    int has_world = 0;  // with sessions alone the library would abort if it were asked of MPI_COMM_WORLD
    return PMPI_Initialized(&has_world) == MPI_SUCCESS && has_world != 0 &&
           only_returned(MPI_COMM_WORLD, PMPI_Comm_get_errhandler) &&
           only_returned(MPI_COMM_SELF, PMPI_Comm_get_errhandler);
}

bool only_returned_by_window(const void* object) {
    return object != nullptr ? only_returned(*static_cast<const MPI_Win*>(object), PMPI_Win_get_errhandler)
                             : only_returned_by_communicator(nullptr);
}

/// "MPI_Send" for "internal_Send", as MPICH calls its function, or "PMPI_Send".
std::string name_of_function(const char* library_name) {
    const char* rest = std::strchr(library_name, '_');
    return rest == nullptr ? library_name : std::string("MPI") + rest;
}

void note_delivery(Layer& layer, const char* function, int code) {
    if (const Call* call = Call::current()) {
        note_error(*call, code);
    } else if (!layer.locks_calls) {  // else another thread may be in the layer, and wait for this one in MPI
        const std::string name = name_of_function(function);
        const std::uint64_t site = innermost_program_site();
        note_error(layer, {.function = name.c_str(), .site = site}, code);
        Call::note_last(name, site);
    }
}

int deliver(Deliver real, bool (*returned)(const void*), void* object, const char* function, int code) {
    Layer* layer = Layer::current();
    if (code == MPI_SUCCESS || layer == nullptr || !layer->active()) {
        return real(object, function, code);
    }
    if (QuietErrors::any()) {
        return code;
    }
    if (layer->locks_calls && inside_nested_mpi()) {
        return real(object, function, code);  // see keep_error: nothing can be asked
    }
    constexpr int fatal_in_any_case = 0x80;
    int meant = code;
    {
        const QuietErrors own_calls;
        meant = meant_by(code);
        if ((code & fatal_in_any_case) != 0 || !returned(object)) {
            note_delivery(*layer, function, code);
        }
    }
    layer->board().failing.store(meant, std::memory_order_release);
    const int result = real(object, function, code);
    layer->board().failing.store(0, std::memory_order_release);
    if (Call::current() == nullptr) {
        Call::note_last("", 0);
    }
    return result;
}

struct KeptError {
    int (*deliver)(void* object, const char* function, int code);  ///< null: none
    void* object;
    const char* function;
    int code;
};
__thread KeptError kept __attribute__((tls_model("initial-exec")));

}  // namespace

__thread unsigned QuietErrors::living_ = 0;
__thread HeldError* HeldError::innermost_ = nullptr;

void HeldError::deliver(int code) noexcept {
    if (const auto deliver = std::exchange(deliver_, nullptr); code != MPI_SUCCESS) {
        deliver(object_, function_, code_);
    }
}

bool hold_error(int (*deliver)(void*, const char*, int), void* object, const char* function, int code) noexcept {
    HeldError* const holding = HeldError::innermost_;
    if (holding == nullptr || QuietErrors::any() || code == MPI_SUCCESS) {
        return false;
    }
    if (holding->deliver_ == nullptr) {
        holding->deliver_ = deliver;
        holding->object_ = object;
        holding->function_ = function;
        holding->code_ = code;
    }
    return true;
}

bool keep_error(int (*deliver)(void*, const char*, int), void* object, const char* function, int code) noexcept {
    const Layer* layer = Layer::current();
    if (code == MPI_SUCCESS || layer == nullptr || !layer->active() || !layer->locks_calls || inside_nested_mpi() ||
        QuietErrors::any()) {
        return false;
    }
    kept = {.deliver = deliver, .object = object, .function = function, .code = code};
    return true;
}

void hand_over_kept_error(int code) noexcept {
    const KeptError error = std::exchange(kept, {});
    if (error.deliver != nullptr && error.code == code) {
        error.deliver(error.object, error.function, code);
    }
}

}  // namespace dampi::piggyback

#ifdef DAMPI_ARCHIVE
// The linker leads the library's calls here (its option --wrap).
// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" int __real_MPIR_Err_return_comm(void* comm, const char* function, int code);
extern "C" int __real_MPIR_Err_return_win(void* win, const char* function, int code);
// NOLINTEND(bugprone-reserved-identifier)
#define DAMPI_HOOK(name) extern "C" int __wrap_##name
#define DAMPI_REAL(name) __real_##name
#else
#define DAMPI_HOOK(name) extern "C" __attribute__((visibility("default"))) int name
#define DAMPI_REAL(name) next_function<Deliver>(#name, "libmpich.so.12")
#endif

namespace dampi::piggyback {
namespace {

int deliver_to_communicator(void* comm, const char* function, int code) {
    static const Deliver real = DAMPI_REAL(MPIR_Err_return_comm);
    return deliver(real, only_returned_by_communicator, comm, function, code);
}

int deliver_to_window(void* win, const char* function, int code) {
    static const Deliver real = DAMPI_REAL(MPIR_Err_return_win);
    return deliver(real, only_returned_by_window, win, function, code);
}

}  // namespace
}  // namespace dampi::piggyback

DAMPI_HOOK(MPIR_Err_return_comm)(void* comm, const char* function, int code) {
    using namespace dampi::piggyback;
    const bool later = hold_error(deliver_to_communicator, comm, function, code) ||
                       keep_error(deliver_to_communicator, comm, function, code);
    return later ? code : deliver_to_communicator(comm, function, code);
}

DAMPI_HOOK(MPIR_Err_return_win)(void* win, const char* function, int code) {
    using namespace dampi::piggyback;
    return keep_error(deliver_to_window, win, function, code) ? code : deliver_to_window(win, function, code);
}
