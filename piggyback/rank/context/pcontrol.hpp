// MPI_Pcontrol, by which the program sets brackets (brackets.hpp); those that it does not close or open are noted.
#pragma once

namespace dampi::piggyback {

class Layer;

/// The program enters MPI_Finalize: what it has not closed is noted.
void note_open_brackets(Layer& layer);

}  // namespace dampi::piggyback
