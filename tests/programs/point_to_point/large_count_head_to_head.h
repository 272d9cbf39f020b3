/* Both send 2^31 + 8 elements to each other: all of one byte that lies in one and the same place, or of no size at all.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

static int head_to_head(int size_of_element) {
    const MPI_Count count = ((MPI_Count)1 << 31) + 8;
    int rank;
    char sent = 'a', got = 0;
    MPI_Datatype element, same_place;
    MPI_Status status;
    MPI_Count received = -1;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_contiguous(size_of_element, MPI_CHAR, &element);
    MPI_Type_create_resized(element, 0, 0, &same_place);
    MPI_Type_commit(&same_place);
    MPI_Send_c(&sent, count, same_place, 1 - rank, 0, MPI_COMM_WORLD);
    MPI_Recv_c(&got, count, same_place, 1 - rank, 0, MPI_COMM_WORLD, &status);
    MPI_Get_count_c(&status, same_place, &received);
    assert(size_of_element == 0 || (got == 'a' && received == count));
    MPI_Type_free(&element);
    MPI_Type_free(&same_place);
    MPI_Finalize();
    return 0;
}
