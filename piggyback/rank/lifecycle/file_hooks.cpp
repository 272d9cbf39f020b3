// Files by name: a program whose ranks are forked behind MPI_Init must not have looked at any before, since it would
// have done so once for all ranks and all runs; what it does afterwards each rank does in each run. And a rank notes
// that a file was opened for Fortran, by which a program reaches outside of its memory that only seems to print. Only
// in the shared library: with the layer linked in statically nothing is prepared.
#include "piggyback/rank/file_names.hpp"
#include "piggyback/rank/hook.hpp"
#include "piggyback/rank/lifecycle/callers.hpp"
#include "piggyback/rank/lifecycle/prepare.hpp"
#include "piggyback/rank/next_function.hpp"

#include <cstdarg>
#include <cstdio>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace dampi::piggyback {
namespace {

constexpr const char* looks = "it looks at files before main";
constexpr const char* has_opened = "a rank has opened a file for Fortran";

void looks_at_files(const void* caller) noexcept { asks_in_main(caller, looks); }

void opens(const void* caller) noexcept {
    looks_at_files(caller);
    if (file_of(caller).starts_with("libgfortran.so")) {
        not_the_same_in_ranks(looks);
        note_own_of_process(has_opened);
    }
}

constinit Next<int(const char*, int, ...)> next_open("open");
constinit Next<int(const char*, int, ...)> next_open64("open64");

}  // namespace
}  // namespace dampi::piggyback

/// Looks, and goes on: `name` has no `...`.
#define DAMPI_LOOKS(Result, name, parameters, words, ...)              \
    namespace dampi::piggyback {                                       \
    namespace {                                                        \
    constinit Next<Result parameters> next_##name(#name);              \
    }                                                                  \
    }                                                                  \
    DAMPI_HOOK Result name parameters __VA_ARGS__ {                    \
        dampi::piggyback::looks_at_files(__builtin_return_address(0)); \
        return dampi::piggyback::next_##name.get() words;              \
    }

#define DAMPI_OPENS(name)                                                                                          \
    DAMPI_HOOK int name(const char* path, int flags, ...) {                                                        \
        va_list rest;                                                                                              \
        va_start(rest, flags);                                                                                     \
        const mode_t mode = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(rest, mode_t) : 0; \
        va_end(rest);                                                                                              \
        dampi::piggyback::opens(__builtin_return_address(0));                                                      \
        return dampi::piggyback::next_##name.get()(path, flags, mode);                                             \
    }

DAMPI_OPENS(open)
DAMPI_OPENS(open64)
DAMPI_LOOKS(FILE*, fopen, (const char* path, const char* mode), (path, mode))
DAMPI_LOOKS(FILE*, fopen64, (const char* path, const char* mode), (path, mode))
DAMPI_LOOKS(int, creat, (const char* path, mode_t mode), (path, mode))
DAMPI_LOOKS(DIR*, opendir, (const char* path), (path))
DAMPI_LOOKS(int, remove, (const char* path), (path), noexcept)
DAMPI_LOOKS(int, rename, (const char* from, const char* to), (from, to), noexcept)
DAMPI_LOOKS(int, unlink, (const char* path), (path), noexcept)
DAMPI_LOOKS(int, mkdir, (const char* path, mode_t mode), (path, mode), noexcept)
DAMPI_LOOKS(int, rmdir, (const char* path), (path), noexcept)
DAMPI_LOOKS(int, access, (const char* path, int way), (path, way), noexcept)
DAMPI_LOOKS(int, stat, (const char* path, struct stat* facts), (path, facts), noexcept)
DAMPI_LOOKS(int, lstat, (const char* path, struct stat* facts), (path, facts), noexcept)

namespace dampi::piggyback {
namespace {

/// ThreadSanitizer's runtime looks at files where it names the lines of a conflict. Looking a function up there would
/// end in it: the C library throws the last error of dlsym away, which is memory of another of its allocators.
__attribute__((constructor)) void find_those_that_look() {
    next_open.get();
    next_open64.get();
    next_fopen.get();
    next_fopen64.get();
    next_creat.get();
    next_opendir.get();
    next_remove.get();
    next_rename.get();
    next_unlink.get();
    next_mkdir.get();
    next_rmdir.get();
    next_access.get();
    next_stat.get();
    next_lstat.get();
}

}  // namespace
}  // namespace dampi::piggyback
