/* DAMPI-TEST
 *   np: 2
 *   expect: argument/tag
 *   interleavings: 1
 *   where: refused_probe.c:@
 * What MPI says of a refused blocking probe names the function that the program has called.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>
#include <string.h>

int main(void) {
    char text[MPI_MAX_ERROR_STRING] = "";
    int length;
    MPI_Message message;
    MPI_Init(NULL, NULL);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int matched = 0; matched < 2; matched++) {
        const int error = matched ? MPI_Mprobe(0, -7, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE)
                                  : MPI_Probe(0, -7, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /*@*/
        assert(error != MPI_SUCCESS);
        MPI_Error_string(error, text, &length);
        assert(strstr(text, matched ? "MPI_Mprobe" : "MPI_Probe") != NULL);
    }
    MPI_Finalize();
    return 0;
}
