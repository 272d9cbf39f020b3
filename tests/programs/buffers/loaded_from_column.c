/* DAMPI-TEST
 *   np: 2
 *   expect: buffer/read
 *   options: --check-buffers
 *   where: loaded_from_column.h:25
 * A number of that column is used before it has come. Twin: loaded_from_column_ok.
 */
#define WRONG 1
#include "loaded_from_column.h"
