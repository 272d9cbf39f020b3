// DAMPI-TEST
//   np: 2
//   options: --explore-polls 0
//   expect: incomplete
//   interleavings: 1
// C++'s clocks and sleeps are those of the C library: an hour's time-out, and a sleep of an hour, last for no time.
#include <cassert>
#include <chrono>
#include <thread>

#include <mpi.h>

int main() {
    using namespace std::chrono;
    MPI_Init(nullptr, nullptr);
    int rank = 0, flag = 0, value = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        const auto begin = steady_clock::now();
        const auto date = system_clock::now();
        while (steady_clock::now() < begin + hours(1)) {
            MPI_Iprobe(1, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
            assert(flag == 0);
        }
        assert(system_clock::now() - date >= hours(1));
        MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(steady_clock::now() - begin > minutes(179));
    } else {
        std::this_thread::sleep_for(hours(3));
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
