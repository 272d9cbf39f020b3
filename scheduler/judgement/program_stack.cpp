#include "scheduler/judgement/program_stack.hpp"

#include <algorithm>
#include <array>
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
    return program;
}

}  // namespace dampi::scheduler
