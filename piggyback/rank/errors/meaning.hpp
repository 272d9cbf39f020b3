// What an error of MPICH's means whose class says nothing.
#pragma once

namespace dampi::piggyback {

/// The code, or the class of errors that its sentence means.
int meant_by(int code);

}  // namespace dampi::piggyback
