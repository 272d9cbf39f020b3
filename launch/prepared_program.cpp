#include "launch/prepared_program.hpp"

#include "base/check.hpp"
#include "launch/fork_request.hpp"
#include "launch/guard.hpp"
#include "launch/job_values.hpp"
#include "launch/leftovers.hpp"
#include "launch/prepare_protocol.hpp"
#include "launch/process_start.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <mutex>
#include <set>
#include <sstream>
#include <string_view>
#include <thread>

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

namespace dampi::launch {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

constexpr milliseconds patience_before_main{5000};
constexpr milliseconds patience_for_one_that_waits{60000};

/// A thread that does what it is asked to, one thing after the other. The kernel kills our children's children when
/// the thread that started them ends: this one lives as long as the owner, whoever asks.
class Keeper {
public:
    Keeper() : thread_([this] { serve(); }) {}
    ~Keeper() {
        {
            const std::lock_guard lock(mutex_);
            over_ = true;
        }
        changed_.notify_all();
        thread_.join();
    }
    Keeper(const Keeper&) = delete;
    Keeper& operator=(const Keeper&) = delete;

    /// Returns when it is done.
    void run(const std::function<void()>& task) {
        std::unique_lock lock(mutex_);
        task_ = &task;
        changed_.notify_all();
        changed_.wait(lock, [&] { return task_ == nullptr; });
    }

private:
    void serve() {
        std::unique_lock lock(mutex_);
        for (;;) {
            changed_.wait(lock, [&] { return over_ || task_ != nullptr; });
            if (task_ == nullptr) {
                return;
            }
            (*task_)();
            task_ = nullptr;
            changed_.notify_all();
        }
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    const std::function<void()>* task_ = nullptr;
    bool over_ = false;
    std::thread thread_;  // the last member: it uses the others
};

base::UniqueFd memory_file(std::string_view content) {
    base::UniqueFd file(::memfd_create("dampi-prepare", MFD_CLOEXEC));
    if (file && file.get() <= STDERR_FILENO) {
        file = base::UniqueFd(::fcntl(file.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
    }
    if (!file || ::pwrite(file.get(), content.data(), content.size(), 0) != static_cast<ssize_t>(content.size())) {
        return {};
    }
    return file;
}

base::UniqueFd above_stdio(int fd) {
    const base::UniqueFd given(fd);
    return base::UniqueFd(::fcntl(given.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
}

/// Our descriptors from 3 on that every program inherits which we start.
std::set<int> leaked_descriptors() {
    std::set<int> result;
    std::error_code gone;
    for (const auto& entry : fs::directory_iterator("/proc/self/fd", gone)) {
        const int number = std::atoi(entry.path().filename().c_str());
        const int flags = ::fcntl(number, F_GETFD);
        if (number > STDERR_FILENO && flags >= 0 && (flags & FD_CLOEXEC) == 0) {
            result.insert(number);
        }
    }
    return result;
}

/// Of such a program the dynamic linker ignores LD_PRELOAD, so nothing would stop it before main.
bool has_privileges(const fs::path& program) {
    struct stat status {};
    if (::stat(program.c_str(), &status) != 0) {
        return false;
    }
    return (status.st_mode & (S_ISUID | S_ISGID)) != 0 ||
           ::getxattr(program.c_str(), "security.capability", nullptr, 0) > 0;
}

std::string lines_of(const fs::path& file) {
    std::ifstream stream(file);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

}  // namespace

class PreparedProgram::Impl {
public:
    Impl(const JobSpec& spec, Point point);
    ~Impl() {
        const std::lock_guard lock(mutex_);
        for (const Crew& crew : crews_) {
            dismiss(crew);
        }
        end();
    }
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    std::string obstacle() const {
        const std::lock_guard lock(mutex_);
        return obstacle_;
    }
    std::optional<Rank> start_rank(const ForkRequest& request);
    Crew take_crew(std::size_t size, pid_t wanted);
    void keep_crew(Crew crew);
    bool start_again(pid_t process, int socket, const ForkRequest& request) const;

private:
    void start();
    void launch();
    /// Empty: it has come to where it is to stand; else why not.
    std::string hear_that_it_is_ready() const;
    /// "before main", or what it is instead.
    std::string before() const;
    /// To its standard streams.
    bool has_written() const;
    /// What the process is in that a rank must not be; empty: nothing.
    std::string look_at_process() const;
    std::string look_at_mappings() const;
    std::optional<Rank> ask(const ForkRequest& request);
    bool most_come_back() const;
    void dismiss(const Crew& crew) const;
    void end();

    fs::path program_;
    std::vector<std::string> words_;  // argv
    std::vector<std::pair<std::string, std::string>> environment_;
    const Point point_;
    const Guard& guard_ = Guard::of_this_process();

    mutable std::mutex mutex_;
    Keeper keeper_;
    std::string obstacle_;
    int starts_left_ = 2;
    std::chrono::system_clock::time_point begin_;
    pid_t process_ = 0;
    base::UniqueFd socket_;
    base::UniqueFd input_;
    base::UniqueFd output_;
    int its_socket_ = -1;
    std::set<int> leaked_;
    std::vector<Crew> crews_;         ///< that wait
    std::uint64_t to_come_back_ = 0;  ///< how often a rank could have
    std::uint64_t came_back_ = 0;
};

PreparedProgram::Impl::Impl(const JobSpec& spec, Point point)
    : program_(spec.program), environment_(spec.environment), point_(point) {
    words_.push_back(spec.argv0.empty() ? spec.program.string() : spec.argv0);
    words_.insert(words_.end(), spec.arguments.begin(), spec.arguments.end());
    environment_.emplace_back("PMI_SIZE", std::to_string(spec.processes));
    environment_.emplace_back("MPI_LOCALNRANKS", std::to_string(spec.processes));
    if (has_privileges(program_)) {
        obstacle_ = "it has privileges of its own";
        return;
    }
    start();
}

/// One try. What goes wrong is the obstacle.
void PreparedProgram::Impl::start() {
    --starts_left_;
    obstacle_.clear();
    begin_ = std::chrono::system_clock::now();
    keeper_.run([this] { launch(); });
    if (obstacle_.empty()) {
        obstacle_ = hear_that_it_is_ready();
    }
    if (obstacle_.empty()) {
        obstacle_ = look_at_process();
    }
    if (obstacle_.empty() && point_ == Point::behind_init) {
        const char go_on = 0;
        ::send(socket_.get(), &go_on, sizeof go_on, MSG_NOSIGNAL);  // who does not hear it has ended
        obstacle_ = hear_that_it_is_ready();
        // What it says there, each rank has to say.
        if (obstacle_.empty() && has_written()) {
            obstacle_ = "its MPI library writes";
        }
    }
    if (!obstacle_.empty()) {
        end();
    }
}

std::string PreparedProgram::Impl::hear_that_it_is_ready() const {
    PrepareAnswer answer;
    if (receive(socket_.get(), answer, patience_before_main)) {
        return answer.what == PrepareAnswer::What::ready ? "" : answer.text;
    }
    siginfo_t info{};
    const bool ended =
        ::waitid(P_PID, static_cast<id_t>(process_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid != 0;
    pollfd closed{socket_.get(), POLLIN, 0};
    if (ended || ::poll(&closed, 1, 0) > 0) {
        return "it ended " + before();
    }
    return std::string("it did not come to ") + (point_ == Point::before_main ? "main" : "MPI_Init") + " in 5 s";
}

std::string PreparedProgram::Impl::before() const {
    return point_ == Point::before_main ? "before main" : "before MPI_Init";
}

void PreparedProgram::Impl::launch() {
    std::array<int, 2> ends{};
    input_ = memory_file("\n");
    output_ = memory_file("");
    if (!input_ || !output_ || ::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) {
        obstacle_ = std::string("the system refuses what it needs: ") + std::strerror(errno);
        return;
    }
    socket_ = above_stdio(ends[0]);
    const base::UniqueFd theirs = above_stdio(ends[1]);
    its_socket_ = theirs.get();
    leaked_ = leaked_descriptors();

    std::vector<char*> arguments;
    for (std::string& word : words_) {
        arguments.push_back(word.data());
    }
    arguments.push_back(nullptr);
    Environment environment(environment_);
    environment.set(prepare_variable,
                    std::to_string(its_socket_) + (point_ == Point::behind_init ? prepare_behind_init : ""));
    const std::vector<char*> variables = environment.pointers();
    ChildPlan plan;
    plan.program = program_.c_str();
    plan.arguments = arguments.data();
    plan.environment = variables.data();
    plan.input = input_.get();
    plan.output = output_.get();
    plan.error_output = output_.get();
    plan.socket = its_socket_;
    plan.parent = ::getpid();
    plan.guard = guard_.descriptor();
    const pid_t process = start_process(plan);
    if (process < 0) {
        obstacle_ = std::string("it cannot be started: ") + std::strerror(errno);
        return;
    }
    process_ = process;
    if (plan.error != 0) {
        obstacle_ = std::string("it cannot be started: ") + std::strerror(plan.error);
    }
}

bool PreparedProgram::Impl::has_written() const {
    struct stat status {};
    return ::fstat(output_.get(), &status) != 0 || status.st_size != 0;
}

std::string PreparedProgram::Impl::look_at_process() const {
    const fs::path itself = "/proc/" + std::to_string(process_);
    std::error_code failed;
    const auto threads = fs::directory_iterator(itself / "task", failed);
    if (failed || std::distance(threads, fs::directory_iterator()) != 1) {
        return "it has several threads " + before();
    }
    std::set<int> open;
    for (const auto& entry : fs::directory_iterator(itself / "fd", failed)) {
        open.insert(std::atoi(entry.path().filename().c_str()));
    }
    std::set<int> expected = leaked_;
    expected.insert({STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO, its_socket_});
    if (open != expected) {
        return "it opens or closes descriptors " + before();
    }
    if (has_written()) {
        return "it writes " + before();
    }
    if (::lseek(input_.get(), 0, SEEK_CUR) != 0) {
        return "it reads its input " + before();
    }
    // The kernel's count of calls that write; absent where it was built without.
    const std::string io = lines_of(itself / "io");
    const std::size_t writes = io.find("syscw: ");
    if (writes != std::string::npos && io.compare(writes, 9, "syscw: 0\n") != 0) {
        return "it writes " + before();
    }
    return look_at_mappings();
}

std::string PreparedProgram::Impl::look_at_mappings() const {
    std::ifstream mappings("/proc/" + std::to_string(process_) + "/smaps");
    bool any = false;
    for (std::string line; std::getline(mappings, line);) {
        std::istringstream words(line);
        std::string first;
        words >> first;
        if (first == "VmFlags:") {
            for (std::string flag; words >> flag;) {
                // Not copied by fork, or wiped.
                if (flag == "dc" || flag == "wf") {
                    return "it has memory " + before() + " that a fork loses";
                }
            }
        } else if (first.find('-') != std::string::npos) {
            any = true;
            std::string permissions;
            words >> permissions;
            if (permissions.size() == 4 && permissions[3] == 's') {
                return "it shares memory " + before();
            }
        }
    }
    return any ? "" : "the system does not show its memory";
}

std::optional<PreparedProgram::Rank> PreparedProgram::Impl::start_rank(const ForkRequest& request) {
    const std::lock_guard lock(mutex_);
    for (;;) {
        if (!obstacle_.empty()) {
            return std::nullopt;
        }
        if (request.inherited->size() > most_inherited_descriptors) {
            return std::nullopt;
        }
        if (auto rank = ask(request)) {
            return rank;
        }
        // Whoever killed it: once that may be an accident.
        end();
        obstacle_ = "its prepared process has died";
        if (starts_left_ > 0) {
            start();
        }
    }
}

std::optional<PreparedProgram::Rank> PreparedProgram::Impl::ask(const ForkRequest& request) {
    base::UniqueFd ours;
    base::UniqueFd theirs;
    if (point_ == Point::behind_init && request.inherited->empty() && (request.keeps_memory || most_come_back())) {
        std::array<int, 2> ends{};
        if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) == 0) {
            ours = above_stdio(ends[0]);
            theirs = above_stdio(ends[1]);
            ++to_come_back_;
        }
    }
    const auto process = fork_rank(process_, socket_.get(), guard_, request, theirs.get());
    if (!process) {
        return std::nullopt;
    }
    return Rank{.process = *process, .socket = std::move(ours), .pidfd = {}};
}

/// Where they do not, it is not worth it to have them ready for it.
bool PreparedProgram::Impl::most_come_back() const {
    constexpr std::uint64_t before_it_is_known = 64;
    return to_come_back_ < before_it_is_known || came_back_ > to_come_back_ / 2;
}

PreparedProgram::Crew PreparedProgram::Impl::take_crew(std::size_t size, pid_t wanted) {
    std::unique_lock lock(mutex_);
    auto found = std::find_if(crews_.begin(), crews_.end(), [size, wanted](const Crew& crew) {
        return crew.size() == size && crew.front().process == wanted;
    });
    if (found == crews_.end()) {
        found = std::find_if(crews_.begin(), crews_.end(), [size](const Crew& crew) { return crew.size() == size; });
    }
    if (found == crews_.end()) {
        return {};
    }
    Crew crew = std::move(*found);
    crews_.erase(found);
    lock.unlock();
    const bool all_wait = std::all_of(crew.begin(), crew.end(), [](const Rank& rank) {
        PrepareAnswer answer;
        return receive(rank.socket.get(), answer, patience_for_a_rank) && answer.what == PrepareAnswer::What::ready &&
               answer.process == rank.process;
    });
    lock.lock();
    if (!all_wait) {
        dismiss(crew);
        return {};
    }
    came_back_ += crew.size();
    to_come_back_ += crew.size();
    return crew;
}

void PreparedProgram::Impl::keep_crew(Crew crew) {
    const std::lock_guard lock(mutex_);
    crews_.push_back(std::move(crew));
}

bool PreparedProgram::Impl::start_again(pid_t process, int socket, const ForkRequest& request) const {
    PrepareAnswer answer;
    return send_request(socket, guard_, request, -1) && receive(socket, answer, patience_for_one_that_waits) &&
           answer.what == PrepareAnswer::What::started && answer.process == process;
}

void PreparedProgram::Impl::dismiss(const Crew& crew) const {
    for (const Rank& rank : crew) {
        ::kill(-rank.process, SIGKILL);
    }
    for (const Rank& rank : crew) {
        guard_.forget(rank.process);
        kill_and_reap(rank.process);
    }
}

void PreparedProgram::Impl::end() {
    socket_.reset();
    input_.reset();
    output_.reset();
    if (process_ == 0) {
        return;
    }
    ::kill(-process_, SIGKILL);  // and what its constructors started
    guard_.forget(process_);
    kill_and_reap(process_);
    remove_leftovers({process_}, begin_);
    process_ = 0;
}

PreparedProgram::PreparedProgram(const JobSpec& spec, Point point) : impl_(std::make_unique<Impl>(spec, point)) {}
PreparedProgram::~PreparedProgram() = default;
std::string PreparedProgram::obstacle() const { return impl_->obstacle(); }
std::optional<PreparedProgram::Rank> PreparedProgram::start_rank(const ForkRequest& request) {
    return impl_->start_rank(request);
}
PreparedProgram::Crew PreparedProgram::take_crew(std::size_t size, pid_t wanted) {
    return impl_->take_crew(size, wanted);
}
void PreparedProgram::keep_crew(Crew crew) { impl_->keep_crew(std::move(crew)); }
bool PreparedProgram::start_again(pid_t process, int socket, const ForkRequest& request) const {
    return impl_->start_again(process, socket, request);
}

std::optional<int> PreparedProgram::end_told_by(pid_t process, int socket) {
    PrepareAnswer answer;
    if (!receive(socket, answer, milliseconds{0}) || answer.what != PrepareAnswer::What::ended ||
        answer.process != process) {
        return std::nullopt;
    }
    return answer.error & 0xff;
}

}  // namespace dampi::launch
