#include "scheduler/report/not_checked.hpp"

#include "scheduler/sweep/touches.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

namespace dampi::scheduler {

namespace {

/// Why nothing looks there, and what can be done about it.
struct Meaning {
    std::string_view what;
    std::string_view why;
    std::string_view what_to_do;
};

constexpr Meaning types_with_counts{
    "some datatypes of collectives with a count per rank or neighbour",
    "The types are compared of each two ranks that exchange data, but not in groups of more than 512 ranks, nor once a "
    "rank has used very many different sets of counts, nor of datatypes of more than 4,096 blocks of different "
    "lengths. "
    "The program's functions do not tell whether it comes to that.",
    "With fewer ranks, and datatypes that are made of few parts, all of them are compared: then nothing needs to be "
    "done."};
constexpr Meaning partitioned_types{
    "datatypes of partitioned transfers",
    "The two sides of a partitioned transfer may have other partitions, and their types are not compared.",
    "Compare what MPI_Psend_init and MPI_Precv_init are given."};
constexpr Meaning some_touches{
    "loads and stores in some buffers",
    "The program's own loads and stores in the buffers of pending operations are looked for in eight interleavings, in "
    "each rank 2,000 times and in buffers of at most 1 MiB, and with --check-buffers in all; but never in ranks with "
    "several threads, in buffers that "
    "two "
    "operations use together or that files are read into, in memory that ranks share, nor in what the system and most "
    "functions of the C library read.",
    "Give --check-buffers. Where a buffer could then not be watched, a finding buffer/unwatched says which, and why. A "
    "build with -fsanitize=thread finds the accesses of all threads."};
constexpr Meaning most_touches{
    "loads and most stores in buffers",
    "No run has looked for the program's own loads and stores in the buffers of pending operations: an interleaving "
    "takes "
    "too long for it, or the ranks are on other hosts, started by a launcher or run by workers.",
    "Give --check-buffers, with which each run looks, or build with -fsanitize=thread."};
constexpr Meaning touches_without_sanitizer{
    "loads and stores in buffers by what was built without ThreadSanitizer",
    "ThreadSanitizer sees what is compiled with it: not libraries that are not.",
    "Build what accesses the buffers with -fsanitize=thread, or use a build without it, and --check-buffers."};
constexpr Meaning window_touches{"windows' own loads and stores",
                                 "No run has looked for the loads and stores of a window's owner in its memory.",
                                 "Give --check-buffers, or build with -fsanitize=thread."};
constexpr Meaning ordered_window_touches{
    "windows' own loads and stores that messages or locks may order",
    "What the owner of a window loads and stores there is compared with what others access only where nothing can "
    "order "
    "them: messages and locks that clocks do not follow may.",
    "Separate the owner's use of the memory from that of others by a fence, or lock the window for it."};
constexpr Meaning file_accesses{
    "accesses to files", "What ranks write to the same places of a file, and in which order, is not followed.",
    "Look that ranks write to different places, or that a collective on the file and MPI_File_sync order them."};
constexpr Meaning file_buffers{
    "loads and stores in what files are read into",
    "The program's own loads and stores in a buffer into which a file is read meanwhile are not looked for.",
    "Look that nothing touches such a buffer before the call that completes the operation."};
constexpr std::array meanings{
    types_with_counts, partitioned_types,      some_touches,  most_touches, touches_without_sanitizer,
    window_touches,    ordered_window_touches, file_accesses, file_buffers};

struct Unchecked {
    const Meaning& meaning;
    std::vector<std::string_view> needed;  ///< functions that begin so are needed to get there
    bool can = false;                      ///< if without them
};

bool uses(const launch::Program& program, std::string_view beginning) {
    return std::any_of(program.mpi_functions.begin(), program.mpi_functions.end(),
                       [&](const std::string& function) { return function.starts_with(beginning); });
}

}  // namespace

std::vector<std::string> not_checked(const launch::Program& program, bool checks_buffers) {
    const std::array all{
        Unchecked{
            types_with_counts,
            {"MPI_Allgatherv", "MPI_Alltoallv", "MPI_Alltoallw", "MPI_Gatherv", "MPI_Scatterv", "MPI_Iallgatherv",
             "MPI_Ialltoallv", "MPI_Ialltoallw", "MPI_Igatherv", "MPI_Iscatterv", "MPI_Neighbor_", "MPI_Ineighbor_"}},
        Unchecked{partitioned_types, {"MPI_Psend_init", "MPI_Precv_init"}},
        Unchecked{program.thread_sanitized ? touches_without_sanitizer
                  : checks_buffers         ? some_touches
                                           : most_touches,
                  {"MPI_Init_thread", "MPI_Win_"},
                  may_leave_pending(program)},
        Unchecked{program.thread_sanitized || checks_buffers ? ordered_window_touches : window_touches,
                  {"MPI_Win_allocate", "MPI_Win_fence", "MPI_Win_lock", "MPI_Win_post", "MPI_Win_start"}},
        Unchecked{file_accesses, {"MPI_File_open"}},
        Unchecked{
            file_buffers,
            {"MPI_File_iread", "MPI_File_read_all_begin", "MPI_File_read_at_all_begin", "MPI_File_read_ordered_begin"}},
    };
    std::vector<std::string> result;
    for (const Unchecked& each : all) {
        if (each.can || program.mpi_at_run_time ||
            std::any_of(each.needed.begin(), each.needed.end(),
                        [&](std::string_view beginning) { return uses(program, beginning); })) {
            result.emplace_back(each.meaning.what);
        }
    }
    return result;
}

std::string what_is_not_checked() {
    std::string text =
        "No verdict speaks of what nothing looks for. Which of this the functions of a program could lead to, a clean "
        "verdict names behind \"not checked\":\n";
    for (const Meaning& meaning : meanings) {
        text += fmt::format("\n{}\n    {}\n    What to do: {}\n", meaning.what, meaning.why, meaning.what_to_do);
    }
    return text +
           "\nHow large buffers are, and whether their memory has been freed, AddressSanitizer alone knows "
           "(-fsanitize=address): of other builds no verdict speaks of that.\n"
           "\nWhat is limited otherwise: docs/limits.md\n";
}

}  // namespace dampi::scheduler
