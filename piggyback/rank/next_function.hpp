// Finds the library's own function behind a hook of the layer's that has the same name.
#pragma once

#include "base/check.hpp"

#include <dlfcn.h>

namespace dampi::piggyback {

/// The function `name` that comes after the layer in the order of symbols; where the program loaded the MPI library for
/// itself alone (dlopen with RTLD_LOCAL), that of `library`, a file name as in DT_NEEDED. It has to exist.
template <typename Function>
Function next_function(const char* name, const char* library) {
    void* found = dlsym(RTLD_NEXT, name);
    if (found == nullptr) {
        if (void* loaded = dlopen(library, RTLD_LAZY | RTLD_NOLOAD)) {
            found = dlsym(loaded, name);
        }
    }
    DAMPI_CHECK(found != nullptr);
    return reinterpret_cast<Function>(found);
}

/// The next definition of a function of the C or C++ library. Looked up at its first use, which may come before any
/// constructor.
template <typename Function>
class Next {
public:
    explicit constexpr Next(const char* name) : name_(name) {}
    Function* get() noexcept {
        if (__builtin_expect(function_ == nullptr, 0)) {
            function_ = reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name_));
        }
        return function_;
    }

private:
    const char* name_;
    Function* function_ = nullptr;
};

}  // namespace dampi::piggyback
