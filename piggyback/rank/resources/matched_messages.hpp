// Messages that MPI_Mprobe or MPI_Improbe has taken for the program, and that it has to receive.
#pragma once

#include "piggyback/rank/call.hpp"
#include "piggyback/rank/resources/held_handles.hpp"

#include <cstdint>

#include <mpi.h>

namespace dampi::piggyback {

/// Those that are not received yet, of all communicators that the layer follows. Under the lock of the layer's calls.
HeldHandles& unreceived_messages();

/// `call` has given the program this message.
inline void took_message(const Call& call, MPI_Message message) {
    unreceived_messages().add(static_cast<std::uint32_t>(message), {call.function(), call.site()});
}

/// The program receives it.
inline void receives_message(MPI_Message message) {
    unreceived_messages().release(static_cast<std::uint32_t>(message));
}

}  // namespace dampi::piggyback
