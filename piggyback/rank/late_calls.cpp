#include "piggyback/rank/late_calls.hpp"

namespace dampi::piggyback {

constinit LookAtLateCall* look_at_late_call = nullptr;

}  // namespace dampi::piggyback
