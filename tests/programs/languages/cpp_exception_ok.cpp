/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
 * The exception is caught. Twin: cpp_exception.
 */
#include <mpi.h>

#include <cassert>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

class Session {
public:
    Session(int* argc, char*** argv) { MPI_Init(argc, argv); }
    ~Session() { MPI_Finalize(); }
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;
};

std::string receive_text(int& source) {
    MPI_Status status;
    int length = 0;
    MPI_Probe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_CHAR, &length);
    std::vector<char> text(static_cast<std::size_t>(length));
    source = status.MPI_SOURCE;
    MPI_Recv(text.data(), length, MPI_CHAR, source, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return {text.begin(), text.end()};
}

}  // namespace

int main(int argc, char** argv) {
    Session session(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        std::map<std::string, int> heard;
        std::string last;
        for (int i = 0; i < 2; ++i) {
            int source = 0;
            last = receive_text(source);
            heard[last] = source;
        }
        assert(heard.size() == 2 && heard["one"] == 1 && heard["three"] == 2);
        try {
            if (last != "three") throw std::runtime_error("the last word is " + last);
        } catch (const std::runtime_error& error) {
            assert(error.what() == std::string("the last word is one"));
        }
    } else {
        const std::string text = rank == 1 ? "one" : "three";
        MPI_Send(text.data(), static_cast<int>(text.size()), MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    }
    return 0;
}
