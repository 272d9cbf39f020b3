#include "launch/observe/process_stacks.hpp"

#include <memory>
#include <thread>

#include <elfutils/libdwfl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

namespace dampi::launch {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t most_frames = 64;

/// A process that we trace, from the constructor to the destructor.
class Traced {
public:
    /// Asks it to stop.
    explicit Traced(pid_t process)
        : process_(process),
          attached_(ptrace(PTRACE_SEIZE, process, nullptr, nullptr) == 0 &&
                    ptrace(PTRACE_INTERRUPT, process, nullptr, nullptr) == 0) {}
    ~Traced() {
        if (attached_) {
            ptrace(PTRACE_DETACH, process_, nullptr, nullptr);
        }
    }
    Traced(const Traced&) = delete;
    Traced& operator=(const Traced&) = delete;

    /// Whether it has stopped. It may end instead, which whoever started it will want to hear of; so only stops are
    /// asked for.
    [[nodiscard]] bool wait(Clock::time_point until) {
        while (attached_ && !stopped_) {
            siginfo_t what{};
            if (waitid(P_PID, static_cast<id_t>(process_), &what, WSTOPPED | WNOHANG | __WALL) != 0) {
                return false;
            }
            stopped_ = what.si_pid == process_;
            if (!stopped_ && Clock::now() > until) {
                return false;
            }
            if (!stopped_) {
                std::this_thread::sleep_for(std::chrono::microseconds{100});
            }
        }
        return stopped_;
    }

private:
    pid_t process_;
    bool attached_;
    bool stopped_ = false;
};

/// Unwinding needs no debug information, and the library might look for it far away.
int no_debug_information(Dwfl_Module* /*module*/, void** /*user*/, const char* /*name*/, Dwarf_Addr /*base*/,
                         const char* /*file*/, const char* /*link*/, GElf_Word /*check*/, char** /*found*/) {
    return -1;
}

struct Walk {
    Dwfl* dwfl;
    std::vector<replay::CodePlace> stack;
};

int visit_frame(Dwfl_Frame* frame, void* argument) {
    Walk& walk = *static_cast<Walk*>(argument);
    Dwarf_Addr address = 0;
    bool exact = false;
    if (!dwfl_frame_pc(frame, &address, &exact) || walk.stack.size() >= most_frames) {
        return DWARF_CB_ABORT;
    }
    address -= exact ? 0 : 1;  // within the calling instruction
    replay::CodePlace place;
    Dwfl_Module* module = dwfl_addrmodule(walk.dwfl, address);
    GElf_Addr bias = 0;
    if (module != nullptr && dwfl_module_getelf(module, &bias) != nullptr) {
        if (const char* name =
                dwfl_module_info(module, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr)) {
            place.module = name;
        }
        place.offset = address - bias;
    }
    walk.stack.push_back(std::move(place));
    return DWARF_CB_OK;
}

std::vector<replay::CodePlace> unwind(pid_t process) {
    Dwfl_Callbacks callbacks{};
    callbacks.find_elf = dwfl_linux_proc_find_elf;
    callbacks.find_debuginfo = no_debug_information;
    const std::unique_ptr<Dwfl, void (*)(Dwfl*)> dwfl(dwfl_begin(&callbacks), dwfl_end);
    Walk walk{.dwfl = dwfl.get(), .stack = {}};
    if (dwfl != nullptr && dwfl_linux_proc_report(dwfl.get(), process) == 0 &&
        dwfl_report_end(dwfl.get(), nullptr, nullptr) == 0 && dwfl_linux_proc_attach(dwfl.get(), process, true) == 0) {
        // What has been found when it cannot go on is still true.
        dwfl_getthread_frames(dwfl.get(), process, visit_frame, &walk);
    }
    return std::move(walk.stack);
}

}  // namespace

std::vector<std::vector<replay::CodePlace>> read_stacks(const std::vector<pid_t>& processes,
                                                        std::chrono::milliseconds patience) {
    std::vector<std::unique_ptr<Traced>> traced;
    for (const pid_t process : processes) {
        traced.push_back(std::make_unique<Traced>(process));
    }
    const auto until = Clock::now() + patience;
    std::vector<std::vector<replay::CodePlace>> stacks;
    for (std::size_t i = 0; i < processes.size(); ++i) {
        stacks.push_back(traced[i]->wait(until) ? unwind(processes[i]) : std::vector<replay::CodePlace>{});
        traced[i].reset();
    }
    return stacks;
}

}  // namespace dampi::launch
