/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
 * As libraries do it: a communicator carries another one and a datatype as an attribute, of which the callbacks make
 * duplicates when it is duplicated, and free them with it. Wildcard receives on the inner one. Twin: attribute_leak.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>
#include <stdlib.h>

struct inner {
    MPI_Comm comm;
    MPI_Datatype type;
};

static int copy(MPI_Comm comm, int key, void* state, void* in, void* out, int* flag) {
    (void)comm, (void)key, (void)state;
    const struct inner* from = in;
    struct inner* to = malloc(sizeof *to);
    MPI_Comm_dup(from->comm, &to->comm);
    MPI_Type_dup(from->type, &to->type);
    *(void**)out = to;
    *flag = 1;
    return MPI_SUCCESS;
}

static int gone(MPI_Comm comm, int key, void* value, void* state) {
    (void)comm, (void)key, (void)state;
    struct inner* inner = value;
    MPI_Comm_free(&inner->comm);
    MPI_Type_free(&inner->type);
    free(inner);
    return MPI_SUCCESS;
}

int main(void) {
    int rank, key, found = 0, value = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm outer, twin;
    MPI_Comm_dup(MPI_COMM_WORLD, &outer);
    MPI_Comm_create_keyval(copy, gone, &key, NULL);
    struct inner *first = malloc(sizeof *first), *second = NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &first->comm);
    MPI_Type_contiguous(1, MPI_INT, &first->type);
    MPI_Type_commit(&first->type);
    MPI_Comm_set_attr(outer, key, first);
    MPI_Comm_dup(outer, &twin);
    MPI_Comm_get_attr(twin, key, &second, &found);
    assert(found && second != first && second->comm != first->comm);
    if (rank != 0) {
        MPI_Send(&rank, 1, second->type, 0, 0, second->comm);
    } else {
        for (int i = 0; i < 2; i++) {
            MPI_Recv(&value, 1, second->type, MPI_ANY_SOURCE, 0, second->comm, MPI_STATUS_IGNORE);
        }
    }
    MPI_Comm_free(&twin);
    MPI_Comm_free(&outer);
    MPI_Comm_free_keyval(&key);
    MPI_Finalize();
    return 0;
}
