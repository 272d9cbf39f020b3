// MPI_Init, MPI_Finalize, sessions and MPI_Abort: where the layer becomes active, where it looks at what is left over
// and lets go, and where a program gives up.
//
// MPI is there from the first of MPI_Init and MPI_Session_init to the last of MPI_Finalize and MPI_Session_finalize.
// In a program that has only sessions MPI_COMM_WORLD and MPI_COMM_SELF do not exist.

#include "base/check.hpp"
#include "piggyback/distributed/completion/polling.hpp"
#include "piggyback/distributed/epilogue.hpp"
#include "piggyback/distributed/layer.hpp"
#include "piggyback/distributed/lifecycle/unreceived.hpp"
#include "piggyback/distributed/progress.hpp"
#include "piggyback/distributed/waiting.hpp"
#include "piggyback/interception/calls.hpp"
#include "piggyback/rank/arguments/culprit.hpp"
#include "piggyback/rank/code_places.hpp"
#include "piggyback/rank/context/pcontrol.hpp"
#include "piggyback/rank/errors/errors.hpp"
#include "piggyback/rank/late_calls.hpp"
#include "piggyback/rank/library_values.hpp"
#include "piggyback/rank/lifecycle/activity.hpp"
#include "piggyback/rank/resources/following.hpp"
#include "piggyback/rank/threads/thread_level.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

namespace dampi::piggyback::distributed::calls {
namespace {

using transport::Moment;
using transport::Phase;

/// What keeps MPI going. Sessions may be begun and ended by several threads.
struct {
    std::mutex mutex;
    unsigned number = 0;      ///< of sessions, and MPI_Init
    bool world = false;       ///< MPI_Init is among them
    bool with_world = false;  ///< it has been, so that there is MPI_COMM_SELF with our attribute
} begun;

/// Tells outside which sessions are left once MPI_Finalize has been called, or if nobody has to call it.
void show_open_sessions(DistributedLayer& layer) {
    std::uint64_t site = 0;
    layer.resources.held(ResourceKind::session).for_each_origin([&](const Origin& origin, std::uint64_t /*number*/) {
        site = site == 0 ? origin.site : site;
    });
    layer.board().session_site.store(site, std::memory_order_relaxed);
    layer.board().open_sessions.store(begun.world ? 0 : begun.number, std::memory_order_release);
}

/// Before what may be the first beginning. One after the last end does not work with this MPI library, but then it is
/// not the end of the program that fails.
void about_to_begin(DistributedLayer& layer) {
    if (begun.number == 0) {
        layer.note(Moment::init_entered);
        layer.board().phase.store(Phase::starting, std::memory_order_release);
    }
}

/// The processes are no ranks of one program, as they are when each of them is alone.
[[noreturn]] void end_unsuitable(DistributedLayer& layer, const std::string& text) {
    layer.log.append(transport::UnsuitableRecord{text});
    _exit(transport::layer_gave_up);
}

void become_active(DistributedLayer& layer, MPI_Group world) {
    int rank = 0;
    int size = 0;
    PMPI_Group_rank(world, &rank);
    PMPI_Group_size(world, &size);
    if (rank != layer.rank() || size != layer.size()) {
        end_unsuitable(layer, "rank " + std::to_string(layer.rank()) + " of " + std::to_string(layer.size()) +
                                  " has begun MPI as rank " + std::to_string(rank) + " of " + std::to_string(size) +
                                  ": its MPI library does not find the launcher's process manager, so choose one that "
                                  "it knows (with srun: --mpi=pmi2)");
    }
    layer.communicators.begin(world);
    find_library_values(layer.piggyback);
    watch_idle_library(layer);
    begin_progress();
    begin_activity(layer);
}

/// Whether it was the first.
bool has_begun(DistributedLayer& layer, MPI_Group world) {
    if (begun.number++ != 0) {
        PMPI_Group_free(&world);
        return false;
    }
    become_active(layer, world);
    return true;
}

/// MPI_Init or MPI_Init_thread, as `native` calls it. `asks`: for several threads; with sessions MPICH gives them to
/// all.
template <typename Native>
int init_world(const Call& call, bool asks, Native&& native) {
    DistributedLayer& layer = *DistributedLayer::current();
    const std::lock_guard lock(begun.mutex);
    const Phase before = layer.board().phase.load(std::memory_order_relaxed);
    about_to_begin(layer);
    const int result = native();
    if (result != MPI_SUCCESS) {
        layer.board().phase.store(before, std::memory_order_release);
        return result;
    }
    MPI_Group world = MPI_GROUP_NULL;
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    const bool first = has_begun(layer, world);
    begun.world = true;
    begun.with_world = true;
    show_open_sessions(layer);
    layer.communicators.add_predefined(layer.rank(), layer.size());
    watch_finalization();
    if (first || asks) {
        note_threads(layer);
    }
    if (first) {
        watch_threads(layer, call);
    }
    return result;
}

bool asks_for_threads(MPI_Info info) {
    constexpr char wanted[] = "MPI_THREAD_MULTIPLE";
    char value[sizeof wanted] = "";
    int found = 0;
    if (info != MPI_INFO_NULL) {
        PMPI_Info_get(info, "thread_level", sizeof wanted - 1, value, &found);
    }
    return found != 0 && std::strcmp(value, wanted) == 0;
}

bool everyone_has_reached(const DistributedLayer& layer, Phase phase) {
    for (int rank = 0; rank < layer.size(); ++rank) {
        if (!layer.port.has_reached(rank, static_cast<std::uint32_t>(phase))) {
            return false;
        }
    }
    return true;
}

/// Shows that this rank has come there, and waits for the others.
void meet(DistributedLayer& layer, const Call& call, Phase phase) {
    layer.board().phase.store(phase, std::memory_order_release);
    Waiting waiting(layer, call, [](WaitDescription& description) {
        description.add({.kind = transport::WaitKind::finalize,
                         .forced = 0,
                         .peer = base::any_source,
                         .tag = 0,
                         .comm = base::world_comm,
                         .number = 0});
    });
    while (!everyone_has_reached(layer, phase)) {
        make_progress();
        waiting.pause();
    }
}

/// The last end: the ranks wait for each other, as MPI makes them.
template <typename Native>
int end_mpi(DistributedLayer& layer, const Call& call, Native&& native) {
    layer.note(Moment::finalize_entered);
    note_open_brackets(layer);
    for (const auto& thread : thread_states()) {
        if (thread->polling.open) {
            give_up_polling(layer, call, thread->polling);
        }
    }
    meet(layer, call, Phase::finalizing);
    write_epilogue(layer);
    drop_unreceived(layer);
    meet(layer, call, Phase::leaving);
    log_modules(layer);
    layer.requests.for_each([](Request& request) {
        if (request.freed) {
            MPI_Request handle = request.handle;
            PMPI_Request_free(&handle);
        }
    });
    end_progress();
    if (!begun.with_world) {
        end_activity(layer);
    }
    int result = MPI_SUCCESS;
    {
        const Call::ProgramRuns callbacks(call);
        result = native();
    }
    layer.set_active(false);
    layer.note(Moment::finalize_left);
    layer.board().phase.store(Phase::finalized, std::memory_order_release);
    return result;
}

/// `native` ends one of what keeps MPI going; `valid`: it will not refuse to.
template <typename Native>
int end(const Call& call, bool valid, Native&& native) {
    DistributedLayer& layer = *DistributedLayer::current();
    if (!layer.active() || !valid) {
        return native();
    }
    const std::lock_guard lock(begun.mutex);
    const int result = begun.number == 1 ? end_mpi(layer, call, native) : native();
    if (result == MPI_SUCCESS) {
        --begun.number;
        show_open_sessions(layer);
    }
    return result;
}

/// What the program had not freed when MPI was over with its last session.
std::vector<MPI_Comm>& left_communicators() {
    static std::vector<MPI_Comm> left;
    return left;
}

/// MPI was over with its last session, and a communicator that was there until then is used.
void note_communicator_of_session(const Call& call) noexcept {
    DistributedLayer& layer = *DistributedLayer::current();
    if (call.wrapped() == nullptr) {
        return;
    }
    const Parameters parameters = call.wrapped()->parameters;
    for (unsigned i = 0; i < parameters.size(); ++i) {
        if (parameters[i].role != ParameterRole::communicator) {
            continue;
        }
        const auto comm = static_cast<MPI_Comm>(value_of(parameters[i], call.arguments()));
        const std::vector<MPI_Comm>& left = left_communicators();
        if (std::find(left.begin(), left.end(), comm) != left.end()) {
            note_wrong(layer, {.function = call.function(), .site = call.site()}, MPI_ERR_COMM,
                       {i, "of a session that was finalized"});
            return;
        }
    }
}

}  // namespace

int init(Call& call, int* argc, char*** argv) noexcept {
    return init_world(call, false, [&] { return PMPI_Init(argc, argv); });
}

int init_thread(Call& call, int* argc, char*** argv, int required, int* provided) noexcept {
    return init_world(call, required == MPI_THREAD_MULTIPLE,
                      [&] { return PMPI_Init_thread(argc, argv, required, provided); });
}

int session_init(Call& call, MPI_Info info, MPI_Errhandler errhandler, MPI_Session* session) noexcept {
    DistributedLayer& layer = *DistributedLayer::current();
    const std::lock_guard lock(begun.mutex);
    const Phase before = layer.board().phase.load(std::memory_order_relaxed);
    about_to_begin(layer);
    const int result = PMPI_Session_init(info, errhandler, session);
    if (result != MPI_SUCCESS) {
        layer.board().phase.store(before, std::memory_order_release);
        return result;
    }
    MPI_Group world = MPI_GROUP_NULL;
    PMPI_Group_from_session_pset(*session, "mpi://WORLD", &world);
    has_begun(layer, world);
    if (asks_for_threads(info)) {
        note_threads(layer);
    }
    ignore_threads();
    made(ResourceKind::session, call, result, session);
    show_open_sessions(layer);
    return result;
}

int finalize(Call& call) noexcept {
    if (call.modelled()) {
        note_finalizing_thread(call);
    }
    return end(call, begun.world, [] {
        const int result = PMPI_Finalize();
        begun.world = begun.world && result != MPI_SUCCESS;
        return result;
    });
}

int session_finalize(Call& call, MPI_Session* session) noexcept {
    const HeldHandles& open = DistributedLayer::current()->resources.held(ResourceKind::session);
    const bool known = session != nullptr && open.newest_origin(following_detail::key(*session)) != nullptr;
    std::vector<MPI_Comm> left;
    DistributedLayer::current()->communicators.for_each([&](const Communicator& each) {
        if (each.handle != MPI_COMM_WORLD && each.handle != MPI_COMM_SELF) {
            left.push_back(each.handle);
        }
    });
    const int result = end(call, known, [&] {
        return freed(ResourceKind::session, session, [&] { return PMPI_Session_finalize(session); });
    });
    if (!DistributedLayer::current()->active()) {
        left_communicators() = std::move(left);
        look_at_late_call = note_communicator_of_session;
    }
    return result;
}

int abort(Call& call, MPI_Comm comm, int errorcode) noexcept {
    DistributedLayer& layer = *DistributedLayer::current();
    note_abort(layer, call, errorcode);
    layer.set_active(false);  // a library that loses its process manager comes back from here
    return PMPI_Abort(comm, errorcode);
}

}  // namespace dampi::piggyback::distributed::calls
