/* DAMPI-TEST
 *   np: 2
 *   expect: buffer/overlap
 * It is passed on while the receive is pending. Twin: send_of_received_ok.
 */
#define WRONG 1
#include "send_of_received.h"
