/* DAMPI-TEST
 *   np: 2
 *   expect: type/collective
 *   interleavings: 1
 *   options: --buffering native
 *   args: 1
 * In collectives ranks describe as many bytes as other numbers. Twin: collectives_ok.
 */
#include "collectives.h"
