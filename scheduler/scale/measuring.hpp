// Finds out how much data a collective takes: runs it with more and more of it (piggyback/site/probe.c) until it is
// wrong, crashes, takes far too long, or there is no memory for more. After H. Li, dissertation, 2018, section 4.2.2.
#pragma once

#include "scheduler/scale/scale_bounds.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace dampi::scheduler::scale {

struct MeasuringSettings {
    std::vector<std::string> launcher;                  ///< "mpiexec"; "-n P" and the probe follow
    std::filesystem::path probe;                        ///< compiled for the site's MPI library
    std::filesystem::path folder;                       ///< for what a run leaves
    std::int64_t memory = 0;                            ///< bytes for the buffers of all ranks together
    std::chrono::milliseconds first_limit{60'000};      ///< how long the smallest number may take
    std::function<void(const std::string& what)> say;   ///< told of each number that has passed, and of what failed
    std::function<bool()> go_on = [] { return true; };  ///< asked all the time
};

/// Which numbers of elements are tried, ascending; the last is the most that an int and the memory allow. Empty: there
/// is no memory for one.
[[nodiscard]] std::vector<std::int64_t> numbers_to_try(const std::string& collective, int processes,
                                                       std::int64_t element, std::int64_t memory);

/// Between the last that was right and the first that was not: where to look more closely.
[[nodiscard]] std::vector<std::int64_t> numbers_between(std::int64_t passes, std::int64_t fails);

/// One collective, with one number of processes and elements of one size. `library`: gets what the MPI library calls
/// itself. Throws dampi::Error where the probe cannot be run at all.
[[nodiscard]] Measured measure(const MeasuringSettings& settings, const std::string& collective, int processes,
                               std::int64_t element, std::string& library);

/// All of it for one collective: where it fails also with twice the processes and twice the size, for its form. What
/// was measured, and the bound if there is one, are put into `bounds`.
void measure_all(const MeasuringSettings& settings, const std::string& collective, int processes, std::int64_t element,
                 ScaleBounds& bounds);

}  // namespace dampi::scheduler::scale
