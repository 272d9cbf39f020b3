/* DAMPI-TEST
 *   np: 2
 *   expect: buffer/overlap
 * Once it does so while the persistent one is started. Twin: persistent_ok.
 */
#define WRONG 1
#include "persistent.h"
