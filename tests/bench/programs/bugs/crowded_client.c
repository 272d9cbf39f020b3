/* SEEDED-BUG
 *   np: 5
 *   matches: 3
 *   place: middle
 *   shows: crash
 * Misuse of the task pool: two large units are put, and the clients 2 and 3 take large ones; each has room for one,
 * relying on the pool to share them out. Client 2 asks at once, and again when it has
 * worked on its unit; client 3 asks in between. Matches, in the server, rank
 * 4: client 3's reservation, its fetching of the first unit, and its second reservation all before client 2's first
 * reservation.
 * Interleavings: four clients have 8 or more messages to the server each: far more than a million million. */
#include "../task_pool/task_pool.c"
#define rank world_rank
#define size world_size
#include "bug.h"

enum { SMALL = 0, LARGE = 1 };

int main(int argc, char** argv) {
    begin(&argc, &argv, 5);
    if (pool_start(MPI_COMM_WORLD, 1)) {
        PoolReserved reserved;
        int unit = world_rank, large = 0;
        if (world_rank == 0)
            for (int i = 0; i < 2; i++) pool_put(LARGE, 0, &unit, (int)sizeof unit);
        for (int i = 0; i < 2; i++) pool_put(SMALL, 0, &unit, (int)sizeof unit);
        const int types = world_rank == 2 || world_rank == 3 ? POOL_TYPE(LARGE) : POOL_TYPE(SMALL);
        compute(world_rank == 3 ? 10 : 0, world_rank == 2 ? 60 : 0);
        while (pool_reserve(types, &reserved)) {
            if (reserved.type == LARGE) {
                assert(++large <= 1);
                compute(world_rank == 2 ? 26 : 0, 0);
            }
            pool_get_reserved(&reserved, &unit);
        }
    } else {
        pool_serve();
    }
    pool_end();
    MPI_Finalize();
    return 0;
}
