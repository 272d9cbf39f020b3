#include "piggyback/call.hpp"

#include "piggyback/code_places.hpp"
#include "piggyback/layer.hpp"
#include "piggyback/matching/matching.hpp"
#include "piggyback/thread_lock.hpp"

namespace dampi::piggyback {
namespace {

// MPI calls that this thread is inside of: more than one when the library calls MPI_ names itself.
__attribute__((tls_model("initial-exec"))) thread_local int depth = 0;

}  // namespace

Call::Call(const char* function, const void* return_address) noexcept
    : function_(function), return_address_(return_address) {
    const Layer* layer = Layer::current();
    outermost_ = ++depth == 1 && layer != nullptr;
    modelled_ = outermost_ && layer->active();
    if (modelled_ && layer->multithreaded) {
        lock_threads();
        locked_ = true;
    }
    if (outermost_) {
        count_up(layer->header().calls);
    }
}

Call::~Call() {
    if (modelled_ && Layer::current()->active()) {
        notice_matches(*Layer::current());
    }
    if (locked_) {
        unlock_threads();
    }
    --depth;
}

Call::ProgramRuns::ProgramRuns() noexcept {
    --depth;
    if (Layer::current()->multithreaded) {
        unlock_threads();
    }
}

Call::ProgramRuns::~ProgramRuns() {
    if (Layer::current()->multithreaded) {
        lock_threads();
    }
    ++depth;
}

void Call::not_modelled() const noexcept { Layer::current()->count_not_modelled(function_); }

void Call::ends_polling() const noexcept {
    Layer& layer = *Layer::current();
    if (layer.active() && layer.polling.open) {
        give_up_polling(layer, *this);
    }
}

std::uint64_t Call::site() const noexcept { return program_site(return_address_, this); }

}  // namespace dampi::piggyback
