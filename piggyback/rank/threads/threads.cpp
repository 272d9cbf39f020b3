#include "piggyback/rank/threads/threads.hpp"

#include "piggyback/rank/core.hpp"
#include "piggyback/rank/threads/thread_names.hpp"
#include "replay/unseen_calls.hpp"

#include <utility>

#include <unistd.h>

namespace dampi::piggyback {
namespace {

/// Threads may call while the program ends, so it lives for ever.
std::vector<std::unique_ptr<ProgramThread>>& threads() {
    static auto& all = *new std::vector<std::unique_ptr<ProgramThread>>;
    return all;
}

}  // namespace

__thread ProgramThread* this_thread = nullptr;

void add_this_thread(Core& core) {
    auto added = std::make_unique<ProgramThread>();
    added->name = name_this_thread();
    added->id = gettid();
    this_thread = added.get();
    threads().push_back(std::move(added));
    if (threads().size() > 1 && !core.multithreaded) {
        core.multithreaded = true;
        core.spins = 4;  // the others wait for the lock
        core.count_not_modelled(replay::other_orders_of_threads);
    }
}

const std::vector<std::unique_ptr<ProgramThread>>& program_threads() { return threads(); }

}  // namespace dampi::piggyback
