/* In which order the messages of a first phase came is kept in the part of the state that the argument names, and
 * nowhere else; an order of the second phase after one of the first is a fault. */
#include <mpi.h>
#include <string.h>

#pragma GCC optimize("O1") /* without, arguments of calls are on the stack, too */

#define APART __attribute__((noinline))

static int kept;

APART static void receive(int* came, int phase) {
    MPI_Recv(came, 1, MPI_INT, MPI_ANY_SOURCE, phase, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

APART static int next(int phase) {
    int came = 0;
    receive(&came, phase);
    return came;
}

APART static int next_and_last(int phase) {
    const int came = next(phase);
    next(phase);
    return came;
}

APART static void keep_in_memory(void) { kept = next_and_last(0); }

APART static int in_memory(void) {
    keep_in_memory();
    const int second = next_and_last(1);
    return kept == 2 && second == 1;
}

APART static int on_stack(void) {
    volatile int first = next_and_last(0);
    const int second = next_and_last(1);
    return first == 2 && second == 1;
}

/* A register that calls leave as it is. */
APART static int in_register(void) {
    register long first __asm__("r12") = next_and_last(0);
    __asm__ volatile("" : "+r"(first));
    register long second __asm__("r13") = next_and_last(1);
    __asm__ volatile("" : "+r"(first), "+r"(second));
    return first == 2 && second == 1;
}

/* Where the message goes says it. */
APART static int in_call(void) {
    int came[3] = {0, 0, 0};
    receive(&came[2 * (next_and_last(0) == 2)], 1);
    next(1);
    return came[2] == 1;
}

int main(int argc, char** argv) {
    const char* const part = argc > 1 ? argv[1] : "memory";
    int rank = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        const int fault = strcmp(part, "memory") == 0      ? in_memory()
                          : strcmp(part, "stack") == 0     ? on_stack()
                          : strcmp(part, "registers") == 0 ? in_register()
                                                           : in_call();
        if (fault) {
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Send(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
