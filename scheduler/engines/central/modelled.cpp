#include "scheduler/engines/central/modelled.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace dampi::scheduler::central {
namespace {

/// From the table of functions (piggyback/interception/functions.def).
constexpr std::array refused{
#include "scheduler/engines/central/refused_functions.inc"
};

std::string lower(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(), [](unsigned char c) { return std::tolower(c); });
    return result;
}

}  // namespace

std::optional<std::string> obstacle(const launch::Program& program) {
    if (program.mpi_at_run_time) {
        return "it loads MPI at run time";
    }
    if (!program.contained_layer.empty()) {
        return "MPI is linked into it statically";
    }
    if (program.linked_with_layer) {
        return "it is linked with the layer of the distributed engine";
    }
    if (program.imports_whole_bindings) {
        return std::nullopt;  // its imports say nothing; a call that is not modelled is refused when it is made
    }
    for (const std::string& function : program.mpi_functions) {
        for (const std::string_view name : refused) {
            if (lower(function) == lower(name)) {
                return "it uses " + std::string(name);
            }
        }
    }
    return std::nullopt;
}

}  // namespace dampi::scheduler::central
