// For which MPI library the modules of this process were built: what they ask the dynamic linker for says so. Which it
// will be is known for certain only here, where a script has executed the program, or an interpreter has loaded it.
#pragma once

#include <string>

namespace dampi::piggyback {

struct AskedLibraries {
    std::string mpich;     ///< path of the first module that was built with MPICH; empty: none
    std::string open_mpi;  ///< likewise with Open MPI
    bool fortran_of_open_mpi = false;
    bool translation = false;  ///< libdampi-openmpi.so is in the place of Open MPI's library
    bool translation_of_fortran = false;
};

/// Of what is loaded now; the layer's own libraries do not count.
[[nodiscard]] AskedLibraries asked_libraries();

/// Why calls of MPI in this process cannot be taken for those of one library, or not for those of the one that dampi
/// has set up: a sentence. Empty: they can.
[[nodiscard]] std::string doubt_about_library();

}  // namespace dampi::piggyback
