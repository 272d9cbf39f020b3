/* SEEDED-BUG
 *   np: 5
 *   matches: 2
 *   place: middle
 *   shows: abort
 * Misuse of the task pool: client 1 puts a unit and reserves one of its type, as if it had to get its own back. When it
 * gets another's it puts that back and tries once more; the second time it gives up. Client 3 puts such units, too, of
 * a higher priority, but much later. Matches, in the server, rank 4: each of the two puts of client 3 before a
 * reservation of client 1.
 * Interleavings: four clients have 8 to 14 messages to the server each: far more than a million million. */
#include "../task_pool/task_pool.c"
#define rank world_rank
#define size world_size
#include "bug.h"

enum { ORDINARY = 0, OWN = 1 };

int main(int argc, char** argv) {
    begin(&argc, &argv, 5);
    if (pool_start(MPI_COMM_WORLD, 1)) {
        PoolReserved reserved;
        int owner = world_rank;
        for (int i = 0; i < 2; i++) pool_put(ORDINARY, 0, &owner, (int)sizeof owner);
        if (world_rank == 3) {
            compute(20, 0);
            pool_put(OWN, 2, &owner, (int)sizeof owner);
            compute(15, 0);
            pool_put(OWN, 1, &owner, (int)sizeof owner);
        }
        if (world_rank == 1) {
            pool_put(OWN, 0, &owner, (int)sizeof owner);
            compute(0, 60);
            for (int foreign = 0;; foreign++) {
                int unit;
                pool_reserve(POOL_TYPE(OWN), &reserved);
                pool_get_reserved(&reserved, &unit);
                if (unit == owner) break;
                if (foreign == 1) MPI_Abort(MPI_COMM_WORLD, 8);
                pool_put(ORDINARY, 0, &unit, (int)sizeof unit);
            }
        }
        int taken;
        while (pool_reserve(POOL_TYPE(ORDINARY), &reserved)) pool_get_reserved(&reserved, &taken);
    } else {
        pool_serve();
    }
    pool_end();
    MPI_Finalize();
    return 0;
}
