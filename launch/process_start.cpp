#include "launch/process_start.hpp"

#include "launch/guard.hpp"

#include <cerrno>
#include <csignal>
#include <cstdlib>

#include <fcntl.h>
#include <pthread.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace dampi::launch {
namespace {

/// We may run under a launcher ourselves; the ranks must not take its socket for ours.
bool left_by_another_launcher(std::string_view name) {
    return name.starts_with("PMI_") || name.starts_with("PMIX_") || name.starts_with("HYDI_");
}

[[noreturn]] void become_program(ChildPlan& plan) {
    // Dispositions first: the parent's handlers must not run here, and ignored signals would stay ignored.
    struct sigaction action {};
    action.sa_handler = SIG_DFL;
    for (int signal = 1; signal < NSIG; ++signal) {
        ::sigaction(signal, &action, nullptr);
    }
    bool good = (plan.own_session ? ::setsid() > 0 : ::setpgid(0, 0) == 0) && ::prctl(PR_SET_PDEATHSIG, SIGKILL) == 0;
    // The parent may have died before the kernel knew that we want to die with it.
    if (::getppid() != plan.parent) {
        ::_exit(127);
    }
    const pid_t self = ::getpid();
    const Guard::Message message{.group = self, .rank = self};
    ::send(plan.guard, &message, sizeof message, MSG_NOSIGNAL);  // also without its guard it is a good process
    good = good && ::dup2(plan.input, STDIN_FILENO) >= 0 && ::dup2(plan.output, STDOUT_FILENO) >= 0 &&
           ::dup2(plan.error_output, STDERR_FILENO) >= 0;
    good = good && (plan.socket < 0 || ::fcntl(plan.socket, F_SETFD, 0) == 0);
    for (std::size_t i = 0; good && i < plan.inherited_count; ++i) {
        good = ::fcntl(plan.inherited[i], F_SETFD, 0) == 0;
    }
    sigset_t none;
    sigemptyset(&none);
    good = good && ::sigprocmask(SIG_SETMASK, &none, nullptr) == 0;
    good = good && (plan.working_directory == nullptr || ::chdir(plan.working_directory) == 0);
    if (plan.same_addresses) {
        ::personality(ADDR_NO_RANDOMIZE);  // may be forbidden: who relies on it looks
    }
    if (good && plan.in_path) {
        ::execvpe(plan.program, plan.arguments, plan.environment);
    }
    if (good && !plan.in_path) {
        ::execve(plan.program, plan.arguments, plan.environment);
    }
    plan.error = errno;
    ::_exit(127);
}

}  // namespace

Environment::Environment(const std::vector<std::pair<std::string, std::string>>& additions) {
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        const std::string_view text(*entry);
        if (!left_by_another_launcher(text.substr(0, text.find('=')))) {
            entries_.emplace_back(text);
        }
    }
    // mpiexec sets it so that lines of Fortran programs come out in order.
    if (::getenv("GFORTRAN_UNBUFFERED_PRECONNECTED") == nullptr) {
        set("GFORTRAN_UNBUFFERED_PRECONNECTED", "y");
    }
    for (const auto& [name, value] : additions) {
        set(name, value);
    }
}

void Environment::set(const std::string& name, const std::string& value) {
    const std::string prefix = name + "=";
    std::erase_if(entries_, [&](const std::string& entry) { return entry.starts_with(prefix); });
    entries_.push_back(prefix + value);
}

std::vector<char*> Environment::pointers() {
    std::vector<char*> result;
    result.reserve(entries_.size() + 1);
    for (std::string& entry : entries_) {
        result.push_back(entry.data());
    }
    result.push_back(nullptr);
    return result;
}

/// vfork rather than fork: its cost does not grow with our memory. The child borrows this stack frame, so the
/// function must not be inlined, and all signals are blocked so that no handler of ours runs in the child.
[[gnu::noinline]] pid_t start_process(ChildPlan& plan) {
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const pid_t pid = ::vfork();
    if (pid == 0) {
        become_program(plan);
    }
    const int error = errno;
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    errno = error;
    return pid;
}

}  // namespace dampi::launch
