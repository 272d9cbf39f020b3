// What a rank was doing in MPI when dampi-run ended the run: the program's call with its arguments, and the call stack.
#pragma once

#include <cstdint>

namespace dampi::piggyback {

class Layer;

/// Who asks: the layer from its own loops, or from within a function of the MPI library.
enum class Asking : std::uint8_t { layer, mpi };

/// Writes it down for dampi-run. Only the first time counts; nothing happens outside MPI calls.
void write_situation(Layer& layer, Asking asking) noexcept;

}  // namespace dampi::piggyback
