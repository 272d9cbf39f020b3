#include "launch/fork_request.hpp"

#include "base/check.hpp"
#include "launch/descriptor_packets.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>

#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace dampi::launch {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

}  // namespace

/// Packets come whole.
bool receive(int socket, PrepareAnswer& answer, milliseconds patience) {
    const auto deadline = steady_clock::now() + patience;
    for (;;) {
        const auto left = std::chrono::ceil<milliseconds>(deadline - steady_clock::now());
        pollfd ready{socket, POLLIN, 0};
        const int count = ::poll(&ready, 1, static_cast<int>(std::max<milliseconds::rep>(left.count(), 0)));
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0) {
            return false;
        }
        const ssize_t length = ::recv(socket, &answer, sizeof answer, MSG_DONTWAIT);
        if (length < 0 && (errno == EINTR || errno == EAGAIN)) {
            continue;
        }
        answer.text[sizeof answer.text - 1] = '\0';
        return length == static_cast<ssize_t>(sizeof answer);
    }
}

bool is_our_child(pid_t process) {
    siginfo_t info{};
    return process > 0 && ::waitid(P_PID, static_cast<id_t>(process), &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

void kill_and_reap(pid_t process) {
    ::kill(process, SIGKILL);
    while (::waitpid(process, nullptr, 0) < 0 && errno == EINTR) {}
}

bool send_request(int socket, const Guard& guard, const ForkRequest& request, int coming_back) {
    PrepareRequest header;
    header.parent = ::getpid();
    header.socket = request.socket;
    header.inherited_count = static_cast<std::uint32_t>(request.inherited->size());
    header.comes_back = coming_back < 0 ? 0 : 1;
    std::copy(request.inherited->begin(), request.inherited->end(), header.inherited);
    std::string message(reinterpret_cast<const char*>(&header), sizeof header);
    for (const auto& [name, value] : request.variables) {
        message += name + "=" + value;
        message += '\0';
    }
    DAMPI_CHECK(message.size() <= most_request_bytes);

    std::vector<int> descriptors{request.input, request.output, request.error_output, request.socket,
                                 guard.descriptor()};
    DAMPI_CHECK(descriptors.size() == fixed_request_descriptors);
    descriptors.insert(descriptors.end(), request.inherited->begin(), request.inherited->end());
    if (coming_back >= 0) {
        descriptors.push_back(coming_back);
    }
    return send_packet(socket, message, descriptors, 0);
}

std::optional<pid_t> fork_rank(pid_t process, int socket, const Guard& guard, const ForkRequest& request,
                               int coming_back) {
    if (!send_request(socket, guard, request, coming_back)) {
        return std::nullopt;
    }
    PrepareAnswer answer;
    const bool in_time = receive(socket, answer, patience_for_a_rank);
    if (!in_time) {
        // It may have forked already: then the rank, which has the socket too, still answers.
        ::kill(process, SIGKILL);
        if (!receive(socket, answer, milliseconds{1000})) {
            return std::nullopt;
        }
    }
    if (answer.process == process || !is_our_child(answer.process)) {
        return std::nullopt;
    }
    if (in_time && answer.what == PrepareAnswer::What::started) {
        return answer.process;
    }
    guard.forget(answer.process);
    kill_and_reap(answer.process);
    return std::nullopt;
}

}  // namespace dampi::launch
