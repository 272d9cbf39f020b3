/* An MPI library in which nothing happens, with the numbers of MPICH's kin: so that what is measured is what
 * dampi-watch's layer adds to a call. */
typedef void* Any;

int PMPI_Comm_rank(int comm, int* rank) { return *rank = 0; }
int PMPI_Comm_size(int comm, int* size) { return *size = 2, 0; }
int PMPI_Query_thread(int* level) { return *level = 0; }
int PMPI_Comm_group(int comm, int* group) { return *group = 0; }
int PMPI_Group_free(int* group) { return 0; }
int PMPI_Group_translate_ranks(int a, int n, const int* from, int b, int* to) { return 1; }
int PMPI_Comm_test_inter(int comm, int* flag) { return *flag = 0; }
int MPI_Init(int* argc, char*** argv) { return 0; }
int MPI_Finalize(void) { return 0; }
int MPI_Send(Any data, int count, int type, int to, int tag, int comm) { return 0; }
int MPI_Recv(Any data, int count, int type, int from, int tag, int comm, Any status) { return 0; }
int MPI_Barrier(int comm) { return 0; }
int MPI_Iprobe(int from, int tag, int comm, int* flag, Any status) { return *flag = 0; }

static int next_request(int* request) {
    static int last;
    *request = (int)0x98000000 + (last++ & 15);
    return 0;
}
int MPI_Isend(Any data, int count, int type, int to, int tag, int comm, int* request) { return next_request(request); }
int MPI_Irecv(Any data, int count, int type, int from, int tag, int comm, int* request) {
    return next_request(request);
}
int MPI_Waitall(int count, int* requests, Any statuses) {
    for (int i = 0; i < count; ++i) requests[i] = 0x2c000000;
    return 0;
}
