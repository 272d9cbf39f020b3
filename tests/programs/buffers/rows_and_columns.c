/* DAMPI-TEST
 *   np: 2
 *   expect: buffer/overlap
 * They cross. Twin: rows_and_columns_ok.
 */
#define WRONG 1
#include "rows_and_columns.h"
