// What constructors of a program that is to be prepared may not ask for: what would be another thing in each rank or in
// each run. These names of the C and C++ libraries (and the clocks, time/clock_hooks.cpp) are hooked for that moment;
// after it they pass on, and a rank only notes that it has asked for what is another thing in each process. Last, the
// hook by which main is put off. Only in the shared library: with the layer linked in statically nothing is prepared.
#include "piggyback/rank/hook.hpp"
#include "piggyback/rank/lifecycle/callers.hpp"
#include "piggyback/rank/lifecycle/prepare.hpp"
#include "piggyback/rank/next_function.hpp"

#include <cstring>

#include <sys/random.h>
#include <unistd.h>

namespace dampi::piggyback {
namespace {

constexpr const char* has_number = "a rank has asked for its process number";
constexpr const char* its_number = "it asks for its process number before main";
constexpr const char* random_numbers = "it asks for random numbers before main";

void asks_for_variable(const char* name) noexcept {
    if (__builtin_expect(ranks_may_differ(), 0)) {
        for (const char* ranks_own : {"PMI_RANK", "PMI_FD", "MPI_LOCALRANKID", "OMPI_COMM_WORLD_RANK",
                                      "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_NODE_RANK", "PMIX_RANK"}) {
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
constinit Next<ssize_t(void*, std::size_t, unsigned)> next_getrandom("getrandom");
constinit Next<int(void*, std::size_t)> next_getentropy("getentropy");
// std::random_device's constructor. It is handed through as it comes: this library has a std::string of its own.
#define DAMPI_RANDOM_DEVICE "_ZNSt13random_device7_M_initERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"
constinit Next<void(void*, const void*)> next_random_device(DAMPI_RANDOM_DEVICE);

/// As find_those_that_look (file_hooks.cpp), but for random_device, which a program in C has none of.
__attribute__((constructor)) void find_those_that_ask() {
    next_getenv.get();
    next_secure_getenv.get();
    next_getpid.get();
    next_gettid.get();
    next_getrandom.get();
    next_getentropy.get();
}

}  // namespace
}  // namespace dampi::piggyback

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
