// What the commands of this project share as such: their parts that are installed beside them, the program that they
// are given, and how they are interrupted.
#pragma once

#include "launch/program/program.hpp"

#include <atomic>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): as CLI11 calls it
class App;
}

namespace dampi::scheduler {

/// Exit statuses of the commands beside dampi-run.
inline constexpr int usage_or_environment_error = 2;
inline constexpr int internal_error = 4;

/// What the main() of such a command does: reads the command line, and does what is asked. Whatever is wrong is said on
/// standard error, behind the command's name. The exit status: that of `run`, or one of these.
[[nodiscard]] int run_command(CLI::App& app, int argc, char** argv, const std::function<int()>& run);

/// A file of ours that lies at one of these places as seen from the running command's own folder. Throws dampi::Error
/// when there is none, or its path cannot be used.
[[nodiscard]] std::filesystem::path find_part(const char* name, std::initializer_list<const char*> places);

/// Looks at the program under test. Throws dampi::Error when it cannot be verified with this layer.
[[nodiscard]] launch::Program inspect(const std::string& program, const std::vector<std::string>& arguments,
                                      int processes, const std::filesystem::path& layer);

/// From now on SIGINT, SIGTERM and SIGHUP set this, and the second one ends the process at once; the ranks die with it.
/// The command may set it, too, to end early. What cannot be written any more is met as an error instead of a signal.
/// `kept`: what the second signal does not destroy, for the sentence that it ends with; kept when it is left out.
[[nodiscard]] std::atomic<bool>& catch_interrupts(const std::string& kept = "");

}  // namespace dampi::scheduler
