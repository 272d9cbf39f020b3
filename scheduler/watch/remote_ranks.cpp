#include "scheduler/watch/remote_ranks.hpp"

#include "base/check.hpp"
#include "base/unique_fd.hpp"
#include "replay/serialization.hpp"
#include "transport/network/frames.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <sys/socket.h>
#include <unistd.h>

namespace dampi::scheduler::watch {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using transport::network::Link;

enum class Kind : std::uint8_t {
    hello = 1,  ///< the machine's name
    ask,
    answer,
};
constexpr auto last_kind = static_cast<std::uint8_t>(Kind::answer);

constexpr seconds patience_to_join{20};
constexpr milliseconds patience_with_stranger{2000};
constexpr seconds silence{30};  ///< of a machine that is lost
constexpr milliseconds between_searches{250};
constexpr seconds patience_for_first{120};  ///< MPI_Init may wait for other machines

template <typename T>
std::string frame_of(Kind kind, const T& value) {
    auto frame = transport::network::end_frame(
        transport::network::begin_frame(static_cast<std::uint8_t>(kind)).append(replay::to_bytes(value)));
    if (!frame) {
        throw Error("what ranks say is larger than a message between monitors can be");
    }
    return std::move(*frame);
}

std::string own_machine() {
    std::array<char, 256> name{};
    gethostname(name.data(), name.size() - 1);
    return name.data();
}

/// Whether the question was the last one.
bool answer_one(Link& link, LocalRanks& ranks) {
    const auto question = replay::from_bytes<Question>(link.message().bytes);
    if (question.ask == Ask::end) {
        return true;
    }
    link.send(frame_of(Kind::answer, ranks.answer(question)));
    return false;
}

}  // namespace

bool RemoteMonitor::ask(const Question& question) {
    if (unanswered_ > 0) {
        receive(milliseconds{0});
    }
    if (is_lost_ || unanswered_ > 0) {
        return false;
    }
    is_lost_ = !link_->send(frame_of(Kind::ask, question));
    unanswered_ += is_lost_ ? 0 : 1;
    return !is_lost_;
}

std::optional<Answer> RemoteMonitor::answer(milliseconds patience) {
    return unanswered_ > 0 ? receive(patience) : std::nullopt;
}

std::optional<Answer> RemoteMonitor::receive(milliseconds patience) {
    switch (link_->receive(patience)) {
        case Link::Heard::nothing:
            return std::nullopt;
        case Link::Heard::gone:
            is_lost_ = true;
            return std::nullopt;
        case Link::Heard::message:
            break;
    }
    try {
        auto answer = replay::from_bytes<Answer>(link_->message().bytes);
        --unanswered_;
        if (!answer.look.empty()) {
            ranks_ = static_cast<int>(std::count_if(answer.look.begin(), answer.look.end(), [](const RankLook& rank) {
                return rank.where != Whereabouts::ended;
            }));
        }
        return answer;
    } catch (const Error&) {
        is_lost_ = true;  // what it says makes no sense
        return std::nullopt;
    }
}

std::string RemoteMonitors::address() const { return transport::network::own_address(listening_.port(), false); }

bool RemoteMonitors::accept() {
    bool is_any_new = false;
    for (;;) {
        base::UniqueFd socket(::accept4(listening_.descriptor(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
        if (!socket) {
            return is_any_new;
        }
        try {
            auto link = std::make_unique<Link>(std::move(socket), secret_, last_kind, patience_with_stranger);
            const bool has_said = link->receive(patience_with_stranger) == Link::Heard::message &&
                                  link->message().kind == static_cast<std::uint8_t>(Kind::hello);
            if (has_said) {
                auto machine = replay::from_bytes<std::string>(link->message().bytes);
                link->allow(transport::network::most_bytes);
                link->lose_after(silence);
                all_.push_back(std::make_unique<RemoteMonitor>(std::move(link), std::move(machine)));
                is_any_new = true;
            }
        } catch (const Error&) {
            continue;  // somebody who has nothing to do with this job
        }
    }
}

void serve_remotely(const std::string& address, const std::string& secret, const std::filesystem::path& boards) {
    Link link(transport::network::parse_address(address), secret, {.who = "monitor", .last_kind = last_kind},
              patience_to_join);
    link.lose_after(silence);
    link.send(frame_of(Kind::hello, own_machine()));
    LocalRanks ranks(boards);
    using Clock = std::chrono::steady_clock;
    const auto until = Clock::now() + patience_for_first;
    for (;;) {
        const Link::Heard heard = link.receive(between_searches);
        if (heard == Link::Heard::gone || (heard == Link::Heard::message && answer_one(link, ranks))) {
            return;
        }
        if (heard == Link::Heard::nothing) {
            static_cast<void>(ranks.answer({Ask::look, {}}));
        }
        if (!ranks.has_any() && Clock::now() > until) {
            return;
        }
    }
}

}  // namespace dampi::scheduler::watch
