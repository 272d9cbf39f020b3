/* clang-format off */
/* Eight ranks, each doing something else for ever. What is expected of each stands here:
 * np: 8
 * SITUATION 0: MPI_Recv(count 3, datatype MPI_DOUBLE, source MPI_ANY_SOURCE, tag 7, comm evens) at inner; inner < outer < main
 * SITUATION 1: MPI_Reduce(count 1, datatype MPI_INT, op a user-defined operator, root 5, comm MPI_COMM_WORLD) at main; main
 * SITUATION 2: outside MPI after MPI_Comm_set_name at main; libc < sleeping < main
 * SITUATION 3: outside MPI after MPI_Send at main; computing < main
 * SITUATION 4: MPI_Waitall(array of 2 requests) at waiting; waiting < main
 * SITUATION 5: outside MPI after MPI_Comm_set_name at main; libc < stopped < main
 * SITUATION 6: MPI_Ssend(count 2, datatype a datatype of MPI_Type_vector, dest 7, tag 1, comm MPI_COMM_WORLD) at main; main
 * SITUATION 7: MPI_Iprobe(source 2, tag MPI_ANY_TAG, comm MPI_COMM_WORLD) at main; main
 */
/* clang-format on */
#include <mpi.h>
#include <signal.h>
#include <unistd.h>

static volatile long spinning = 1;

static void combine(void* in, void* inout, int* length, MPI_Datatype* datatype) {
    (void)datatype;
    for (int i = 0; i < *length; ++i) {
        ((int*)inout)[i] += ((int*)in)[i];
    }
}

__attribute__((noinline)) static int inner(double* data, MPI_Comm comm) {
    MPI_Recv(data, 3, MPI_DOUBLE, MPI_ANY_SOURCE, 7, comm, MPI_STATUS_IGNORE);
    return (int)data[0];
}

__attribute__((noinline)) static int outer(MPI_Comm comm) {
    double data[3] = {0};
    return inner(data, comm) + 1;
}

__attribute__((noinline)) static int sleeping(void) {
    for (;;) {
        pause();
    }
    return 1;
}

/* No signal reaches it. */
__attribute__((noinline)) static long computing(void) {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    while (spinning != 0) {
        ++spinning;
    }
    return spinning;
}

__attribute__((noinline)) static int waiting(int rank) {
    int data[2];
    MPI_Request requests[2];
    MPI_Status statuses[2];
    MPI_Irecv(&data[0], 1, MPI_INT, (rank + 1) % 8, 3, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&data[1], 1, MPI_INT, (rank + 2) % 8, 3, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, statuses);
    return data[0];
}

__attribute__((noinline)) static int stopped(void) {
    raise(SIGSTOP);
    return 1;
}

int main(int argc, char** argv) {
    int rank, flag = 0, result = 0;
    MPI_Comm evens;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &evens);
    MPI_Comm_set_name(evens, rank % 2 == 0 ? "evens" : "odds");
    if (rank == 0) {
        result = outer(evens);
    } else if (rank == 1) {
        int value = 1, sum = 0;
        MPI_Op op;
        MPI_Op_create(combine, 1, &op);
        MPI_Reduce(&value, &sum, 1, MPI_INT, op, 5, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
    } else if (rank == 2) {
        result = sleeping();
    } else if (rank == 3) {
        MPI_Send(&rank, 1, MPI_INT, 2, 9, MPI_COMM_WORLD);
        result = (int)computing();
    } else if (rank == 4) {
        result = waiting(rank);
    } else if (rank == 5) {
        result = stopped();
    } else if (rank == 6) {
        int data[8] = {0};
        MPI_Datatype vector;
        MPI_Type_vector(2, 1, 4, MPI_INT, &vector);
        MPI_Type_commit(&vector);
        MPI_Ssend(data, 2, vector, 7, 1, MPI_COMM_WORLD);
    } else {
        while (flag == 0) {
            MPI_Iprobe(2, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        }
    }
    MPI_Finalize();
    return result;
}
