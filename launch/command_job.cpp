#include "launch/command_job.hpp"

#include "base/check.hpp"
#include "base/poll_for.hpp"
#include "base/system_error.hpp"
#include "base/unique_fd.hpp"
#include "launch/guard.hpp"
#include "launch/leftovers.hpp"
#include "launch/process_start.hpp"
#include "launch/rank_plan.hpp"
#include "launch/streams.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <string_view>
#include <system_error>
#include <thread>

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace dampi::launch {
namespace {

using namespace std::chrono_literals;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

/// How much of what the launcher printed is kept for error messages.
constexpr std::size_t most_kept = 4096;
constexpr std::size_t most_lines_shown = 6;
/// Between the launcher's end and what its ranks have still to report.
constexpr milliseconds patience_after_launcher = 2s;
/// How long it may take until killed ranks are reported, until the launcher has ended by itself, and after a SIGTERM.
constexpr milliseconds patience_with_ends = 2s;
constexpr milliseconds patience_with_launcher = 3s;
constexpr milliseconds patience_after_term = 1s;

std::string path_of(const base::UniqueFd& fd) {
    return "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(fd.get());
}

base::UniqueFd descriptor_of(pid_t process) {
    return base::UniqueFd(static_cast<int>(::syscall(SYS_pidfd_open, process, 0)));
}

bool has_ended(const base::UniqueFd& process) {
    pollfd ended{process.get(), POLLIN, 0};
    return process && ::poll(&ended, 1, 0) == 1;
}

std::array<base::UniqueFd, 2> make_pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
        base::fail("cannot create a pipe", errno);
    }
    base::UniqueFd read_end(ends[0]);
    base::UniqueFd write_end = above_stdio(base::UniqueFd(ends[1]));
    read_end = above_stdio(std::move(read_end));
    if (::fcntl(read_end.get(), F_SETFL, O_NONBLOCK) != 0) {
        base::fail("cannot set up a pipe", errno);
    }
    return {std::move(read_end), std::move(write_end)};
}

class CommandJob final : public JobDriver {
public:
    explicit CommandJob(JobSpec spec);
    ~CommandJob() override { kill_all(); }
    CommandJob(const CommandJob&) = delete;
    CommandJob& operator=(const CommandJob&) = delete;

    void serve(microseconds patience) override;
    void kill_rank(base::Rank rank) override;
    void kill_all() override;
    [[nodiscard]] int size() const override { return static_cast<int>(ranks_.size()); }
    [[nodiscard]] int running() const override { return running_; }
    [[nodiscard]] pid_t pid(base::Rank rank) const override { return at(rank).program; }
    [[nodiscard]] RankEnd end_of(base::Rank rank) const override { return at(rank).end; }
    [[nodiscard]] const std::vector<AbortRequest>& abort_requests() const override { return abort_requests_; }
    [[nodiscard]] std::string launcher_state() const override;
    [[nodiscard]] std::string output_failure() const override { return failure_of(streams_); }

private:
    struct RankProcess {
        pid_t helper = 0;  // 0: not started yet
        base::UniqueFd helper_fd;
        pid_t program = 0;  // leads a group; while the helper lives, the number is its own
        base::UniqueFd program_fd;
        RankEnd end;
    };

    [[nodiscard]] const RankProcess& at(base::Rank rank) const {
        DAMPI_CHECK(rank >= 0 && static_cast<std::size_t>(rank) < ranks_.size());
        return ranks_[static_cast<std::size_t>(rank)];
    }
    void start_launcher();
    void wait_for_ranks();
    void turn(std::chrono::nanoseconds patience);
    void read_reports();
    void take(const RankReport& report);
    void note_start(const RankReport& report);
    void note_end(RankProcess& rank, RankEnd end);
    void note_lost(RankProcess& rank);
    void read_launcher(base::UniqueFd& source, OutputStream& stream);
    void look_for_other_machines() const;
    void note_launcher_end();
    void find_descendants();
    void kill_processes();
    void end_launcher();
    [[nodiscard]] std::string last_lines() const;

    JobSpec spec_;
    const Guard& guard_ = Guard::of_this_process();
    const std::chrono::system_clock::time_point begin_ = std::chrono::system_clock::now();
    const std::uint32_t number_;
    std::array<OutputStream, 2> streams_;
    std::array<base::UniqueFd, 2> for_ranks_;
    base::UniqueFd plan_;
    base::UniqueFd reports_;
    base::UniqueFd reports_end_;  // ours, so that the pipe has never lost its last writer
    std::string unread_;          // of a report
    std::vector<std::string> words_;
    pid_t launcher_ = 0;  // leads a group; 0 before its start, and once it has been waited for
    base::UniqueFd launcher_fd_;
    std::array<base::UniqueFd, 2> launcher_output_;
    std::string said_;
    std::string launcher_end_;  // in words, once it has ended
    bool over_ = false;         // what the launcher prints now is about the end that we have made
    std::string complaint_;
    /// What the launcher has started here, which need not be in its group.
    struct Descendant {
        pid_t group = 0;
        base::UniqueFd fd;
    };
    std::map<pid_t, Descendant> descendants_;
    std::vector<RankProcess> ranks_;
    std::vector<AbortRequest> abort_requests_;
    int started_ = 0;
    int running_ = 0;
};

/// Numbers the jobs of this process: a straggler of one must not take part in the next.
std::uint32_t next_number() {
    static std::atomic<std::uint32_t> last{0};
    return ++last;
}

CommandJob::CommandJob(JobSpec spec) : spec_(std::move(spec)), number_(next_number()) {
    DAMPI_CHECK(spec_.inherited.empty());
    ranks_.resize(static_cast<std::size_t>(spec_.processes));
    running_ = spec_.processes;
    struct sigaction on_child {};
    if (::sigaction(SIGCHLD, nullptr, &on_child) == 0 && on_child.sa_handler == SIG_IGN) {
        ::signal(SIGCHLD, SIG_DFL);
    }
    try {
        start_launcher();
        wait_for_ranks();
        for (OutputStream& stream : streams_) {
            stream.copy();  // ranks may have ended meanwhile
        }
    } catch (...) {
        kill_all();
        throw;
    }
}

void CommandJob::start_launcher() {
    for_ranks_[0] = streams_[0].open(spec_.stdout_file, STDOUT_FILENO, spec_.show_output);
    for_ranks_[1] = streams_[1].open(spec_.stderr_file, STDERR_FILENO, spec_.show_output);
    auto [reports, reports_end] = make_pipe();
    reports_ = std::move(reports);
    reports_end_ = std::move(reports_end);

    RankPlan plan;
    plan.token = machine_name() + "/" + std::to_string(::getpid()) + "-" + std::to_string(number_);
    plan.job = number_;
    plan.processes = spec_.processes;
    plan.working_directory =
        spec_.working_directory.empty() ? std::filesystem::current_path() : spec_.working_directory;
    plan.program = spec_.program;
    plan.arguments.push_back(spec_.argv0.empty() ? spec_.program.string() : spec_.argv0);
    plan.arguments.insert(plan.arguments.end(), spec_.arguments.begin(), spec_.arguments.end());
    plan.environment = spec_.environment;
    plan.environment.insert(plan.environment.end(), spec_.run_environment.begin(), spec_.run_environment.end());
    plan.reports = path_of(reports_);
    plan.output = path_of(for_ranks_[0]);
    plan.error_output = path_of(for_ranks_[1]);
    const std::string bytes = to_bytes(plan);
    plan_ = above_stdio(base::UniqueFd(::memfd_create("dampi-rank-plan", MFD_CLOEXEC)));
    if (!plan_ || ::write(plan_.get(), bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) {
        base::fail("cannot write the plan for the ranks", errno);
    }

    words_ = launcher_words(spec_.launcher->command, spec_.processes,
                            {spec_.launcher->rank_helper.string(), plan.token, path_of(plan_)});
    std::vector<char*> words;
    for (std::string& word : words_) {
        words.push_back(word.data());
    }
    words.push_back(nullptr);
    base::UniqueFd input = reopen_input();
    if (!input) {
        input = open_null_input();
    }
    auto [output, output_end] = make_pipe();
    auto [error_output, error_output_end] = make_pipe();

    ChildPlan child;
    child.program = words.front();
    child.in_path = true;
    child.arguments = words.data();
    child.environment = environ;
    child.input = input.get();
    child.output = output_end.get();
    child.error_output = error_output_end.get();
    child.parent = ::getpid();
    child.guard = guard_.descriptor();
    const std::string failure = "cannot start the launcher " + words_.front();
    const pid_t pid = start_process(child);
    if (pid < 0) {
        base::fail(failure, errno);
    }
    if (child.error != 0) {
        guard_.forget(pid);
        while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {}
        base::fail(failure, child.error);
    }
    launcher_ = pid;
    launcher_fd_ = descriptor_of(pid);
    if (!launcher_fd_) {
        base::fail(failure, errno);
    }
    launcher_fd_ = above_stdio(std::move(launcher_fd_));
    launcher_output_[0] = std::move(output);
    launcher_output_[1] = std::move(error_output);
}

void CommandJob::wait_for_ranks() {
    auto deadline = steady_clock::now() + spec_.launcher->patience;
    const auto in_words = [this] {
        return std::to_string(started_) + " of " + std::to_string(size()) + " ranks: " + launcher_state();
    };
    bool ended = false;
    auto next_look = steady_clock::now();
    while (started_ < size() && !spec_.stop.stop_requested()) {
        const int before = started_;
        turn(50ms);
        if (started_ == size() || steady_clock::now() > next_look) {
            find_descendants();
            next_look = steady_clock::now() + 20ms;  // looking takes its time when there are many
        }
        if (started_ > before) {
            deadline = steady_clock::now() + spec_.launcher->patience;
        }
        if (!launcher_end_.empty() && !ended) {
            ended = true;
            deadline = std::min(deadline, steady_clock::now() + patience_after_launcher);
        }
        if (started_ < size() && steady_clock::now() > deadline) {
            throw Error(ended ? "the launcher ended after starting " + in_words()
                              : "the launcher has for too long started only " + in_words());
        }
    }
}

/// What the launcher starts outlives it if it is in a group of its own and its start goes wrong; so we remember it, and
/// the guard as well.
void CommandJob::find_descendants() {
    std::vector<pid_t> parents{launcher_};
    while (!parents.empty()) {
        const pid_t parent = parents.back();
        parents.pop_back();
        std::error_code gone;
        for (auto thread = std::filesystem::directory_iterator("/proc/" + std::to_string(parent) + "/task", gone);
             !gone && thread != std::filesystem::directory_iterator(); thread.increment(gone)) {
            std::ifstream children(thread->path() / "children");
            for (pid_t child = 0; children >> child;) {
                parents.push_back(child);
                Descendant& descendant = descendants_[child];
                if (!descendant.fd) {
                    descendant.fd = above_stdio(descriptor_of(child));
                }
                const pid_t group = ::getpgid(child);
                if (group <= 1 || group == descendant.group) {
                    continue;
                }
                descendant.group = group;
                const Guard::Message message{.group = group, .rank = child};
                ::send(guard_.descriptor(), &message, sizeof message, MSG_NOSIGNAL);
            }
        }
    }
}

void CommandJob::serve(microseconds patience) {
    const auto deadline = steady_clock::now() + std::max(patience, 0us);
    const std::size_t aborts_before = abort_requests_.size();
    const int running_before = running_;
    while (running_ == running_before && running_ > 0 && abort_requests_.size() == aborts_before) {
        const auto left = deadline - steady_clock::now();
        turn(left);
        if (left <= 0ns) {
            break;
        }
    }
    for (OutputStream& stream : streams_) {
        stream.copy();
    }
}

/// Waits until something happens, once, and takes note of it.
void CommandJob::turn(std::chrono::nanoseconds patience) {
    std::vector<pollfd> watched{{reports_.get(), POLLIN, 0},
                                {launcher_end_.empty() ? launcher_fd_.get() : -1, POLLIN, 0},
                                {launcher_output_[0].get(), POLLIN, 0},
                                {launcher_output_[1].get(), POLLIN, 0},
                                {streams_[0].source(), POLLIN, 0},
                                {streams_[1].source(), POLLIN, 0}};
    const std::size_t others = watched.size();
    for (const RankProcess& rank : ranks_) {
        watched.push_back({rank.end.how == RankEnd::How::running ? rank.helper_fd.get() : -1, POLLIN, 0});
    }
    const int ready = base::poll_for(watched, patience);
    if (ready < 0 && errno != EINTR) {
        base::fail("cannot wait for the ranks", errno);
    }
    if (ready <= 0) {
        return;
    }
    for (std::size_t i = 0; i < streams_.size(); ++i) {
        if (watched[2 + i].revents != 0) {
            read_launcher(launcher_output_[i], streams_[i]);
        }
        if (watched[4 + i].revents != 0) {
            streams_[i].copy();
        }
    }
    if (watched[1].revents != 0) {
        note_launcher_end();
    }
    read_reports();
    // What a helper reported before its end has been read above.
    for (std::size_t i = 0; i < ranks_.size(); ++i) {
        if (watched[others + i].revents != 0 && ranks_[i].end.how == RankEnd::How::running) {
            note_lost(ranks_[i]);
        }
    }
    if (!complaint_.empty() && !over_) {
        throw Error(complaint_ + " " + launcher_state());
    }
}

void CommandJob::read_reports() {
    std::array<char, 64 * sizeof(RankReport)> buffer;
    ssize_t count = 0;
    while (reports_ && (count = ::read(reports_.get(), buffer.data(), buffer.size())) != 0) {
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count < 0) {
            return;
        }
        unread_.append(buffer.data(), static_cast<std::size_t>(count));
        std::size_t used = 0;
        for (; unread_.size() - used >= sizeof(RankReport); used += sizeof(RankReport)) {
            RankReport report;
            std::memcpy(&report, unread_.data() + used, sizeof report);
            if (report.magic != RankReport::expected_magic) {  // somebody else writes into our pipe
                unread_.clear();
                return;
            }
            take(report);
        }
        unread_.erase(0, used);
    }
}

/// Anybody may have written it: nothing in it is believed that does not fit.
void CommandJob::take(const RankReport& report) {
    using Kind = RankReport::Kind;
    if (report.job != number_) {
        return;
    }
    if (report.kind == Kind::wrong_number) {
        complaint_ = "the launcher's number of processes is " + std::to_string(report.value) + " and should be " +
                     std::to_string(size()) + " ({n} in its command stands for that number):";
        return;
    }
    if (report.kind == Kind::no_rank) {
        complaint_ =
            "the launcher does not tell its processes which rank they are (PMI_RANK, PMIX_RANK or SLURM_PROCID), so it "
            "is not one for MPICH:";
        return;
    }
    if (report.rank < 0 || report.rank >= size()) {
        return;
    }
    RankProcess& rank = ranks_[static_cast<std::size_t>(report.rank)];
    switch (report.kind) {
        case Kind::started:
            note_start(report);
            return;
        case Kind::not_started:
            complaint_ = "cannot start rank " + std::to_string(report.rank) + " of " + spec_.program.string() + ": " +
                         std::strerror(report.value) + ";";
            return;
        case Kind::abort:
            if (std::none_of(abort_requests_.begin(), abort_requests_.end(),
                             [&](const AbortRequest& request) { return request.rank == report.rank; })) {
                abort_requests_.push_back({report.rank, report.value});
            }
            return;
        default:
            break;
    }
    if (rank.helper != report.helper || rank.end.how != RankEnd::How::running) {
        return;
    }
    if (report.kind == Kind::ended) {
        note_end(rank, {RankEnd::How::exited, report.value});
    }
    if (report.kind == Kind::signalled) {
        note_end(rank, {RankEnd::How::signalled, report.value});
    }
    if (report.kind == Kind::taken) {
        note_end(rank, {RankEnd::How::taken, report.value});
    }
}

void CommandJob::note_start(const RankReport& report) {
    RankProcess& rank = ranks_[static_cast<std::size_t>(report.rank)];
    if (rank.helper != 0) {
        complaint_ = "the launcher started rank " + std::to_string(report.rank) + " twice:";
        return;
    }
    if (report.helper <= 1 || report.program <= 1) {
        return;
    }
    rank.helper = report.helper;
    rank.program = report.program;
    rank.helper_fd = above_stdio(descriptor_of(report.helper));
    rank.program_fd = above_stdio(descriptor_of(report.program));
    ++started_;
    const Guard::Message message{.group = report.program, .rank = report.program};
    ::send(guard_.descriptor(), &message, sizeof message, MSG_NOSIGNAL);
    if (!rank.helper_fd) {
        note_lost(rank);
    }
}

void CommandJob::note_end(RankProcess& rank, RankEnd end) {
    rank.end = end;
    --running_;
}

/// The helper has gone, and the program with it, as the kernel sees to.
void CommandJob::note_lost(RankProcess& rank) {
    if (rank.program > 0) {
        ::kill(-rank.program, SIGKILL);  // what it started
    }
    note_end(rank, {RankEnd::How::taken, SIGKILL});
}

void CommandJob::read_launcher(base::UniqueFd& source, OutputStream& stream) {
    std::array<char, 4096> buffer;
    const ssize_t count = ::read(source.get(), buffer.data(), buffer.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) {
        return;
    }
    if (count <= 0) {
        source.reset();
        return;
    }
    if (over_) {
        return;
    }
    const std::string_view bytes(buffer.data(), static_cast<std::size_t>(count));
    stream.put(bytes);
    said_ += bytes;
    if (said_.size() > most_kept) {
        said_.erase(0, said_.size() - most_kept);
    }
    look_for_other_machines();
}

/// The ranks there cannot report, and those here would wait for them in MPI_Init. Throws dampi::Error.
void CommandJob::look_for_other_machines() const {
    const std::size_t begin = said_.find(on_another_machine);
    const std::size_t end = said_.find('\n', begin);
    if (begin == std::string::npos || end == std::string::npos || started_ == size()) {
        return;
    }
    const std::size_t name = begin + on_another_machine.size();
    throw Error("the launcher starts ranks on " + said_.substr(name, end - name) + ", and all must run on " +
                host_name() +
                ", where dampi-run is: give it that machine alone (mpiexec -hosts, srun -w), with more "
                "ranks than it has cores if need be");
}

void CommandJob::note_launcher_end() {
    siginfo_t info{};
    // Not waited for yet: its number names the group.
    if (::waitid(P_PID, static_cast<id_t>(launcher_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0) {
        return;
    }
    launcher_end_ = info.si_code == CLD_EXITED ? "exit status " + std::to_string(info.si_status)
                                               : "signal " + std::to_string(info.si_status);
    for (std::size_t i = 0; i < launcher_output_.size(); ++i) {
        // What it wrote is there before its end; others may keep the pipe open.
        for (int pieces = 0; pieces < 16 && launcher_output_[i]; ++pieces) {
            pollfd more{launcher_output_[i].get(), POLLIN, 0};
            if (::poll(&more, 1, 0) != 1) {
                break;
            }
            read_launcher(launcher_output_[i], streams_[i]);
        }
    }
}

std::string CommandJob::last_lines() const {
    std::vector<std::string_view> lines;
    for (std::string_view left = said_; !left.empty();) {
        const std::string_view line = left.substr(0, left.find('\n'));
        left.remove_prefix(std::min(left.size(), line.size() + 1));
        if (line.find_first_not_of(" \t\r=|") != std::string_view::npos) {
            lines.push_back(line);
        }
    }
    if (lines.size() > most_lines_shown) {
        lines.erase(lines.begin(), lines.end() - static_cast<std::ptrdiff_t>(most_lines_shown));
    }
    std::string text;
    for (const std::string_view line : lines) {
        text += "\n  " + std::string(line);
    }
    return text;
}

std::string CommandJob::launcher_state() const {
    std::string text = "'" + spec_.launcher->command + "'";
    text += launcher_end_.empty() ? " has not ended" : " ended with " + launcher_end_;
    const std::string lines = last_lines();
    return text + (lines.empty() ? " and printed nothing" : " and printed:" + lines);
}

void CommandJob::kill_rank(base::Rank rank) {
    const RankProcess& target = at(rank);
    if (target.program_fd) {
        ::syscall(SYS_pidfd_send_signal, target.program_fd.get(), SIGKILL, nullptr, 0);
    }
}

void CommandJob::kill_processes() {
    for (base::Rank number = 0; number < size(); ++number) {
        const RankProcess& rank = at(number);
        kill_rank(number);
        // Safe: the helper that lives has not waited for the group's leader.
        if (rank.program > 0 && !has_ended(rank.helper_fd)) {
            ::kill(-rank.program, SIGKILL);
        }
    }
    const auto deadline = steady_clock::now() + patience_with_ends;
    const auto known = [this] { return size() - started_; };
    while (running_ > known() && steady_clock::now() < deadline) {
        turn(20ms);
    }
    for (RankProcess& rank : ranks_) {
        if (rank.end.how == RankEnd::How::running) {
            note_end(rank, {RankEnd::How::taken, SIGKILL});
        }
        if (rank.program > 0) {
            guard_.forget(rank.program);
        }
    }
}

/// The helpers go as soon as nobody reads their reports, and the launcher when its processes have gone; or it is made
/// to.
void CommandJob::end_launcher() {
    const bool orderly = started_ == size();
    find_descendants();
    reports_.reset();
    plan_.reset();
    const auto begin = steady_clock::now();
    const milliseconds patience = orderly ? patience_with_launcher : 0ms;
    bool asked = false;
    while (launcher_end_.empty()) {
        const auto spent = steady_clock::now() - begin;
        if (spent > patience) {
            find_descendants();
        }
        if (spent > patience && !asked) {
            ::kill(-launcher_, SIGTERM);
            asked = true;
        }
        if (spent > patience + patience_after_term) {
            ::kill(-launcher_, SIGKILL);
        }
        turn(20ms);
    }
    ::kill(-launcher_, SIGKILL);  // what it left
    for (const auto& [pid, descendant] : descendants_) {
        // That the launcher's last processes go by themselves takes them a moment.
        if (!has_ended(descendant.fd)) {
            ::syscall(SYS_pidfd_send_signal, descendant.fd.get(), SIGKILL, nullptr, 0);
        }
        if (descendant.group > 0 && descendant.group != ::getpgid(0)) {
            guard_.forget(descendant.group);
        }
    }
    descendants_.clear();
    guard_.forget(launcher_);
    while (::waitpid(launcher_, nullptr, 0) < 0 && errno == EINTR) {}
    for (int i = 0; i < 100 && ::kill(-launcher_, 0) == 0; ++i) {
        std::this_thread::sleep_for(1ms);
    }
    launcher_ = 0;
    launcher_fd_.reset();
    for (base::UniqueFd& output : launcher_output_) {
        output.reset();
    }
    // The helpers were its processes; it has waited for them, unless it was made to end.
    const auto deadline = steady_clock::now() + patience_with_ends;
    for (const RankProcess& rank : ranks_) {
        while (rank.helper_fd && !has_ended(rank.helper_fd) && steady_clock::now() < deadline) {
            std::this_thread::sleep_for(1ms);
        }
    }
}

void CommandJob::kill_all() {
    over_ = true;
    if (launcher_ == 0) {
        return;
    }
    kill_processes();
    end_launcher();
    std::vector<pid_t> programs;
    for (const RankProcess& rank : ranks_) {
        if (rank.program > 0) {
            programs.push_back(rank.program);
        }
    }
    if (std::any_of(ranks_.begin(), ranks_.end(),
                    [](const RankProcess& rank) { return rank.end.how != RankEnd::How::exited; })) {
        remove_leftovers(programs, begin_);
    }
    for (std::size_t i = 0; i < streams_.size(); ++i) {
        for_ranks_[i].reset();
        streams_[i].close();
    }
}

}  // namespace

std::unique_ptr<JobDriver> start_command_job(JobSpec spec) { return std::make_unique<CommandJob>(std::move(spec)); }

}  // namespace dampi::launch
