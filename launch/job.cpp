// Starts the ranks with vfork and execve, or has them forked from a prepared process, and serves them in one poll loop
// over their PMI sockets, their pidfds and, when output is shown, two pipes. There is no SIGCHLD handler and no thread.
#include "launch/job.hpp"

#include "base/check.hpp"
#include "base/poll_for.hpp"
#include "base/system_error.hpp"
#include "base/unique_fd.hpp"
#include "launch/command_job.hpp"
#include "launch/descriptor_packets.hpp"
#include "launch/guard.hpp"
#include "launch/job_driver.hpp"
#include "launch/leftovers.hpp"
#include "launch/open_mpi_variables.hpp"
#include "launch/pmi_server.hpp"
#include "launch/prepared_program.hpp"
#include "launch/process_start.hpp"
#include "launch/program_snapshot.hpp"
#include "launch/streams.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <span>
#include <string_view>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace dampi::launch {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

/// What one rank may make us read in one turn, so that none can keep us from the others or from the clock.
constexpr std::size_t max_bytes_per_turn = std::size_t{1} << 20;
/// Replies that a rank does not read; beyond, its requests wait.
constexpr std::size_t max_unsent = std::size_t{1} << 16;
/// For all ranks together, until each has forked its holder.
constexpr milliseconds patience_with_holders{10000};
/// Of the ranks' output, with which each run from a snapshot begins.
constexpr std::size_t most_written = std::size_t{16} << 20;

}  // namespace

/// The driver that starts the ranks itself.
class Job::Impl final : public JobDriver {
public:
    explicit Impl(JobSpec spec);
    ~Impl() override { kill_all(); }
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    void serve(microseconds patience) override;
    void kill_rank(base::Rank rank) override;
    void kill_all() override;

    [[nodiscard]] pid_t crew() const override { return crew_; }
    [[nodiscard]] std::string output_failure() const override { return failure_of(streams_); }
    [[nodiscard]] std::string errors_of(base::Rank rank) const override { return error_stream(rank).remembered(); }
    std::unique_ptr<ProgramSnapshot> snapshot(const std::function<void()>& tell, std::string& why_not) override;
    void leave_processor() override;

    struct Process {
        pid_t pid = 0;
        bool forked = false;
        base::UniqueFd pidfd;           // closed once the end is known
        base::UniqueFd pmi;             // closed at its end of file
        int processor = any_processor;  // that it keeps to
        std::string unsent;             // replies that did not fit into the socket
        RankEnd end;
        base::UniqueFd coming_back;  // by which it tells that it has come back (PreparedProgram::Rank)
        base::UniqueFd idle_pidfd;   // of one that has
    };
    [[nodiscard]] const Process& process(base::Rank rank) const {
        DAMPI_CHECK(rank >= 0 && static_cast<std::size_t>(rank) < processes_.size());
        return processes_[static_cast<std::size_t>(rank)];
    }
    [[nodiscard]] int size() const override { return static_cast<int>(processes_.size()); }
    [[nodiscard]] int running() const override { return running_; }
    [[nodiscard]] pid_t pid(base::Rank rank) const override { return process(rank).pid; }
    [[nodiscard]] RankEnd end_of(base::Rank rank) const override { return process(rank).end; }
    [[nodiscard]] bool may_have_begun(base::Rank rank) const override { return server_.begun(rank); }
    [[nodiscard]] const std::vector<AbortRequest>& abort_requests() const override { return server_.abort_requests(); }

private:
    void start_rank(base::Rank rank, Environment& environment, const std::vector<char*>& arguments, int input,
                    int output, int error_output);
    pid_t fork_prepared(base::Rank rank, const ForkRequest& request, base::UniqueFd& coming_back);
    bool request_holder(const Process& process, base::UniqueFd& ours) const;
    void hand_over_crew();
    void keep_ranks_to(int processor);
    void kill_group();
    void read_pmi(base::Rank rank);
    void send_replies();
    void flush(Process& process);
    void note_end(base::Rank rank, bool hang);
    void note_return(base::Rank rank);
    void note(base::Rank rank, RankEnd end);
    void reap();

    JobSpec spec_;
    const Guard& guard_ = Guard::of_this_process();
    const std::chrono::system_clock::time_point begin_ = std::chrono::system_clock::now();
    PmiServer server_;
    std::vector<Process> processes_;  // by rank, also of those elsewhere
    std::span<Process> own_;          // of this Job
    [[nodiscard]] const OutputStream& error_stream(base::Rank rank) const {
        return streams_[spec_.separate_errors ? static_cast<std::size_t>(rank) + 1 : 1];
    }
    std::vector<OutputStream> streams_;  // standard output, and one or one of each rank for errors
    // Whether there may be processes of ranks. Each leads a session of its own, as launchers have it; it is reaped by
    // kill_group() alone: until then its number, which is that of its process group, cannot be given to anyone else.
    bool started_ = false;
    pid_t crew_ = 0;
    int running_ = 0;
};

Job::Impl::Impl(JobSpec spec)
    : spec_(std::move(spec)), server_(spec_.processes, "dampi_kvs_" + std::to_string(::getpid())) {
    DAMPI_CHECK(std::all_of(spec_.inherited.begin(), spec_.inherited.end(), [](int fd) { return fd > STDERR_FILENO; }));
    const JobSpec::Some own = spec_.some.value_or(JobSpec::Some{.first = 0, .count = spec_.processes});
    DAMPI_CHECK(own.first >= 0 && own.count >= 1 && own.first + own.count <= spec_.processes);
    // Ignored SIGCHLD (it may be inherited) would make the kernel forget how the ranks ended.
    struct sigaction on_child {};
    if (::sigaction(SIGCHLD, nullptr, &on_child) == 0 && on_child.sa_handler == SIG_IGN) {
        ::signal(SIGCHLD, SIG_DFL);
    }

    streams_.resize(spec_.separate_errors ? static_cast<std::size_t>(spec_.processes) + 1 : 2);
    const base::UniqueFd output = streams_[0].open(spec_.stdout_file, STDOUT_FILENO, spec_.show_output);
    std::vector<base::UniqueFd> error_outputs;
    for (std::size_t i = 1; i < streams_.size(); ++i) {
        if (spec_.separate_errors) {
            streams_[i].remember();
        }
        error_outputs.push_back(streams_[i].open(spec_.stderr_file, STDERR_FILENO, spec_.show_output));
    }
    const base::UniqueFd no_input = open_null_input();
    const base::UniqueFd first_input = reopen_input();

    Environment environment(spec_.environment);
    for (const auto& [name, value] : spec_.run_environment) {
        environment.set(name, value);
    }
    environment.set("PMI_SIZE", std::to_string(spec_.processes));
    environment.set("MPI_LOCALNRANKS", std::to_string(own.count));
    if (spec_.some && has_open_mpi_variables(spec_.environment)) {
        for (const auto& [name, value] : open_mpi_variables(spec_.processes, own.count)) {
            environment.set(name, value);
        }
    }
    std::vector<std::string> texts;
    texts.push_back(spec_.argv0.empty() ? spec_.program.string() : spec_.argv0);
    texts.insert(texts.end(), spec_.arguments.begin(), spec_.arguments.end());
    std::vector<char*> arguments;
    for (std::string& text : texts) {
        arguments.push_back(text.data());
    }
    arguments.push_back(nullptr);

    processes_.resize(static_cast<std::size_t>(spec_.processes));
    for (base::Rank rank = 0; rank < spec_.processes; ++rank) {
        if (rank < own.first || rank >= own.first + own.count) {
            processes_[static_cast<std::size_t>(rank)].end.how = RankEnd::How::taken;
        }
    }
    own_ = std::span(processes_).subspan(static_cast<std::size_t>(own.first), static_cast<std::size_t>(own.count));
    PreparedProgram::Crew crew;
    if (spec_.snapshot != nullptr) {
        DAMPI_CHECK(!spec_.separate_errors);
        for (std::size_t i = 0; i < streams_.size(); ++i) {
            streams_[i].put(spec_.snapshot->written()[i]);
        }
    } else if (spec_.prepared != nullptr && spec_.inherited.empty()) {
        crew = spec_.prepared->take_crew(own_.size(), spec_.crew);
    }
    for (std::size_t i = 0; i < crew.size(); ++i) {
        Process& process = own_[i];
        process.pid = crew[i].process;
        process.forked = true;
        process.pidfd = std::move(crew[i].pidfd);
        process.coming_back = std::move(crew[i].socket);
        process.processor = crew[i].processor;
        started_ = true;
        ++running_;
    }
    try {
        for (base::Rank rank = own.first; rank < own.first + own.count; ++rank) {
            const int input = rank == 0 && first_input ? first_input.get() : no_input.get();
            const std::size_t errors = spec_.separate_errors ? static_cast<std::size_t>(rank) : 0;
            start_rank(rank, environment, arguments, input, output.get(), error_outputs[errors].get());
        }
        if (!crew.empty() || spec_.snapshot != nullptr) {  // others may have threads
            keep_ranks_to(spec_.processor);
        }
    } catch (...) {
        kill_all();
        throw;
    }
}

void Job::Impl::start_rank(base::Rank rank, Environment& environment, const std::vector<char*>& arguments, int input,
                           int output, int error_output) {
    const std::string failure = "cannot start rank " + std::to_string(rank) + " of " + spec_.program.string();
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
        base::fail(failure, errno);
    }
    base::UniqueFd ours(ends[0]);
    const base::UniqueFd theirs = above_stdio(base::UniqueFd(ends[1]));
    ours = above_stdio(std::move(ours));

    const base::Rank here = rank - (spec_.some ? spec_.some->first : 0);
    std::vector<std::pair<std::string, std::string>> own{{"PMI_FD", std::to_string(theirs.get())},
                                                         {"PMI_RANK", std::to_string(rank)},
                                                         {"MPI_LOCALRANKID", std::to_string(here)}};
    if (has_open_mpi_variables(spec_.environment)) {
        const auto open_mpis = open_mpi_variables_of(rank, here);
        own.insert(own.end(), open_mpis.begin(), open_mpis.end());
    }
    ForkRequest request{.input = input,
                        .output = output,
                        .error_output = error_output,
                        .socket = theirs.get(),
                        .inherited = &spec_.inherited,
                        .keeps_memory = spec_.keeps_memory,
                        .variables = own};
    request.variables.insert(request.variables.end(), spec_.run_environment.begin(), spec_.run_environment.end());
    Process& process = processes_[static_cast<std::size_t>(rank)];
    process.pmi = std::move(ours);
    if (process.coming_back) {
        if (spec_.prepared->start_again(process.pid, process.coming_back.get(), request)) {
            return;
        }
        // It was there a moment ago: somebody has killed it, as he could have a moment later.
        kill_rank(rank);
        note_end(rank, true);
        if (process.end.how != RankEnd::How::signalled) {
            base::fail(failure, ESRCH);
        }
        return;
    }
    pid_t pid = fork_prepared(rank, request, process.coming_back);
    const bool forked = pid != 0;
    if (!forked) {
        for (const auto& [name, value] : own) {
            environment.set(name, value);
        }
        const std::vector<char*> variables = environment.pointers();
        ChildPlan plan;
        plan.program = spec_.program.c_str();
        if (!spec_.working_directory.empty()) {
            plan.working_directory = spec_.working_directory.c_str();
        }
        plan.same_addresses = spec_.same_addresses;
        plan.arguments = arguments.data();
        plan.environment = variables.data();
        plan.input = input;
        plan.output = output;
        plan.error_output = error_output;
        plan.socket = theirs.get();
        plan.inherited = spec_.inherited.data();
        plan.inherited_count = spec_.inherited.size();
        plan.parent = ::getpid();
        plan.own_session = true;
        plan.guard = guard_.descriptor();
        pid = start_process(plan);
        if (pid < 0) {
            base::fail(failure, errno);
        }
        if (plan.error != 0) {
            guard_.forget(pid);
            while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {}
            base::fail(failure, plan.error);
        }
    }
    base::UniqueFd pidfd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
    if (!pidfd) {
        const int error = errno;
        guard_.forget(pid);
        kill_and_reap(pid);
        base::fail(failure, error);
    }
    started_ = true;
    process.pid = pid;
    process.forked = forked;
    process.pidfd = above_stdio(std::move(pidfd));
    ++running_;
}

/// 0 when the rank has to be executed.
pid_t Job::Impl::fork_prepared(base::Rank rank, const ForkRequest& request, base::UniqueFd& coming_back) {
    if (spec_.snapshot != nullptr) {
        const auto pid = spec_.snapshot->start_rank(rank, request);
        if (!pid) {
            throw SnapshotLost("the holder of rank " + std::to_string(rank) + " in a snapshot has died");
        }
        return *pid;
    }
    if (spec_.prepared == nullptr) {
        return 0;
    }
    std::optional<PreparedProgram::Rank> started = spec_.prepared->start_rank(request);
    if (!started) {
        return 0;
    }
    coming_back = std::move(started->socket);
    return started->process;
}

/// Hands the rank what its holder needs; it is to be told to look for that. `ours` is our end of the holder's socket.
bool Job::Impl::request_holder(const Process& process, base::UniqueFd& ours) const {
    std::array<int, 2> ends{};
    if (!process.pmi || ::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) {
        return false;
    }
    ours = above_stdio(base::UniqueFd(ends[0]));
    const base::UniqueFd theirs(ends[1]);
    const std::array<int, 2> descriptors{theirs.get(), guard_.descriptor()};
    HoldRequest request{.parent = ::getpid()};
    return send_packet(process.pmi.get(), {reinterpret_cast<char*>(&request), sizeof request}, descriptors,
                       MSG_DONTWAIT);
}

std::unique_ptr<ProgramSnapshot> Job::Impl::snapshot(const std::function<void()>& tell, std::string& why_not) {
    if (std::any_of(processes_.begin(), processes_.end(), [](const Process& each) { return !each.forked; })) {
        why_not = "the ranks are executed";
        return nullptr;
    }
    ProgramSnapshot::Written written;
    for (std::size_t i = 0; i < streams_.size(); ++i) {
        auto text = streams_[i].written();
        if (!text || text->size() > most_written) {
            why_not = text ? "the ranks write much" : "what the ranks have written is not kept";
            return nullptr;
        }
        written[i] = std::move(*text);
    }
    std::vector<ProgramSnapshot::Holder> holders(processes_.size());
    for (std::size_t i = 0; i < holders.size(); ++i) {
        if (request_holder(processes_[i], holders[i].socket)) {
            continue;
        }
        why_not = "the ranks cannot be reached";
        holders[i].socket.reset();
    }
    tell();  // also after a failure: who finds no request goes on
    const auto deadline = steady_clock::now() + patience_with_holders;
    for (std::size_t i = 0; i < holders.size(); ++i) {
        ProgramSnapshot::Holder& holder = holders[i];
        PrepareAnswer answer;
        const auto left = std::chrono::ceil<milliseconds>(deadline - steady_clock::now());
        if (!holder.socket || !receive(holder.socket.get(), answer, left)) {
            if (why_not.empty()) {
                why_not = "a rank did not fork in time";
            }
        } else if (answer.what != PrepareAnswer::What::ready) {
            why_not = answer.what == PrepareAnswer::What::unfit ? answer.text : std::strerror(answer.error);
        } else if (!is_our_child(answer.process)) {
            why_not = "a rank says what makes no sense";
        } else {
            holder.process = answer.process;
            if (processes_[i].processor != any_processor) {
                keep_to(holder.process, any_processor);  // who goes on from it may have another one
            }
        }
    }
    if (!why_not.empty()) {
        for (const ProgramSnapshot::Holder& holder : holders) {
            if (holder.process == 0) {
                continue;
            }
            guard_.forget(holder.process);
            kill_and_reap(holder.process);
        }
        return nullptr;
    }
    return std::make_unique<ProgramSnapshot>(std::move(holders), std::move(written));
}

void Job::Impl::keep_ranks_to(int processor) {
    for (Process& process : own_) {
        // Of one that has ended the number may be another one's.
        if (process.processor != processor && process.end.how == RankEnd::How::running) {
            keep_to(process.pid, processor);
            process.processor = processor;
        }
    }
}

void Job::Impl::leave_processor() { keep_ranks_to(any_processor); }

void Job::Impl::serve(microseconds patience) {
    const auto deadline = steady_clock::now() + std::max(patience, microseconds{0});
    const std::size_t aborts_before = server_.abort_requests().size();
    const int running_before = running_;
    std::vector<pollfd> watched;
    while (running_ == running_before && running_ > 0 && server_.abort_requests().size() == aborts_before) {
        // Rebuilt for each turn: a descriptor that was closed in the last one is simply not in it.
        watched.clear();
        for (const Process& process : processes_) {
            short events = 0;
            if (process.unsent.size() < max_unsent) {
                events |= POLLIN;
            }
            if (!process.unsent.empty()) {
                events |= POLLOUT;
            }
            watched.push_back({process.pmi.get(), events, 0});  // poll ignores negative descriptors
            watched.push_back({process.pidfd.get(), POLLIN, 0});
            watched.push_back({process.pidfd ? process.coming_back.get() : -1, POLLIN, 0});
        }
        for (const OutputStream& stream : streams_) {
            watched.push_back({stream.source(), POLLIN, 0});
        }
        watched.push_back({spec_.also_watched, POLLIN, 0});

        const auto left = deadline - steady_clock::now();
        const bool last_turn = left <= steady_clock::duration{0};
        const int ready = base::poll_for(watched, left);
        if (ready < 0 && errno != EINTR) {
            base::fail("cannot wait for the ranks", errno);
        }
        if (ready < 0) {
            return;
        }
        if (ready > 0) {
            for (std::size_t i = 0; i < streams_.size(); ++i) {
                if (watched[3 * processes_.size() + i].revents != 0) {
                    streams_[i].copy();
                }
            }
            for (std::size_t i = 0; i < processes_.size(); ++i) {
                const auto rank = static_cast<base::Rank>(i);
                if ((watched[3 * i].revents & POLLOUT) != 0) {
                    flush(processes_[i]);
                }
                if ((watched[3 * i].revents & (POLLIN | POLLHUP | POLLERR)) != 0) {
                    read_pmi(rank);
                }
                if (watched[3 * i + 1].revents != 0) {
                    note_end(rank, false);
                }
                if (watched[3 * i + 2].revents != 0) {
                    note_return(rank);
                }
            }
        }
        if (last_turn || watched.back().revents != 0) {
            break;
        }
    }
    // What an ended rank wrote is there before its end is seen.
    for (OutputStream& stream : streams_) {
        stream.copy();
    }
}

void Job::Impl::read_pmi(base::Rank rank) {
    Process& process = processes_[static_cast<std::size_t>(rank)];
    std::array<char, 4096> buffer;
    std::size_t total = 0;
    while (process.pmi && total < max_bytes_per_turn && process.unsent.size() < max_unsent) {
        const ssize_t count = ::recv(process.pmi.get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count < 0 && errno == EAGAIN) {
            return;
        }
        if (count <= 0) {
            process.pmi.reset();
            process.unsent.clear();
            return;
        }
        total += static_cast<std::size_t>(count);
        server_.receive(rank, {buffer.data(), static_cast<std::size_t>(count)});
        send_replies();
    }
}

void Job::Impl::send_replies() {
    for (PmiServer::Reply& reply : server_.take_replies()) {
        Process& process = processes_[static_cast<std::size_t>(reply.rank)];
        if (!process.pmi) {
            continue;
        }
        process.unsent += reply.line;
        flush(process);
    }
}

void Job::Impl::flush(Process& process) {
    while (process.pmi && !process.unsent.empty()) {
        const ssize_t count =
            ::send(process.pmi.get(), process.unsent.data(), process.unsent.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count < 0 && errno == EAGAIN) {
            return;
        }
        if (count < 0) {
            // Nobody will read it; what the rank wrote before may still be read.
            process.unsent.clear();
            return;
        }
        process.unsent.erase(0, static_cast<std::size_t>(count));
    }
}

/// Records how a rank ended if it has; with `hang` waits for it.
void Job::Impl::note_end(base::Rank rank, bool hang) {
    Process& process = processes_[static_cast<std::size_t>(rank)];
    if (process.end.how != RankEnd::How::running || !process.pidfd) {
        return;
    }
    siginfo_t info{};
    const int options = WEXITED | (hang ? 0 : WNOHANG) | WNOWAIT;
    int result = 0;
    do {
        result = ::waitid(P_PIDFD, static_cast<id_t>(process.pidfd.get()), &info, options);
    } while (result < 0 && errno == EINTR);
    if (result < 0) {
        base::fail("cannot wait for rank " + std::to_string(rank), errno);
    }
    if (info.si_pid == 0) {
        return;
    }
    note(rank,
         {.how = info.si_code == CLD_EXITED ? RankEnd::How::exited : RankEnd::How::signalled, .code = info.si_status});
    process.pidfd.reset();
}

/// A process that has come back has ended as far as its run goes.
void Job::Impl::note_return(base::Rank rank) {
    Process& process = processes_[static_cast<std::size_t>(rank)];
    if (process.end.how != RankEnd::How::running) {
        return;
    }
    const auto status = PreparedProgram::end_told_by(process.pid, process.coming_back.get());
    if (!status) {
        process.coming_back.reset();  // its process ends, or has ended
        return;
    }
    note(rank, {.how = RankEnd::How::exited, .code = *status});
    process.idle_pidfd = std::move(process.pidfd);
}

void Job::Impl::note(base::Rank rank, RankEnd end) {
    Process& process = processes_[static_cast<std::size_t>(rank)];
    process.end = end;
    // A last request (an abort, often) may have come just before the end.
    read_pmi(rank);
    process.pmi.reset();
    process.unsent.clear();
    --running_;
}

void Job::Impl::kill_rank(base::Rank rank) {
    const Process& target = process(rank);
    if (target.pidfd) {
        ::syscall(SYS_pidfd_send_signal, target.pidfd.get(), SIGKILL, nullptr, 0);
    }
}

void Job::Impl::kill_all() {
    if (!started_) {
        return;
    }
    if (std::all_of(own_.begin(), own_.end(),
                    [](const Process& process) { return static_cast<bool>(process.idle_pidfd); })) {
        hand_over_crew();
    } else {
        kill_group();
    }
    for (OutputStream& stream : streams_) {
        stream.close();
    }
}

void Job::Impl::hand_over_crew() {
    PreparedProgram::Crew crew;
    for (Process& process : own_) {
        crew.push_back({.process = process.pid,
                        .socket = std::move(process.coming_back),
                        .pidfd = std::move(process.idle_pidfd),
                        .processor = process.processor});
    }
    crew_ = own_[0].pid;
    spec_.prepared->keep_crew(std::move(crew));
    started_ = false;
}

void Job::Impl::kill_group() {
    for (const Process& process : own_) {
        if (process.pid != 0) {
            ::kill(-process.pid, SIGKILL);
        }
    }
    for (base::Rank rank = 0; rank < size(); ++rank) {
        note_end(rank, true);
    }
    reap();
    if (std::any_of(processes_.begin(), processes_.end(),
                    [](const Process& process) { return process.end.how == RankEnd::How::signalled; })) {
        std::vector<pid_t> ranks;
        for (const Process& process : own_) {
            ranks.push_back(process.pid);
        }
        remove_leftovers(ranks, begin_);
    }
}

void Job::Impl::reap() {
    for (const Process& process : own_) {
        if (process.pid != 0) {
            guard_.forget(process.pid);
            while (::waitpid(process.pid, nullptr, 0) < 0 && errno == EINTR) {}
        }
    }
    // What the ranks started is not ours to reap, but is given a moment to vanish, lest it touches the next
    // run's files. Asking with signal 0 harms nobody, should the number have a new owner.
    int patience = 100;
    for (const Process& process : own_) {
        while (process.pid != 0 && ::kill(-process.pid, 0) == 0 && --patience > 0) {
            std::this_thread::sleep_for(milliseconds{1});
        }
    }
    started_ = false;
}

namespace {

template <typename Own>
std::unique_ptr<JobDriver> driver_for(JobSpec spec) {
    if (spec.launcher) {
        return start_command_job(std::move(spec));
    }
    return std::make_unique<Own>(std::move(spec));
}

}  // namespace

Job::Job(JobSpec spec) : driver_(driver_for<Impl>(std::move(spec))) {}
Job::Job(std::unique_ptr<JobDriver> driver) : driver_(std::move(driver)) {}
Job::~Job() = default;

void Job::serve(microseconds patience) { driver_->serve(patience); }
int Job::processes() const { return driver_->size(); }
int Job::running() const { return driver_->running(); }
pid_t Job::pid(base::Rank rank) const { return driver_->pid(rank); }
RankEnd Job::end_of(base::Rank rank) const { return driver_->end_of(rank); }
bool Job::may_have_begun(base::Rank rank) const { return driver_->may_have_begun(rank); }
const std::vector<AbortRequest>& Job::abort_requests() const { return driver_->abort_requests(); }
std::unique_ptr<ProgramSnapshot> Job::snapshot(const std::function<void()>& tell, std::string& why_not) {
    return driver_->snapshot(tell, why_not);
}
void Job::leave_processor() { driver_->leave_processor(); }
std::string Job::launcher_state() const { return driver_->launcher_state(); }
pid_t Job::crew() const { return driver_->crew(); }
std::string Job::output_failure() const { return driver_->output_failure(); }
std::string Job::errors_of(base::Rank rank) const { return driver_->errors_of(rank); }
void Job::kill_rank(base::Rank rank) { driver_->kill_rank(rank); }
void Job::kill_all() { driver_->kill_all(); }

}  // namespace dampi::launch
