/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_Session_finalize
 */
#include "session_used_later.h"

int main(void) {
    begin();
    const int number = number_of_sets();
    MPI_Session_finalize(&session);
    return number == 0;
}
