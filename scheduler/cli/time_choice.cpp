#include "scheduler/cli/time_choice.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include <fmt/format.h>

namespace dampi::scheduler {
namespace {

constexpr auto polling_functions = std::to_array<std::string_view>(
    {"mpi_test", "mpi_testall", "mpi_testany", "mpi_testsome", "mpi_iprobe", "mpi_improbe", "mpi_request_get_status"});

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
    return text;
}

/// The first of the program's MPI functions for which that holds.
template <typename Holds>
std::string first_of(const launch::Program& program, Holds&& holds) {
    const auto found = std::find_if(program.mpi_functions.begin(), program.mpi_functions.end(),
                                    [&](const std::string& each) { return holds(lower(each)); });
    return found == program.mpi_functions.end() ? std::string() : *found;
}

/// As the program's author knows it.
std::string for_people(std::string_view function) {
    constexpr std::string_view of_fortran = "_gfortran_";
    if (function.starts_with(of_fortran)) {
        return std::string(function.substr(of_fortran.size()));
    }
    return function.starts_with("_ZN") ? std::string("C++'s clocks") : std::string(function);
}

}  // namespace

TimeChoice choose_time(std::optional<bool> asked, const launch::Program& program, replay::EngineKind engine) {
    if (asked == false) {
        return {.is_virtual = false, .why = "--real-time"};
    }
    if (!program.contained_layer.empty()) {
        return {.is_virtual = false,
                .why = asked ? "--virtual-time cannot be had with MPI linked in statically" : std::string()};
    }
    if (asked == true) {
        return {.is_virtual = true, .why = "--virtual-time"};
    }
    const std::string polls = first_of(program, [](const std::string& name) {
        return std::find(polling_functions.begin(), polling_functions.end(), name) != polling_functions.end();
    });
    std::string clock = first_of(program, [](const std::string& name) { return name == "mpi_wtime"; });
    if (clock.empty() && !program.clock_functions.empty()) {
        clock = for_people(*program.clock_functions.begin());
    }
    if (program.mpi_at_run_time || polls.empty() || (clock.empty() && engine != replay::EngineKind::central)) {
        return {};
    }
    if (!program.needs_real_time.empty()) {
        return {.is_virtual = false,
                .why = clock.empty() ? std::string()
                                     : fmt::format("the program uses {}", program.needs_real_time.starts_with("_ZN")
                                                                              ? std::string("C++'s threads")
                                                                              : program.needs_real_time)};
    }
    return {.is_virtual = true,
            .why = clock.empty() ? std::string()
                                 : fmt::format("the program uses {} and {}; --real-time goes without", polls, clock)};
}

}  // namespace dampi::scheduler
