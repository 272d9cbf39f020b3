/* DAMPI-TEST
 *   np: 2
 *   expect: deadlock, incomplete
 *   central: refused MPI_Init_thread
 * Threads of both ranks wait in MPI for each other, one waits for a condition that they would signal, and the main
 * threads wait for the end of them all: nobody can go on, though only some threads are in MPI.
 */
#define ACKNOWLEDGED 1
#include "waiting_threads_ok.c"
