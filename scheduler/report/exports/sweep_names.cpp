// See sweep_names.hpp.
#include "scheduler/report/exports/sweep_names.hpp"

#include <filesystem>
#include <map>

#include <fmt/format.h>

namespace dampi::scheduler {
namespace {

std::string program_and_processes(const ReportInputs& inputs) {
    return fmt::format("{}-n{}", std::filesystem::path(inputs.options.program).filename().string(),
                       inputs.options.processes);
}

}  // namespace

std::vector<std::string> sweep_names(std::span<const ReportInputs> sweeps) {
    std::map<std::string, unsigned> called;
    for (const ReportInputs& inputs : sweeps) {
        ++called[program_and_processes(inputs)];
    }
    std::vector<std::string> names;
    std::map<std::string, unsigned> taken;
    for (const ReportInputs& inputs : sweeps) {
        std::string name = program_and_processes(inputs);
        const std::string directory = inputs.options.output.filename().string();
        if (called[name] > 1 && !directory.empty()) {
            name = directory;
        }
        const unsigned times = ++taken[name];
        names.push_back(times == 1 ? name : fmt::format("{}-{}", name, times));
    }
    return names;
}

}  // namespace dampi::scheduler
