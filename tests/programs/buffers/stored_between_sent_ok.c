/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 * Twin of stored_between_sent: only those between them are, and any when it is inactive.
 */
#define WRONG 0
#include "stored_between_sent.h"
