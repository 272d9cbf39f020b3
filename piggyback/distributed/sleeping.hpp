// A rank that sleeps in virtual time: to the others, and to dampi-run, it waits for a time.
#pragma once

#include "transport/words.hpp"

#include <chrono>

namespace dampi::piggyback::distributed {

/// As Engine::wait_until.
void wait_until(transport::VirtualTime until, std::chrono::nanoseconds duration) noexcept;

}  // namespace dampi::piggyback::distributed
