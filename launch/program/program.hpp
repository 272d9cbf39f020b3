// Says whether a file is a program that can be verified, before anything is run: an executable ELF file, dynamically
// linked (also through its libraries) against MPICH, or with MPICH and the layer linked in statically; or one that may
// load MPICH at run time or execute a program that does, like an interpreter, or a script for one. It never runs the
// program.
#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dampi::launch {

/// The libraries that take the place of Open MPI's.
struct Translation {
    std::filesystem::path c;        ///< libdampi-openmpi.so
    std::filesystem::path fortran;  ///< libdampi-openmpi-fortran.so; empty: the program has nothing in Fortran

    [[nodiscard]] bool empty() const { return c.empty(); }
    /// In the order in which they are preloaded.
    [[nodiscard]] std::vector<std::filesystem::path> files() const;
    /// Likewise, with colons between.
    [[nodiscard]] std::string preloaded() const;
};

struct Program {
    std::filesystem::path path;  ///< absolute
    /// The libmpich.so.12 that the dynamic linker would load. Empty where that shows only at run time, or where MPI is
    /// linked in statically.
    std::filesystem::path mpi_library;
    std::string mpich_version;     ///< that the library says it is, "4.0.2"; empty: it does not say, or is not known
    bool mpi_at_run_time = false;  ///< nothing says that it is an MPI program before it calls MPI
    /// Where MPI and the layer are linked in statically, the build id (build_fingerprint) of the libdampi.so to which
    /// that layer belongs; else empty.
    std::string contained_layer;
    bool linked_with_layer = false;  ///< with libdampi.so
    /// It is linked against Open MPI, and these libraries of ours are to be preloaded in the place of that one's
    /// (piggyback/openmpi); empty: it is not.
    Translation translation;
    /// Changes when the file's content changes; with mpi_at_run_time also with that of what it starts: the interpreters
    /// of a script and the first argument that is a file.
    std::string fingerprint;
    /// The shared libraries that the dynamic linker would load, of what it starts at run time also those of that.
    std::vector<std::filesystem::path> libraries;
    /// What executes it where it is a script: outermost last.
    std::vector<std::filesystem::path> interpreters;
    /// The functions of MPI that the program (or a library of its own) imports, as in C: "MPI_Send". What it looks up
    /// at run time is not seen.
    std::set<std::string> mpi_functions;
    /// Open MPI's C++ bindings are inline, so that a program that uses any of them imports what all of them call.
    bool imports_whole_bindings = false;
    /// Those with which it (or a library of its own) asks what time it is, sleeps, or sets a timer, beside MPI_Wtime:
    /// "usleep", std::chrono's as the linker names them.
    std::set<std::string> clock_functions;
    /// The first function found among its imports that makes threads, or waits for a time in a way that cannot be made
    /// virtual. Empty: none.
    std::string needs_real_time;
    /// It (or a library of its own) reads the environment past the C library's functions, in `environ`.
    bool reads_environ = false;
    bool uses_mpi_f08 = false;  ///< calls Fortran 2008 bindings, which bypass the C names in part
    bool has_windows = false;   ///< imports MPI_Win_ functions; what is looked up at run time is not seen
    // The next two say whether the program (or a library of its own) imports such names; what it looks up at
    // run time (dlsym) is not seen. True where MPI is loaded at run time.
    bool observes_node = false;      ///< MPI_Comm_split_type, shared windows, MPI_T: sees which ranks share a node
    bool observes_topology = false;  ///< MPI_Comm_split_type, MPI_T, hwloc: sees the machine as hwloc shows it
    /// The first function found among its imports that MPICH's device ch3 lacks, or does otherwise than ch4 so that a
    /// program can tell: partitioned transfers, dynamic processes, large counts (MPI_Send_c), MPIX_ functions,
    /// MPI_Comm_split_type, MPI_T, the library's version, and of windows all functions but those that make and free one
    /// (MPI_Win_create, MPI_Win_allocate) and access it between fences or between start and complete: so locks,
    /// flushes, shared and dynamic windows, and all of the C++ bindings' class MPI::Win. Empty: none.
    std::string beyond_ch3;
    bool sanitized = false;         ///< built with one of gcc's or clang's sanitizers, or linked against such a library
    bool thread_sanitized = false;  ///< with ThreadSanitizer
};

/// Finds `name` as a shell would (a name without a slash is looked up in the working directory first, then
/// in PATH) and checks it. Throws dampi::Error with one clear sentence when it is missing, a directory, not
/// executable, neither an ELF executable nor a script for one, for another architecture, statically linked (but for
/// MPI and the layer), linked against another MPI than MPICH and Open MPI (which one is said), or lacks a shared
/// library. `environment` is what the ranks will get beside ours: LD_LIBRARY_PATH there counts, LD_PRELOAD does not.
/// `translation`: the libraries for programs of Open MPI's; empty: these are refused.
Program inspect_program(const std::string& name,
                        const std::vector<std::pair<std::string, std::string>>& environment = {},
                        const std::vector<std::string>& arguments = {}, const Translation& translation = {});

enum class Reach : std::uint8_t {
    memory,  ///< and its standard streams
    files,   ///< these, too, by their names: each process that does so does it for itself
};

/// Why it cannot be excluded that `program` does something outside of its own memory and standard streams, or sees what
/// is another thing in each process, before it calls MPI: the first function that it imports, or library that it is
/// linked against, of which that is not known ("it imports unlink"). Empty: it cannot, but for what the hooks in
/// piggyback/rank/lifecycle (before_main.cpp, file_hooks.cpp) notice.
/// With Reach::files, what opens, reads and changes files is no obstacle.
std::string reaches_outside(const Program& program, Reach allowed = Reach::memory);

/// The first name of an MPI function (PMPI_...) that one library exports and the other does not; empty: none. Throws
/// dampi::Error when a file cannot be read.
std::string lacking_function(const std::filesystem::path& library, const std::filesystem::path& other);

/// The name of Open MPI's library.
inline constexpr std::string_view open_mpi_soname = "libmpi.so.40";

/// The shared libraries that the file itself asks for, by the names that it has for them. None also where it cannot be
/// read.
std::vector<std::string> needed_libraries(const std::filesystem::path& file);

/// Whether the library exports this name. False also where the file cannot be read.
bool exports(const std::filesystem::path& library, std::string_view name);

/// Tells builds of an executable or a library apart: by the id that the linker gave it, or else by the file's content.
/// Throws dampi::Error when the file cannot be read.
std::string build_fingerprint(const std::filesystem::path& path);

/// Changes when the file's content changes. Throws dampi::Error when the file cannot be read.
std::string content_fingerprint(const std::filesystem::path& path);

}  // namespace dampi::launch
