#include "piggyback/thread_lock.hpp"

#include <mutex>

namespace dampi::piggyback {
namespace {
std::mutex threads;
}

void lock_threads() noexcept { threads.lock(); }
void unlock_threads() noexcept { threads.unlock(); }

}  // namespace dampi::piggyback
