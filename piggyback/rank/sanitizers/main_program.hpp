// LeakSanitizer and the main program of a program in Fortran. Its variables last until the program ends, so what they
// point to is never lost; but gfortran has them on the stack of the function that it makes of the main program, and
// that has returned when LeakSanitizer looks.
#pragma once

namespace dampi::piggyback::sanitizers {

/// To be called when this process becomes a rank.
void find_leak_runtime();

/// What the main program's variables point to now LeakSanitizer takes for reachable from here on. To be called as late
/// as possible, from what the main program has called; without effect in other programs.
void keep_main_programs_memory() noexcept;

}  // namespace dampi::piggyback::sanitizers
