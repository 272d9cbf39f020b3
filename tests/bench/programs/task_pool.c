/* Work by a pool of tasks: rank 0 puts TASKS tasks, each of which splits into two; the results of these go back into
 * the pool and are added by whoever gets them. Clients of odd rank take no tasks that split, so that there are several
 * types, and the priority of the results is higher. Arguments: TASKS, then the number of servers (default 1, on 6 or
 * more processes 2). */
#include "task_pool/task_pool.c"

enum { SPLIT, PART, RESULT };

int main(int argc, char** argv) {
    int size, world_rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    const int tasks = argc > 1 ? atoi(argv[1]) : 2;
    const int server_count = argc > 2 ? atoi(argv[2]) : size < 6 ? 1 : 2;
    int sum = 0;
    if (pool_start(MPI_COMM_WORLD, server_count)) {
        for (int task = 1; world_rank == 0 && task <= tasks; task++) pool_put(SPLIT, 0, &task, (int)sizeof task);
        /* The only client must not be choosy. */
        const int types =
            world_rank % 2 == 0 || size - server_count == 1 ? POOL_ANY_TYPE : POOL_TYPE(PART) | POOL_TYPE(RESULT);
        PoolReserved reserved;
        while (pool_reserve(types, &reserved)) {
            int number;
            pool_get_reserved(&reserved, &number);
            if (reserved.type == RESULT) {
                sum += number;
                continue;
            }
            /* A part of the task n is n as well. */
            pool_put(reserved.type == SPLIT ? PART : RESULT, reserved.type, &number, (int)sizeof number);
            if (reserved.type == SPLIT) pool_put(PART, reserved.type, &number, (int)sizeof number);
        }
    } else {
        pool_serve();
    }
    pool_end();
    int total = 0;
    MPI_Reduce(&sum, &total, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (world_rank == 0) printf("%d tasks, sum %d\n", tasks, total);
    MPI_Finalize();
    return world_rank == 0 && total != tasks * (tasks + 1);
}
