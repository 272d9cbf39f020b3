/* DAMPI-TEST
 *   np: 2
 *   expect: buffer/overlap
 * The answer is received into the buffer of a send that is pending. Twin: receive_into_sent_ok.
 */
#define WRONG 1
#include "receive_into_sent.h"
