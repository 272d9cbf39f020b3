// MPI_Wtime and MPI_Wtick. On request the time is a virtual one: each call of MPI_Wtime is a microsecond later than the
// one before, in every run the same, so that a program that branches on time does so reproducibly.

#include "piggyback/interception/calls.hpp"
#include "piggyback/rank/core.hpp"
#include "piggyback/rank/threads/threads.hpp"

#include <atomic>
#include <cstdint>

namespace dampi::piggyback::calls {
namespace {

constexpr double virtual_begin = 1e3;  // seconds; the true clock has no meaningful beginning either
constexpr double virtual_tick = 1e-6;

bool is_virtual() { return Core::current()->port.terms().virtual_time != 0; }

}  // namespace

double wtime(Call& /*call*/) noexcept {
    static std::atomic<std::uint64_t> calls{0};
    if (!is_virtual()) {
        if (this_thread != nullptr) {
            this_thread->looks_at_clock();  // a program that polls until a time is over does not poll for ever
        }
        return PMPI_Wtime();
    }
    return virtual_begin + virtual_tick * static_cast<double>(calls.fetch_add(1, std::memory_order_relaxed));
}

double wtick(Call& /*call*/) noexcept { return is_virtual() ? virtual_tick : PMPI_Wtick(); }

}  // namespace dampi::piggyback::calls
