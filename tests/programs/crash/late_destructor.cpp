/* DAMPI-TEST
 *   np: 3
 *   expect: exit
 *   findings: 1
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
 *   where: late_destructor.cpp:@
 * The destructor of a global that was there before MPI_Init calls MPI when that is over, where rank 2 comes first. The
 * status with which the MPI library then ends the process is that of a second call of exit(). Twin: late_destructor_ok.
 */
#include <mpi.h>

#include <cstdio>

namespace {

class Logger {
public:
    ~Logger() {
        if (dirty) {
            int rank = 0;
            MPI_Comm_rank(MPI_COMM_WORLD, &rank); /*@*/
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
