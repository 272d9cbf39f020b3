/* DAMPI-TEST
 *   np: 2
 *   expect: buffer/modified
 * One of those is changed while it is started. Twin: stored_between_sent_ok.
 */
#define WRONG 1
#include "stored_between_sent.h"
