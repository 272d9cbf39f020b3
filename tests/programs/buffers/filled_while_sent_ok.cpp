// DAMPI-TEST
//   np: 2
//   expect: clean
//   options: --check-buffers
// It waits first.
#include "filled_while_sent.hpp"

int main() { return run(false); }
