#include "piggyback/rank/threads/thread_level.hpp"

#include "piggyback/rank/call.hpp"
#include "piggyback/rank/call_depth.hpp"
#include "piggyback/rank/code_places.hpp"
#include "piggyback/rank/layer.hpp"
#include "piggyback/rank/python_places.hpp"
#include "piggyback/rank/thread_lock.hpp"
#include "piggyback/rank/threads/thread_names.hpp"
#include "piggyback/rank/threads/two_calls.hpp"

#include <mutex>
#include <string>

#include <mpi.h>
#include <unistd.h>

namespace dampi::piggyback {
namespace {

/// The status of a rank that has ended at a call beyond the level. Why is in its log.
constexpr int ended_status = 1;

int level = MPI_THREAD_MULTIPLE;
PlacedCall initialisation;

/// The call that a thread is in, where one at a time may be.
struct {
    std::mutex mutex;
    const void* thread = nullptr;  ///< any address of the thread's own; null: nobody is in MPI
    PlacedCall call;
} inside;

/// Of the calling thread.
const void* own_mark() { return &thread_level_detail::is_main; }

const char* name_of(int each) {
    return each == MPI_THREAD_SINGLE     ? "MPI_THREAD_SINGLE"
           : each == MPI_THREAD_FUNNELED ? "MPI_THREAD_FUNNELED"
                                         : "MPI_THREAD_SERIALIZED";
}

std::uint64_t site_of(const void* return_address) {
    const std::uint64_t script = python_site_if_any();
    return script != 0 ? script : program_site(return_address);
}

/// Records the call and ends the rank.
void end_beyond_level(Layer& layer, const PlacedCall& call, const std::string& how, const PlacedCall& other,
                      const char* what) {
    log_two_calls(layer, replay::ViolationKind::thread_level, call,
                  std::string(call.function) + how + ", where MPI provides " + name_of(level), other, what);
    _exit(ended_status);
}

}  // namespace

namespace thread_level_detail {

Watch watch = Watch::nothing;
__thread bool is_main = false;

bool enter(const char* function, const void* return_address) noexcept {
    Layer* layer = Layer::current();
    if (layer == nullptr || !layer->active() || inside_mpi()) {
        return false;
    }
    const PlacedCall call{.function = function, .site = site_of(return_address)};
    PlacedCall other = initialisation;
    const bool overlaps = watch == Watch::overlaps;
    if (overlaps) {
        const std::scoped_lock lock(inside.mutex);
        if (inside.thread == own_mark()) {
            return false;  // a callback's
        }
        if (inside.thread == nullptr) {
            inside.thread = own_mark();
            inside.call = call;
            return true;
        }
        other = inside.call;
    }
    lock_threads();
    if (!is_library_place(return_address)) {
        end_beyond_level(*layer, call,
                         overlaps ? std::string(" was called while another thread of the rank was in ") + other.function
                                  : " was called by another thread than the one that initialised MPI",
                         other, overlaps ? "was not over" : "initialised MPI");
    }
    unlock_threads();
    return false;
}

void leave() noexcept {
    const std::scoped_lock lock(inside.mutex);
    inside.thread = nullptr;
}

}  // namespace thread_level_detail

void watch_threads(Layer& layer, const Call& call) {
    using thread_level_detail::Watch;
    PMPI_Query_thread(&level);
    thread_level_detail::is_main = true;
    thread_level_detail::watch = level == MPI_THREAD_MULTIPLE     ? Watch::nothing
                                 : level == MPI_THREAD_SERIALIZED ? Watch::overlaps
                                                                  : Watch::others;
    initialisation = {.function = call.function(), .site = call.site()};
    if (has_other_threads()) {
        layer.locks_calls = true;
    }
}

void ignore_threads() noexcept {
    thread_level_detail::watch = thread_level_detail::Watch::nothing;
    initialisation = {};
}

void note_finalizing_thread(const Call& call) noexcept {
    if (initialisation.function != nullptr && !thread_level_detail::is_main) {
        log_two_calls(*Layer::current(), replay::ViolationKind::thread_level,
                      {.function = call.function(), .site = call.site()},
                      std::string(call.function()) + " was called by another thread than the one that initialised MPI",
                      initialisation, "initialised MPI");
    }
}

}  // namespace dampi::piggyback
