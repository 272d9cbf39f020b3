#include <mpi.h>
#include <stddef.h>

static int answer;

static int copy(MPI_Comm comm, int key, void* extra, void* value, void* copied, int* flag) {
    (void)comm, (void)key, (void)extra;
    *(void**)copied = value;
    *flag = 1;
    return answer;
}

static void duplicate(int answers) {
    int key;
    MPI_Comm twin;
    answer = answers;
    MPI_Init(NULL, NULL);
    MPI_Comm_create_keyval(copy, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_WORLD, key, NULL);
    MPI_Comm_dup(MPI_COMM_WORLD, &twin);
    MPI_Comm_free(&twin);
    MPI_Comm_delete_attr(MPI_COMM_WORLD, key);
    MPI_Comm_free_keyval(&key);
    MPI_Finalize();
}
