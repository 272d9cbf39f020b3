// MPI_Wtime and MPI_Wtick.

#include "piggyback/interception/calls.hpp"
#include "piggyback/rank/threads/threads.hpp"
#include "piggyback/rank/time/virtual_time.hpp"

namespace dampi::piggyback::calls {
namespace {

constexpr double virtual_tick = 1e-6;

}  // namespace

double wtime(Call& /*call*/) noexcept {
    if (this_thread != nullptr) {
        this_thread->looks_at_clock();  // a program that polls until a time is over does not poll for ever
    }
    return time_is_virtual() ? static_cast<double>(clocks_begin + read_clock()) / virtual_second : PMPI_Wtime();
}

double wtick(Call& /*call*/) noexcept { return time_is_virtual() ? virtual_tick : PMPI_Wtick(); }

}  // namespace dampi::piggyback::calls
