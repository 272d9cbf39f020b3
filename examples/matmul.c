/* DAMPI-TEST
 *   np: 4
 *   expect: clean
 *   interleavings: 18
 *   args: 4
 * Matrix multiplication by a master and workers: the master hands one block of rows to each worker, and for each
 * result, received from anybody, the next block. With w workers and b >= w blocks there are w^(b-w+1) * (w-1)!
 * interleavings: 4 processes and 4 blocks give 3^2 * 2 = 18, with 8 blocks 1458.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 6, ROWS = 2, TAG_BLOCK = 1, TAG_RESULT = 2, TAG_STOP = 3, MAX_BLOCKS = 1000 };

static double a_at(int i, int j) { return i + j; }
static double b_at(int i, int j) { return i - j; }

static void hand_out(int block, int worker) {
    double rows[1 + ROWS * N];
    rows[0] = block;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < N; j++) rows[1 + i * N + j] = a_at(block * ROWS + i, j);
    MPI_Send(rows, 1 + ROWS * N, MPI_DOUBLE, worker, TAG_BLOCK, MPI_COMM_WORLD);
}

/* Returns the number of wrong elements. */
static int master(int blocks, int workers) {
    double result[1 + ROWS * N];
    int next = 0, wrong = 0;
    char* seen = calloc((size_t)blocks, 1);
    for (int w = 1; w <= workers && next < blocks; w++) hand_out(next++, w);
    for (int done = 0; done < blocks; done++) {
        MPI_Status status;
        MPI_Recv(result, 1 + ROWS * N, MPI_DOUBLE, MPI_ANY_SOURCE, TAG_RESULT, MPI_COMM_WORLD, &status);
        if (next < blocks) hand_out(next++, status.MPI_SOURCE);
        const int block = (int)result[0];
        wrong += seen[block]++;
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < N; j++) {
                double exact = 0;
                for (int k = 0; k < N; k++) exact += a_at(block * ROWS + i, k) * b_at(k, j);
                wrong += result[1 + i * N + j] != exact;
            }
    }
    for (int w = 1; w <= workers; w++) MPI_Send(NULL, 0, MPI_DOUBLE, w, TAG_STOP, MPI_COMM_WORLD);
    free(seen);
    return wrong;
}

static void worker(void) {
    double b[N][N], rows[1 + ROWS * N], result[1 + ROWS * N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) b[i][j] = b_at(i, j);
    for (;;) {
        MPI_Status status;
        MPI_Recv(rows, 1 + ROWS * N, MPI_DOUBLE, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        if (status.MPI_TAG == TAG_STOP) return;
        result[0] = rows[0];
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < N; j++) {
                double sum = 0;
                for (int k = 0; k < N; k++) sum += rows[1 + i * N + k] * b[k][j];
                result[1 + i * N + j] = sum;
            }
        MPI_Send(result, 1 + ROWS * N, MPI_DOUBLE, 0, TAG_RESULT, MPI_COMM_WORLD);
    }
}

int main(int argc, char** argv) {
    int rank, size, wrong = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int blocks = argc > 1 ? atoi(argv[1]) : 8;
    if (blocks < 1 || blocks > MAX_BLOCKS || size < 2) {
        if (rank == 0) fprintf(stderr, "usage: matmul BLOCKS (1 to %d), on at least 2 processes\n", MAX_BLOCKS);
        MPI_Finalize();
        return 1;
    }
    if (rank == 0) {
        wrong = master(blocks, size - 1);
        printf("%d blocks, %d wrong elements\n", blocks, wrong);
    } else {
        worker();
    }
    MPI_Finalize();
    return wrong != 0;
}
