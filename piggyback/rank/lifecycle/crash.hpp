// When the program crashes, or gives up by exit(), what it was doing is written on the board; then it ends as it
// would have without the layer.
#pragma once

namespace dampi::piggyback {

class Core;

/// Catches the signals of a crash where nobody else does, or only a runtime library that prints a backtrace
/// (which then still does). Can be called again after such libraries were initialised.
void install_crash_handlers();

/// From now on, crashes of this process are recorded there, and who ends it by exit() before its time or with a status
/// that is not 0.
void record_crashes(Core& core);

/// Whether that is known of this process: it is the rank, and no child of it.
[[nodiscard]] bool is_rank_itself() noexcept;

/// For handlers of exit(), which whoever has called it still stands behind on the stack: writes who that was on the
/// board, and where main begins, unless it is a good end or was written before. Where main has returned and was
/// followed (way_out_of_main.hpp) no stack is written, but main's beginning and then its last instructions, the last
/// one first.
void note_exit(int status) noexcept;

/// exit() is called. Where that has been before, and somebody whom it has called in turn calls it, note_exit() knows of
/// the first call; this one, with its status, is how the process ends.
void note_exit_called(int status) noexcept;

/// Has exit() do that before all that was registered there up to now: a sanitizer's runtime that looks for leaks then
/// ends the process itself.
void note_exit_early();

}  // namespace dampi::piggyback
