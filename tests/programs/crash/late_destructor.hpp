// The destructor of a global made before MPI_Init calls MPI, where rank 2 has come first and MAY_CALL says so.
#include <mpi.h>

#include <cstdio>

namespace {

class Logger {
public:
    ~Logger() {
        if (dirty && MAY_CALL) {
            int rank = 0;
            MPI_Comm_rank(MPI_COMM_WORLD, &rank);
            std::fprintf(stderr, "rank %d: there were warnings\n", rank);
        }
    }
    bool dirty = false;
};

Logger logger;

}  // namespace

int main() {
    MPI_Init(nullptr, nullptr);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        int first = 0, second = 0;
        MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&second, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        logger.dirty = first > second;
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
