#include "launch/guard.hpp"

#include "base/check.hpp"
#include "launch/leftovers.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <sstream>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace dampi::launch {
namespace {

using std::chrono::milliseconds;

/// Nothing of what we have open may stay open because of the guard.
void close_all_but(int socket) {
    const int nothing = ::open("/dev/null", O_RDWR);
    for (int standard = STDIN_FILENO; standard <= STDERR_FILENO; ++standard) {
        ::dup2(nothing, standard);
    }
    ::dup2(socket, STDERR_FILENO + 1);
    ::close_range(STDERR_FILENO + 2, ~0U, 0);
}

/// The process groups with a member that was there at `moment` (seconds since the machine's start). Of another one all
/// that we knew have ended, and its number may by now belong to somebody else.
std::set<pid_t> groups_there(double moment) {
    std::set<pid_t> result;
    std::error_code gone;
    for (auto entry = std::filesystem::directory_iterator("/proc", gone);
         !gone && entry != std::filesystem::directory_iterator(); entry.increment(gone)) {
        std::ifstream file(entry->path() / "stat");
        std::string text;
        if (!std::getline(file, text) || text.rfind(')') == std::string::npos) {
            continue;
        }
        std::istringstream fields(text.substr(text.rfind(')') + 1));  // the program's name may contain anything
        std::string state;
        std::string skipped;
        pid_t parent = 0;
        pid_t its_group = 0;
        double start = 0;
        fields >> state >> parent >> its_group;
        for (int field = 6; field < 22; ++field) {
            fields >> skipped;
        }
        if (fields >> start && start / static_cast<double>(::sysconf(_SC_CLK_TCK)) <= moment) {
            result.insert(its_group);
        }
    }
    return result;
}

void clear_up(const std::map<pid_t, std::vector<pid_t>>& groups, std::chrono::system_clock::time_point since) {
    timespec now{};
    ::clock_gettime(CLOCK_BOOTTIME, &now);
    const double moment = static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
    const std::set<pid_t> there = groups_there(moment);
    for (const auto& [group, ranks] : groups) {
        if (there.contains(group)) {
            ::kill(-group, SIGKILL);
        }
    }
    std::vector<pid_t> ended;
    int patience = 1000;
    for (const auto& [group, ranks] : groups) {
        while (::kill(-group, 0) == 0 && --patience > 0) {
            std::this_thread::sleep_for(milliseconds{1});
        }
        ended.insert(ended.end(), ranks.begin(), ranks.end());
    }
    if (!groups.empty()) {
        remove_leftovers(ended, since);
    }
}

[[noreturn]] void guard(int socket) {
    ::setsid();  // signals from the terminal are for the others
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
        ::signal(signal, SIG_IGN);
    }
    ::prctl(PR_SET_NAME, "dampi-guard");
    close_all_but(socket);
    const auto since = std::chrono::system_clock::now();
    std::map<pid_t, std::vector<pid_t>> groups;
    for (;;) {
        Guard::Message message;
        const ssize_t count = ::recv(STDERR_FILENO + 1, &message, sizeof message, 0);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count != static_cast<ssize_t>(sizeof message)) {
            break;  // the last of the senders has gone
        }
        if (message.rank == 0) {
            groups.erase(message.group);
        } else {
            groups[message.group].push_back(message.rank);
        }
    }
    clear_up(groups, since);
    ::_exit(0);
}

}  // namespace

const Guard& Guard::of_this_process() {
    static std::mutex mutex;
    static std::unique_ptr<Guard> current;
    const std::lock_guard lock(mutex);
    if (!current || current->owner_ != ::getpid()) {
        current.reset(new Guard);
    }
    return *current;
}

Guard::Guard() : owner_(::getpid()) {
    // Packets: a message comes whole or not at all.
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) {
        throw Error(std::string("cannot create a socket: ") + std::strerror(errno));
    }
    socket_ = base::UniqueFd(::fcntl(ends[0], F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
    ::close(ends[0]);
    const base::UniqueFd theirs(ends[1]);
    // A grandchild, so that nobody here who waits for his children meets one that he does not know.
    const pid_t child = socket_ ? ::fork() : -1;
    if (child == 0) {
        const pid_t grandchild = ::fork();
        if (grandchild == 0) {
            guard(theirs.get());
        }
        ::_exit(grandchild < 0 ? errno : 0);
    }
    if (child < 0) {
        throw Error(std::string("cannot start a process: ") + std::strerror(errno));
    }
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    if (status != 0) {
        throw Error(std::string("cannot start a process: ") + std::strerror(WEXITSTATUS(status)));
    }
}

void Guard::forget(pid_t group) const {
    const Message message{.group = group};
    ::send(descriptor(), &message, sizeof message, MSG_NOSIGNAL);
}

}  // namespace dampi::launch
