// Rank 0 receives two messages by wildcards, tells its thread where they are NOTIFIED, and waits for it.
#include <mpi.h>

#include <condition_variable>
#include <mutex>
#include <thread>

int main(int argc, char** argv) {
    int level = 0, rank = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        std::mutex mutex;
        std::condition_variable changed;
        bool done = false;
        std::thread worker([&] {
            std::unique_lock lock(mutex);
            changed.wait(lock, [&] { return done; });
        });
        int first = 0, second = 0;
        MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&second, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (NOTIFIED(first, second)) {
            const std::lock_guard lock(mutex);
            done = true;
            changed.notify_one();
        }
        worker.join();
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
