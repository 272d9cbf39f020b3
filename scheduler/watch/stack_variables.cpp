#include "scheduler/watch/stack_variables.hpp"

#include "launch/observe/observed_process.hpp"

#include <chrono>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include <sys/uio.h>

namespace dampi::scheduler::watch {
namespace {

constexpr std::chrono::milliseconds patience{200};
constexpr unsigned frame_register = 6;  ///< rbp, in DWARF

bool read_memory(pid_t process, std::uint64_t address, void* to, std::size_t size) {
    const iovec here{to, size};
    const iovec there{reinterpret_cast<void*>(address), size};  // NOLINT(performance-no-int-to-ptr)
    return process_vm_readv(process, &here, 1, &there, 1, 0) == static_cast<ssize_t>(size);
}

/// Libraries of the system's and of MPI have no variables that the user knows.
bool is_of_system(const std::string& module) {
    return module.empty() || module.starts_with("/usr/") || module.starts_with("/lib") || module.starts_with("[");
}

}  // namespace

std::vector<launch::LocalNumber> read_variables(pid_t process) {
    launch::ObservedProcess observed(process);
    const auto stack = observed.read_stack(process, patience);
    const auto read = [process](std::uint64_t address, void* to, std::size_t size) {
        return read_memory(process, address, to, size);
    };
    std::map<std::string, std::unique_ptr<launch::ProgramVariables>> modules;
    std::vector<launch::LocalNumber> all;
    for (std::size_t i = 0; i + 1 < stack.size(); ++i) {
        const launch::ObservedFrame& frame = stack[i];
        if (is_of_system(frame.place.module)) {
            continue;
        }
        auto& variables = modules[frame.place.module];
        if (variables == nullptr) {
            const std::uint64_t bias = frame.address - frame.place.offset;
            variables = std::make_unique<launch::ProgramVariables>(std::vector<launch::LoadedModule>{
                {frame.place.module, bias, std::numeric_limits<std::uint64_t>::max(), bias}});
        }
        const launch::StackFrame at{.pc = frame.address + 1,
                                    .sp = frame.stack,
                                    .rbp = frame.registers[frame_register].value_or(0),
                                    .cfa = stack[i + 1].stack};
        for (launch::LocalNumber& number : variables->local_numbers(at, frame.registers, read)) {
            all.push_back(std::move(number));
        }
    }
    return all;
}

}  // namespace dampi::scheduler::watch
