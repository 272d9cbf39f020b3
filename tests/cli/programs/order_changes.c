/* What the order of messages changes in rank 0, by the first argument:
 *   heap      elements of a block that a variable points to
 *   global    a member of a structure in a variable of the file
 *   function  a variable of a function that is over in MPI_Finalize
 *   integers  nothing: sums of integers
 *   copies    nothing but copies of what came last, and of who has sent it
 *   again     nothing in the end: what differs for a while is made equal again
 *   pointers  nothing but where a pointer points to
 *   dead      a variable that nobody reads any more
 *   end       nothing at all, in any memory
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sums {
    int count;
    double sum;
};

static struct sums all;
static int order;
static double value_of_last;

static void add_up(void) {
    double inner = 0;
    for (int i = 0; i < 3; ++i) {
        double came = 0;
        MPI_Recv(&came, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        inner += came;
    }
    MPI_Barrier(MPI_COMM_SELF);
    printf("%.17g\n", inner);
    inner = 0;
}

int main(int argc, char** argv) {
    const char* const what = argc > 1 ? argv[1] : "";
    int rank = 0;
    double* block = NULL;
    int* pointer = NULL;
    int cells[4] = {0};
    int sum = 0;
    int dead = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank != 0) {
        const double part = 0.1 * rank;
        MPI_Send(&part, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
    } else if (strcmp(what, "function") == 0) {
        add_up();
    } else {
        block = calloc(3, sizeof *block);
        for (int i = 0; i < 3; ++i) {
            double came = 0;
            MPI_Status status;
            MPI_Recv(&came, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
            if (strcmp(what, "heap") == 0) {
                block[2] += came;
            } else if (strcmp(what, "global") == 0) {
                all.sum += came;
                ++all.count;
            } else if (strcmp(what, "integers") == 0) {
                sum += (int)(came * 100);
            } else if (strcmp(what, "copies") == 0) {
                order = status.MPI_SOURCE;
                value_of_last = came;
            } else if (strcmp(what, "again") == 0) {
                order = order * 4 + status.MPI_SOURCE;
            } else if (strcmp(what, "pointers") == 0) {
                pointer = &cells[status.MPI_SOURCE];
            } else if (strcmp(what, "dead") == 0) {
                dead = 100 - status.MPI_SOURCE;
            } else if (strcmp(what, "end") == 0) {
                came = 0;
                memset(&status, 0, sizeof status);
            }
        }
        MPI_Barrier(MPI_COMM_SELF);
        if (strcmp(what, "again") == 0) {
            order = 0;
        }
        MPI_Barrier(MPI_COMM_SELF);
    }
    MPI_Finalize();
    free(block);
    return sum < 0 || dead < 0 || pointer == &sum || value_of_last < 0;
}
