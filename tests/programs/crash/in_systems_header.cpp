// DAMPI-TEST
//   np: 2
//   expect: crash
//   interleavings: 1
//   where: in_systems_header.cpp:@
// What crashes is code of the C++ library that the compiler has put into the program.
#include <mpi.h>
#include <vector>

std::vector<int>* volatile nothing = nullptr;

int main() {
    int rank = 0;
    MPI_Init(nullptr, nullptr);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        nothing->push_back(rank);  //@
    }
    MPI_Finalize();
    return 0;
}
