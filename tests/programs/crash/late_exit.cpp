/* DAMPI-TEST
 *   np: 2
 *   expect: exit
 *   findings: 1
 *   interleavings: 1
 *   where: late_exit.cpp:@
 * A destructor of a global calls exit() with another status than that with which main returned.
 */
#include <mpi.h>

#include <cstdlib>

namespace {

struct Report {
    bool failed = false;
    ~Report() {
        if (failed) {
            std::exit(3); /*@*/
        }
    }
} report;

}  // namespace

int main() {
    MPI_Init(nullptr, nullptr);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    report.failed = rank == 1;
    MPI_Finalize();
    return 0;
}
