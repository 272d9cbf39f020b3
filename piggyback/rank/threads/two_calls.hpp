// What is recorded where the calls of two threads of a rank do not go together: the call that is wrong, and that of the
// other thread.
#pragma once

#include "replay/violation_kind.hpp"

#include <cstdint>
#include <string>

namespace dampi::piggyback {

class Layer;

/// A call, and where the program makes it.
struct PlacedCall {
    const char* function = nullptr;  ///< null: none
    std::uint64_t site = 0;
};

/// `what`: of the other call, in words. With the lock.
void log_two_calls(Layer& layer, replay::ViolationKind kind, const PlacedCall& call, const std::string& message,
                   const PlacedCall& other, const char* what);

}  // namespace dampi::piggyback
