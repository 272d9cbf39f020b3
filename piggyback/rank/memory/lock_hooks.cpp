// mlockall(), by which a program keeps all its memory from being paged out. A rank's includes the areas that it shares
// with dampi-run, many gigabytes of which nearly nothing is ever used: locked as they are they would all be made. So
// what is locked are the pages that somebody has touched, which no program can tell. Only in the shared library.
#include "piggyback/rank/core.hpp"
#include "piggyback/rank/hook.hpp"
#include "piggyback/rank/next_function.hpp"

#include <sys/mman.h>

namespace dampi::piggyback {
namespace {

constinit Next<int(int)> next_mlockall("mlockall");

}  // namespace
}  // namespace dampi::piggyback

DAMPI_HOOK int mlockall(int flags) noexcept {
    using namespace dampi::piggyback;
    const bool any = (flags & (MCL_CURRENT | MCL_FUTURE)) != 0;
    return next_mlockall.get()(any && Core::current() != nullptr ? flags | static_cast<int>(MCL_ONFAULT) : flags);
}
