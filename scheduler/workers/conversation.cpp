#include "scheduler/workers/conversation.hpp"

#include "base/check.hpp"
#include "replay/terminal_words.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include <boost/asio/bind_executor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>

#include <fmt/format.h>

namespace dampi::scheduler::workers {

using namespace std::chrono_literals;
using boost::system::error_code;
using namespace transport::network;

namespace {

constexpr auto patience_with_strangers = 30s;
constexpr std::uint32_t most_slots = 4096;

}  // namespace

Conversation::Conversation(boost::asio::io_context& io, boost::asio::ip::tcp::socket socket, Listener& listener,
                           const Settings& settings)
    : listener_(listener), settings_(settings), strand_(boost::asio::make_strand(io)), socket_(std::move(socket)) {}

void Conversation::begin() {
    boost::asio::post(strand_, [self = shared_from_this()] { self->greet(); });
}

void Conversation::send(const std::string& message) {
    {
        const std::lock_guard lock(out_mutex_);
        out_ += message;
        if (std::exchange(will_write_, true)) {
            return;
        }
    }
    boost::asio::post(strand_, [self = shared_from_this()] { self->write(); });
}

void Conversation::send_away(const std::string& message) {
    sent_away_ = true;
    send(message);
}

void Conversation::look(Clock::time_point now) {
    boost::asio::post(strand_, [self = shared_from_this(), now] { self->look_whether_lost(now); });
}

void Conversation::greet() {
    ours_ = make_nonce();
    std::string greeting(greeting_word);
    greeting.append(reinterpret_cast<const char*>(ours_.data()), ours_.size());
    send(greeting);
    boost::asio::async_read(
        socket_, boost::asio::buffer(answer_),
        boost::asio::bind_executor(
            strand_, [self = shared_from_this()](const error_code& error, std::size_t) { self->check_answer(error); }));
}

void Conversation::check_answer(const error_code& error) {
    if (error) {
        return end("it has not proven the secret", true);
    }
    Nonce theirs{};
    Proof proof{};
    std::copy_n(answer_.begin(), theirs.size(), theirs.begin());
    std::copy_n(answer_.begin() + nonce_bytes, proof.size(), proof.begin());
    if (!same_proof(proof, proof_of(settings_.secret, Side::worker, ours_, theirs))) {
        return end("it has another secret", true);
    }
    const Proof own = proof_of(settings_.secret, Side::coordinator, ours_, theirs);
    send(std::string(reinterpret_cast<const char*>(own.data()), own.size()));
    read();
}

void Conversation::read() {
    socket_.async_read_some(
        boost::asio::buffer(in_),
        boost::asio::bind_executor(strand_, [self = shared_from_this()](const error_code& error, std::size_t size) {
            self->take(error, size);
        }));
}

void Conversation::take(const error_code& error, std::size_t size) {
    if (ended_) {
        return;
    }
    if (error) {
        return end(farewell_ ? "" : "its connection has ended", false);
    }
    heard_ = Clock::now();
    try {
        reader_.add({in_.data(), size});
        while (const auto message = reader_.next()) {
            if (!sent_away_) {
                handle(*message);
            }
            if (ended_) {
                return;
            }
        }
    } catch (const std::exception& trouble) {
        return end(trouble.what(), !is_ready_);
    }
    read();
}

void Conversation::handle(const Frame& message) {
    switch (kind_of(message)) {
        case Kind::hello:
            if (!std::exchange(said_hello_, true)) {
                return listener_.hello(shared_from_this(), decode_hello(message.bytes));
            }
            break;
        case Kind::refusal:
            if (said_hello_ && !is_ready_) {
                return end(replay::printable(message.bytes), true);
            }
            break;
        case Kind::ready:
            if (said_hello_ && !std::exchange(is_ready_, true)) {
                reader_.allow(most_bytes);
                return listener_.ready(shared_from_this(),
                                       std::clamp(decode_ready(message.bytes), std::uint32_t{1}, most_slots));
            }
            break;
        case Kind::result:
            if (is_ready_) {
                return listener_.result(shared_from_this(), decode_result(message.bytes));
            }
            break;
        case Kind::alive:
            return;
        case Kind::farewell:
            farewell_ = true;
            return end("", false);
        default:
            break;
    }
    throw Error("what has come over the network is no message of a worker");
}

void Conversation::write() {
    if (ended_) {
        return;
    }
    {
        const std::lock_guard lock(out_mutex_);
        writing_.clear();
        std::swap(writing_, out_);
        if (writing_.empty()) {
            will_write_ = false;
        }
    }
    if (writing_.empty()) {
        if (sent_away_) {
            end("", false);
        }
        return;
    }
    boost::asio::async_write(
        socket_, boost::asio::buffer(writing_),
        boost::asio::bind_executor(strand_, [self = shared_from_this()](const error_code& error, std::size_t) {
            if (error) {
                self->end(self->farewell_ ? "" : "its connection has ended", false);
            } else {
                self->write();
            }
        }));
}

void Conversation::look_whether_lost(Clock::time_point now) {
    if (ended_) {
        return;
    }
    if (!is_ready_ && now - since_ > patience_with_strangers) {
        return end("it has not come to be ready", true);
    }
    error_code ignored;
    if (is_ready_ && now - heard_ > settings_.patience && socket_.available(ignored) == 0) {
        return end(fmt::format("nothing was heard of it for {}",
                               replay::duration_text(std::chrono::duration<double>(settings_.patience).count())),
                   false);
    }
    if (is_ready_ && now - told_ > settings_.patience / 8) {
        told_ = now;
        send(encode(Kind::alive));
    }
}

void Conversation::end(const std::string& why, bool refused) {
    if (std::exchange(ended_, true)) {
        return;
    }
    error_code ignored;
    socket_.close(ignored);
    listener_.over(shared_from_this(), why, refused);
}

}  // namespace dampi::scheduler::workers
