/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 * Twin of receive_into_sent: sends may share a buffer, with others that are blocking too; the answer has its own.
 */
#define WRONG 0
#include "receive_into_sent.h"
