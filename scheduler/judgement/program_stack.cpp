#include "scheduler/judgement/program_stack.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace dampi::scheduler {
namespace {

using replay::CodePlace;

bool lies_in(const CodePlace& frame, std::initializer_list<std::string_view> names) {
    const std::string_view file = std::string_view(frame.module).substr(frame.module.rfind('/') + 1);
    return std::any_of(names.begin(), names.end(), [file](std::string_view name) { return file.starts_with(name); });
}

/// The layer, the MPI library with its bindings, and its transport.
bool is_mpi(const CodePlace& frame) {
    return lies_in(frame, {"libdampi.", "libdampi-central.", "libdampi-openmpi", "libmpich", "libmpi.", "libmpi_usempi",
                           "libmpifort.", "libmpicxx.", "libucp.", "libuct", "libucs", "libucm"});
}

bool is_system(const CodePlace& frame) {
    return frame.module.empty() || lies_in(frame, {"libc.", "libpthread.", "librt.", "ld-linux", "[vdso]"});
}

/// Which innermost frames are how C++'s runtime ends a program: from where an exception is thrown that nobody catches,
/// or that may not go on, to the signal. None of this is where the program has been.
std::size_t frames_of_termination(const std::vector<CodePlace>& stack) {
    const auto is_of_system = [](const CodePlace& frame) { return is_system(frame); };
    const auto is_of_cpp = [](const CodePlace& frame) {
        return lies_in(frame, {"libstdc++.", "libgcc_s.", "libc++.", "libc++abi.", "libunwind."});
    };
    const auto runtime = std::find_if_not(stack.begin(), stack.end(), is_of_system);
    const auto program = std::find_if_not(runtime, stack.end(), is_of_cpp);
    const bool aborts =
        std::any_of(stack.begin(), runtime, [](const CodePlace& frame) { return frame.function == "abort"; });
    return !aborts || program == runtime || program == stack.end() ? 0
                                                                   : static_cast<std::size_t>(program - stack.begin());
}

}  // namespace

std::vector<CodePlace> program_stack(std::vector<CodePlace> stack) {
    // From outside to inside, what main() and nobody before it called.
    const auto main =
        std::find_if(stack.begin(), stack.end(), [](const CodePlace& frame) { return frame.function == "main"; });
    if (main != stack.end()) {
        stack.erase(main + 1, stack.end());
    }
    while (!stack.empty() && (is_system(stack.back()) || stack.back().function == "_start")) {
        stack.pop_back();
    }
    // What lies on the inner side of the MPI library up to the program's next function was called by the library.
    bool called_by_mpi = false;
    std::vector<CodePlace> program;
    for (auto frame = stack.rbegin(); frame != stack.rend(); ++frame) {
        called_by_mpi = is_mpi(*frame) || (called_by_mpi && is_system(*frame));
        if (!called_by_mpi) {
            program.push_back(std::move(*frame));
        }
    }
    std::reverse(program.begin(), program.end());
    // A frame of which nothing is known says nothing.
    std::erase_if(program, [](const CodePlace& frame) { return frame.module.empty() && frame.function.empty(); });
    program.erase(program.begin(), program.begin() + static_cast<std::ptrdiff_t>(frames_of_termination(program)));
    return program;
}

}  // namespace dampi::scheduler
