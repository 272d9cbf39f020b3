// exit(), as the program and its libraries call it. Its handlers, the destructors of objects that live until the end
// among them, are told the status of a call only if they come after it: where one of them calls exit() in turn, as the
// MPI library does for a call that comes too late, nobody but this hook may learn of it.
#include "piggyback/rank/engine.hpp"
#include "piggyback/rank/hook.hpp"
#include "piggyback/rank/lifecycle/crash.hpp"
#include "piggyback/rank/lifecycle/rewind.hpp"
#include "piggyback/rank/next_function.hpp"

namespace dampi::piggyback {
namespace {

constinit Next<void(int)> next_exit("exit");

}  // namespace
}  // namespace dampi::piggyback

DAMPI_HOOK __attribute__((noreturn)) void exit(int status) {
    using namespace dampi::piggyback;
    if (engine.exits != nullptr) {
        engine.exits(status, __builtin_return_address(0));
    }
    note_exit_called(status);
    note_status_of_exit(status);
    next_exit.get()(status);
    __builtin_unreachable();
}
