// DAMPI-TEST
//   np: 2
//   expect: buffer/modified
//   findings: 1
//   options: --check-buffers
//   where: filled_while_sent.hpp:14
// A library's function, called by a function of the program's own, changes what is being sent: the place is the
// program's. Twin: filled_while_sent_ok.
#include "filled_while_sent.hpp"

int main() { return run(true); }
