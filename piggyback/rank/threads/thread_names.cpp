#include "piggyback/rank/threads/thread_names.hpp"

#include "base/hash.hpp"
#include "piggyback/rank/call_depth.hpp"
#include "piggyback/rank/core.hpp"
#include "piggyback/rank/touches/page_guard.hpp"

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <mutex>

#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>

namespace dampi::piggyback {
namespace {

using replay::ThreadName;

/// What a thread knows of itself.
struct Self {
    ThreadName name;
    bool named;
    std::uint32_t made;  ///< threads
};
__attribute__((tls_model("initial-exec"))) thread_local Self self{};

constexpr ThreadName unknown_creator = ~ThreadName{0};

ThreadName name_of(ThreadName creator, std::uint32_t number) {
    const auto name = static_cast<ThreadName>(base::Hash(creator).add(number).value());
    return name == replay::main_thread ? 1 : name;
}

/// How many threads of the program's there are beside the main one. Those that the MPI library makes do not count.
class Others {
public:
    void add(int more) {
        const std::scoped_lock lock(mutex_);
        count_ += more;
        publish();
    }
    void begin_to_publish() {
        const std::scoped_lock lock(mutex_);
        published_ = true;
        publish();
    }
    [[nodiscard]] bool any() {
        const std::scoped_lock lock(mutex_);
        return count_ != 0;
    }

private:
    void publish() const {
        if (published_) {
            Core::current()->board().multithreaded.store(static_cast<std::uint32_t>(count_), std::memory_order_seq_cst);
        }
    }

    std::mutex mutex_;
    int count_ = 0;
    bool published_ = false;
};
constinit Others others;

pthread_key_t ending_key;

void on_end(void* /*value*/) { others.add(-1); }

struct Start {
    void* (*function)(void*);
    void* argument;
    ThreadName name;
};

void* begin_thread(void* given) {
    auto* start = static_cast<Start*>(given);
    const Start copy = *start;
    std::free(start);
    self.name = copy.name;
    self.named = true;
    pthread_setspecific(ending_key, &self);  // any value: its end is seen, however it comes
    return copy.function(copy.argument);
}

/// A thread of the MPI library's.
void* begin_library_thread(void* given) {
    auto* start = static_cast<Start*>(given);
    const Start copy = *start;
    std::free(start);
    if (Core* core = Core::current(); core != nullptr) {
        transport::Board& header = core->board();
        const std::uint32_t index = header.library_thread_count.fetch_add(1, std::memory_order_relaxed);
        if (index < transport::most_library_threads) {
            header.library_threads[index].store(gettid(), std::memory_order_release);
        }
    }
    return copy.function(copy.argument);
}

std::atomic<unsigned> made_by_library{0};
std::atomic<unsigned> made_by_program{0};

using Create = int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);

Create* real_create() {
    static auto* const found = reinterpret_cast<Create*>(dlsym(RTLD_NEXT, "pthread_create"));
    return found;
}

bool is_main_thread() { return getpid() == gettid(); }

}  // namespace

ThreadName name_this_thread() {
    if (!self.named) {
        static std::uint32_t unknown = 0;  // with the lock
        self.named = true;
        self.name = is_main_thread() ? replay::main_thread : name_of(unknown_creator, unknown++);
        if (self.name != replay::main_thread) {
            others.add(1);  // for ever: nobody tells when it ends
        }
    }
    return self.name;
}

bool has_other_threads() { return others.any(); }

unsigned threads_made() { return made_by_program.load(std::memory_order_relaxed); }

unsigned library_threads() { return made_by_library.load(std::memory_order_relaxed); }

void threads_may_call(Core& core) {
    core.locks_calls = true;
    core.calls_at_once = true;
    others.begin_to_publish();
}

}  // namespace dampi::piggyback

extern "C" __attribute__((visibility("default"))) int pthread_create(pthread_t* thread,
                                                                     const pthread_attr_t* attributes,
                                                                     void* (*function)(void*), void* argument) {
    using namespace dampi::piggyback;
    Create* const create = real_create();
    static const bool has_key = pthread_key_create(&ending_key, on_end) == 0;
    auto* start = has_key ? static_cast<Start*>(std::malloc(sizeof(Start))) : nullptr;
    if (start == nullptr) {
        return create(thread, attributes, function, argument);
    }
    if (inside_mpi()) {
        *start = {.function = function, .argument = argument, .name = 0};
        made_by_library.fetch_add(1, std::memory_order_relaxed);
        const int result = create(thread, attributes, begin_library_thread, start);
        if (result != 0) {
            std::free(start);
        }
        return result;
    }
    touches::make_thread();
    if (Core* core = Core::current(); core != nullptr && core->active()) {
        core->locks_calls = true;  // it may call MPI, also where it must not
    }
    *start = {.function = function, .argument = argument, .name = name_of(self.name, self.made)};
    others.add(1);
    made_by_program.fetch_add(1, std::memory_order_relaxed);
    const int result = create(thread, attributes, begin_thread, start);
    if (result == 0) {
        ++self.made;
    } else {
        others.add(-1);
        std::free(start);
    }
    return result;
}
