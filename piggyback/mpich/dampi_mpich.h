/* What an MPICH with mpich-4.0.2.patch offers beside MPI: a value of 64 bits that travels in the packet of each
 * point-to-point message, and one that comes back from the receive that took it; and a way to sleep until something
 * arrives. It knows nothing of clocks: who uses it decides what a value means. Values are 0 where nobody has set one;
 * so 0 means nothing.
 *
 * All functions may be called by any thread between MPI_Init and MPI_Finalize; the ones that say so also before and
 * after. They return no errors. Look them up by name in the loaded library: one without the patch lacks them. */
#ifndef DAMPI_MPICH_H
#define DAMPI_MPICH_H

#include <mpi.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/* The version of what is declared here. Any time. */
#define DAMPI_MPICH_INTERFACE 1
int dampi_mpich_interface(void);

/* What the operations carry that this thread starts from now on, until it calls this again (0: nothing). A send
 * (MPI_Send and its kin, MPI_Start) puts the value into the header of its message. A receive keeps it and gives it to
 * the sender of the message that it takes: in the clear-to-send packet of a large message, and in the acknowledgement
 * of a synchronous one. Messages that the library sends for itself (collectives, windows) carry it as well: set 0
 * around these. Any time. */
void dampi_mpich_value(uint64_t value);

/* Where the values of one operation are written: each once, when the operation meets its counterpart (a receive: as
 * soon as it is matched, though its data may come later), and in any case before it is seen to be complete by MPI_Test,
 * MPI_Wait or MPI_Request_get_status. */
struct dampi_mpich_values {
    uint64_t message; /* a receive's: what the message that it took carries */
    uint64_t
        receive; /* a send's: what the receive that took it carries; 0 where no answer comes, for it was buffered */
};

/* Binds `values` (two zeros before) to the operation of a request: right after MPI_Isend, MPI_Irecv, MPI_Imrecv,
 * MPI_Start ... has returned it, and before anything else is done with it. What is known already is written at once.
 * The place must live until the request is complete, or is bound to NULL (before MPI_Request_free, say): then nothing
 * is written any more. A persistent request is bound anew after each start. Buffered sends, requests of other kinds,
 * and MPI_REQUEST_NULL are left alone. */
void dampi_mpich_bind(MPI_Request request, struct dampi_mpich_values* values);

/* How often the library has found something to do in this process: something came or went, or a collective went on.
 * What it counts is its own affair; where it stays the same nothing has happened. Any time. */
uint64_t dampi_mpich_events(void);

/* What the message carries that the last successful MPI_Probe, Iprobe, Mprobe or Improbe of this thread has found. */
uint64_t dampi_mpich_probed(void);

/* Looks once for progress, and if there is none sleeps until something arrives for this process, but for at most so
 * many milliseconds (0: does not sleep; negative values are taken for 0). Returns 1 if there was something to do, 0 if
 * not, also where a signal ended the sleep. It does not call the hook, and must not be called by it. */
int dampi_mpich_wait(int milliseconds);

/* `hook` is called wherever the library waits for others inside of a call (also inside of collectives and of
 * MPI_Finalize) and finds nothing to do, each time before it sleeps; the sleep then lasts at most as many milliseconds
 * as the hook returns (negative: until something arrives). The hook must not call MPI. NULL: none. Any time. */
void dampi_mpich_idle_hook(int (*hook)(void));

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
