/* A rank puts two numbers that lie behind each other from one place in the program, and then, between others, one of
 * them from there again. With WRONG 1 the first is still under way. */
#include "windows.h"

static void put(int place) { MPI_Put(values, 1, MPI_INT, 1, place, 1, MPI_INT, win); }

int main(void) {
    begin();
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        put(3);
        put(4);
#if !WRONG
        MPI_Win_flush(1, win);
#endif
        put(6);
        put(4 + WRONG);
        MPI_Get(results, 1, MPI_INT, 1, 3, 1, MPI_INT, win); /*@*/
        MPI_Win_flush(1, win);
    }
    meet(1 - rank);
    if (rank == 0) {
        put(4);
    } else {
        MPI_Put(values, 1, MPI_INT, 1, 3, 1, MPI_INT, win);
    }
    MPI_Win_unlock_all(win);
    return finish();
}
