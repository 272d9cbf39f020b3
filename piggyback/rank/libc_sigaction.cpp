#include "piggyback/rank/libc_sigaction.hpp"

#include <dlfcn.h>

namespace dampi::piggyback {
namespace {

using Sigaction = int (*)(int, const struct sigaction*, struct sigaction*);
Sigaction found = nullptr;

}  // namespace

void find_libc_sigaction() noexcept {
    if (void* libc = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD)) {
        found = reinterpret_cast<Sigaction>(dlsym(libc, "sigaction"));
    }
    if (found == nullptr) {
        found = sigaction;
    }
}

int libc_sigaction(int signal, const struct sigaction* action, struct sigaction* before) noexcept {
    return found(signal, action, before);
}

}  // namespace dampi::piggyback
