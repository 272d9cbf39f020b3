// Names of functions as people write them, from those that the linker has: of C++, and of gfortran's modules and
// contained procedures.
#pragma once

#include <string>

namespace dampi::launch {

/// "halo::exchange(int)" of "_ZN4halo8exchangeEi", "halo_mod::exchange" of "__halo_mod_MOD_exchange", "master" of
/// "master.1"; others as they are.
[[nodiscard]] std::string demangled(const char* name);

/// Whether such a name says of which class, namespace or module it is.
[[nodiscard]] bool has_surroundings(const char* name);

}  // namespace dampi::launch
