// What passes between dampi-run and dampi-rank, which a foreign launcher executes in the place of a rank: the plan says
// what to become, and reports say what came of it. The plan is a memory file and the reports go through a pipe; both
// are opened by paths (/proc/PID/fd/N), so that nothing depends on what the launcher hands down.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dampi::launch {

struct RankPlan {
    std::string token;  ///< of this job on this machine (job_token)
    std::uint32_t job = 0;
    int processes = 1;
    std::string working_directory;
    std::string program;
    std::vector<std::string> arguments;  ///< with argv[0]
    std::vector<std::pair<std::string, std::string>> environment;
    std::string reports;  ///< path of the pipe
    std::string output;   ///< where standard output goes
    std::string error_output;
};

[[nodiscard]] std::string to_bytes(const RankPlan& plan);
/// None when these are not the bytes of a plan.
[[nodiscard]] std::optional<RankPlan> plan_from(std::string_view bytes);

/// Tells this machine since its start from all others; begins each token.
[[nodiscard]] std::string machine_name();
/// What people call it.
[[nodiscard]] std::string host_name();

/// What dampi-rank prints first on another machine than dampi-run's, where it can report nothing; the machine follows,
/// up to the end of the line. The launcher passes it on.
inline constexpr std::string_view on_another_machine =
    "dampi-rank: all ranks must run on dampi-run's machine, this is ";

/// One report; written at once, so that reports of different ranks do not mix.
struct RankReport {
    static constexpr std::uint32_t expected_magic = 0x64726e6b;
    enum class Kind : std::uint32_t {
        started = 1,   ///< the program runs
        not_started,   ///< value: errno
        ended,         ///< by exit; value: exit status
        signalled,     ///< value: the signal
        taken,         ///< ended by a signal that the launcher sent
        abort,         ///< asked to abort the job; value: error code
        wrong_number,  ///< the launcher starts `value` processes
        no_rank,       ///< the launcher does not say which rank it is
    };

    std::uint32_t magic = expected_magic;
    std::uint32_t job = 0;
    Kind kind = Kind::started;
    std::int32_t rank = -1;
    std::int32_t helper = 0;  ///< process id of dampi-rank, which keeps the number of the program's process taken
    std::int32_t program = 0;
    std::int32_t value = 0;
};

}  // namespace dampi::launch
