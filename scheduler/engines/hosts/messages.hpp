// What dampi-run and the dampi-node of another host say to each other about the ranks of that host: plain values, which
// travel as frames. docs/architecture/hosts.md has the course of a conversation. Nothing that comes is believed before
// it was checked: the reader of a value (transport/requests/fields.hpp) never leaves its bytes, and who takes a value
// in checks ranks, places and sizes.
#pragma once

#include "base/check.hpp"
#include "base/types.hpp"
#include "transport/network/frames.hpp"
#include "transport/requests/fields.hpp"
#include "transport/requests/protocol.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dampi::scheduler::hosts {

enum class Kind : std::uint8_t {
    hello = 1,
    order,
    ready,
    refusal,
    begin,
    begun,
    failed,
    calls,
    ended,
    answer,
    read,
    release,
    grant,
    kill,
    capture,
    captured,
    ask_sleeping,
    sleeping,
    finish,
    over,
};
inline constexpr Kind last_kind = Kind::over;

// ---- before the first run ------------------------------------------------------------------------------------------

/// A node says who it is, on each of its connections.
struct Hello {
    static constexpr Kind kind = Kind::hello;
    std::string build;         ///< of dampi; all that follows is understood by the same build only
    std::string host;          ///< as it calls itself
    std::uint32_t number = 0;  ///< of the host, among those of the run
    std::uint32_t lane = 0;    ///< of its connections; the first one is told the order
    void fields(auto& each) { each(build), each(host), each(number), each(lane); }
};

struct Order {
    static constexpr Kind kind = Kind::order;
    std::string sweep;     ///< worker_order()
    base::Rank first = 0;  ///< of the ranks there
    std::uint32_t ranks = 0;
    std::uint32_t lanes = 1;  ///< connections, on each of which one run goes on at a time
    void fields(auto& each) { each(sweep), each(first), each(ranks), each(lanes); }
};

/// The node has settled the same request and found the same.
struct Ready {
    static constexpr Kind kind = Kind::ready;
    void fields(auto& /*each*/) {}
};

struct Refusal {
    static constexpr Kind kind = Kind::refusal;
    std::string why;
    void fields(auto& each) { each(why); }
};

// ---- a run ---------------------------------------------------------------------------------------------------------

struct Begin {
    static constexpr Kind kind = Kind::begin;
    std::string interleaving;          ///< replay::to_bytes
    std::uint64_t buffered_below = 0;  ///< ExchangeHeader::buffered_below
    void fields(auto& each) { each(interleaving), each(buffered_below); }
};

struct Begun {
    static constexpr Kind kind = Kind::begun;
    std::int64_t clock = 0;  ///< nanoseconds of the node's CLOCK_MONOTONIC, now
    std::vector<std::string> launching;
    void fields(auto& each) { each(clock), each(launching); }
};

/// The ranks there cannot be started, or not be seen to their end.
struct Failed {
    static constexpr Kind kind = Kind::failed;
    std::string why;
    void fields(auto& each) { each(why); }
};

/// 64 bytes of what a rank shows of itself (the header of its part in the area).
struct Line {
    std::uint32_t number = 0;
    std::array<std::uint8_t, 64> bytes{};
    void fields(auto& each) { each(number), each(bytes); }
};

/// A block of data that a rank has handed over for others.
struct Block {
    transport::requests::Place place = 0;
    std::uint32_t readers = 0;
    std::string data;
    void fields(auto& each) { each(place), each(readers), each(data); }
};

/// What a rank has handed over since the last time.
struct RankNews {
    base::Rank rank = 0;
    std::uint32_t sound = 1;    ///< 0: it makes no sense any more
    std::uint64_t written = 0;  ///< bytes of calls, in all
    std::string calls;          ///< the last of them, as they stand in its ring
    std::vector<Line> lines;    ///< that have changed
    std::vector<Block> blocks;
    void fields(auto& each) { each(rank), each(sound), each(written), each(calls), each(lines), each(blocks); }
};

struct Calls {
    static constexpr Kind kind = Kind::calls;
    std::vector<RankNews> ranks;
    void fields(auto& each) { each(ranks); }
};

struct Ended {
    static constexpr Kind kind = Kind::ended;
    base::Rank rank = 0;
    std::uint32_t how = 0;  ///< launch::RankEnd::How
    std::int32_t code = 0;
    void fields(auto& each) { each(rank), each(how), each(code); }
};

/// The answer to the call that a rank waits in.
struct AnswerTo {
    static constexpr Kind kind = Kind::answer;
    base::Rank rank = 0;
    transport::requests::Answer answer;
    /// The data that comes along, in the order of the places in the answer that are `brought`.
    std::vector<std::string> data;
    void fields(auto& each) {
        each(rank);
        answer.fields(each);
        each(data);
    }
};
/// In place of a place: the data comes along.
inline constexpr transport::requests::Place brought = ~transport::requests::Place{0};

/// A rank's calls are read up to there.
struct ReadUpTo {
    static constexpr Kind kind = Kind::read;
    base::Rank rank = 0;
    std::uint64_t position = 0;
    void fields(auto& each) { each(rank), each(position); }
};

/// Readers on other hosts have what they need of a block.
struct Release {
    static constexpr Kind kind = Kind::release;
    transport::requests::Place place = 0;
    void fields(auto& each) { each(place); }
};

/// Board::granted
struct Grant {
    static constexpr Kind kind = Kind::grant;
    base::Rank rank = 0;
    std::uint64_t until = 0;
    void fields(auto& each) { each(rank), each(until); }
};

struct Kill {
    static constexpr Kind kind = Kind::kill;
    base::Rank rank = 0;
    void fields(auto& each) { each(rank); }
};

/// What the ranks are doing is to be written down; they do not go on.
struct Capture {
    static constexpr Kind kind = Kind::capture;
    void fields(auto& /*each*/) {}
};

struct Captured {
    static constexpr Kind kind = Kind::captured;
    std::string stacks;  ///< replay::to_bytes of those of the ranks there, by rank
    void fields(auto& each) { each(stacks); }
};

/// launch::threads_sleeping
struct AskSleeping {
    static constexpr Kind kind = Kind::ask_sleeping;
    std::vector<std::int32_t> threads;
    void fields(auto& each) { each(threads); }
};

struct Sleeping {
    static constexpr Kind kind = Kind::sleeping;
    std::uint32_t known = 0;
    std::uint64_t number = 0;
    void fields(auto& each) { each(known), each(number); }
};

/// The run is over: what is left of it is to be ended and told.
struct Finish {
    static constexpr Kind kind = Kind::finish;
    void fields(auto& /*each*/) {}
};

/// What a rank has left.
struct Remains {
    base::Rank rank = 0;
    std::uint32_t may_have_begun = 0;  ///< launch::Job::may_have_begun()
    std::vector<Line> lines;
    std::string log;
    std::string errors;  ///< launch::Job::errors_of()
    void fields(auto& each) { each(rank), each(may_have_begun), each(lines), each(log), each(errors); }
};

struct Over {
    static constexpr Kind kind = Kind::over;
    std::vector<Remains> ranks;
    std::string printed;
    std::string printed_errors;
    std::string output_failure;
    void fields(auto& each) { each(ranks), each(printed), each(printed_errors), each(output_failure); }
};

/// As it is sent. Throws dampi::Error where it would be too large.
template <typename Message>
[[nodiscard]] std::string encode(Message message) {
    transport::requests::FieldSize size;
    message.fields(size);
    std::string frame = transport::network::begin_frame(static_cast<std::uint8_t>(Message::kind));
    const std::size_t begin = frame.size();
    frame.resize(begin + size.bytes());
    transport::requests::FieldWriter writer(reinterpret_cast<std::uint8_t*>(frame.data()) + begin);
    message.fields(writer);
    auto whole = transport::network::end_frame(std::move(frame));
    if (!whole) {
        throw Error("what ranks say is larger than a message between hosts can be: make the program's problem smaller");
    }
    return std::move(*whole);
}

/// The inverse. Throws dampi::Error unless it is one.
template <typename Message>
[[nodiscard]] Message decode(std::string_view bytes) {
    Message message;
    transport::requests::FieldReader reader(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    message.fields(reader);
    if (!reader.sound()) {
        throw Error("what has come over the network is no message between hosts of a run");
    }
    return message;
}

}  // namespace dampi::scheduler::hosts
