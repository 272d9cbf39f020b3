// Generalized requests: the program itself completes them, so their completion is an event of this rank, and whoever
// reports it learns nothing new. Another thread may complete one at any time, so waiting for one is never a deadlock.
// MPI calls the program's functions from inside calls that the layer makes: in them the program runs, and its MPI calls
// are modelled.

#include "piggyback/distributed/completion/settling.hpp"
#include "piggyback/interception/calls.hpp"
#include "piggyback/rank/call.hpp"

#include <memory>
#include <optional>
#include <utility>

namespace dampi::piggyback::distributed {
namespace {

/// The program's functions as C or Fortran wrote them: MPICH's Fortran bindings pass Fortran's procedures to
/// MPI_Grequest_start, and have the library call them with addresses and a last argument for the error code. The
/// arguments travel in registers, so one form does for both: what C's functions have no parameter for they do not see.
using Callback = int (*)(void* extra, void* second, void* error);

/// A function as one of another type.
template <typename To, typename From>
To as(From* function) {
    return reinterpret_cast<To>(reinterpret_cast<void (*)()>(function));
}

struct Callbacks {
    Callback query;
    Callback free;
    Callback cancel;
    void* extra;
};

int run(Callback callback, const Callbacks& callbacks, void* second, void* error) {
    std::optional<Call::ProgramRuns> runs;
    if (const Call* call = Call::current()) {
        runs.emplace(*call);
    }
    return callback(callbacks.extra, second, error);
}

int query(void* extra, void* status, void* error) {
    const auto& callbacks = *static_cast<const Callbacks*>(extra);
    return run(callbacks.query, callbacks, status, error);
}

int cancel(void* extra, void* complete, void* error) {
    const auto& callbacks = *static_cast<const Callbacks*>(extra);
    return run(callbacks.cancel, callbacks, complete, error);
}

/// The last that is called. Fortran's has the error code for its second argument.
int free(void* extra, void* second, void* error) {
    const std::unique_ptr<const Callbacks> callbacks(static_cast<const Callbacks*>(extra));
    return run(callbacks->free, *callbacks, second, error);
}

}  // namespace
}  // namespace dampi::piggyback::distributed

namespace dampi::piggyback::distributed::calls {

int grequest_start(Call& call, MPI_Grequest_query_function* query_fn, MPI_Grequest_free_function* free_fn,
                   MPI_Grequest_cancel_function* cancel_fn, void* extra_state, MPI_Request* request) noexcept {
    DistributedLayer& layer = *DistributedLayer::current();
    if (query_fn == nullptr || free_fn == nullptr || cancel_fn == nullptr) {
        return PMPI_Grequest_start(query_fn, free_fn, cancel_fn, extra_state, request);
    }
    auto callbacks = std::make_unique<Callbacks>(Callbacks{.query = as<Callback>(query_fn),
                                                           .free = as<Callback>(free_fn),
                                                           .cancel = as<Callback>(cancel_fn),
                                                           .extra = extra_state});
    const int result =
        PMPI_Grequest_start(as<MPI_Grequest_query_function*>(query), as<MPI_Grequest_free_function*>(free),
                            as<MPI_Grequest_cancel_function*>(distributed::cancel), callbacks.get(), request);
    if (result != MPI_SUCCESS) {
        return result;
    }
    static_cast<void>(callbacks.release());  // until free() is called
    auto added = Requests::make();
    added->kind = RequestKind::generalized;
    added->function = call.function();
    added->site = call.site();
    layer.requests.add(*request, std::move(added));
    return result;
}

int grequest_complete(Call& /*call*/, MPI_Request request) noexcept {
    DistributedLayer& layer = *DistributedLayer::current();
    if (Request* found = layer.requests.find(request)) {
        note_completed_by_program(layer, *found);
    }
    return PMPI_Grequest_complete(request);
}

}  // namespace dampi::piggyback::distributed::calls
