/* DAMPI-TEST
 *   np: 1
 *   expect: argument/communicator
 *   interleavings: 1
 *   outcomes: {}
 * A handle of another class than the argument is to be: the compiler lets it pass, as both are integers.
 */
#define OTHERS 1
#include "other_class_ok.c"
