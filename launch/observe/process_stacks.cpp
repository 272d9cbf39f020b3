#include "launch/observe/process_stacks.hpp"

#include "launch/observe/observed_process.hpp"
#include "launch/observe/traced_thread.hpp"

#include <memory>
#include <utility>

namespace dampi::launch {
namespace {

using Clock = std::chrono::steady_clock;

std::vector<replay::CodePlace> unwind(pid_t process) {
    std::vector<replay::CodePlace> stack;
    for (ObservedFrame& frame : ObservedProcess(process).read_stopped_stack(process)) {
        stack.push_back(std::move(frame.place));
    }
    return stack;
}

}  // namespace

std::vector<std::vector<replay::CodePlace>> read_stacks(const std::vector<pid_t>& processes,
                                                        std::chrono::milliseconds patience) {
    let_late_ones_go();
    std::vector<std::unique_ptr<TracedThread>> traced;
    for (const pid_t process : processes) {
        traced.push_back(std::make_unique<TracedThread>(process));
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
