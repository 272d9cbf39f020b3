// Whether false answers of a polling call make no difference. They make none where the program, told "nothing yet",
// comes back to the same call without having changed anything: then it does so as often as it is told. That is tried
// out, not believed: a copy of the process is told "nothing yet", also by other polling calls that it makes on its way,
// and watched until it calls MPI otherwise or comes back. It must stand at the same place with the same registers and
// stack, and all memory that it could have written must be what it was. If that is another it goes on: it may come back
// to a state that it has had by then, as where the first round leaves something in variables that are used in rounds
// only. Then it repeats itself from there on (Repetition::settles). Or it turns to something else, after a number of
// answers that is known then (Repetition::gives_up).
// The copy cannot do anything else: it may make no system call (but to sleep, which is skipped) and shared memory is
// read-only.
//
// What is not proven so is not known: several threads, signal handlers, a clock that is read, too much memory, or a
// system that does not let us look.
#pragma once

#include "replay/epoch.hpp"

#include <cstdint>
#include <optional>

namespace dampi::piggyback {

class Core;

/// What has been found out.
struct FoundRepetition {
    replay::Repetition repetition = replay::Repetition::undecided;
    // As replay::Epoch has them.
    std::uint32_t turns_after = 0;
    std::uint32_t round = 0;
    bool looks_at_clock = false;  ///< it is undecided, for the program does so in the first round
};

/// The call of `function`, which returns to `return_address` in the program (null: nobody knows), begins a stretch of
/// polling calls, and its results already say "nothing yet".
[[nodiscard]] FoundRepetition repetition_of(Core& core, const char* function, const void* return_address) noexcept;

/// What is known of that without trying; nothing: it would have to be tried. To be asked before it is, once.
[[nodiscard]] std::optional<FoundRepetition> known_repetition(Core& core, const void* return_address) noexcept;
/// Whether a try could prove anything, so that it is worth to look whether a rank in the same state has tried before.
[[nodiscard]] bool may_prove_repetition(const Core& core, const void* return_address) noexcept;
/// Tries it, unless it is known from elsewhere.
[[nodiscard]] FoundRepetition try_repetition(Core& core, const char* function, const void* return_address,
                                             const std::optional<FoundRepetition>& elsewhere = std::nullopt) noexcept;

/// The call goes on with the stretch after so many false answers. When they are many it is tried whether it is
/// repeated for ever if nothing comes and no other thread does anything; FalseAnswers shows it.
void note_repetition(Core& core, const char* function, const void* return_address,
                     std::uint32_t false_answers) noexcept;

/// This process is such a copy.
extern bool repeating;

/// The copy calls a polling function; `may_come`: that may answer "nothing yet". Whether it does, so that the copy goes
/// on; before that it waits to be looked at where it stands as in the beginning.
[[nodiscard]] bool goes_on_repeating(const char* function, const void* return_address, bool may_come) noexcept;

/// The copy calls MPI, or looks at a clock (null).
[[noreturn]] void end_of_repetition(const char* function) noexcept;

}  // namespace dampi::piggyback
