// What a refused system call becomes.
#pragma once

#include "base/check.hpp"

#include <cstring>
#include <string>

namespace dampi::base {

/// `what` was wanted; the system says why not.
[[noreturn]] inline void fail(const std::string& what, int error) { throw Error(what + ": " + std::strerror(error)); }

}  // namespace dampi::base
