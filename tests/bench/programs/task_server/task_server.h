/* A server of tasks in the manner of ADLB: the last processes of a communicator own pools of typed units of work with
 * priorities, the others (the clients) put units and reserve units of the types that they want.
 *
 * Servers never wait: each asks in turn whether its own messages are through (MPI_Test) and whether one has come
 * (MPI_Iprobe of any source and tag), and looks at the clock. Every now and then a message goes around the servers and
 * tells each what the others have; a server that lacks what its client wants steals it there. When nothing came for a
 * while, another one asks all servers twice whether their clients wait and nothing is there for them: then nothing will
 * ever come, and everybody is told.
 *
 * BUG seeds a bug (0: none); each shows only for some orders of messages, those with "time" only when a time-out comes
 * at a moment at which it practically never does:
 *   1 time: a put is not confirmed, and can be on its way to another server when the work is said to be exhausted
 *   2 time: servers are asked only once: one that was asked can have got work from one that is asked later
 *   3 time: the answer of a server that was too slow is thrown away, and with it the unit that it set aside
 *   4     : a unit that was stolen is handed to its client, although a put has served that in the meantime
 *   5 time: the work is said to be exhausted although a server has some which those that want it do not know of
 *   6 time: a client whose put is not confirmed soon puts the unit elsewhere */
#ifndef TASK_SERVER_H
#define TASK_SERVER_H

#include <mpi.h>

enum {
    TS_MOST_DATA = 64,    /* bytes of a unit */
    TS_MOST_SERVERS = 16, /* of 16 types each */
};
#define TS_TYPE(type) (1 << (type))
#define TS_ANY_TYPE 0xffff

/* In seconds. */
typedef struct {
    double idle;  /* nothing came for so long: is all work done? */
    double state; /* between two rounds that tell what servers have */
    double steal; /* a server that does not answer for so long is taken for one that has nothing */
} TsTimes;

/* A unit that was reserved and is still with its server. */
typedef struct {
    int server, unit, type, size;
} TsReserved;

/* Collective. Returns whether this process is a client; the others call ts_serve next. */
int ts_start(MPI_Comm comm, int servers, TsTimes times);
/* Of servers: returns when the work is exhausted and all clients have been told. */
void ts_serve(void);
/* Of clients: puts a unit into the pool of one server after the other. */
void ts_put(int type, int priority, const void* data, int size);
/* Of clients: waits for a unit of one of the types. 0: the work is exhausted, nobody may put or reserve any more. */
int ts_reserve(int types, TsReserved* reserved);
/* Of clients: fetches what was reserved. */
void ts_get_reserved(const TsReserved* reserved, void* data);
/* Collective, after ts_serve, and after ts_reserve has returned 0 to every client. */
void ts_end(void);

#endif
