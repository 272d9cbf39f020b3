#include <mpi.h>
#include <stddef.h>

static MPI_Session session, copy;

static void begin(void) {
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    copy = session;
}

static int number_of_sets(void) {
    int number = 0;
    MPI_Session_get_num_psets(copy, MPI_INFO_NULL, &number);
    return number;
}
