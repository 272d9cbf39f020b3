/* DAMPI-TEST
 *   np: 2
 *   expect: buffer/overlap
 * It is received with. Twin: repeating_type_ok.
 */
#define WRONG 1
#include "repeating_type.h"
