#include "piggyback/rank/thread_lock.hpp"

#include <mutex>

namespace dampi::piggyback {
namespace {
std::mutex threads;
__attribute__((tls_model("initial-exec"))) thread_local bool mine = false;
}  // namespace

void lock_threads() noexcept {
    threads.lock();
    mine = true;
}
bool try_lock_threads() noexcept { return mine = threads.try_lock(); }
void unlock_threads() noexcept {
    mine = false;
    threads.unlock();
}
bool threads_locked() noexcept { return mine; }

}  // namespace dampi::piggyback
