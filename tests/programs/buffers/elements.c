/* DAMPI-TEST
 *   np: 2
 *   expect: buffer/overlap
 * They begin so near each other that they overlap. Twin: elements_ok.
 */
#define WRONG 1
#include "elements.h"
