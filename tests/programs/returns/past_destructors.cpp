/* DAMPI-TEST
 *   np: 2
 *   expect: exit
 *   interleavings: 1
 *   outcomes: {}
 *   where: past_destructors.cpp:@
 * Behind the statement from which main returns, destructors are called, which belong to the closing braces. Twin:
 * exit_nonzero_ok.
 */
#include <mpi.h>

#include <string>
#include <vector>

namespace {

class Mpi {
public:
    Mpi() { MPI_Init(nullptr, nullptr); }
    ~Mpi() { MPI_Finalize(); }
    int rank() const {
        int rank = 0;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        return rank;
    }
};

}  // namespace

int main() {
    const Mpi mpi;
    std::vector<std::string> words(3, "a word that is too long for its object alone");
    for (const std::string& word : words) {
        const std::string copy = word + '.';
        if (mpi.rank() == 1) {
            const std::vector<std::string> all(10, copy);
            if (all.back() == copy) {
                return 7; /*@*/
            }
            return 7;
        }
        if (copy.empty()) {
            return 7;
        }
    }
    return 0;
}
