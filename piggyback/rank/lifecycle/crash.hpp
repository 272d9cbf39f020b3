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

/// For handlers of exit(), which whoever has called it still stands behind on the stack: writes who that was on the
/// board, and where main begins, unless it is a good end or was written before.
void note_exit(int status) noexcept;

}  // namespace dampi::piggyback
