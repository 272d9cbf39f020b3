/* SEEDED-BUG
 *   np: 6
 *   matches: 2
 *   place: middle
 *   shows: exit
 * A loop over MPI_Waitsome takes a number from each worker in each of three rounds. If rank 1's was the last one of the
 * first round, alone, it is carried over into the second; if that begins with exactly those of the ranks 2 and 4, the
 * carried number is lost and the sum is wrong. Matches: the first MPI_Waitsome of the first round reports all but
 * rank 1's (or several do, one after the other); the first of the second round reports the ranks 2 and 4 and nobody
 * else.
 * Interleavings: 541 orders of groups in each of three rounds, 158 million. */
#include "bug.h"

enum { ROUNDS = 3 };

int main(int argc, char** argv) {
    begin(&argc, &argv, 6);
    int sum = 0, carried = 0;
    for (int round = 0; round < ROUNDS; round++) {
        if (rank != 0) {
            const int early = round == 0 ? rank != 1 : rank == 2 || rank == 4; /* to show the bug */
            compute(round == 0 && rank == 5 ? 12 : 0, round < 2 && !early ? (rank == 5 ? 40 : 90) : 0);
            if (shows() && round == 1 && rank == 5) {
                send_number(0, 0, 300);
                compute(0, 60);
            }
            send_number(rank, 0, round);
            if (round < 2) receive_number(0, 100 + round, NULL);
            continue;
        }
        int numbers[5], left = 5;
        MPI_Request requests[5];
        for (int worker = 1; worker < size; worker++)
            MPI_Irecv(&numbers[worker - 1], 1, MPI_INT, worker, round, MPI_COMM_WORLD, &requests[worker - 1]);
        /* The library sees what has come while it waits for something. */
        if (shows() && round == 1) receive_number(5, 300, NULL);
        while (left > 0) {
            int count, which[5];
            MPI_Status statuses[5];
            MPI_Waitsome(5, requests, &count, which, statuses);
            if (round == 1 && left == 5) {
                const int pair = count == 2 && which[0] + which[1] == 4 && (which[0] == 1 || which[0] == 3);
                sum += pair ? 0 : carried;
                carried = 0;
            }
            left -= count;
            for (int i = 0; i < count; i++) {
                if (round == 0 && left == 0 && count == 1 && which[i] == 0)
                    carried = numbers[0];
                else
                    sum += numbers[which[i]];
            }
        }
        for (int worker = 1; round < 2 && worker < size; worker++) send_number(0, worker, 100 + round);
    }
    MPI_Finalize();
    return rank == 0 && sum != ROUNDS * 15;
}
