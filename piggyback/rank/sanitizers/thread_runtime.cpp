#include "piggyback/rank/sanitizers/thread_runtime.hpp"

#include "piggyback/rank/sanitizers/find_runtime.hpp"

namespace dampi::piggyback::sanitizers {

constinit const ThreadRuntime* thread_runtime = nullptr;

void find_thread_runtime() {
    static ThreadRuntime runtime;
    const bool found =
        find(runtime.create_fiber, "__tsan_create_fiber") && find(runtime.name_fiber, "__tsan_set_fiber_name") &&
        find(runtime.current_fiber, "__tsan_get_current_fiber") &&
        find(runtime.switch_to_fiber, "__tsan_switch_to_fiber") && find(runtime.read_range, "__tsan_read_range_pc") &&
        find(runtime.write_range, "__tsan_write_range_pc") && find(runtime.acquire, "__tsan_acquire") &&
        find(runtime.release, "__tsan_release") && find(runtime.ignore_begin, "AnnotateIgnoreReadsBegin") &&
        find(runtime.ignore_end, "AnnotateIgnoreReadsEnd");
    thread_runtime = found ? &runtime : nullptr;
}

}  // namespace dampi::piggyback::sanitizers
