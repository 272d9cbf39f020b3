/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 7
 * The task pool of the benchmarks, with one server: one client puts a unit, the other one reserves it, and both wait
 * until there is no more. The server probes for messages of anybody: put and reserve of the one, reserve, get and
 * reserve of the other, where the get needs the put; that can come in 7 orders.
 */
#include "../../bench/programs/task_pool/task_pool.c"

int main(int argc, char** argv) {
    int got = 0, all = 0;
    MPI_Init(&argc, &argv);
    if (pool_start(MPI_COMM_WORLD, 1)) {
        int number = 7;
        PoolReserved reserved;
        if (rank == 0) pool_put(1, 0, &number, (int)sizeof number);
        while (pool_reserve(rank == 0 ? POOL_TYPE(2) : POOL_ANY_TYPE, &reserved)) {
            pool_get_reserved(&reserved, &number);
            got += reserved.type == 1 && number == 7;
        }
    } else {
        pool_serve();
    }
    pool_end();
    MPI_Allreduce(&got, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return all != 1;
}
