// What constructors of a program that is to be prepared may not ask for: what would be another thing in each rank or in
// each run. These names of the C and C++ libraries are hooked for that moment; after it they pass on, and a rank only
// notes that it has asked for what is another thing in each process, and that it has looked at the clock. Last, the
// hook by which main is put off. Only in the shared library: with the layer linked in statically nothing is prepared.
#include "piggyback/rank/call_depth.hpp"
#include "piggyback/rank/lifecycle/prepare.hpp"
#include "piggyback/rank/repetition.hpp"
#include "piggyback/rank/threads/threads.hpp"

#include <cstring>
#include <string_view>

#include <ctime>
#include <dlfcn.h>
#include <sys/random.h>
#include <sys/time.h>
#include <unistd.h>

// Where this library's code begins and ends, by the linker.
extern "C" __attribute__((visibility("hidden"))) const char own_begin __asm__("__ehdr_start");
extern "C" __attribute__((visibility("hidden"))) const char etext;

namespace dampi::piggyback {
namespace {

/// The next definition of the function. Looked up at its first use, which may come before any constructor.
template <typename Function>
class Next {
public:
    explicit constexpr Next(const char* name) : name_(name) {}
    [[nodiscard]] Function* get() noexcept {
        if (__builtin_expect(function_ == nullptr, 0)) {
            function_ = reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name_));
        }
        return function_;
    }

private:
    const char* name_;
    Function* function_ = nullptr;
};

/// MPI and what comes with it asks for much, and makes of it what may be the same in all ranks: the prefix of messages,
/// the seed of a hash, the speed of a clock.
bool is_known(const void* caller) noexcept {
    if (caller >= &own_begin && caller < &etext) {
        return true;
    }
    Dl_info where{};
    if (dladdr(caller, &where) == 0 || where.dli_fname == nullptr) {
        return false;
    }
    const char* slash = std::strrchr(where.dli_fname, '/');
    const std::string_view base(slash == nullptr ? where.dli_fname : slash + 1);
    for (const std::string_view known :
         {"libdampi", "libmpich.so", "libmpichcxx.so", "libmpichfort.so", "libucp.so", "libuct.so", "libucs.so",
          "libucm.so", "libuct_", "libucs_", "libhwloc.so", "libnuma.so", "libudev.so", "libc.so", "libgfortran.so"}) {
        if (base.starts_with(known)) {
            return true;
        }
    }
    return false;
}

void asks(const void* caller, const char* why) noexcept {
    if (__builtin_expect(ranks_may_differ(), 0) && !is_known(caller)) {
        not_the_same_in_ranks(why);
    }
}

/// What a rank sees of its own process: a copy of it would see something else.
void sees(const void* caller, const char* what) noexcept {
    if (!has_seen_own_of_process() && !is_known(caller)) {
        note_own_of_process(what);
    }
}

/// A program that polls until a time is over does not poll for ever.
void looks_at_clock() noexcept {
    if (repeating) [[unlikely]] {
        end_of_repetition(nullptr, nullptr);
    }
    if (this_thread != nullptr && !inside_mpi()) {
        this_thread->looks_at_clock();
    }
}

constexpr const char* has_number = "a rank has asked for its process number";
constexpr const char* has_processor_time = "a rank has asked for its processor time";

constexpr const char* its_number = "it asks for its process number before main";
constexpr const char* the_time = "it asks for the time before main";
constexpr const char* random_numbers = "it asks for random numbers before main";

void asks_for_variable(const char* name) noexcept {
    if (__builtin_expect(ranks_may_differ(), 0)) {
        for (const char* ranks_own : {"PMI_RANK", "PMI_FD", "MPI_LOCALRANKID"}) {
            if (std::strcmp(name, ranks_own) == 0) {
                not_the_same_in_ranks("it asks for its rank before main");
            }
        }
    }
}

constinit Next<char*(const char*)> next_getenv("getenv");
constinit Next<char*(const char*)> next_secure_getenv("secure_getenv");
constinit Next<pid_t()> next_getpid("getpid");
constinit Next<pid_t()> next_gettid("gettid");
constinit Next<time_t(time_t*)> next_time("time");
constinit Next<int(timeval*, void*)> next_gettimeofday("gettimeofday");
constinit Next<int(timespec*, int)> next_timespec_get("timespec_get");
constinit Next<clock_t()> next_clock("clock");
constinit Next<int(clockid_t, timespec*)> next_clock_gettime("clock_gettime");
constinit Next<ssize_t(void*, std::size_t, unsigned)> next_getrandom("getrandom");
constinit Next<int(void*, std::size_t)> next_getentropy("getentropy");
// std::random_device's constructor. It is handed through as it comes: this library has a std::string of its own.
#define DAMPI_RANDOM_DEVICE "_ZNSt13random_device7_M_initERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"
constinit Next<void(void*, const void*)> next_random_device(DAMPI_RANDOM_DEVICE);

}  // namespace
}  // namespace dampi::piggyback

#define DAMPI_HOOK extern "C" __attribute__((visibility("default")))

DAMPI_HOOK char* getenv(const char* name) noexcept {
    using namespace dampi::piggyback;
    asks_for_variable(name);
    return next_getenv.get()(name);
}

DAMPI_HOOK char* secure_getenv(const char* name) noexcept {
    using namespace dampi::piggyback;
    asks_for_variable(name);
    return next_secure_getenv.get()(name);
}

DAMPI_HOOK pid_t getpid() noexcept {
    using namespace dampi::piggyback;
    asks(__builtin_return_address(0), its_number);
    sees(__builtin_return_address(0), has_number);
    return next_getpid.get()();
}

DAMPI_HOOK pid_t gettid() noexcept {
    using namespace dampi::piggyback;
    asks(__builtin_return_address(0), its_number);
    sees(__builtin_return_address(0), has_number);
    return next_gettid.get()();
}

DAMPI_HOOK time_t time(time_t* result) noexcept {
    using namespace dampi::piggyback;
    asks(__builtin_return_address(0), the_time);
    looks_at_clock();
    return next_time.get()(result);
}

DAMPI_HOOK int timespec_get(timespec* result, int base) noexcept {
    using namespace dampi::piggyback;
    asks(__builtin_return_address(0), the_time);
    looks_at_clock();
    return next_timespec_get.get()(result, base);
}

DAMPI_HOOK clock_t clock() noexcept {
    using namespace dampi::piggyback;
    asks(__builtin_return_address(0), the_time);
    sees(__builtin_return_address(0), has_processor_time);
    looks_at_clock();
    return next_clock.get()();
}

DAMPI_HOOK int gettimeofday(timeval* result, void* zone) noexcept {
    using namespace dampi::piggyback;
    asks(__builtin_return_address(0), the_time);
    looks_at_clock();
    return next_gettimeofday.get()(result, zone);
}

DAMPI_HOOK int clock_gettime(clockid_t clock, timespec* result) noexcept {
    using namespace dampi::piggyback;
    asks(__builtin_return_address(0), the_time);
    if (clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID) {
        sees(__builtin_return_address(0), has_processor_time);
    }
    looks_at_clock();
    return next_clock_gettime.get()(clock, result);
}

DAMPI_HOOK ssize_t getrandom(void* buffer, std::size_t size, unsigned flags) {
    using namespace dampi::piggyback;
    asks(__builtin_return_address(0), random_numbers);
    return next_getrandom.get()(buffer, size, flags);
}

DAMPI_HOOK int getentropy(void* buffer, std::size_t size) {
    using namespace dampi::piggyback;
    asks(__builtin_return_address(0), random_numbers);
    return next_getentropy.get()(buffer, size);
}

DAMPI_HOOK void dampi_random_device(void* device, const void* token) __asm__(DAMPI_RANDOM_DEVICE);
DAMPI_HOOK void dampi_random_device(void* device, const void* token) {
    using namespace dampi::piggyback;
    asks(__builtin_return_address(0), random_numbers);
    next_random_device.get()(device, token);
}

/// What the C library's start-up code calls with the program's main, and what in turn runs the constructors of the
/// executable and then main.
DAMPI_HOOK int dampi_start_main(dampi::piggyback::Main main, int argc, char** argv, void (*init)(), void (*fini)(),
                                void (*loader_fini)(), void* stack_end) __asm__("__libc_start_main");
DAMPI_HOOK int dampi_start_main(dampi::piggyback::Main main, int argc, char** argv, void (*init)(), void (*fini)(),
                                void (*loader_fini)(), void* stack_end) {
    using namespace dampi::piggyback;
    using Start = int(Main, int, char**, void (*)(), void (*)(), void (*)(), void*);
    Next<Start> start("__libc_start_main");
    return start.get()(around(main), argc, argv, init, fini, loader_fini, stack_end);
}
