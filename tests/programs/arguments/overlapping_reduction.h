#include <mpi.h>
#include <stddef.h>

static int values[4], sums[4];

static void begin(void) { MPI_Init(NULL, NULL); }
