/* DAMPI-TEST
 *   np: 2
 *   expect: argument/buffer, argument/communicator, argument/tag
 *   findings: 9
 *   interleavings: 1
 * What an intercommunicator is not for, nor MPI_IN_PLACE with one. Twin: intercommunicators_ok.
 */
#include "intercommunicators.h"

int main(void) {
    begin();
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN);
    assert(class_of(MPI_Scan(&one, &sum, 1, MPI_INT, MPI_SUM, inter)) == MPI_ERR_COMM);
    assert(class_of(MPI_Iexscan(&one, &sum, 1, MPI_INT, MPI_SUM, inter, &request)) == MPI_ERR_COMM);
    assert(class_of(MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, inter)) == MPI_ERR_BUFFER);
    assert(class_of(MPI_Allgather(MPI_IN_PLACE, 1, MPI_INT, &sum, 1, MPI_INT, inter)) == MPI_ERR_BUFFER);
    assert(class_of(MPI_Dist_graph_create_adjacent(inter, 0, NULL, MPI_UNWEIGHTED, 0, NULL, MPI_UNWEIGHTED,
                                                   MPI_INFO_NULL, 0, &made)) == MPI_ERR_COMM);
    assert(class_of(MPI_Cart_create(inter, 1, &one, &sum, 0, &made)) == MPI_ERR_COMM);
    assert(class_of(MPI_Intercomm_create(inter, 0, MPI_COMM_WORLD, 1 - rank, 5, &made)) == MPI_ERR_COMM);
    assert(class_of(MPI_Intercomm_create(own, 0, MPI_COMM_WORLD, 1 - rank, -5, &made)) == MPI_ERR_TAG);
    made = MPI_COMM_WORLD;
    assert(class_of(MPI_Comm_disconnect(&made)) == MPI_ERR_COMM);
    end();
    return 0;
}
