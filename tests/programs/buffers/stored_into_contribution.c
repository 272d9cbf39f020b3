/* DAMPI-TEST
 *   np: 2
 *   expect: buffer/modified
 * It is changed meanwhile. Twin: stored_into_contribution_ok.
 */
#define WRONG 1
#include "stored_into_contribution.h"
