// Functions of a sanitizer's runtime, which is in the process or not.
#pragma once

#include <dlfcn.h>

namespace dampi::piggyback::sanitizers {

template <typename Function>
[[nodiscard]] bool find(Function& function, const char* name) {
    function = reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name));
    return function != nullptr;
}

}  // namespace dampi::piggyback::sanitizers
