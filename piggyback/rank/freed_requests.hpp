// Requests of pending messages that the program frees.
#pragma once

#include "piggyback/rank/call.hpp"
#include "piggyback/rank/requests.hpp"

namespace dampi::piggyback {

enum class FreedMessage { receive, send };

/// The program frees the request of a message. Where it is pending, and not told to be complete or cancelled, that is
/// worth a note: of a receive nothing will tell the program that the message is there; of a send another message can,
/// so it is only unusual.
void note_freed(const Call& call, const Request& request, FreedMessage what) noexcept;

}  // namespace dampi::piggyback
