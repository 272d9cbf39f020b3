// The few instructions that are an entry of an MPI function (rank/symbols.hpp), for each kind of processor: macros of
// the assembler for the generated entries.cpp and for symbols.cpp, which write them before their own text. None of them
// touches a register that may hold an argument of the call. A SLOT is an 8-byte word at a multiple of 8.
//
//   leads_to SLOT                        goes on where the slot says
//   leads_to_at_first SLOT               to dampi_first_use, which goes on there when it has filled the slots
//   leads_to_if_called_by_mpi SLOT, OTHER    where the slot says if the caller lies in the MPI library, else to OTHER
//   goes_to LABEL
#pragma once

#if defined(__x86_64__)

#define DAMPI_ENTRY_CODE                                 \
    "    .macro leads_to slot\n"                         \
    "    jmp *\\slot(%rip)\n"                            \
    "    .endm\n"                                        \
    "    .macro leads_to_at_first slot\n"                \
    "    leaq \\slot(%rip), %r11\n"                      \
    "    jmp dampi_first_use\n"                          \
    "    .endm\n"                                        \
    "    .macro leads_to_if_called_by_mpi slot, other\n" \
    "    movq (%rsp), %r11\n"                            \
    "    subq dampi_mpi_library(%rip), %r11\n"           \
    "    cmpq dampi_mpi_library+8(%rip), %r11\n"         \
    "    jae \\other\n"                                  \
    "    jmp *\\slot(%rip)\n"                            \
    "    .endm\n"                                        \
    "    .macro goes_to label\n"                         \
    "    jmp \\label\n"                                  \
    "    .endm\n"

#elif defined(__aarch64__)

// x16 and x17 are there for such code, which comes between a call and its function.
#define DAMPI_ENTRY_CODE                                 \
    "    .macro leads_to slot\n"                         \
    "    adrp x16, \\slot\n"                             \
    "    ldr x16, [x16, :lo12:\\slot]\n"                 \
    "    br x16\n"                                       \
    "    .endm\n"                                        \
    "    .macro leads_to_at_first slot\n"                \
    "    adrp x17, \\slot\n"                             \
    "    add x17, x17, :lo12:\\slot\n"                   \
    "    b dampi_first_use\n"                            \
    "    .endm\n"                                        \
    "    .macro leads_to_if_called_by_mpi slot, other\n" \
    "    adrp x16, dampi_mpi_library\n"                  \
    "    add x16, x16, :lo12:dampi_mpi_library\n"        \
    "    ldp x17, x16, [x16]\n"                          \
    "    sub x17, x30, x17\n"                            \
    "    cmp x17, x16\n"                                 \
    "    b.lo 7f\n"                                      \
    "    b \\other\n"                                    \
    "7:  leads_to \\slot\n"                              \
    "    .endm\n"                                        \
    "    .macro goes_to label\n"                         \
    "    b \\label\n"                                    \
    "    .endm\n"

#else
#error "Write the entries of the MPI functions for this kind of processor here and in rank/symbols.cpp"
#endif
