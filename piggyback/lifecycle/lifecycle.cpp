// MPI_Init, MPI_Finalize and MPI_Abort: where the layer becomes active, where it looks at what is left over
// and lets go, and where a program gives up.

#include "piggyback/code_places.hpp"
#include "piggyback/interception/calls.hpp"
#include "piggyback/layer.hpp"
#include "piggyback/lifecycle/crash.hpp"
#include "piggyback/matching/matching.hpp"
#include "piggyback/progress.hpp"
#include "piggyback/waiting.hpp"

#include <cstdio>
#include <string>

namespace dampi::piggyback::calls {
namespace {

using replay::area::Moment;
using replay::area::Phase;

/// MPI_Finalize deletes the attributes of MPI_COMM_SELF before anything else, the last one set first. Programs
/// and libraries free their MPI objects in such callbacks; ours was set first, so it comes after theirs.
int on_finalize(MPI_Comm /*comm*/, int /*keyval*/, void* /*value*/, void* /*state*/) {
    Layer& layer = *Layer::current();
    if (layer.active()) {
        const Call call("MPI_Finalize");
        layer.resources.report_leaks(layer, call);
        layer.set_active(false);
    }
    return MPI_SUCCESS;
}

void watch_finalization() {
    int keyval = MPI_KEYVAL_INVALID;
    PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_finalize, &keyval, nullptr);
    PMPI_Comm_set_attr(MPI_COMM_SELF, keyval, nullptr);
    PMPI_Comm_free_keyval(&keyval);  // goes with the attribute
}

void become_active(Layer& layer) {
    int rank = 0;
    int size = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    DAMPI_CHECK(rank == layer.rank() && size == layer.size());
    layer.communicators.add_predefined(rank, size);
    log_modules(layer);
    install_crash_handlers();
    watch_finalization();
    begin_progress();
    layer.header().phase.store(Phase::running, std::memory_order_release);
    layer.set_active(true);
}

bool everyone_finalizes(const Layer& layer) {
    for (int rank = 0; rank < layer.size(); ++rank) {
        if (layer.area.rank(rank).phase.load(std::memory_order_acquire) < Phase::finalizing) {
            return false;
        }
    }
    return true;
}

}  // namespace

int init(Call& /*call*/, int* argc, char*** argv) noexcept {
    Layer::current()->note(Moment::init_entered);
    const int result = PMPI_Init(argc, argv);
    if (result == MPI_SUCCESS) {
        become_active(*Layer::current());
    }
    Layer::current()->note(Moment::init_left);
    return result;
}

int init_thread(Call& /*call*/, int* argc, char*** argv, int required, int* provided) noexcept {
    Layer::current()->note(Moment::init_entered);
    const int result = PMPI_Init_thread(argc, argv, required, provided);
    if (result == MPI_SUCCESS) {
        Layer& layer = *Layer::current();
        become_active(layer);
        int level = MPI_THREAD_SINGLE;
        PMPI_Query_thread(&level);
        if (level == MPI_THREAD_MULTIPLE) {
            layer.multithreaded = true;
            layer.header().multithreaded.store(1, std::memory_order_relaxed);
            layer.count_not_modelled("MPI_THREAD_MULTIPLE");
        }
    }
    Layer::current()->note(Moment::init_left);
    return result;
}

int finalize(Call& call) noexcept {
    Layer& layer = *Layer::current();
    if (!layer.active()) {
        return PMPI_Finalize();
    }
    layer.note(Moment::finalize_entered);
    layer.header().phase.store(Phase::finalizing, std::memory_order_release);
    note_open_brackets(layer);
    {
        Waiting waiting(layer, call, [](WaitDescription& description) {
            description.add({.kind = replay::area::WaitKind::finalize,
                             .forced = 0,
                             .peer = clocks::any_source,
                             .tag = 0,
                             .comm = clocks::world_comm,
                             .number = 0});
        });
        while (!everyone_finalizes(layer)) {
            make_progress();
            waiting.pause();
        }
    }
    resolve_matched(layer);
    log_modules(layer);
    layer.requests.for_each([](Request& request) {
        if (request.freed) {
            MPI_Request handle = request.handle;
            PMPI_Request_free(&handle);
        }
    });
    end_progress();
    int result = MPI_SUCCESS;
    {
        const Call::ProgramRuns callbacks(call);
        result = PMPI_Finalize();
    }
    layer.set_active(false);
    layer.note(Moment::finalize_left);
    layer.header().phase.store(Phase::finalized, std::memory_order_release);
    return result;
}

int abort(Call& call, MPI_Comm comm, int errorcode) noexcept {
    Layer& layer = *Layer::current();
    layer.log.append(
        replay::area::ViolationRecord{.kind = "abort",
                                      .message = "MPI_Abort was called with error code " + std::to_string(errorcode),
                                      .call = call.function(),
                                      .detail = "error code " + std::to_string(errorcode),
                                      .site = call.site()});
    return PMPI_Abort(comm, errorcode);
}

}  // namespace dampi::piggyback::calls
