/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 * Twin of rows_and_columns: the column ends above the row.
 */
#define WRONG 0
#include "rows_and_columns.h"
