// dampi-watch: watches a job in production, and says when it hangs, who is to blame and who is behind. Needs no time to
// be chosen; changes nothing in the job.

#include "base/check.hpp"
#include "scheduler/cli/command.hpp"
#include "scheduler/watch/board_folder.hpp"
#include "scheduler/watch/monitor.hpp"
#include "scheduler/watch/ranks_of_job.hpp"
#include "scheduler/watch/remote_ranks.hpp"
#include "transport/watch/watch_board.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <unistd.h>

namespace {

using namespace dampi;
using namespace dampi::scheduler;
namespace fs = std::filesystem;

constexpr int hang = 124;  ///< as the command timeout has it

struct Asked {
    std::vector<std::string> command;
    std::vector<pid_t> attach;
    std::string slurm_job;
    std::string on_hang = "report";
    std::string output = "dampi-watch-out";
    double significance = 0.001;
    double job_hours = 24;
    std::string network = "auto";
    bool no_layer = false;
    bool node = false;
    bool quiet = false;
};

void declare(CLI::App& app, Asked& asked) {
    app.add_option("COMMAND", asked.command, "What starts the job, with its arguments: mpiexec, srun, a script");
    auto* attach =
        app.add_option("--attach", asked.attach,
                       "Watch a job that runs already: processes of it, or the mpiexec or srun that started it")
            ->excludes("COMMAND");
    app.add_option("--slurm-job", asked.slurm_job, "Watch the ranks that this job of Slurm's has on this machine")
        ->excludes("COMMAND")
        ->excludes(attach);
    app.add_option("--on-hang", asked.on_hang,
                   "report: say so and go on watching; kill: end the job; core: have the ranks dump their cores;\n"
                   "command:FILE: execute FILE with the report's name as its argument")
        ->capture_default_str();
    app.add_option("-o,--output", asked.output, "The directory of the reports")->capture_default_str();
    app.add_option("--significance", asked.significance, "How likely a false alarm may be, in a whole job")
        ->check(CLI::Range(1e-9, 0.5))
        ->capture_default_str();
    app.add_option("--job-hours", asked.job_hours, "How long a whole job may be")
        ->check(CLI::Range(0.01, 10000.0))
        ->capture_default_str();
    app.add_option(
           "--network", asked.network,
           "Whether ranks on other machines are watched, by a monitor that the first rank there starts and that\n"
           "connects to this one: always, never, or auto: where the command looks as if it starts some there")
        ->check(CLI::IsMember({"auto", "always", "never"}))
        ->capture_default_str();
    app.add_flag(transport::watch::node_option, asked.node, "What the first rank on another machine starts")->group("");
    app.add_flag("--no-layer", asked.no_layer, "Preload nothing: look at the ranks' stacks from outside");
    app.add_flag("-q,--quiet", asked.quiet, "Say nothing but hangs");
    app.set_version_flag("--version", std::string("dampi-watch ") + DAMPI_VERSION);
    app.positionals_at_end();
    app.footer(
        "Exit status: that of the job; 124 when dampi-watch has ended it for a hang (with --attach or --slurm-job: "
        "when\nit has found one, and 0 else); 2 where it cannot be started or looked at.");
}

/// Whether posix_spawnp could execute it.
bool can_be_executed(const std::string& command) {
    const auto is_program = [](const fs::path& file) {
        std::error_code error;
        return fs::is_regular_file(file, error) && access(file.c_str(), X_OK) == 0;
    };
    if (command.find('/') != std::string::npos) {
        return is_program(command);
    }
    const char* path = std::getenv("PATH");
    std::istringstream folders(path != nullptr ? path : "/bin:/usr/bin");
    for (std::string folder; std::getline(folders, folder, ':');) {
        if (is_program(fs::path(folder.empty() ? "." : folder) / command)) {
            return true;
        }
    }
    return false;
}

/// That reports can be written there is tried, and leaves nothing behind: at the hang it would be too late.
void check_output(const fs::path& folder) {
    const auto refuse = [&folder](const std::string& reason) {
        throw Error("reports could not be written to " + folder.string() + ": " + reason +
                    "; name another directory with -o");
    };
    std::error_code error;
    std::vector<fs::path> missing;
    for (fs::path at = fs::absolute(folder).lexically_normal(); !fs::exists(at, error); at = at.parent_path()) {
        if (!at.filename().empty()) {
            missing.push_back(at);
        }
    }
    const auto remove_made = [&missing] {
        std::error_code ignored;
        for (const fs::path& made : missing) {
            fs::remove(made, ignored);  // not where somebody has put something into it
        }
    };
    fs::create_directories(folder, error);
    if (error || !fs::is_directory(folder)) {
        remove_made();
        refuse(error ? error.message() : "it is no directory");
    }
    std::string probe = (folder / "dampi-watch.XXXXXX").string();
    const int file = mkstemp(probe.data());
    const std::string reason = std::strerror(errno);
    if (file >= 0) {
        close(file);
        unlink(probe.c_str());
    }
    remove_made();
    if (file < 0) {
        refuse(reason);
    }
}

watch::MonitorOptions options_of(const Asked& asked) {
    watch::MonitorOptions options;
    static const std::array<std::pair<std::string_view, watch::OnHang>, 3> known{
        std::pair{std::string_view("report"), watch::OnHang::report},
        std::pair{std::string_view("kill"), watch::OnHang::kill},
        std::pair{std::string_view("core"), watch::OnHang::core}};
    static constexpr std::string_view command = "command:";
    const auto found =
        std::find_if(known.begin(), known.end(), [&asked](const auto& word) { return word.first == asked.on_hang; });
    if (found != known.end()) {
        options.on_hang = found->second;
    } else if (asked.on_hang.starts_with(command) && asked.on_hang.size() > command.size()) {
        options.on_hang = watch::OnHang::command;
        options.command = asked.on_hang.substr(command.size());
        if (!can_be_executed(options.command)) {
            throw Error("--on-hang command:" + options.command + ": there is no such file that can be executed");
        }
    } else {
        throw Error("--on-hang is report, kill, core or command:FILE, not '" + asked.on_hang + "'");
    }
    options.significance = {asked.significance, std::chrono::seconds{static_cast<long>(asked.job_hours * 3600)}};
    check_output(asked.output);
    options.output = asked.output;
    options.quiet = asked.quiet;
    options.job = asked.command;
    return options;
}

/// Whether what starts the job may start ranks on other machines, by what it is told.
bool may_leave_this_machine(const std::vector<std::string>& command) {
    const auto is_set = [](const char* name) {
        const char* value = std::getenv(name);
        return value != nullptr && *value != '\0';
    };
    // What queues tell mpiexec, and users.
    for (const char* name :
         {"HYDRA_HOST_FILE", "PBS_NODEFILE", "LSB_HOSTS", "LSB_MCPU_HOSTS", "PE_HOSTFILE", "COBALT_NODEFILE"}) {
        if (is_set(name)) {
            return true;
        }
    }
    const char* nodes = std::getenv("SLURM_JOB_NUM_NODES");
    if (nodes != nullptr && std::string_view(nodes) != "1") {
        return true;
    }
    return std::any_of(command.begin(), command.end(), [](const std::string& word) {
        static constexpr std::array options{
            "-f",     "-host",   "-hosts",     "-hostfile",     "-machine", "-machines", "-machinefile",
            "--host", "--hosts", "--hostfile", "--machinefile", "-H",       "srun"};
        return std::find(options.begin(), options.end(), word) != options.end() || word.ends_with("/srun");
    });
}

/// A monitor of this machine alone, for one on another machine: what the first rank here has started.
int watch_for_another() {
    if (fork() != 0) {
        _exit(0);  // the rank is to have no child
    }
    constexpr int first_of_others = 3;
    close_range(first_of_others, ~0U, 0);  // the rank's files would stay open
    const auto variable = [](const char* name) {
        const char* value = std::getenv(name);
        return std::string(value == nullptr ? "" : value);
    };
    const watch::BoardFolder boards(variable(transport::watch::folder_variable));
    try {
        watch::serve_remotely(variable(transport::watch::address_variable), variable(transport::watch::secret_variable),
                              boards.path());
    } catch (const Error&) {
        return usage_or_environment_error;  // nobody can be told
    }
    return 0;
}

std::atomic<int> caught{0};

extern "C" void catch_signal(int number) { caught.store(number); }

void catch_signals() {
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction action {};
        action.sa_handler = catch_signal;
        sigaction(number, &action, nullptr);
    }
}

int watch_own(const Asked& asked, watch::MonitorOptions options) {
    const watch::BoardFolder boards;
    std::vector<std::pair<std::string, std::string>> variables;
    std::optional<watch::RemoteMonitors> others;
    if (!asked.no_layer) {
        if (asked.network == "always" || (asked.network == "auto" && may_leave_this_machine(asked.command))) {
            options.others = &others.emplace();
            variables.emplace_back(transport::watch::program_variable, fs::read_symlink("/proc/self/exe").string());
            variables.emplace_back(transport::watch::address_variable, others->address());
            variables.emplace_back(transport::watch::secret_variable, others->secret());
        }
        const fs::path layer = find_part("libdampi-watch.so", {DAMPI_WATCH_FROM_BUILT, DAMPI_WATCH_FROM_INSTALLED});
        const char* before = std::getenv("LD_PRELOAD");
        variables.emplace_back(
            "LD_PRELOAD", layer.string() + (before != nullptr && *before != '\0' ? std::string(":") + before : ""));
        variables.emplace_back(transport::watch::folder_variable, boards.path().string());
        options.boards = boards.path();
    }
    catch_signals();
    watch::WatchedJob job = watch::WatchedJob::start(asked.command, variables);
    const watch::WatchResult result = watch::watch_job(job, options, caught, std::cerr);
    return result.was_ended ? hang : job.status();
}

int watch_other(const Asked& asked, const watch::MonitorOptions& options) {
    auto processes = asked.attach;
    if (!asked.slurm_job.empty()) {
        processes = watch::processes_of_slurm_job(asked.slurm_job);
        if (processes.empty()) {
            throw Error("no process on this machine belongs to Slurm's job " + asked.slurm_job);
        }
    }
    catch_signals();
    watch::WatchedJob job = watch::WatchedJob::attach(processes);
    if (watch::find_ranks(job.roots()).empty()) {
        throw Error(
            "none of these processes is a rank, nor has started any: give ranks, or the mpiexec or srun of a job");
    }
    return watch::watch_job(job, options, caught, std::cerr).hangs != 0 ? hang : 0;
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{
        "Watches a job of MPI ranks, and says when it hangs, who is to blame and who is behind.\n\n"
        "  dampi-watch [options] -- mpiexec -n 64 ./app ...\n"
        "  dampi-watch [options] --attach PID...\n"};
    app.name("dampi-watch");
    Asked asked;
    declare(app, asked);
    return run_command(app, argc, argv, [&] {
        if (asked.node) {
            return watch_for_another();
        }
        const watch::MonitorOptions options = options_of(asked);
        if (!asked.command.empty()) {
            return watch_own(asked, options);
        }
        if (asked.attach.empty() && asked.slurm_job.empty()) {
            throw Error("say what starts the job (dampi-watch -- mpiexec -n 4 ./app), or --attach, or --slurm-job");
        }
        return watch_other(asked, options);
    });
}
