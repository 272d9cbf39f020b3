#include "scheduler/engines/hosts/node.hpp"

#include "base/check.hpp"
#include "launch/observe/sleeping_threads.hpp"
#include "replay/serialization.hpp"
#include "scheduler/engines/hosts/board_lines.hpp"
#include "scheduler/engines/hosts/brought_data.hpp"
#include "scheduler/engines/hosts/messages.hpp"
#include "scheduler/engines/printed.hpp"
#include "scheduler/judgement/situation_capture.hpp"
#include "transport/memory/memory_view.hpp"
#include "transport/requests/payload.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace dampi::scheduler::hosts {
namespace {

using namespace std::chrono_literals;
using namespace transport::requests;
using launch::RankEnd;
using transport::network::Link;
using Clock = std::chrono::steady_clock;

constexpr auto turn = 1s;  // of waits that end when something comes
/// Bytes of calls and their data in one message, unless one call has more.
constexpr std::uint64_t most_at_once = std::uint64_t{64} << 20U;
/// What ranks show that hand nothing over: dampi-run looks at it when it wonders whether they get on.
constexpr auto look_interval = 250ms;
/// Bytes that are kept of what the ranks print, on either stream.
constexpr std::size_t most_printed = std::size_t{16} << 20U;

/// dampi-run is gone, or is none.
class Gone : public Error {
public:
    using Error::Error;
};

[[noreturn]] void fail_to_understand() { throw Gone("what has come over the network is no message for a node"); }

/// What is kept from one run for the next, as RunSlot does.
struct Slot {
    transport::memory::MemoryFile area;
    transport::memory::MemoryFile exchange;
    pid_t crew = 0;
};

/// The ranks of this host in one run.
class Run {
public:
    Run(Link& link, RunSetup& setup, const NodePart& part, const Begin& begin, Slot& slot)
        : link_(link),
          setup_(setup),
          part_(part),
          slot_(slot),
          interleaving_(replay::from_bytes<replay::Interleaving>(begin.interleaving)),
          area_(setup.make_area(interleaving_, std::move(slot.area))),
          view_(area_),
          exchange_(Exchange::create(area_.processes(), std::move(slot.exchange), Exchange::Reach::with_carrier)),
          brought_(exchange_),
          board_(area_),
          answerers_(readers()),
          heard_(readers()),
          shipped_(area_.processes(), 0) {
        ExchangeHeader& header = exchange_.header();
        header.buffered_below = begin.buffered_below;
        header.host = part.host;
        for (base::Rank rank = 0; rank < static_cast<base::Rank>(area_.processes()); ++rank) {
            if (!is_here(rank)) {
                exchange_.channel(rank).waiting.store(1, std::memory_order_relaxed);  // what is for it may help it
            }
        }
    }

    /// Until dampi-run says that the run is over.
    void serve() {
        start();
        courier_ = std::jthread([this](const std::stop_token& over) { carry(over); });
        const std::stop_callback wake_courier(courier_.get_stop_token(), [this] { exchange_.ring_doorbell(); });
        while (!finished_) {
            if (job_ && job_->running() > 0) {
                job_->serve(turn);
                tell_ends();
            } else {
                listen(turn);
            }
            while (!finished_ && listen(0ns)) {}
        }
        courier_.request_stop();
        courier_.join();
        conclude();
    }

private:
    [[nodiscard]] bool is_here(base::Rank rank) const {
        return rank >= part_.first && rank < part_.first + part_.ranks;
    }
    [[nodiscard]] std::vector<CallReader> readers() const {
        std::vector<CallReader> all;
        for (std::uint32_t rank = 0; rank < exchange_.processes(); ++rank) {
            all.emplace_back(exchange_, static_cast<base::Rank>(rank));
        }
        return all;
    }
    void require_here(base::Rank rank) const {
        if (!is_here(rank)) {
            fail_to_understand();
        }
    }

    void start() {
        Begun begun;
        try {
            spec_ = setup_.job(interleaving_, area_, nullptr, {});
            spec_.run_environment.emplace_back(environment_variable, exchange_.file().attach_path());
            spec_.some = {.first = part_.first, .count = part_.ranks};
            spec_.also_watched = link_.descriptor();
            spec_.crew = std::exchange(slot_.crew, 0);
            job_.emplace(spec_);
            begun.launching = setup_.launching();
        } catch (const Gone&) {
            throw;
        } catch (const Error& error) {
            send(Failed{error.what()});
        }
        begun.clock = std::chrono::nanoseconds(Clock::now().time_since_epoch()).count();
        send(std::move(begun));
    }

    template <typename Message>
    void send(Message message) {
        link_.send(encode(std::move(message)));  // that the other side is gone is seen by who listens
    }

    // ---- what goes to dampi-run ------------------------------------------------------------------------------------

    /// Hands on what ranks hand over, as soon as somebody may wait for it.
    void carry(const std::stop_token& over) {
        try {
            Clock::time_point looked = Clock::now();
            while (!over.stop_requested()) {
                await_doorbell(exchange_, short_wait_, look_interval, [this] { return hand_on(false); });
                if (const Clock::time_point now = Clock::now(); now - looked >= look_interval) {
                    looked = now;
                    hand_on(true);
                }
            }
        } catch (const std::exception& error) {
            send(Failed{error.what()});
        }
    }

    /// `also_boards`: also of ranks that hand nothing over. Whether any rank has.
    bool hand_on(bool also_boards) {
        const std::lock_guard lock(handing_on_);
        Calls calls;
        std::uint64_t size = 0;
        bool any = false;
        for (base::Rank rank = part_.first; rank < part_.first + part_.ranks; ++rank) {
            while (std::optional<RankNews> news = look_at(rank, also_boards)) {
                any = any || !news->calls.empty();
                size += news->calls.size();
                for (const Block& block : news->blocks) {
                    size += block.data.size();
                }
                calls.ranks.push_back(std::move(*news));
                if (size >= most_at_once) {
                    send(std::exchange(calls, {}));
                    size = 0;
                }
            }
        }
        if (!calls.ranks.empty()) {
            send(std::move(calls));
        }
        return any;
    }

    std::optional<RankNews> look_at(base::Rank rank, bool also_boards) {
        std::uint64_t& shipped = shipped_[static_cast<std::size_t>(rank)];
        CallReader& reader = heard_[static_cast<std::size_t>(rank)];
        const std::uint64_t written = exchange_.channel(rank).written.load(std::memory_order_acquire);
        if (!reader.sound() || (written == shipped && !also_boards)) {
            return std::nullopt;
        }
        RankNews news;
        news.rank = rank;
        // First: so that what is seen of the rank is not older than its calls.
        std::uint64_t data = 0;
        while (data < most_at_once && reader.position() < written && reader.next()) {
            data += look_for_data(reader, rank, news.blocks);
        }
        news.sound = reader.sound() ? 1 : 0;
        news.written = reader.position();
        news.lines = board_.changes(rank);
        const std::uint64_t size = news.written - shipped;
        news.calls.resize(size);
        const std::uint8_t* const ring = exchange_.ring(rank);
        const std::uint64_t at = shipped % ring_capacity;
        const std::uint64_t up_to_end = std::min(size, ring_capacity - at);
        std::memcpy(news.calls.data(), ring + at, up_to_end);
        std::memcpy(news.calls.data() + up_to_end, ring, size - up_to_end);
        shipped = news.written;
        if (size == 0 && news.lines.empty() && news.sound != 0) {
            return std::nullopt;
        }
        return news;
    }

    /// Bytes of it.
    std::uint64_t look_for_data(CallReader& reader, base::Rank rank, std::vector<Block>& blocks) const {
        Place place = 0;
        std::uint64_t bytes = 0;
        if (reader.type() == SendCall::type) {
            SendCall call;
            reader.read(call);
            place = call.payload;
            bytes = call.bytes;
        } else if (reader.type() == CollectiveCall::type) {
            CollectiveCall call;
            reader.read(call);
            place = call.payload;
            bytes = call.bytes;
        }
        if (place == 0 || !reader.sound()) {
            return 0;
        }
        if (!exchange_.has_block(place, bytes) || exchange_.owner(place) != rank) {
            reader.distrust();
            return 0;
        }
        const auto& head = *reinterpret_cast<const BlockHead*>(exchange_.at(place));
        blocks.push_back({.place = place,
                          .readers = head.readers.load(std::memory_order_relaxed),
                          .data = {reinterpret_cast<const char*>(payload_data(exchange_, place)), bytes}});
        return bytes;
    }

    void tell_ends() {
        told_ends_.resize(area_.processes(), false);
        for (base::Rank rank = part_.first; job_ && rank < part_.first + part_.ranks; ++rank) {
            const RankEnd end = job_->end_of(rank);
            if (told_ends_[static_cast<std::size_t>(rank)] || end.how == RankEnd::How::running) {
                continue;
            }
            told_ends_[static_cast<std::size_t>(rank)] = true;
            hand_on(true);  // what it has said comes before its end
            send(Ended{.rank = rank, .how = static_cast<std::uint32_t>(end.how), .code = end.code});
        }
    }

    // ---- what comes ------------------------------------------------------------------------------------------------

    /// Whether something has come.
    bool listen(std::chrono::nanoseconds patience) {
        switch (link_.receive(patience)) {
            case Link::Heard::gone:
                throw Gone("dampi-run is gone");
            case Link::Heard::nothing:
                return false;
            case Link::Heard::message:
                take(link_.message());
        }
        return true;
    }

    void take(const transport::network::Frame& frame) {
        switch (static_cast<Kind>(frame.kind)) {
            case Kind::answer:
                return answer(decode<AnswerTo>(frame.bytes));
            case Kind::read: {
                const auto read = decode<ReadUpTo>(frame.bytes);
                require_here(read.rank);
                return give_room(exchange_, read.rank, read.position);
            }
            case Kind::release: {
                const auto release = decode<Release>(frame.bytes);
                if (!exchange_.has_block(release.place, 0)) {
                    fail_to_understand();
                }
                require_here(exchange_.owner(release.place));
                return release_payload(exchange_, release.place);
            }
            case Kind::grant: {
                const auto grant = decode<Grant>(frame.bytes);
                require_here(grant.rank);
                return view_.let_pass(grant.rank, grant.until);
            }
            case Kind::kill: {
                const auto kill = decode<Kill>(frame.bytes);
                require_here(kill.rank);
                if (job_) {
                    job_->kill_rank(kill.rank);
                }
                return;
            }
            case Kind::capture:
                return capture();
            case Kind::ask_sleeping: {
                const auto asked = decode<AskSleeping>(frame.bytes);
                const auto number = launch::threads_sleeping({asked.threads.begin(), asked.threads.end()});
                return send(Sleeping{.known = number ? 1U : 0U, .number = number.value_or(0)});
            }
            case Kind::finish:
                (void)decode<Finish>(frame.bytes);
                finished_ = true;
                return;
            default:
                fail_to_understand();
        }
    }

    void answer(AnswerTo message) {
        require_here(message.rank);
        std::size_t next = 0;
        const auto put = [&](Place& place) {
            if (place == brought) {
                if (next == message.data.size()) {
                    fail_to_understand();
                }
                place = brought_.put(message.data[next++]);
            }
        };
        for (Completion& completion : message.answer.completions) {
            put(completion.payload);
            for (Part& part : completion.parts) {
                put(part.payload);
            }
        }
        answerers_[static_cast<std::size_t>(message.rank)].answer(std::move(message.answer));
    }

    void capture() {
        std::vector<std::vector<replay::CodePlace>> stacks(area_.processes());
        if (job_) {
            stacks = capture_situations(*job_, view_);
            tell_ends();
        }
        hand_on(true);
        send(Captured{replay::to_bytes(stacks)});
    }

    void conclude() {
        Over over;
        if (job_) {
            for (base::Rank rank = part_.first; rank < part_.first + part_.ranks; ++rank) {
                over.ranks.push_back({.rank = rank, .may_have_begun = job_->may_have_begun(rank) ? 1U : 0U});
            }
            job_->kill_all();
            over.output_failure = job_->output_failure();
            for (Remains& each : over.ranks) {
                each.lines = board_.changes(each.rank);
                const transport::LogContent log = area_.log_content(each.rank);
                each.log.assign(reinterpret_cast<const char*>(log.bytes.data()), log.bytes.size());
                each.errors = job_->errors_of(each.rank);
            }
            over.printed = take_printed(spec_.stdout_file, most_printed, "dampi-node");
            over.printed_errors = take_printed(spec_.stderr_file, most_printed, "dampi-node");
            slot_.crew = job_->crew();
        }
        // Ranks that have not come back may still write into it.
        if (slot_.crew != 0 && area_.file().clear() && exchange_.file().clear()) {
            slot_.area = std::move(area_.file());
            slot_.exchange = std::move(exchange_.file());
        }
        send(std::move(over));
    }

    Link& link_;
    RunSetup& setup_;
    const NodePart& part_;
    Slot& slot_;
    const replay::Interleaving interleaving_;
    transport::memory::Area area_;
    transport::memory::MemoryView view_;
    Exchange exchange_;
    ShortWait short_wait_;
    BroughtData brought_;
    launch::JobSpec spec_;
    std::optional<launch::Job> job_;  ///< none: it could not be started
    std::vector<bool> told_ends_;
    bool finished_ = false;
    std::mutex handing_on_;  // for the following
    BoardLines board_;
    std::vector<CallReader> answerers_;  ///< by rank; not under the mutex
    std::vector<CallReader> heard_;      ///< by rank: what has been handed on
    std::vector<std::uint64_t> shipped_;
    std::jthread courier_;  // last: it ends first
};

}  // namespace

void serve_lane(Link& link, RunSetup& setup, const NodePart& part) {
    Slot slot;
    try {
        for (;;) {
            const auto heard = link.receive(turn);
            if (heard == Link::Heard::gone) {
                return;
            }
            if (heard == Link::Heard::nothing) {
                continue;
            }
            if (static_cast<Kind>(link.message().kind) != Kind::begin) {
                fail_to_understand();
            }
            const auto begin = decode<Begin>(link.message().bytes);
            Run(link, setup, part, begin, slot).serve();
        }
    } catch (const Gone&) {}
}

}  // namespace dampi::scheduler::hosts
