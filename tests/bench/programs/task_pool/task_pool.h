/* A pool of tasks shared by the processes of a communicator, in the manner of ADLB. The last `servers` processes own
 * the pool; the others are clients, each with a home server. Clients put typed units of work with a priority and
 * reserve units of the types that they want; a server that has none asks the others, one after the other. When all
 * clients wait for work and there is none for them, the servers find that out and everybody is told.
 *
 * Servers receive with wildcards only. One pool at a time. */
#ifndef TASK_POOL_H
#define TASK_POOL_H

#include <mpi.h>

enum {
    POOL_MOST_DATA = 64,  /* bytes of a unit */
    POOL_MOST_TYPES = 16, /* types are 0 to 15 */
};
#define POOL_ANY_TYPE ((1 << POOL_MOST_TYPES) - 1)
#define POOL_TYPE(type) (1 << (type))

/* A unit that was reserved and is still with its server. */
typedef struct {
    int server, unit, type, priority, size;
} PoolReserved;

/* Collective over `comm`. Returns whether this process is a client; the others call pool_serve next. */
int pool_start(MPI_Comm comm, int servers);
/* Of servers: returns when there is no work left and all clients have been told. */
void pool_serve(void);
/* Of clients: returns when the unit is in the pool. */
void pool_put(int type, int priority, const void* data, int size);
/* Of clients: waits for a unit of one of the types, those of higher priority first. Returns 0 when all clients wait
 * and there is nothing for them: then nobody may put or reserve any more. */
int pool_reserve(int types, PoolReserved* reserved);
/* Of clients: fetches what was reserved. */
void pool_get_reserved(const PoolReserved* reserved, void* data);
/* Collective, after pool_serve, and after pool_reserve has returned 0 to every client. */
void pool_end(void);

#endif
