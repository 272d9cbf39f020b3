// The beginning and the end of MPI with the centralized engine. Each rank initialises the MPI library alone, as a
// program that nobody launched: what tells the library of its launcher is out of the environment for that time. In
// MPI_Finalize the ranks wait for each other in the scheduler. Then there is nothing left to do but to give back what a
// process that ends gives back anyway, so the library itself is finalised only if the program calls MPI again.
#include "launch/program/preload.hpp"
#include "piggyback/central/central_engine.hpp"
#include "piggyback/central/errors.hpp"
#include "piggyback/central/rank_side.hpp"
#include "piggyback/interception/central_calls.hpp"
#include "piggyback/rank/code_places.hpp"
#include "piggyback/rank/context/pcontrol.hpp"
#include "piggyback/rank/lifecycle/activity.hpp"
#include "piggyback/rank/lifecycle/prepare.hpp"
#include "piggyback/rank/memory/program_state.hpp"
#include "piggyback/rank/resources/following.hpp"
#include "piggyback/rank/resources/keyvals.hpp"
#include "piggyback/rank/symbols.hpp"
#include "piggyback/rank/threads/thread_level.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unistd.h>

namespace dampi::piggyback::central {
namespace {

using transport::Moment;
using transport::Phase;

// A rank that sends through MPI only to itself needs no other transport; without the cache for others' memory UCX has
// no thread and no descriptors, so that ranks can be forked behind MPI_Init. Other settings of UCX's are hidden: it
// complains of those that it has no use for.
constexpr std::array<std::pair<const char*, const char*>, 2> transport_alone{
    {{"UCX_TLS", "self"}, {"UCX_RCACHE_ENABLE", "n"}}};

/// While it lives, the environment has nothing by which the MPI library would find a launcher or other ranks.
class Alone {
public:
    Alone() {
        for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
            const std::string_view text(*entry);
            if (text.starts_with("PMI_") || text.starts_with("PMIX_") || text.starts_with("MPI_LOCAL") ||
                text.starts_with("UCX_")) {
                const auto equals = text.find('=');
                kept_.emplace_back(text.substr(0, equals), text.substr(equals + 1));
            }
        }
        for (const auto& [name, value] : kept_) {
            unsetenv(name.c_str());
        }
        for (const auto& [name, value] : transport_alone) {
            setenv(name, value, 1);
        }
    }
    ~Alone() {
        for (const auto& [name, value] : transport_alone) {
            unsetenv(name);
        }
        for (const auto& [name, value] : kept_) {
            if (name != launch::ucx_modules_variable || value != launch::no_ucx_modules) {
                setenv(name.c_str(), value.c_str(), 0);
            }
        }
    }
    Alone(const Alone&) = delete;
    Alone& operator=(const Alone&) = delete;

private:
    std::vector<std::pair<std::string, std::string>> kept_;
};

void ask_to_finalize(const Call& call) {
    RankSide& side = *RankSide::current();
    Layer::current()->board().phase.store(Phase::finalizing, std::memory_order_release);
    transport::requests::FinalizeCall ask;
    ask.situation = side.place_of(call);
    if (side.exchange.header().compares_ends != 0) {
        if (const auto state = program_state(call.return_address())) {
            ask.known = 1;
            ask.low = state->low;
            ask.high = state->high;
        }
    }
    side.ask(call, std::move(ask));
}

/// The program's own callbacks, which may communicate, have run: MPI_Finalize deletes the attributes of MPI_COMM_SELF
/// in the reverse order of their making.
int on_callbacks_over(MPI_Comm /*comm*/, int /*keyval*/, void* /*value*/, void* /*extra_state*/) {
    if (const Layer* layer = Layer::current(); layer != nullptr && layer->active()) {
        ask_to_finalize(Call("MPI_Finalize"));
    }
    return MPI_SUCCESS;
}

void watch_end() {
    watch_finalization();
    call_when_finalizing(on_callbacks_over);
}

/// `provided`: null for MPI_Init.
template <typename Native>
int begin(const Call& call, int* provided, Native&& native) {
    static bool once = false;
    const bool is_done = has_been_initialised() && !std::exchange(once, true);
    Layer& layer = *Layer::current();
    const Phase before = layer.board().phase.load(std::memory_order_relaxed);
    layer.note(Moment::init_entered);
    layer.board().phase.store(Phase::starting, std::memory_order_release);
    int result = MPI_SUCCESS;
    if (!is_done) {
        const Alone alone;
        result = native();
    } else if (provided != nullptr) {
        PMPI_Query_thread(provided);
    }
    if (result != MPI_SUCCESS) {
        layer.board().phase.store(before, std::memory_order_release);
        return result;
    }
    begin_activity(layer);
    layer.communicators.add_predefined(layer.rank(), layer.size());
    if (!is_done) {
        watch_end();
    }
    note_threads(layer);
    watch_threads(layer, call);
    return result;
}

}  // namespace

/// MPICH makes nothing of the program's own arguments.
bool initialise_alone(const char* function, const void* arguments) noexcept {
    const Alone alone;
    int result = MPI_SUCCESS;
    if (std::string_view(function) == "MPI_Init") {
        result = PMPI_Init(nullptr, nullptr);
    } else {
        struct Arguments {  // as the wrapper keeps them
            int* argc;
            char*** argv;
            int required;
            int* provided;
        };
        int provided = MPI_THREAD_SINGLE;
        result = PMPI_Init_thread(nullptr, nullptr, static_cast<const Arguments*>(arguments)->required, &provided);
    }
    if (result == MPI_SUCCESS) {
        watch_end();
    }
    return result == MPI_SUCCESS;
}

/// The MPI library ends a process that it has initialised alone by itself, where with several it would ask its launcher
/// to end them all. An assertion of the library's that fails comes without an error of a call's.
void exits(int status, const void* caller) noexcept {
    const Layer* layer = Layer::current();
    if (layer != nullptr && RankSide::current() != nullptr &&
        (layer->board().failing.load(std::memory_order_relaxed) != 0 ||
         (layer->active() && is_library_place(caller)))) {
        RankSide::current()->end_by_abort(status);
    }
}

}  // namespace dampi::piggyback::central

namespace dampi::piggyback::central::calls {

int init(Call& call, int* argc, char*** argv) noexcept {
    return begin(call, nullptr, [&] { return PMPI_Init(argc, argv); });
}

int init_thread(Call& call, int* argc, char*** argv, int required, int* provided) noexcept {
    return begin(call, provided, [&] { return PMPI_Init_thread(argc, argv, required, provided); });
}

int finalize(Call& call) noexcept {
    Layer& layer = *Layer::current();
    if (!layer.active()) {
        return PMPI_Finalize();
    }
    note_finalizing_thread(call);
    layer.note(Moment::finalize_entered);
    note_open_brackets(layer);
    log_modules(layer);
    int result = MPI_SUCCESS;
    if (has_made_keyvals()) {  // else nothing of the program's runs in there
        const Call::ProgramRuns callbacks(call);
        result = PMPI_Finalize();
    } else {
        ask_to_finalize(call);
        end_activity(layer);
        before_next_native_call([] { PMPI_Finalize(); });
    }
    layer.set_active(false);
    layer.note(Moment::finalize_left);
    layer.board().phase.store(Phase::finalized, std::memory_order_release);
    return result;
}

int abort(Call& call, MPI_Comm comm, int errorcode) noexcept {
    Layer& layer = *Layer::current();
    if (layer.communicators.find(comm) == nullptr) {
        return PMPI_Abort(comm, errorcode);  // MPI refuses
    }
    const bool because_of_error = is_delivering();  // which it has been told of
    if (!because_of_error) {
        note_abort(layer, call, errorcode);
    }
    // As MPICH says it, but for the ranks, of which it knows only one.
    std::fprintf(stderr,
                 "Abort(%d) on node %d (rank %d in comm %d): application called MPI_Abort(%s, %d) - process %d\n",
                 errorcode, layer.rank(), layer.rank(), 0, comm == MPI_COMM_WORLD ? "MPI_COMM_WORLD" : "comm",
                 errorcode, layer.rank());
    std::fflush(stderr);
    std::fflush(stdout);
    RankSide::current()->end_by_abort(errorcode);
}

}  // namespace dampi::piggyback::central::calls
