/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   notes: buffer/unwatched
 *   options: --check-buffers
 *   central: refused MPI_Put
 *   interleavings: 1
 * A window is filled and added up again and again between fences: more often than is looked at.
 */
#include "windows.h"

enum { NUMBERS = 3000 };
static long much[NUMBERS];

int main(void) {
    long sum = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(much, sizeof much, sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    for (int round = 0; round < 5; round++) {
        for (int i = 0; i < NUMBERS; i++) ((volatile long*)much)[i] = i;
        MPI_Win_fence(0, win);
        MPI_Put(&sum, 1, MPI_LONG, 1 - rank, round, 1, MPI_LONG, win);
        MPI_Win_fence(0, win);
        for (int i = 0; i < NUMBERS; i++) sum += ((volatile long*)much)[i];
        sum = 0;
    }
    return finish();
}
