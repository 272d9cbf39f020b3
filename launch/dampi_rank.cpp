// dampi-rank: what a foreign launcher executes in the place of a rank. Starts the program as dampi-run's plan says,
// with all that the launcher has handed down, and reports its start and its end. It decides nothing.
//
// It stays until dampi-run lets it go (or is gone): till then the launcher sees no rank end, so that it has no reason
// to end others, and the number of the program's process belongs to nobody else. It takes requests to abort the job out
// of what the program tells the process manager, for the same reason. Signals from the launcher are passed on, and an
// end by one of them is reported as the launcher's doing.
#include "base/unique_fd.hpp"
#include "launch/open_mpi_variables.hpp"
#include "launch/pmi_abort_filter.hpp"
#include "launch/rank_plan.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace dampi::launch {
namespace {

constexpr int failure_status = 125;
constexpr std::array passed_on{SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};

/// To the launcher's standard error: dampi-run shows the end of it.
[[noreturn]] void give_up(const std::string& why) {
    std::fprintf(stderr, "dampi-rank: %s\n", why.c_str());
    ::_exit(failure_status);
}

std::string read_all(int fd) {
    std::string text;
    std::array<char, 4096> buffer;
    for (;;) {
        const ssize_t count = ::read(fd, buffer.data(), buffer.size());
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0) {
            return text;
        }
        text.append(buffer.data(), static_cast<std::size_t>(count));
    }
}

base::UniqueFd open_path(const std::string& path, int flags) {
    base::UniqueFd fd(::open(path.c_str(), flags | O_CLOEXEC));
    if (!fd) {
        give_up("cannot open " + path + " (" + std::strerror(errno) +
                "): dampi-run has gone, or this is not its machine and its user");
    }
    return fd;
}

RankPlan read_plan(const std::string& token, const std::string& path) {
    if (token.substr(0, token.rfind('/')) != machine_name()) {
        std::fprintf(stderr, "%s%s\n", std::string(on_another_machine).c_str(), host_name().c_str());
        ::_exit(failure_status);
    }
    auto plan = plan_from(read_all(open_path(path, O_RDONLY).get()));
    if (!plan || plan->token != token) {
        give_up("the run that this rank belongs to is over");
    }
    return std::move(*plan);
}

int number_in(const char* name, int otherwise) {
    const char* text = std::getenv(name);
    if (text == nullptr) {
        return otherwise;
    }
    int number = 0;
    const char* const end = text + std::strlen(text);
    const auto [stopped, error] = std::from_chars(text, end, number);
    return error == std::errc{} && stopped == end ? number : otherwise;
}

struct Place {
    int rank = -1;
    int size = 0;  ///< 0: not known
};

/// As the process managers tell it that know MPICH.
Place find_place() {
    constexpr std::array<std::pair<const char*, const char*>, 4> names{{{"PMI_RANK", "PMI_SIZE"},
                                                                        {"PMI_ID", "PMI_SIZE"},
                                                                        {"PMIX_RANK", "PMIX_SIZE"},
                                                                        {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}}};
    for (const auto& [rank, size] : names) {
        if (const int found = number_in(rank, -1); found >= 0) {
            return {.rank = found, .size = number_in(size, 0)};
        }
    }
    return {};
}

/// What goes one way between the program and the process manager and has not been taken yet.
class Lane {
public:
    [[nodiscard]] bool full() const { return !waiting_.empty(); }
    void add(std::string_view bytes) { waiting_ += bytes; }
    void send_to(int fd) {
        while (!waiting_.empty()) {
            const ssize_t count = ::send(fd, waiting_.data(), waiting_.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
            if (count < 0 && errno == EINTR) {
                continue;
            }
            if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
                return;
            }
            if (count < 0) {
                waiting_.clear();  // nobody will read it
                return;
            }
            waiting_.erase(0, static_cast<std::size_t>(count));
        }
    }

private:
    std::string waiting_;
};

class RankHelper {
public:
    RankHelper(RankPlan plan, int rank, base::UniqueFd reports)
        : plan_(std::move(plan)), rank_(rank), reports_(std::move(reports)) {}

    [[noreturn]] void run() {
        watch_signals();
        tap_process_manager();
        start_program();
        for (;;) {
            std::array<pollfd, 4> watched{{{signals_.get(), POLLIN, 0},
                                           {reports_.get(), 0, 0},
                                           watch(program_side_, to_manager_, to_program_),
                                           watch(manager_side_, to_program_, to_manager_)}};
            if (::poll(watched.data(), watched.size(), -1) < 0 && errno != EINTR) {
                leave();
            }
            if ((watched[1].revents & POLLERR) != 0) {
                leave();  // nobody reads reports any more
            }
            relay();
            take_signals();
        }
    }

private:
    /// Looks for what can be read unless the lane that it goes to is full, and for room for what waits.
    static pollfd watch(int fd, const Lane& from, const Lane& to) {
        const auto events = static_cast<short>((from.full() ? 0 : POLLIN) | (to.full() ? POLLOUT : 0));
        return {events == 0 ? -1 : fd, events, 0};  // an end alone would be told again and again
    }

    void report(RankReport::Kind kind, int value) const {
        const RankReport report{
            .job = plan_.job, .kind = kind, .rank = rank_, .helper = ::getpid(), .program = program_, .value = value};
        while (::write(reports_.get(), &report, sizeof report) < 0 && errno == EINTR) {}
    }

    void watch_signals() {
        sigset_t set;
        sigemptyset(&set);
        sigaddset(&set, SIGCHLD);
        for (const int signal : passed_on) {
            sigaddset(&set, signal);
        }
        ::sigprocmask(SIG_BLOCK, &set, nullptr);
        ::signal(SIGPIPE, SIG_IGN);
        ::signal(SIGCHLD, SIG_DFL);  // ignored, the kernel would forget how the program ended
        signals_ = base::UniqueFd(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
        if (!signals_) {
            give_up(std::string("cannot watch signals: ") + std::strerror(errno));
        }
    }

    /// Puts itself between the program and the process manager, where they talk through a socket.
    void tap_process_manager() {
        const int fd = number_in("PMI_FD", -1);
        struct stat status {};
        std::array<int, 2> ends{};
        if (fd <= STDERR_FILENO || ::fstat(fd, &status) != 0 || !S_ISSOCK(status.st_mode) ||
            ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
            return;
        }
        ::fcntl(fd, F_SETFD, FD_CLOEXEC);
        manager_side_ = fd;
        program_side_ = ends[0];
        for_program_ = base::UniqueFd(ends[1]);
    }

    void start_program() {
        for (const auto& [name, value] : plan_.environment) {
            ::setenv(name.c_str(), value.c_str(), 1);
        }
        ::setenv("PMI_RANK", std::to_string(rank_).c_str(), 1);  // the layer asks for it
        if (has_open_mpi_variables(plan_.environment)) {
            for (const auto& [name, value] : open_mpi_variables_of(rank_, rank_)) {  // all are on this machine
                ::setenv(name.c_str(), value.c_str(), 1);
            }
        }
        ::setenv("GFORTRAN_UNBUFFERED_PRECONNECTED", "y", 0);  // as mpiexec does
        if (::chdir(plan_.working_directory.c_str()) != 0) {
            report(RankReport::Kind::not_started, errno);
            ::_exit(failure_status);
        }
        const base::UniqueFd output = open_path(plan_.output, O_WRONLY | O_APPEND);
        const base::UniqueFd error_output = open_path(plan_.error_output, O_WRONLY | O_APPEND);
        std::vector<char*> arguments;
        for (std::string& argument : plan_.arguments) {
            arguments.push_back(argument.data());
        }
        arguments.push_back(nullptr);
        std::array<int, 2> ends{};
        if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
            give_up(std::string("cannot make a pipe: ") + std::strerror(errno));
        }
        const base::UniqueFd news(ends[0]);
        base::UniqueFd news_end(ends[1]);
        const pid_t self = ::getpid();
        program_ = ::fork();
        if (program_ == 0) {
            become_program(self, arguments, output.get(), error_output.get(), news_end.get());
        }
        int error = program_ < 0 ? errno : 0;
        news_end.reset();
        for_program_.reset();
        if (program_ > 0) {
            ::setpgid(program_, program_);
            const std::string said = read_all(news.get());  // nothing when it has become the program
            if (said.size() == sizeof error) {
                std::memcpy(&error, said.data(), sizeof error);
            }
        }
        if (error != 0) {
            report(RankReport::Kind::not_started, error);
            leave();
        }
        report(RankReport::Kind::started, 0);
    }

    [[noreturn]] void become_program(pid_t parent, const std::vector<char*>& arguments, int output, int error_output,
                                     int news) const {
        struct sigaction action {};
        action.sa_handler = SIG_DFL;
        for (int signal = 1; signal < NSIG; ++signal) {
            ::sigaction(signal, &action, nullptr);
        }
        // A group of its own: signals for the launcher's group reach us first, and we know whose they were.
        bool good = ::setpgid(0, 0) == 0 && ::prctl(PR_SET_PDEATHSIG, SIGKILL) == 0;
        if (::getppid() != parent) {
            ::_exit(failure_status);
        }
        good = good && ::dup2(output, STDOUT_FILENO) >= 0 && ::dup2(error_output, STDERR_FILENO) >= 0;
        if (for_program_) {
            good = good && ::dup2(for_program_.get(), manager_side_) >= 0;
        }
        sigset_t none;
        sigemptyset(&none);
        good = good && ::sigprocmask(SIG_SETMASK, &none, nullptr) == 0;
        if (good) {
            ::execve(plan_.program.c_str(), arguments.data(), environ);
        }
        const int error = errno;
        if (::write(news, &error, sizeof error) < 0) {
            ::_exit(failure_status);
        }
        ::_exit(failure_status);
    }

    /// As much as can be had and sent without waiting.
    void relay() {
        if (program_side_ >= 0 && !to_manager_.full()) {
            std::array<char, 4096> buffer;
            for (;;) {
                const ssize_t count = ::recv(program_side_, buffer.data(), buffer.size(), MSG_DONTWAIT);
                if (count < 0 && errno == EINTR) {
                    continue;
                }
                if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
                    break;
                }
                if (count <= 0) {  // the program's end; the manager is not to know of it
                    ::close(program_side_);
                    program_side_ = -1;
                    break;
                }
                const bool asked_before = filter_.abort_code().has_value();
                const std::string rest = filter_.pass({buffer.data(), static_cast<std::size_t>(count)});
                if (!asked_before && filter_.abort_code()) {
                    report(RankReport::Kind::abort, *filter_.abort_code());
                }
                if (manager_side_ < 0) {
                    continue;
                }
                to_manager_.add(rest);
                to_manager_.send_to(manager_side_);
                if (to_manager_.full()) {
                    break;
                }
            }
        }
        if (manager_side_ >= 0 && !to_program_.full()) {
            std::array<char, 4096> buffer;
            const ssize_t count = ::recv(manager_side_, buffer.data(), buffer.size(), MSG_DONTWAIT);
            if (count > 0) {
                to_program_.add({buffer.data(), static_cast<std::size_t>(count)});
            }
            if (count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK)) {
                if (program_side_ >= 0) {
                    ::shutdown(program_side_, SHUT_WR);
                }
                ::close(manager_side_);
                manager_side_ = -1;
            }
        }
        if (manager_side_ >= 0) {
            to_manager_.send_to(manager_side_);
        }
        if (program_side_ >= 0) {
            to_program_.send_to(program_side_);
        }
    }

    void take_signals() {
        bool child = false;
        signalfd_siginfo info{};
        while (::read(signals_.get(), &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
            const int signal = static_cast<int>(info.ssi_signo);
            if (signal == SIGCHLD) {
                child = true;
                continue;
            }
            from_launcher_.insert(signal);
            if (!reported_end_) {
                ::kill(program_, signal);
            }
        }
        if (child && !reported_end_) {
            report_end();
        }
    }

    void report_end() {
        siginfo_t info{};
        // It stays a zombie: its number, and that of its group, must not be given to anybody else.
        if (::waitid(P_PID, static_cast<id_t>(program_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0) {
            return;
        }
        relay();  // a last request (an abort, often) may have come just before the end
        // At once: a process manager that loses its connection to the program may kill us for it.
        const bool exited = info.si_code == CLD_EXITED;
        const bool taken = !exited && from_launcher_.contains(info.si_status);
        report(taken    ? RankReport::Kind::taken
               : exited ? RankReport::Kind::ended
                        : RankReport::Kind::signalled,
               info.si_status);
        reported_end_ = true;
    }

    /// Nothing of the program stays behind.
    [[noreturn]] void leave() {
        if (program_ > 0) {
            ::kill(-program_, SIGKILL);
            ::kill(program_, SIGKILL);
            while (::waitpid(program_, nullptr, 0) < 0 && errno == EINTR) {}
        }
        ::_exit(0);
    }

    RankPlan plan_;
    int rank_;
    base::UniqueFd reports_;
    base::UniqueFd signals_;
    base::UniqueFd for_program_;
    int manager_side_ = -1;
    int program_side_ = -1;
    Lane to_manager_;
    Lane to_program_;
    PmiAbortFilter filter_;
    pid_t program_ = 0;
    std::set<int> from_launcher_;
    bool reported_end_ = false;
};

[[noreturn]] void refuse(const RankPlan& plan, int reports, RankReport::Kind kind, int value) {
    const RankReport report{.job = plan.job, .kind = kind, .helper = ::getpid(), .value = value};
    if (::write(reports, &report, sizeof report) < 0) {
        give_up("dampi-run does not listen");
    }
    ::_exit(failure_status);
}

}  // namespace
}  // namespace dampi::launch

int main(int argc, char** argv) {
    using namespace dampi;
    using namespace dampi::launch;
    if (argc != 3) {
        std::fprintf(stderr, "dampi-rank: this is started by dampi-run --launcher, and of no use by hand\n");
        return 2;
    }
    for (int standard = STDIN_FILENO; standard <= STDERR_FILENO; ++standard) {
        if (::fcntl(standard, F_GETFD) < 0) {
            ::open("/dev/null", O_RDWR);  // takes the lowest free number: this one
        }
    }
    RankPlan plan = read_plan(argv[1], argv[2]);
    base::UniqueFd reports = open_path(plan.reports, O_WRONLY);
    const Place place = find_place();
    if (place.rank < 0) {
        refuse(plan, reports.get(), RankReport::Kind::no_rank, 0);
    }
    if ((place.size != 0 && place.size != plan.processes) || place.rank >= plan.processes) {
        refuse(plan, reports.get(), RankReport::Kind::wrong_number, std::max(place.size, place.rank + 1));
    }
    RankHelper(std::move(plan), place.rank, std::move(reports)).run();
}
