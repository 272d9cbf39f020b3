// One lock around the layer for programs that call MPI from several threads; untouched in others.
#pragma once

namespace dampi::piggyback {

void lock_threads() noexcept;
/// Whether it could be had at once. Not for a thread that has it.
[[nodiscard]] bool try_lock_threads() noexcept;
void unlock_threads() noexcept;
/// Whether this thread has the lock.
[[nodiscard]] bool threads_locked() noexcept;

}  // namespace dampi::piggyback
