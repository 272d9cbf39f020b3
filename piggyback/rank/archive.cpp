// What stands in the archive, for programs into which MPI is linked statically, in the place of the parts that find and
// direct calls at run time (symbols.cpp, late_start.cpp): the linker has done that. And the note by which dampi-run
// recognises such a program: its text is the build id of the shared library that was built along with the archive.
#include "piggyback/rank/lifecycle/late_start.hpp"
#include "piggyback/rank/symbols.hpp"

// Behind the 16 bytes of a note's head and "GNU".
__asm__(R"assembler(
    .pushsection .note.dampi,"a",@note
    .balign 4
    .long 6, 2f-1f, 1
    .asciz "dampi"
    .balign 4
1:  .incbin ")assembler" DAMPI_LAYER_ID R"assembler(", 16
2:  .balign 4
    .popsection
)assembler");

namespace dampi::piggyback {

void find_mpi_functions() noexcept {}
void count_what_is_not_seen() noexcept {}
bool is_other_tool(std::uint64_t /*low*/) noexcept { return false; }
bool begin_late_start(char** /*arguments*/) noexcept { return false; }
bool end_late_start(bool (* /*attach*/)(const char* path)) noexcept { return false; }

}  // namespace dampi::piggyback
