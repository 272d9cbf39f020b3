// How dampi-worker and dampi-node end.
#pragma once

namespace dampi::scheduler::workers {

inline constexpr int exit_sent_away = 0;  ///< the sweep needs it no more, or it was told to end
inline constexpr int exit_gone = 1;       ///< the sweep is gone, or was not there
inline constexpr int exit_usage = 2;      ///< as all commands have it (cli/command.hpp)
inline constexpr int exit_refused = 3;    ///< by the sweep, or it has refused the sweep

}  // namespace dampi::scheduler::workers
