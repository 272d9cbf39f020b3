#include "scheduler/engines/hosts/hosts.hpp"

#include "base/poll_for.hpp"
#include "base/unique_fd.hpp"
#include "scheduler/engines/hosts/messages.hpp"
#include "transport/network/commands.hpp"
#include "transport/network/listening.hpp"
#include "transport/network/secret.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace dampi::scheduler::hosts {
namespace {

using namespace std::chrono_literals;
using transport::network::Link;
using Clock = std::chrono::steady_clock;

constexpr auto patience_with_strangers = 10s;
constexpr auto patience_with_settling = 60s;  // a node looks at the program and its libraries
constexpr auto patience_with_nodes = 60s;     // until one that was started has come
constexpr auto patience_with_ends = 5s;
constexpr auto look_interval = 100ms;
constexpr std::size_t most_strangers = 64;
/// A node that is lost so often, without a run that came to its end, is lost by what it runs.
constexpr unsigned most_losses = 5;

template <typename Message>
std::optional<Message> receive(Link& link, std::chrono::nanoseconds patience) {
    if (link.receive(patience) != Link::Heard::message ||
        link.message().kind != static_cast<std::uint8_t>(Message::kind)) {
        return std::nullopt;
    }
    return decode<Message>(link.message().bytes);
}

}  // namespace

class Hosts::Inside {
public:
    explicit Inside(HostsSettings settings)
        : settings_(std::move(settings)),
          secret_(transport::network::make_secret()),
          listening_(false, "the other hosts"),
          nodes_(settings_.layout.size()),
          accepting_([this](const std::stop_token& over) { accept(over); }) {}

    ~Inside() {
        accepting_.request_stop();
        accepting_.join();
        {
            const std::lock_guard lock(mutex_);
            for (Node& node : nodes_) {
                forget(node);
            }
        }
        strangers_.clear();
        const auto end = Clock::now() + patience_with_ends;
        for (Node& node : nodes_) {
            while (node.process > 0 && !reap(node) && Clock::now() < end) {
                std::this_thread::sleep_for(5ms);
            }
            kill(node);
        }
    }

    [[nodiscard]] const std::vector<HostRanks>& layout() const { return settings_.layout; }

    [[nodiscard]] std::vector<std::string> launching() const {
        const std::lock_guard lock(mutex_);
        std::vector<std::string> lines;
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            const HostRanks& ranks = settings_.layout[i];
            lines.push_back(ranks.count == 1 ? fmt::format("{} has rank {}", ranks.name, ranks.first)
                                             : fmt::format("{} has ranks {} to {}", ranks.name, ranks.first,
                                                           ranks.first + ranks.count - 1));
        }
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            if (const unsigned losses = nodes_[i].all_losses; losses != 0) {
                lines.push_back(fmt::format("{} was lost {}, and what ran there was run again",
                                            settings_.layout[i].name,
                                            losses == 1 ? "once" : fmt::format("{} times", losses)));
            }
            for (const std::string& line : nodes_[i].launching) {
                lines.push_back(settings_.layout[i].name + ": " + line);
            }
        }
        return lines;
    }
    void note_launching(std::size_t host, std::vector<std::string> lines) {
        const std::lock_guard lock(mutex_);
        nodes_[host].launching = std::move(lines);
    }

    Lanes take(const std::stop_token& stop) {
        std::unique_lock lock(mutex_);
        for (;;) {
            if (stop.stop_requested()) {
                return {};
            }
            bool all = true;
            for (std::size_t i = 0; i < nodes_.size(); ++i) {
                if (!settings_.layout[i].here) {
                    see_to(i);
                    all = all && !nodes_[i].idle.empty();
                }
            }
            if (all) {
                Lanes lanes;
                for (Node& node : nodes_) {
                    if (!node.idle.empty()) {
                        lanes.push_back(std::move(node.idle.back()));
                        node.idle.pop_back();
                    }
                }
                return lanes;
            }
            changed_.wait_for(lock, look_interval);
        }
    }

    void put_back(Lanes lanes) {
        {
            const std::lock_guard lock(mutex_);
            for (Lane& lane : lanes) {
                Node& node = nodes_[lane.host];
                if (lane.incarnation == node.incarnation) {
                    node.losses = 0;
                    node.idle.push_back(std::move(lane));
                }
            }
        }
        changed_.notify_all();
    }

    void lose(const Lane& lane, const std::string& why) {
        {
            const std::lock_guard lock(mutex_);
            Node& node = nodes_[lane.host];
            if (lane.incarnation != node.incarnation) {
                return;
            }
            ++node.losses;
            ++node.all_losses;
            forget(node);
            kill(node);
            node.process = 0;
        }
        changed_.notify_all();
        settings_.lost(
            fmt::format("host {} is lost, {}: its runs are run again", settings_.layout[lane.host].name, why));
    }

private:
    struct Node {
        std::uint64_t incarnation = 0;  ///< counts its starts
        pid_t process = 0;              ///< of the command that has started it; 0: none does
        Clock::time_point started{};
        bool has_come = false;
        bool has_ever_come = false;
        std::optional<int> ended = {};  ///< how the command has ended
        std::vector<Lane> idle = {};
        unsigned losses = 0;  ///< one after the other
        unsigned all_losses = 0;
        std::string refusal = {};
        std::vector<std::string> launching = {};
    };

    /// Starts the node where there is none. Throws where it does not come. mutex_ is held.
    void see_to(std::size_t host) {
        Node& node = nodes_[host];
        const std::string& name = settings_.layout[host].name;
        if (!node.refusal.empty()) {
            throw Error(fmt::format("host {} refuses: {}", name, node.refusal));
        }
        if (node.losses >= most_losses) {
            throw Error(fmt::format(
                "host {} was lost {} times in a row, each time in the middle of a run; see what ends dampi-node there. "
                "A sweep goes on with dampi-run --resume",
                name, node.losses));
        }
        if (node.process == 0) {
            start(host);
            return;
        }
        if (node.has_come) {
            return;
        }
        if (node.process > 0 && reap(node)) {
            // Who could be started once, or was killed, may come the next time.
            if (node.has_ever_come || WIFSIGNALED(*node.ended)) {
                ++node.losses;
                node.process = 0;
                return;
            }
            throw Error(
                fmt::format("dampi-node cannot be started on host {}: '{}' has ended {}; see what it says above", name,
                            command_on(host).front(), ending(*node.ended)));
        }
        if (Clock::now() - node.started > patience_with_nodes) {
            throw Error(fmt::format(
                "dampi-node was started on host {}, but does not connect to {}: see whether that is reached from there",
                name, transport::network::own_address(listening_.port(), false)));
        }
    }

    [[nodiscard]] std::vector<std::string> command_on(std::size_t host) const {
        return transport::network::on_host(settings_.shell, settings_.layout[host].name, settings_.node.string());
    }

    static std::string ending(int status) {
        return WIFEXITED(status) ? fmt::format("with exit status {}", WEXITSTATUS(status))
                                 : fmt::format("by signal {}", WTERMSIG(status));
    }

    void start(std::size_t host) {
        Node& node = nodes_[host];
        std::vector<std::string> words = command_on(host);
        words.insert(words.end(), {"--join", transport::network::own_address(listening_.port(), false), "--secret-file",
                                   "-", "--number", std::to_string(host)});
        node.ended.reset();
        node.has_come = false;
        ++node.incarnation;
        node.process = transport::network::start_told(words, secret_ + "\n");
        node.started = Clock::now();
    }

    static void forget(Node& node) {
        for (Lane& lane : node.idle) {
            lane.link->hang_up();
        }
        node.idle.clear();
    }

    /// Whether the command has ended.
    static bool reap(Node& node) {
        int status = 0;
        const pid_t ended = ::waitpid(node.process, &status, WNOHANG);
        if (ended == 0 || (ended < 0 && errno == EINTR)) {
            return false;
        }
        node.ended = status;
        node.process = -1;
        return true;
    }

    static void kill(Node& node) {
        if (node.process > 0) {
            ::kill(-node.process, SIGKILL);
            while (!reap(node)) {
                std::this_thread::sleep_for(1ms);
            }
        }
    }

    void accept(const std::stop_token& over) {
        std::vector<pollfd> watched{{listening_.descriptor(), POLLIN, 0}};
        while (!over.stop_requested()) {
            if (base::poll_for(watched, look_interval) <= 0) {
                continue;
            }
            base::UniqueFd socket(::accept4(listening_.descriptor(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
            strangers_.remove_if([](const Stranger& each) { return each.over.load(); });
            if (!socket || strangers_.size() >= most_strangers) {
                continue;
            }
            Stranger& stranger = strangers_.emplace_back();
            stranger.thread = std::jthread([this, &stranger, socket = std::move(socket)]() mutable {
                try {
                    greet(std::move(socket));
                } catch (const Error&) {  // nobody of ours; who is missing is told in time
                }
                stranger.over = true;
            });
        }
    }

    void greet(base::UniqueFd socket) {
        auto link = std::make_unique<Link>(std::move(socket), secret_, static_cast<std::uint8_t>(last_kind),
                                           patience_with_strangers);
        const auto hello = receive<Hello>(*link, patience_with_strangers);
        if (!hello || hello->number >= nodes_.size() || settings_.layout[hello->number].here) {
            return;
        }
        const std::size_t host = hello->number;
        const HostRanks& ranks = settings_.layout[host];
        std::uint64_t incarnation = 0;
        {
            const std::lock_guard lock(mutex_);
            incarnation = nodes_[host].incarnation;
        }
        if (hello->build != settings_.build) {
            const std::string why = "dampi there is of another build (" + hello->build + ")";
            link->send(encode(Refusal{why}));
            return refuse(host, incarnation, why);
        }
        if (hello->lane == 0) {
            link->send(encode(Order{.sweep = settings_.sweep,
                                    .first = ranks.first,
                                    .ranks = static_cast<std::uint32_t>(ranks.count),
                                    .lanes = settings_.lanes}));
            const auto heard = link->receive(patience_with_settling);
            if (heard != Link::Heard::message) {
                return;
            }
            if (link->message().kind == static_cast<std::uint8_t>(Kind::refusal)) {
                return refuse(host, incarnation, decode<Refusal>(link->message().bytes).why);
            }
            if (link->message().kind != static_cast<std::uint8_t>(Kind::ready)) {
                return;
            }
        }
        link->allow(transport::network::most_bytes);
        link->lose_after(30s);
        {
            const std::lock_guard lock(mutex_);
            Node& node = nodes_[host];
            if (node.incarnation != incarnation) {
                return;
            }
            node.has_come = true;
            node.has_ever_come = true;
            node.idle.push_back({.host = host, .incarnation = incarnation, .link = std::move(link)});
        }
        changed_.notify_all();
    }

    void refuse(std::size_t host, std::uint64_t incarnation, const std::string& why) {
        {
            const std::lock_guard lock(mutex_);
            if (nodes_[host].incarnation == incarnation) {
                nodes_[host].refusal = why;
            }
        }
        changed_.notify_all();
    }

    struct Stranger {
        std::atomic<bool> over = false;
        std::jthread thread;
    };

    const HostsSettings settings_;
    const std::string secret_;
    const transport::network::Listening listening_;
    mutable std::mutex mutex_;  // for nodes_
    std::condition_variable changed_;
    std::vector<Node> nodes_;        ///< by their places in the layout
    std::list<Stranger> strangers_;  ///< of the accepting thread, until that has ended
    std::jthread accepting_;
};

Hosts::Hosts(HostsSettings settings) : inside_(std::make_unique<Inside>(std::move(settings))) {}
Hosts::~Hosts() = default;
const std::vector<HostRanks>& Hosts::layout() const { return inside_->layout(); }
std::size_t Hosts::host_of(base::Rank rank) const {
    const auto& all = layout();
    const auto found = std::find_if(all.begin(), all.end(), [rank](const HostRanks& each) { return each.has(rank); });
    DAMPI_CHECK(found != all.end());
    return static_cast<std::size_t>(found - all.begin());
}
std::uint32_t Hosts::own_number() const {
    const auto& all = layout();
    return static_cast<std::uint32_t>(
        std::find_if(all.begin(), all.end(), [](const HostRanks& each) { return each.here; }) - all.begin());
}
std::vector<std::string> Hosts::launching() const { return inside_->launching(); }
void Hosts::note_launching(std::size_t host, std::vector<std::string> lines) {
    inside_->note_launching(host, std::move(lines));
}
Hosts::Lanes Hosts::take(const std::stop_token& stop) { return inside_->take(stop); }
void Hosts::put_back(Lanes lanes) { inside_->put_back(std::move(lanes)); }
void Hosts::lose(const Lane& lane, const std::string& why) { inside_->lose(lane, why); }

}  // namespace dampi::scheduler::hosts
