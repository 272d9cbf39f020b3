/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 */
#include "stored_into_two.h"

int main(void) { return send_twice(0); }
