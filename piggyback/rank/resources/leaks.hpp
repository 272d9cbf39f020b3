// What the program made and has not freed when it calls MPI_Finalize.
#pragma once

namespace dampi::piggyback {

class Layer;

/// Records a violation for each place in the program that made objects (requests and communicators among them) which
/// are not freed. To be called in MPI_Finalize while MPI still works.
void report_leaks(Layer& layer);

}  // namespace dampi::piggyback
