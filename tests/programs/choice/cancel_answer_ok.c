/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   options: --engine central
 *   interleavings: 2
 * The answer that comes second is waited for. Twin: cancel_answer_lost.
 */
#include "cancel_answer.h"

int main(void) { return compete(1); }
