// A suite: sweeps that are run together, as a file says. Only reads the file and checks its form; whether a program can
// be verified, and whether its options are right, others see (scheduler/cli/suite_check.hpp).
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dampi::scheduler {

/// One run of dampi-run.
struct SuiteSweep {
    std::string id;  ///< its name and number of processes, "exchange-n3": unique, and good as the name of a file
    int processes = 0;
    std::vector<std::string> options;  ///< words of dampi-run's, without -n and -o
    std::string program;
    std::vector<std::string> arguments;
    std::string place = {};                       ///< of the program, "suite.json:7"; empty: it is from no file
    std::vector<std::string> option_places = {};  ///< likewise, of each of the options
};

struct Suite {
    std::optional<std::chrono::milliseconds> time_limit;  ///< of all together
    std::vector<SuiteSweep> sweeps;                       ///< at least one, in the order of the file
};

/// `name`: of the file, which is TOML where it ends in ".toml", and JSON otherwise. Throws dampi::Error that begins
/// with the file and the line where something is wrong: "suite.json:7: ...".
[[nodiscard]] Suite parse_suite(std::string_view text, const std::string& name);

/// Throws dampi::Error, also where the file cannot be read.
[[nodiscard]] Suite read_suite(const std::filesystem::path& file);

}  // namespace dampi::scheduler
