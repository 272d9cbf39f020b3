// The inside of a prepared process (replay/launch/prepared_program.hpp): it stops just before main and forks ranks
// there on request. What constructors do before that must be the same in every rank; where it is not, the process says
// so and ends.
#pragma once

namespace dampi::piggyback {

/// Whether dampi-run started this process to be prepared. From then on its variable is out of the environment.
bool is_to_be_prepared() noexcept;

using Main = int (*)(int, char**, char**);

/// What is to be called in the place of the program's main: in a process that is to be prepared it serves until it is
/// in a rank, and then calls main.
[[nodiscard]] Main around(Main main) noexcept;

/// Whether that is so and main has not been called.
[[nodiscard]] bool ranks_may_differ() noexcept;

/// Something before main is not the same in every rank. Does not return unless ranks_may_differ() is
/// false; then it does nothing.
void not_the_same_in_ranks(const char* why) noexcept;

}  // namespace dampi::piggyback
