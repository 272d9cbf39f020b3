// oracle_check --simulated --reference and --bounds: very many random programs, of which the tool's explorer must run
// exactly the interleavings that the definition of its search names (reference_explorer.hpp): without bounds, with
// random bounds, and with the next larger mixing bound, which must keep all that the smaller one explores.
#pragma once

#include "tests/oracle/simulated_check.hpp"

namespace dampi::oracle {

/// Prints what it finds. Returns 0 if all agree, otherwise 1.
int check_against_reference(const SimulatedSettings& settings);

}  // namespace dampi::oracle
