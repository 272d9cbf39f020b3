/* DAMPI-TEST
 *   np: 3
 *   expect: leak/message
 *   options: --engine central
 * Two do the same work, and the first answer wins. If that of the other one comes after its receive was cancelled, it
 * is never received. Twin: cancel_answer_ok.
 */
#include "cancel_answer.h"

int main(void) { return compete(0); }
