#include "scheduler/workers/processes.hpp"

#include "base/check.hpp"
#include "base/wait_unless_stopped.hpp"
#include "scheduler/workers/exit_status.hpp"
#include "transport/network/commands.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <optional>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

namespace dampi::scheduler::workers {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using namespace transport::network;

constexpr auto look_interval = 20ms;
constexpr auto job_interval = 5s;
constexpr auto soon = 2s;  ///< who ends before that has not got far
constexpr unsigned most_failures = 5;
constexpr unsigned most_kills = 30;
constexpr auto longest_delay = 1s;
constexpr auto patience_with_ends = 5s;

}  // namespace

class Processes::Inside {
public:
    Inside(ProcessesSettings settings, Pool& pool) : settings_(std::move(settings)), pool_(pool) {
        switch (settings_.wish.kind) {
            case WorkersWish::Kind::here:
                for (std::uint32_t i = 0; i < settings_.wish.count; ++i) {
                    children_.push_back({.name = "this machine", .words = command({settings_.worker.string()}, 1)});
                }
                break;
            case WorkersWish::Kind::ssh:
                for (const HostLine& host : read_hosts(settings_.wish.hosts, "--workers")) {
                    children_.push_back(
                        {.name = "host " + host.host,
                         .words = command(on_host(settings_.shell, host.host, settings_.worker.string()), host.slots)});
                }
                break;
            case WorkersWish::Kind::slurm:
                submit();
                watch_ = std::jthread([this](const std::stop_token& over) { watch_job(over); });
                return;
        }
        for (Child& child : children_) {
            start(child);
        }
        if (!children_.empty()) {
            watch_ = std::jthread([this](const std::stop_token& over) { watch(over); });
        }
    }

    ~Inside() {
        start_no_more();
        const auto end = Clock::now() + patience_with_ends;
        for (Child& child : children_) {
            while (child.process > 0 && !reap(child) && Clock::now() < end) {
                std::this_thread::sleep_for(5ms);
            }
            if (child.process > 0) {
                ::kill(-child.process, SIGKILL);
                while (!reap(child)) {
                    std::this_thread::sleep_for(1ms);
                }
            }
        }
        if (!job_.empty()) {
            try {
                (void)output_of({"scancel", "--quiet", job_}, "");
            } catch (const Error&) {
                // its tasks end by themselves, as there is nobody to work for
            }
        }
    }

    void start_no_more() {
        watch_.request_stop();
        if (watch_.joinable()) {
            watch_.join();
        }
    }

private:
    struct Child {
        std::string name;  ///< of the machine where it is to run
        std::vector<std::string> words;
        pid_t process = -1;
        Clock::time_point started{};
        Clock::time_point next{};
        unsigned failures = 0;      ///< one after the other
        std::uint64_t results = 0;  ///< of all workers, when it ended the last time
        std::optional<std::string> given_up = {};
        bool is_told = false;  ///< that it is not accepted, by the pool
        int status = 0;
    };

    [[nodiscard]] std::vector<std::string> command(std::vector<std::string> words, std::uint32_t slots) const {
        words.insert(words.end(), {"--join", settings_.address, "--secret-file", "-"});
        if (slots != 0) {
            words.insert(words.end(), {"--slots", std::to_string(slots)});
        }
        return words;
    }

    void start(Child& child) const {
        child.process = start_told(child.words, settings_.secret + "\n");
        child.started = Clock::now();
    }

    void submit() {
        const std::string script = fmt::format(
            "#!/bin/sh\n"
            "# A worker that was killed is started again; one that ends has no sweep any more, or was refused.\n"
            "while :; do\n"
            "    '{}' --join '{}' --secret-file '{}' --slots 1\n"
            "    [ $? -gt 128 ] || exit 0\n"
            "    sleep 1\n"
            "done\n",
            settings_.worker.string(), settings_.address, settings_.secret_file.string());
        std::string job = output_of({"sbatch", "--parsable", "--requeue", "--job-name=dampi-worker",
                                     fmt::format("--array=0-{}", settings_.wish.count - 1), "--open-mode=append",
                                     "--output=" + (settings_.log_folder / "slurm-%a.log").string()},
                                    script);
        job = job.substr(0, job.find_first_of(";\n"));
        if (job.empty() || job.find_first_not_of("0123456789") != std::string::npos) {
            throw Error("sbatch has not said which job the workers are: '" + job + "'");
        }
        job_ = job;
    }

    /// Whether it has ended.
    static bool reap(Child& child) {
        const pid_t ended = ::waitpid(child.process, &child.status, WNOHANG);
        if (ended == 0 || (ended < 0 && errno == EINTR)) {
            return false;
        }
        child.process = -1;
        return true;
    }

    void look_at(Child& child) const {
        const auto now = Clock::now();
        if (child.process <= 0) {
            if (now >= child.next) {
                start(child);
            }
            return;
        }
        if (!reap(child)) {
            return;
        }
        const bool exited = WIFEXITED(child.status);
        const int status = exited ? WEXITSTATUS(child.status) : 0;
        // Whoever is killed from outside may live the next time, as long as there is any progress.
        const bool helps = !exited && pool_.results() != std::exchange(child.results, pool_.results());
        child.failures = now - child.started < soon && !helps ? child.failures + 1 : 0;
        if (exited && (status == exit_usage || status == exit_refused || status == exit_sent_away)) {
            child.is_told = status != exit_usage;
            child.given_up = status == exit_sent_away ? "its work was over"
                             : status == exit_refused ? "it is not accepted"
                                                      : "it cannot be started so; see what it says above";
        } else if (child.failures >= (exited ? most_failures : most_kills)) {
            child.given_up = fmt::format("'{}' ended {} times soon after its start{}; see what it says above",
                                         child.words.front(), child.failures,
                                         exited ? fmt::format(", with exit status {}", status)
                                                : fmt::format(", by signal {}", WTERMSIG(child.status)));
        } else {
            const auto delay = std::chrono::milliseconds(50) * (1U << std::min(child.failures, most_failures));
            child.next = now + std::min<Clock::duration>(delay, longest_delay);
        }
    }

    /// Of a job that was cancelled, or whose tasks have all ended, no worker will come.
    void watch_job(const std::stop_token& over) {
        bool told = false;
        while (base::wait_unless_stopped(job_interval, over)) {
            const WorkersAccount account = pool_.account();
            if (account.present != 0 && (told || account.joined >= settings_.wish.count)) {
                continue;
            }
            std::string tasks;
            try {
                tasks = output_of({"squeue", "--noheader", "--array", "--format=%i", "--jobs=" + job_}, "");
            } catch (const Error&) {
                continue;  // Slurm may answer the next time
            }
            const std::string logs = (settings_.log_folder / "slurm-*.log").string();
            if (tasks.empty() && pool_.account().present == 0) {
                return pool_.expect_no_more(
                    fmt::format("Slurm's job {} has ended; see sacct -j {} and {}", job_, job_, logs));
            }
            const auto left = static_cast<std::uint64_t>(std::count(tasks.begin(), tasks.end(), '\n'));
            const std::uint64_t ended = settings_.wish.count - std::min<std::uint64_t>(settings_.wish.count, left);
            const std::uint64_t had_joined = account.joined - account.present;
            if (!told && ended > had_joined) {
                told = true;
                settings_.given_up(
                    fmt::format("{} of {} tasks of Slurm's job {} have ended, and no worker of theirs has joined: see "
                                "{}, and whether their nodes share the file system of {}",
                                ended - had_joined, settings_.wish.count, job_, logs, settings_.log_folder.string()));
            }
        }
    }

    void watch(const std::stop_token& over) {
        while (base::wait_unless_stopped(look_interval, over)) {
            for (Child& child : children_) {
                if (child.given_up) {
                    continue;
                }
                try {
                    look_at(child);
                } catch (const Error& error) {
                    child.given_up = error.what();
                }
                if (child.given_up && children_.size() > 1 && !child.is_told) {
                    settings_.given_up(fmt::format("{} runs no worker: {}", child.name, *child.given_up));
                }
            }
            if (std::all_of(children_.begin(), children_.end(), [](const Child& each) { return each.given_up; })) {
                pool_.expect_no_more(fmt::format("{}: {}", children_.back().name, *children_.back().given_up));
                return;
            }
        }
    }

    const ProcessesSettings settings_;
    Pool& pool_;
    std::vector<Child> children_;
    std::string job_;  ///< Slurm's
    std::jthread watch_;
};

Processes::Processes(ProcessesSettings settings, Pool& pool)
    : inside_(std::make_unique<Inside>(std::move(settings), pool)) {}
Processes::~Processes() = default;
void Processes::start_no_more() { inside_->start_no_more(); }

}  // namespace dampi::scheduler::workers
