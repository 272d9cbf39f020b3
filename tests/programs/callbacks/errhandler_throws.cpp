/* DAMPI-TEST
 *   np: 3
 *   expect: truncation, argument/rank
 *   findings: 2
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
 * Error handlers that throw exceptions, of a call that MPI refuses at once and of one that completes receives, and one
 * that passes an exception of its own on; each is caught, and the ranks go on.
 */
#include <mpi.h>

#include <cassert>
#include <stdexcept>
#include <string>

namespace {

class Error : public std::runtime_error {
public:
    explicit Error(int code) : std::runtime_error("code"), code_(code) { ++living; }
    Error(const Error& other) : std::runtime_error(other), code_(other.code_) { ++living; }
    ~Error() override { --living; }
    [[nodiscard]] int error_class() const {
        int found = 0;
        MPI_Error_class(code_, &found);
        return found;
    }
    static inline int living = 0;

private:
    int code_;
};

void throw_error(MPI_Comm* /*comm*/, int* code, ...) {
    try {
        throw Error(*code);
    } catch (const Error&) {
        throw;
    }
}

struct Unwound {
    explicit Unwound(int& count) : count_(count) {}
    ~Unwound() { ++count_; }
    int& count_;
};

}  // namespace

int main() {
    MPI_Init(nullptr, nullptr);
    int rank = 0, unwound = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    MPI_Comm_create_errhandler(throw_error, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Errhandler_free(&handler);
    int wrong = 0;
    try {
        const Unwound each(unwound);
        MPI_Send(&rank, 1, MPI_INT, 99, 0, MPI_COMM_WORLD);
    } catch (const Error& error) {
        wrong = error.error_class();
    }
    assert(wrong == MPI_ERR_RANK && unwound == 1 && Error::living == 0);
    if (rank == 0) {
        int caught = 0;
        for (int i = 0; i < 2; ++i) {
            int received[4] = {};
            try {
                MPI_Recv(received, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            } catch (const std::runtime_error&) {
                ++caught;
            }
        }
        assert(caught == 1 && Error::living == 0);
    } else {
        const int sent[2] = {rank, rank};
        MPI_Send(sent, rank, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
