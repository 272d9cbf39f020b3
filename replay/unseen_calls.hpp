// The names under which calls are counted as not modelled that the layer has not seen as the program's: such calls may
// have received messages that look as if nobody had.
#pragma once

#include <array>
#include <string_view>

namespace dampi::replay {

constexpr const char* calls_past_the_layer = "dlopen with RTLD_DEEPBIND or dlmopen";
constexpr const char* calls_from_callbacks = "calls from callbacks inside MPI";

/// Not such calls, but how a run is counted that ends since MPI cannot start processes; the function follows.
constexpr std::string_view processes_by = "processes by ";

/// Counted among them, though they are no calls.
constexpr const char* executed_before_init = "programs executed before MPI_Init";
constexpr const char* other_orders_of_threads = "other orders of threads";
constexpr const char* touches_of_threads = "loads and stores of threads in windows";
constexpr const char* conflicts_beside_openmp = "conflicts between threads that OpenMP may have ordered";

constexpr std::array<std::string_view, 2> unseen_calls{calls_past_the_layer, calls_from_callbacks};

}  // namespace dampi::replay
