/* DAMPI-TEST
 *   np: 2
 *   expect: buffer/overlap
 * They are wider than the distance between them. Twin: columns_ok.
 */
#define WRONG 1
#include "columns.h"
