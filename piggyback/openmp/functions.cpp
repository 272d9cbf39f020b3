// The functions of gcc's OpenMP runtime (libgomp) that order threads, as programs call them: each tells ThreadSanitizer
// what it orders, and calls the runtime's own. Which they are says launch/program/openmp_functions.def.
#include "piggyback/openmp/team.hpp"

#include <dlfcn.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <cstring>

namespace dampi::piggyback::openmp {
namespace {

using Body = void (*)(void* data);
using Copy = void (*)(void* to, void* from);

/// The function of that name behind ours, for which `Ours` stands.
template <auto Ours>
decltype(Ours) behind(const char* name) {
    static std::atomic<decltype(Ours)> known{nullptr};
    decltype(Ours) function = known.load(std::memory_order_relaxed);
    if (function == nullptr) {
        function = reinterpret_cast<decltype(Ours)>(dlsym(RTLD_NEXT, name));
        if (function == nullptr) {  // who calls us has been linked with it
            std::abort();
        }
        known.store(function, std::memory_order_relaxed);
    }
    return function;
}

struct Region {
    Body body;
    void* data;
    Team team = {};
};

void in_region(void* argument) {
    Region& region = *static_cast<Region*>(argument);
    const Member member(region.team);
    region.body(region.data);
}

/// `start(body, data)` runs the region.
template <typename Start>
void run_region(Body body, void* data, const Start& start) {
    Region region{.body = body, .data = data};
    release(&region.team.begins);
    start(&in_region, &region);
    acquire(&region.team.ends);
    acquire(tasks_done());
}

/// `wait` comes back when all of the team have called it.
template <typename Wait>
auto at_barrier(const Wait& wait) {
    struct AfterIt {
        void* moment;
        ~AfterIt() {
            if (moment != nullptr) {
                acquire(moment);
            }
            acquire(tasks_done());
        }
    };
    Member* const member = Member::current();
    const AfterIt after{member == nullptr ? nullptr : member->next_barrier()};
    if (after.moment != nullptr) {
        release(after.moment);
    }
    return wait();
}

void* ordered_moment() {
    static char outside_of_regions = 0;
    Member* const member = Member::current();
    return member == nullptr ? &outside_of_regions : &member->team().ordered;
}

char critical = 0;
char atomic = 0;

/// In front of the data of a task: the runtime copies it, and gives the copy to whoever runs the task.
struct Task {
    void* event;  ///< the runtime writes here what stands first in the data of a task that is detached
    Body body;
    Copy copy;
    void* data;
    std::size_t size;
    std::size_t offset;  ///< of the data's copy
    unsigned flags;
};

// Of the runtime's interface.
constexpr unsigned depends = 1U << 3;
constexpr unsigned is_detached = 1U << 13;

void* data_of(Task& task) { return reinterpret_cast<char*>(&task) + task.offset; }

void copy_task(void* to, void* from) {
    std::memcpy(to, from, sizeof(Task));
    Task& task = *static_cast<Task*>(to);
    if ((task.flags & is_detached) != 0 && task.size != 0) {
        *static_cast<void**>(task.data) = task.event;
    }
    if (task.copy != nullptr) {
        task.copy(data_of(task), task.data);
    } else {
        std::memcpy(data_of(task), task.data, task.size);
    }
    release(tasks_made());
}

void run_task(void* argument) {
    Task& task = *static_cast<Task*>(argument);
    acquire(tasks_made());
    if ((task.flags & depends) != 0) {
        acquire(tasks_done());
    }
    task.body(data_of(task));
    release(tasks_done());
}

}  // namespace
}  // namespace dampi::piggyback::openmp

using namespace dampi::piggyback::openmp;

#define DAMPI_EXPORT extern "C" __attribute__((visibility("default")))
#define BEHIND(name) behind<&name>(#name)

// NOLINTBEGIN(readability-identifier-naming,bugprone-macro-parentheses)
DAMPI_EXPORT void GOMP_parallel(Body body, void* data, unsigned threads, unsigned flags) {
    run_region(body, data, [&](Body in, void* region) { BEHIND(GOMP_parallel)(in, region, threads, flags); });
}

#define PARALLEL_LOOP(name)                                                                                           \
    DAMPI_EXPORT void name(Body body, void* data, unsigned threads, long start, long end, long increment, long chunk, \
                           unsigned flags) {                                                                          \
        run_region(body, data, [&](Body in, void* region) {                                                           \
            BEHIND(name)(in, region, threads, start, end, increment, chunk, flags);                                   \
        });                                                                                                           \
    }
PARALLEL_LOOP(GOMP_parallel_loop_static)
PARALLEL_LOOP(GOMP_parallel_loop_dynamic)
PARALLEL_LOOP(GOMP_parallel_loop_guided)
PARALLEL_LOOP(GOMP_parallel_loop_nonmonotonic_dynamic)
PARALLEL_LOOP(GOMP_parallel_loop_nonmonotonic_guided)

#define PARALLEL_LOOP_AT_RUN_TIME(name)                                                                   \
    DAMPI_EXPORT void name(Body body, void* data, unsigned threads, long start, long end, long increment, \
                           unsigned flags) {                                                              \
        run_region(body, data, [&](Body in, void* region) {                                               \
            BEHIND(name)(in, region, threads, start, end, increment, flags);                              \
        });                                                                                               \
    }
PARALLEL_LOOP_AT_RUN_TIME(GOMP_parallel_loop_runtime)
PARALLEL_LOOP_AT_RUN_TIME(GOMP_parallel_loop_nonmonotonic_runtime)
PARALLEL_LOOP_AT_RUN_TIME(GOMP_parallel_loop_maybe_nonmonotonic_runtime)

DAMPI_EXPORT void GOMP_parallel_sections(Body body, void* data, unsigned threads, unsigned count, unsigned flags) {
    run_region(body, data, [&](Body in, void* region) {
        BEHIND(GOMP_parallel_sections)(in, region, threads, count, flags);
    });
}

#define BARRIER(result, name) \
    DAMPI_EXPORT result name() { return at_barrier(BEHIND(name)); }
BARRIER(void, GOMP_barrier)
BARRIER(bool, GOMP_barrier_cancel)
BARRIER(void, GOMP_loop_end)
BARRIER(bool, GOMP_loop_end_cancel)
BARRIER(void, GOMP_sections_end)
BARRIER(bool, GOMP_sections_end_cancel)

DAMPI_EXPORT void* GOMP_single_copy_start() {
    void* const copied = BEHIND(GOMP_single_copy_start)();
    if (Member* const member = Member::current(); member != nullptr && copied != nullptr) {
        acquire(&member->team().copied);
    }
    return copied;
}
DAMPI_EXPORT void GOMP_single_copy_end(void* data) {
    if (Member* const member = Member::current()) {
        release(&member->team().copied);
    }
    BEHIND(GOMP_single_copy_end)(data);
}

#define BEGINS(name, parameters, arguments, moment) \
    DAMPI_EXPORT void name parameters {             \
        BEHIND(name) arguments;                     \
        acquire(moment);                            \
    }
#define ENDS(name, parameters, arguments, moment) \
    DAMPI_EXPORT void name parameters {           \
        release(moment);                          \
        BEHIND(name) arguments;                   \
    }
BEGINS(GOMP_ordered_start, (), (), ordered_moment())
ENDS(GOMP_ordered_end, (), (), ordered_moment())
BEGINS(GOMP_critical_start, (), (), &critical)
ENDS(GOMP_critical_end, (), (), &critical)
BEGINS(GOMP_critical_name_start, (void** name), (name), name)
ENDS(GOMP_critical_name_end, (void** name), (name), name)
BEGINS(GOMP_atomic_start, (), (), &atomic)
ENDS(GOMP_atomic_end, (), (), &atomic)

#define TRIES(name)                           \
    DAMPI_EXPORT int name(void* lock) {       \
        const int taken = BEHIND(name)(lock); \
        if (taken != 0) {                     \
            acquire(lock);                    \
        }                                     \
        return taken;                         \
    }
// In C and in Fortran.
BEGINS(omp_set_lock, (void* lock), (lock), lock)
BEGINS(omp_set_lock_, (void* lock), (lock), lock)
ENDS(omp_unset_lock, (void* lock), (lock), lock)
ENDS(omp_unset_lock_, (void* lock), (lock), lock)
TRIES(omp_test_lock)
TRIES(omp_test_lock_)
BEGINS(omp_set_nest_lock, (void* lock), (lock), lock)
BEGINS(omp_set_nest_lock_, (void* lock), (lock), lock)
ENDS(omp_unset_nest_lock, (void* lock), (lock), lock)
ENDS(omp_unset_nest_lock_, (void* lock), (lock), lock)
TRIES(omp_test_nest_lock)
TRIES(omp_test_nest_lock_)

// Programs of older compilers leave out the last arguments, which then nobody reads.
DAMPI_EXPORT void GOMP_task(Body body, void* data, Copy copy, long size, long alignment, bool deferred, unsigned flags,
                            void** depend, int priority, void* detach) {
    const auto aligned = static_cast<std::size_t>(alignment < 16 ? 16 : alignment);
    const std::size_t offset = (sizeof(Task) + aligned - 1) / aligned * aligned;
    Task task{.event = nullptr,
              .body = body,
              .copy = copy,
              .data = data,
              .size = static_cast<std::size_t>(size),
              .offset = offset,
              .flags = flags};
    BEHIND(GOMP_task)
    (&run_task, &task, &copy_task, static_cast<long>(offset) + size, static_cast<long>(aligned), deferred, flags,
     depend, priority, detach);
}

BEGINS(GOMP_taskwait, (), (), tasks_done())
BEGINS(GOMP_taskwait_depend, (void** depend), (depend), tasks_done())
BEGINS(GOMP_taskgroup_end, (), (), tasks_done())
ENDS(omp_fulfill_event, (void* event), (event), tasks_done())
// NOLINTEND(readability-identifier-naming,bugprone-macro-parentheses)

// Each that the program's file is believed to be told of stands above.
#define OPENMP_FOLLOWED(name) static_assert(&(name) != nullptr);
#define OPENMP_ORDERS_NOTHING(name)
#include "launch/program/openmp_functions.def"
