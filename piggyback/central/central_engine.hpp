// What the library of the centralized engine needs of its bodies beyond piggyback/interception/central_calls.hpp.
#pragma once

namespace dampi::piggyback::central {

/// Initialises the MPI library in a process that is no rank yet (Engine::initialise_alone).
bool initialise_alone(const char* function, const void* arguments) noexcept;

/// Somebody calls exit() (Engine::exits).
void exits(int status, const void* caller) noexcept;

}  // namespace dampi::piggyback::central
