/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   options: --check-buffers
 * Twin of loaded_from_column: only numbers of other columns are used before.
 */
#define WRONG 0
#include "loaded_from_column.h"
