// Stand-ins for the patched MPICH, of which only the exported names count: the mark of a patched one, and with PATCHED
// all functions that the package's library has.
#define FUNCTION(name, ...) \
    extern "C" void P##name() {}
#define NEWER FUNCTION
#ifdef PATCHED
#include "piggyback/interception/functions.def"
#endif

extern "C" int dampi_mpich_interface() { return 1; }
