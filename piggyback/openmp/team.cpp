#include "piggyback/openmp/team.hpp"

#include <dlfcn.h>

namespace dampi::piggyback::openmp {
namespace {

using Tell = void (*)(void* moment);

Tell tell_release = nullptr;
Tell tell_acquire = nullptr;

__attribute__((tls_model("initial-exec"))) thread_local Member* innermost = nullptr;

/// Before the program begins. Where there is no ThreadSanitizer, nobody is told.
__attribute__((constructor)) void find_runtime() {
    tell_release = reinterpret_cast<Tell>(dlsym(RTLD_DEFAULT, "__tsan_release"));
    tell_acquire = reinterpret_cast<Tell>(dlsym(RTLD_DEFAULT, "__tsan_acquire"));
}

}  // namespace

void* tasks_made() {
    static char moment = 0;
    return &moment;
}

void* tasks_done() {
    static char moment = 0;
    return &moment;
}

void release(void* moment) {
    if (tell_release != nullptr) {
        tell_release(moment);
    }
}

void acquire(void* moment) {
    if (tell_acquire != nullptr) {
        tell_acquire(moment);
    }
}

Member::Member(Team& team) : team_(team), outer_(innermost) {
    innermost = this;
    acquire(&team_.begins);
}

Member::~Member() {
    release(&team_.ends);
    innermost = outer_;
}

Member* Member::current() { return innermost; }

}  // namespace dampi::piggyback::openmp
