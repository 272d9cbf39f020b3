/* N queens on a task server in the manner of ADLB, whose servers poll (task_server/): a unit is a board of which some
 * rows are occupied. Whoever gets one puts a unit for each way to occupy the next row, or, where DEPTH rows are, counts
 * the ways to go on. Arguments: N (4), DEPTH (2), servers (2; 1 on fewer than 4 processes), seconds until servers ask
 * whether all is done (5). -DBUG=1 to 6 seeds a bug, see task_server/task_server.h. */
#include <assert.h>
#include <stdlib.h>

#include "task_server/task_server.c"

enum { BOARD, MOST = 12 };

typedef struct {
    int rows, column[MOST]; /* of the queen in each row */
} Board;

static int may_stand(const Board* board, int column) {
    for (int row = 0; row < board->rows; row++) {
        const int between = board->column[row] - column;
        if (between == 0 || abs(between) == board->rows - row) {
            return 0;
        }
    }
    return 1;
}

static int count_ways(Board board, int n) {
    if (board.rows == n) {
        return 1;
    }
    int ways = 0;
    for (int column = 0; column < n; column++) {
        if (may_stand(&board, column)) {
            Board next = board;
            next.column[next.rows++] = column;
            ways += count_ways(next, n);
        }
    }
    return ways;
}

int main(int argc, char** argv) {
    int size, world_rank, ways = 0, all = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    const int n = argc > 1 ? atoi(argv[1]) : 4, depth = argc > 2 ? atoi(argv[2]) : 2;
    const int server_count = argc > 3 ? atoi(argv[3]) : size < 4 ? 1 : 2;
    const double idle = argc > 4 ? atof(argv[4]) : 5;
    const TsTimes seconds = {.idle = idle, .state = idle / 2, .steal = idle / 4};
    if (n < 1 || n > MOST) {
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    if (ts_start(MPI_COMM_WORLD, server_count, seconds)) {
        Board board = {0};
        TsReserved reserved;
        if (world_rank == 0) {
            ts_put(BOARD, 0, &board, (int)sizeof board);
        }
        while (ts_reserve(TS_ANY_TYPE, &reserved)) {
            ts_get_reserved(&reserved, &board);
            if (board.rows >= depth) {
                ways += count_ways(board, n);
                continue;
            }
            for (int column = 0; column < n; column++) {
                if (may_stand(&board, column)) {
                    Board next = board;
                    next.column[next.rows++] = column;
                    ts_put(BOARD, next.rows, &next, (int)sizeof next);
                }
            }
        }
    } else {
        ts_serve();
    }
    ts_end();
    MPI_Reduce(&ways, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (world_rank == 0) {
        const Board empty = {0};
        printf("%d queens, %d ways\n", n, all);
        assert(all == count_ways(empty, n));
    }
    MPI_Finalize();
    return 0;
}
