// Whether the program has ever made an attribute key, and so perhaps functions that MPI calls when attributes go.
#pragma once

namespace dampi::piggyback {

[[nodiscard]] bool has_made_keyvals() noexcept;

}  // namespace dampi::piggyback
