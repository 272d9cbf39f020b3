/* DAMPI-TEST
 *   np: 3
 *   expect: buffer/overlap
 * Results lie across what is sent. Twin: reductions_ok.
 */
#define WRONG 1
#include "reductions.h"
