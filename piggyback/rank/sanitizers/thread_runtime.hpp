// ThreadSanitizer's runtime, if the program was built with it, as far as the layer tells it something. It is found in
// the process, for the layer itself is built without; gcc and clang have the same functions.
#pragma once

namespace dampi::piggyback::sanitizers {

/// A fiber is for it what a thread is: what it does is ordered by nothing but what it is told here.
struct ThreadRuntime {
    void* (*create_fiber)(unsigned flags);
    void (*name_fiber)(void* fiber, const char* name);
    void* (*current_fiber)();
    void (*switch_to_fiber)(void* fiber, unsigned flags);
    void (*read_range)(void* begin, unsigned long size, void* place);
    void (*write_range)(void* begin, unsigned long size, void* place);
    void (*acquire)(void* moment);
    void (*release)(void* moment);
    /// What the thread reads, and what it writes, is not looked at in between. They nest. `file`, `line`: of the
    /// caller.
    void (*ignore_begin)(const char* file, int line);
    void (*ignore_end)(const char* file, int line);
};

/// Null where the program has none.
extern constinit const ThreadRuntime* thread_runtime;

/// To be called when this process becomes a rank.
void find_thread_runtime();

}  // namespace dampi::piggyback::sanitizers
