#include "piggyback/rank/call_depth.hpp"

namespace dampi::piggyback {

__thread int call_depth = 0;

}  // namespace dampi::piggyback
