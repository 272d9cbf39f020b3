/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   central: refused MPI_Comm_accept
 *   interleavings: 1
 *   outcomes: {}
 * MPICH's UCX transport knows no dynamic processes. A program that handles the errors gets the same ones as without the
 * tool, no process is started, and nobody is left waiting.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>
#include <string.h>

static int class_of(int code) {
    int class = -1;
    MPI_Error_class(code, &class);
    return class;
}

int main(void) {
    int rank, codes[2] = {77, 77}, found = -1;
    void* size = NULL;
    MPI_Comm parent, made = MPI_COMM_NULL;
    char port[MPI_MAX_PORT_NAME] = "";
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_get_parent(&parent);
    assert(parent == MPI_COMM_NULL);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, &size, &found);
    assert(!found);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    int code = MPI_Comm_spawn("./nowhere", MPI_ARGV_NULL, 2, MPI_INFO_NULL, 1, MPI_COMM_WORLD, &made, codes);
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    MPI_Error_string(code, text, &length);
    assert(class_of(code) == MPI_ERR_OTHER && strstr(text, "Error in spawn call") != NULL);
    assert(made == MPI_COMM_NULL && codes[0] == 77);
    char* commands[2] = {"./nowhere", "./nowhere"};
    const int processes[2] = {1, 1};
    const MPI_Info infos[2] = {MPI_INFO_NULL, MPI_INFO_NULL};
    code = MPI_Comm_spawn_multiple(2, commands, MPI_ARGVS_NULL, processes, infos, 0, MPI_COMM_SELF, &made, codes);
    assert(class_of(code) == MPI_ERR_OTHER && made == MPI_COMM_NULL);
    code = MPI_Open_port(MPI_INFO_NULL, port);
    assert(code != MPI_SUCCESS);
    code = MPI_Comm_accept("tag#0$", MPI_INFO_NULL, 0, MPI_COMM_WORLD, &made);
    assert(code != MPI_SUCCESS && made == MPI_COMM_NULL);
    code = MPI_Comm_connect("no port", MPI_INFO_NULL, 2, MPI_COMM_WORLD, &made);
    assert(code != MPI_SUCCESS && made == MPI_COMM_NULL && (rank != 0 || class_of(code) == MPI_ERR_PORT));
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
