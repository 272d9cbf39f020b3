/* DAMPI-TEST
 *   np: 2
 *   expect: leak/info
 *   interleavings: 1
 *   outcomes: {}
 *   where: leak_info.c:@
 * What MPI_Comm_get_info gives out is the program's, and is not freed. Twin: leak_info_ok.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    MPI_Info early, hints, copy, used;
    MPI_Info_create(&early); /* allowed before MPI_Init, since MPI 4.0 */
    MPI_Init(NULL, NULL);
    MPI_Info_create(&hints);
    MPI_Info_set(hints, "mpi_assert_no_any_tag", "false");
    MPI_Info_dup(hints, &copy);
    MPI_Comm_get_info(MPI_COMM_WORLD, &used); /*@*/
    MPI_Info_free(&copy);
    MPI_Info_free(&hints);
    MPI_Info_free(&early);
    MPI_Finalize();
    return 0;
}
