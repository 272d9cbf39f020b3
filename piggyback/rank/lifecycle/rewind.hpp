// How a rank that has ended becomes a rank of another run: its memory goes back to what it was when the process was
// forked (prepare.hpp), behind MPI_Init, and it waits there to be asked again. That costs a fraction of a new process,
// most of whose price is that the kernel makes mappings and pages and takes them away again.
//
// Only for programs that do nothing outside of their own memory and standard streams (launch::reaches_outside), and for
// ranks that have ended by exit() or by returning from main, after MPI_Finalize. What else could differ is looked at
// each time: the mappings must be the same as before, but for a stack that has grown, for memory that the program has
// got since, which is given back, and for the memory shared with dampi-run, which stays mapped since the next run may
// use it again; and so must the lowest descriptor that is free. Which pages the rank has written the kernel tells
// (/proc/self/pagemap): those that it shares with nobody any more, and those that it has given back. When a process
// comes back for the first time, all its other pages are compared as well. Where anything is not as it must be, the
// process ends as if it did not know the way.
#pragma once

#include "transport/memory/memory_file.hpp"

#include <ucontext.h>

namespace dampi::piggyback {

/// What outlives the way back; lies in memory of its own.
class Rewind {
public:
    /// In a rank directly after the fork. Null where the system lacks something: then it does not come back.
    static Rewind* create() noexcept;

    /// Where the rank goes back to. To be filled by getcontext() in a function that does not return before
    /// keep_memory() has been called.
    ucontext_t point;

    /// Whether the rank has come back: getcontext() has returned for another time.
    [[nodiscard]] bool has_come_back() const noexcept;

    /// Keeps a copy of all that may be written, and takes the socket by which the rank is told to come back, and asked
    /// again. Whether it could; else the rank does not come back.
    bool keep_memory(int socket) noexcept;

    /// That socket, under the number that it has now.
    [[nodiscard]] int socket() const noexcept;

    /// Before the program goes on. `pmi_socket` is closed on the way back; -1: none is.
    void expect_end(int pmi_socket) noexcept;

protected:
    Rewind() = default;
};

/// Somebody else shares the pages of this process: it ends as any other.
void do_not_come_back() noexcept;

/// exit() is called. If it runs already, what it has called ends the process with this status instead.
void note_status_of_exit(int status) noexcept;

/// In the middle of a run of which no more is wanted: the rank goes back as if it had ended with the status 0. Returns
/// if it does not come back.
void come_back_early() noexcept;

/// Is shown pages of memory.
struct PageVisitor {
    virtual ~PageVisitor() = default;
    /// `before`: what was there when the process was forked; null: nothing, so zeros.
    virtual void visit(const char* memory, const char* before) noexcept = 0;
};

/// Shows all private memory, but for the stack, that differs from what it was when the process was forked; ascending
/// within what there was then, and within what has come since. False where it is not known: in a process that does not
/// come back, where the program has given back memory of that time, or where the system does not tell.
bool visit_changed_pages(PageVisitor& visitor) noexcept;

/// What the rank keeps mapped between its runs; null: it does not come back.
transport::memory::KeptMappings* kept_mappings() noexcept;

}  // namespace dampi::piggyback
