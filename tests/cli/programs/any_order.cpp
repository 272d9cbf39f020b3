// Rank 0 takes the messages of all others in any order, and makes use of the C++ library in doing so: what it has
// printed and kept before must not be there any more in another run.
#include <algorithm>
#include <cassert>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include <mpi.h>

namespace {

const std::string name = "the rank with the number ";
std::vector<int> taken;
std::unordered_map<std::string, int> counts;

class Words {
public:
    virtual ~Words() = default;
    [[nodiscard]] virtual std::string of(int rank) const { return name + std::to_string(rank); }
};
class OtherWords : public Words {
public:
    [[nodiscard]] std::string of(int rank) const override {
        if (rank == 2) throw std::runtime_error("two");
        return Words::of(rank);
    }
};

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    assert(taken.empty() && counts.empty());
    static const auto words = std::make_shared<OtherWords>();
    if (rank == 0) {
        for (int i = 1; i < size; ++i) {
            MPI_Status status;
            MPI_Recv(nullptr, 0, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
            taken.push_back(status.MPI_SOURCE);
            try {
                ++counts[words->of(status.MPI_SOURCE)];
            } catch (const std::exception& error) {
                std::cerr << "not so " << error.what() << std::endl;
            }
        }
        std::ostringstream order;
        for (const int each : taken) order << each << ' ';
        std::cout << order.str() << "and " << std::map<int, int>{{1, 2}}.at(1) << '\n';
        std::sort(taken.begin(), taken.end());
        assert(static_cast<int>(taken.size()) == size - 1 && static_cast<int>(counts.size()) == size - 2);
    } else {
        MPI_Send(nullptr, 0, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
}
