// What the dampi-run of a sweep says and hears on one connection: greets, has the secret proven, then puts messages
// together and hands them on in the order in which they may come, until the other side goes, is lost or is sent away.
// docs/architecture/sweeps.md has the course of it.
#pragma once

#include "scheduler/workers/messages.hpp"
#include "transport/network/frames.hpp"
#include "transport/network/secret.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/strand.hpp>

namespace dampi::scheduler::workers {

class Conversation : public std::enable_shared_from_this<Conversation> {
public:
    using Clock = std::chrono::steady_clock;
    using Self = std::shared_ptr<Conversation>;

    /// Who is told of what is said: one after the other for one conversation, of several at the same time.
    class Listener {
    public:
        virtual ~Listener() = default;
        /// The other side has proven the secret and says who it is: answer it with an order, or refuse() it.
        virtual void hello(const Self& with, const Hello& hello) = 0;
        /// It has taken on the order.
        virtual void ready(const Self& with, std::uint32_t slots) = 0;
        virtual void result(const Self& with, Result result) = 0;
        /// Once, at the end. Empty `why`: as it should be. `refused`: before it was ready, by either side.
        virtual void over(const Self& with, const std::string& why, bool refused) = 0;
    };

    struct Settings {
        std::string secret;
        std::chrono::milliseconds patience;  ///< with one that was ready and says nothing
    };

    /// `socket` does not block. `listener` and `settings` outlive it.
    Conversation(boost::asio::io_context& io, boost::asio::ip::tcp::socket socket, Listener& listener,
                 const Settings& settings);

    void begin();
    /// From any thread, as the following.
    void send(const std::string& message);
    /// The last message: what is to be sent is sent before, and nothing that comes is looked at any more.
    void send_away(const std::string& message);
    /// Ends it where the other side is lost, and says that this one is not.
    void look(Clock::time_point now);

private:
    void greet();
    void check_answer(const boost::system::error_code& error);
    void read();
    void take(const boost::system::error_code& error, std::size_t size);
    void handle(const transport::network::Frame& message);
    void write();
    void look_whether_lost(Clock::time_point now);
    void end(const std::string& why, bool refused);

    Listener& listener_;
    const Settings& settings_;
    boost::asio::strand<boost::asio::io_context::executor_type> strand_;  // all but sending happens in it
    boost::asio::ip::tcp::socket socket_;
    transport::network::FrameReader reader_ = message_reader(transport::network::most_bytes_at_first);
    transport::network::Nonce ours_{};
    std::array<std::uint8_t, transport::network::answer_bytes> answer_{};
    std::array<char, std::size_t{64} << 10U> in_{};
    const Clock::time_point since_ = Clock::now();
    Clock::time_point heard_ = since_;
    Clock::time_point told_ = since_;
    bool said_hello_ = false;
    bool is_ready_ = false;
    bool farewell_ = false;  ///< the other side has said so
    bool ended_ = false;
    std::atomic<bool> sent_away_ = false;
    std::string writing_;
    std::mutex out_mutex_;  // for what follows
    std::string out_;
    bool will_write_ = false;
};

}  // namespace dampi::scheduler::workers
