/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   notes: request/freed
 *   options: --engine central
 * Twin of stored_by_other_ways: it is set between two starts, and a number beside the column at any time.
 */
#define WRONG 0
#include "stored_by_other_ways.h"
