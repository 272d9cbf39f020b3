/* DAMPI-TEST
 *   np: 2
 *   expect: buffer/modified
 * It is counted up before the send is complete. Twin: stored_into_sent_ok.
 */
#define WRONG 1
#include "stored_into_sent.h"
