/* A batch of units of work on a task server in the manner of ADLB, whose servers poll (task_server/): rank 0 puts UNITS
 * units and collects the results, the other clients do the work. Arguments: UNITS (4), servers (2; 1 on fewer than 4
 * processes), seconds until servers ask whether all is done (5). -DBUG=1 to 6 seeds a bug, see
 * task_server/task_server.h. */
#include <assert.h>
#include <stdlib.h>

#include "task_server/task_server.c"

enum { WORK, RESULT };

int main(int argc, char** argv) {
    int size, world_rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    const int count = argc > 1 ? atoi(argv[1]) : 4;
    const int server_count = argc > 2 ? atoi(argv[2]) : size < 4 ? 1 : 2;
    const double idle = argc > 3 ? atof(argv[3]) : 5;
    const TsTimes seconds = {.idle = idle, .state = idle / 2, .steal = idle / 4};
    if (ts_start(MPI_COMM_WORLD, server_count, seconds)) {
        int number, sum = 0;
        TsReserved reserved;
        for (number = 1; world_rank == 0 && number <= count; number++) {
            ts_put(WORK, number % 2, &number, (int)sizeof number);
        }
        /* The only client must not be choosy. */
        const int types = size - server_count == 1 ? TS_ANY_TYPE : TS_TYPE(world_rank == 0 ? RESULT : WORK);
        while (ts_reserve(types, &reserved)) {
            ts_get_reserved(&reserved, &number);
            if (reserved.type == WORK) {
                number = number * number;
                ts_put(RESULT, 0, &number, (int)sizeof number);
            } else {
                sum += number;
            }
        }
        if (world_rank == 0) {
            printf("%d units, sum %d\n", count, sum);
            assert(sum == count * (count + 1) * (2 * count + 1) / 6);
        }
    } else {
        ts_serve();
    }
    ts_end();
    MPI_Finalize();
    return 0;
}
