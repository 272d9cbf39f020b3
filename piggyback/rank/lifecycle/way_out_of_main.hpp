// Which instructions main was at last, before it has returned: when a rank's exit handlers run, nothing of main is
// left. From each call of MPI's on the processor stops behind each instruction of main itself (the trap flag, SIGTRAP);
// what main calls runs as ever, up to a breakpoint where it comes back. This takes time and uses a signal, so only runs
// that are made again for what they have shown do it, and not where the program has uses for that signal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace dampi::piggyback {

class Core;

/// In a call of MPI's, where the run is to find that: main is followed from where the call comes back to it. False, and
/// nothing happens, in other runs and threads, in processes where it is not known who main is, and on other processors
/// than x86-64. Where it is true the process is not to come back (rewind.hpp): its code is another one for a while.
bool follow_main(const Core& core) noexcept;

/// Fills `addresses` with those of main's last instructions, the last one first; how many. None unless main has
/// returned and was followed until then.
[[nodiscard]] std::size_t way_out_of_main(std::span<std::uint64_t> addresses) noexcept;

}  // namespace dampi::piggyback
