// DAMPI-TEST
//   np: 4
//   expect: abort
//   options: --engine central --merge-states always
// As order_matters.c, but what the first rank keeps lies where operator new has put it: that is the program's memory
// as well.
#include <mpi.h>

#include <memory>
#include <vector>

int main(int argc, char** argv) {
    int rank = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    auto order = std::make_unique<int>(0);
    std::vector<int> came(1);
    for (int phase = 0; phase < 2; ++phase) {
        if (rank == 0) {
            for (int i = 1; i < 4; ++i) {
                MPI_Recv(came.data(), 1, MPI_INT, MPI_ANY_SOURCE, phase, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                *order = *order * 4 + came.front();
                came.front() = 0;
            }
        } else {
            MPI_Send(&rank, 1, MPI_INT, 0, phase, MPI_COMM_WORLD);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (*order == ((((3 * 4 + 1) * 4 + 2) * 4 + 2) * 4 + 3) * 4 + 1) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Finalize();
    return 0;
}
