#include "piggyback/distributed/thread_state.hpp"

#include "base/check.hpp"

#include <utility>

namespace dampi::piggyback::distributed {
namespace {

/// Threads may call while the program ends, so it lives for ever.
std::vector<std::unique_ptr<ThreadState>>& states() {
    static auto& all = *new std::vector<std::unique_ptr<ThreadState>>;
    return all;
}

}  // namespace

namespace thread_state_detail {

__thread ThreadState* own = nullptr;

ThreadState& add() {
    DAMPI_CHECK(this_thread != nullptr);
    auto added = std::make_unique<ThreadState>();
    added->thread = this_thread;
    own = added.get();
    states().push_back(std::move(added));
    return *own;
}

}  // namespace thread_state_detail

const std::vector<std::unique_ptr<ThreadState>>& thread_states() { return states(); }

}  // namespace dampi::piggyback::distributed
