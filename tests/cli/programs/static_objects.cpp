// Objects with constructors before main, by the variable WHAT: most are the same in each rank, some are not.
#include <cassert>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <random>
#include <string>

#include <mpi.h>

namespace {

const std::string what = std::getenv("WHAT") != nullptr ? std::getenv("WHAT") : "";
const std::map<std::string, int> table{{"one", 1}, {"two", 2}};
const auto start = what == "clock" ? std::chrono::steady_clock::now() : std::chrono::steady_clock::time_point{};
const unsigned seed = what == "random" ? std::random_device()() : 0;
struct AtEnd {
    ~AtEnd() { std::cout << "destroyed\n"; }
} at_end;

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    assert(table.at("two") == 2);
    if (what == "clock") assert(std::chrono::steady_clock::now() - start < std::chrono::minutes(1));
    if (what == "random") {
        unsigned others[3] = {};
        MPI_Allgather(&seed, 1, MPI_UNSIGNED, others, 1, MPI_UNSIGNED, MPI_COMM_WORLD);
        assert(others[0] != others[1] || others[1] != others[2]);
    }
    int any = 0;
    if (rank == 0) {
        for (int i = 1; i < 3; ++i) MPI_Recv(&any, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
}
