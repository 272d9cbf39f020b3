// A vector is sent, and filled anew: with `early` before the send is complete.
#include <mpi.h>
#include <algorithm>
#include <vector>

struct Numbers {
    std::vector<int> all = std::vector<int>(500, 7);
    MPI_Request request = MPI_REQUEST_NULL;

    void send() { MPI_Isend(all.data(), static_cast<int>(all.size()), MPI_INT, 1, 0, MPI_COMM_WORLD, &request); }

    void wait() { MPI_Wait(&request, MPI_STATUS_IGNORE); }

    void forget() { std::fill(all.begin(), all.end(), 0); }
};

inline int run(bool early) {
    int rank = 0;
    MPI_Init(nullptr, nullptr);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    Numbers numbers;
    if (rank == 0) {
        numbers.send();
        if (!early) {
            numbers.wait();
        }
        numbers.forget();
        numbers.wait();
    } else {
        MPI_Recv(numbers.all.data(), static_cast<int>(numbers.all.size()), MPI_INT, 0, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
