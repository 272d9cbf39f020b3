// Calls every MPI function with each of its pointers NULL, one at a time (generate_calls.cpp), and writes down the
// error class that comes back. What MPI refuses alone, without the tool, it must refuse in the same way below it.
//
//   null_pointers probe OUT     each call in a process of its own: only those that come back are written
//   null_pointers call IN OUT   those of IN, one after the other. With other ranks there only rank 0 calls, and only
//                               what MPI refuses, since nobody would answer anything else.
//
// OUT is there once all has been called; until then it is OUT.part. A run that is made again after the sweep to list
// its calls may be stopped on its way.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

struct CallWithNull {
    const char* name;
    int (*call)(void);
    int active; /* its requests are those of operations that have begun */
    int ranks;  /* it needs that many */
};

static int peer, ranks;
static MPI_Comm intercommunicator = MPI_COMM_NULL, grid, graph, neighbourhood;
static MPI_Group group;
static MPI_Info info;
static MPI_Datatype vector, made_types[4];
static MPI_Datatype types[2] = {MPI_INT, MPI_INT};
static MPI_Info infos[2] = {MPI_INFO_NULL, MPI_INFO_NULL};
static MPI_Message message = MPI_MESSAGE_NO_PROC;
static MPI_Request requests[4];
static MPI_Status statuses[4];
static MPI_F08_status f08_status;
static MPI_Fint f_status[16];
static int keyval, type_keyval;
static int ones[16], zeros[16], distributions[16], ranges[1][3] = {{0, 0, 1}};
static MPI_Count large_ones[16], large_zeros[16];
static char sent[4096], received[4096], out[4096], text[MPI_MAX_PORT_NAME + MPI_MAX_INFO_VAL];
static char *texts[] = {"a", NULL}, **text_list = texts, **text_lists[] = {texts};
static MPI_Win window = MPI_WIN_NULL;
static MPI_File file = MPI_FILE_NULL;
static int window_keyval = MPI_KEYVAL_INVALID;

static int nothing(void) { return MPI_SUCCESS; }

#include "calls.inc"

enum { number_of_calls = sizeof calls / sizeof *calls };

static void prepare(void) {
    const int periods = 0, neighbour = 0, index = 0, weight = 1;
    for (int i = 0; i < 16; i++) ones[i] = 1, large_ones[i] = 1, distributions[i] = MPI_DISTRIBUTE_BLOCK;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    if (ranks == 2) MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, peer, 0, &intercommunicator);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, &periods, 0, &grid);
    MPI_Graph_create(MPI_COMM_WORLD, 1, &index, &neighbour, 0, &graph);
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &peer, &weight, 1, &peer, &weight, MPI_INFO_NULL, 0,
                                   &neighbourhood);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Info_create(&info);
    MPI_Type_vector(1, 1, 1, MPI_INT, &vector);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
    MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &type_keyval, NULL);
#ifndef MODELLED
    char name[] = "scratch_XXXXXX";
    close(mkstemp(name));
    MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, &window_keyval, NULL);
    MPI_Win_create(received, sizeof received, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN);
    MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
#endif
}

/* The error class; the requests are as they were. */
static int class_of(const struct CallWithNull* each) {
    static MPI_Request active[2];
    static int got[2];
    int class = 0;
    for (int i = 0; i < 2; i++)
        if (each->active) MPI_Irecv(&got[i], 1, MPI_INT, 0, 99, MPI_COMM_SELF, &active[i]);
    for (int i = 0; i < 4; i++) requests[i] = each->active && i < 2 ? active[i] : MPI_REQUEST_NULL;
    const int code = each->call();
    MPI_Error_class(code, &class);
    for (int i = 0; i < 2; i++)
        if (each->active) {
            MPI_Send(&i, 1, MPI_INT, 0, 99, MPI_COMM_SELF);
            if (requests[i] == active[i]) MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
        }
    return class;
}

/* Whether the call comes back, in a process of its own. */
static int comes_back(const struct CallWithNull* each) {
    int status;
    const pid_t child = fork();
    if (child == 0) {
        const int sink = open("/dev/null", O_WRONLY);
        dup2(sink, 1);
        dup2(sink, 2);
        for (int number = 1; number < 32; number++) signal(number, SIG_DFL);
        alarm(10);
        class_of(each);
        _exit(0);
    }
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int main(int argc, char** argv) {
    int rank, number, class;
    static int expected[number_of_calls];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    peer = ranks - 1 - rank;
    prepare();
    FILE* in = strcmp(argv[1], "call") == 0 ? fopen(argv[2], "r") : NULL;
    const char* out_name = argv[in == NULL ? 2 : 3];
    char part_name[256];
    snprintf(part_name, sizeof part_name, "%s.part", out_name);
    FILE* to = rank == 0 ? fopen(part_name, "w") : NULL;
    for (int i = 0; i < number_of_calls; i++) expected[i] = -1;
    while (in != NULL && fscanf(in, "%d %d %*[^\n]", &number, &class) == 2) expected[number] = class;
    for (int i = 0; i < number_of_calls && rank == 0; i++) {
        if (calls[i].ranks > ranks && in != NULL) continue;
        const int least = ranks > 1 ? 1 : 0;
        if (in == NULL ? comes_back(&calls[i]) : expected[i] >= least) {
            fprintf(to, "%d %d %s\n", i, class_of(&calls[i]), calls[i].name);
            fflush(to);
        }
    }
    if (to != NULL) fprintf(to, "end\n"), fclose(to), rename(part_name, out_name);
    MPI_Barrier(MPI_COMM_WORLD);
    _exit(0); /* what is left over is of no interest */
}
