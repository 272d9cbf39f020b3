/* DAMPI-TEST
 *   np: 2
 *   expect: buffer/modified
 *   notes: request/freed
 *   options: --engine central
 * A number of the column is set while a persistent receive is started. Twin: stored_by_other_ways_ok.
 */
#define WRONG 1
#include "stored_by_other_ways.h"
