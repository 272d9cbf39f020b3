#include "scheduler/engines/hosts/run_over_hosts.hpp"

#include "base/check.hpp"
#include "base/poll_for.hpp"
#include "base/system_error.hpp"
#include "base/unique_fd.hpp"
#include "launch/observe/sleeping_threads.hpp"
#include "replay/serialization.hpp"
#include "scheduler/engines/hosts/board_lines.hpp"
#include "scheduler/engines/hosts/brought_data.hpp"
#include "scheduler/engines/hosts/messages.hpp"
#include "scheduler/judgement/situation_capture.hpp"
#include "scheduler/outside_end.hpp"
#include "transport/requests/payload.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace dampi::scheduler::hosts {
namespace {

using namespace std::chrono_literals;
using namespace transport::requests;
using launch::RankEnd;
using transport::network::Link;

/// A rank hears that its calls are read when so much has been.
constexpr std::uint64_t told_in_parts_of = ring_capacity / 8;
/// Numbers of processes and threads have fewer bits; above them stands the host, from 1, or 0 for this one.
constexpr int bits_of_thread = 22;
constexpr auto patience_with_answers = 10s;
constexpr auto patience_with_ends = 60s;  // what ranks have left may be much
constexpr auto patience_when_stopped = 2s;
constexpr auto while_hosts_end = 1s;
constexpr auto look_interval = 50ms;
constexpr auto turn = 1s;

}  // namespace

class RunOverHosts::Inside {
public:
    Inside(Hosts& hosts, Hosts::Lanes lanes, const launch::JobSpec& spec, const replay::Interleaving& interleaving,
           Exchange& exchange, const transport::memory::Area& area, ViewOfHosts& view)
        : hosts_(hosts),
          exchange_(exchange),
          area_(area),
          view_(view),
          stop_(spec.stop),
          stdout_file_(spec.stdout_file),
          stderr_file_(spec.stderr_file),
          news_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
          ranks_(static_cast<std::size_t>(spec.processes)),
          brought_(exchange),
          by_host_(hosts.layout().size(), nullptr) {
        if (!news_) {
            base::fail("the run cannot be watched", errno);
        }
        for (Hosts::Lane& lane : lanes) {
            auto& started = lanes_.emplace_back(std::make_unique<Lane>());
            started->lane = std::move(lane);
            by_host_[started->lane.host] = started.get();
        }
        for (base::Rank rank = 0; rank < spec.processes; ++rank) {
            if (lane_of(rank) != nullptr) {
                exchange.channel(rank).waiting.store(1, std::memory_order_relaxed);  // what is for it may help it
                ++running_;
            }
        }
        const Begin begin{.interleaving = replay::to_bytes(interleaving),
                          .buffered_below = exchange.header().buffered_below};
        const std::string frame = encode(begin);
        for (auto& lane : lanes_) {
            lane->lane.link->send(frame);
            lane->thread = std::jthread([this, &lane = *lane] { listen(lane); });
        }
        if (std::none_of(hosts.layout().begin(), hosts.layout().end(), [](const auto& each) { return each.here; })) {
            std::error_code ignored;  // as a Job does with what an earlier run has left
            std::filesystem::remove(stdout_file_, ignored);
            std::filesystem::remove(stderr_file_, ignored);
        }
        try {
            start_own(spec);
        } catch (...) {
            end();
            throw;
        }
    }

    ~Inside() {
        end();
        view_.run_ = nullptr;
        exchange_.carry_by(nullptr);
    }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

    void serve(std::chrono::microseconds patience) {
        if (own_ && own_->running() > 0) {
            own_->serve(patience);
        } else if (patience > 0us && !has_news_) {
            std::vector<pollfd> watched{{news_.get(), POLLIN, 0}};
            base::poll_for(watched, patience);
        }
        if (has_news_.exchange(false)) {
            std::uint64_t count = 0;
            (void)!::read(news_.get(), &count, sizeof count);
            const std::lock_guard lock(mutex_);
            running_ = 0;
            for (std::size_t i = 0; i < ranks_.size(); ++i) {
                ranks_[i].end = ranks_[i].told_end;
                if (lane_of(static_cast<base::Rank>(i)) != nullptr && ranks_[i].end.how == RankEnd::How::running) {
                    ++running_;
                }
            }
            if (!lost_.empty()) {
                throw HostLost(lost_);
            }
            if (!failed_.empty()) {
                throw Error(failed_);
            }
        }
    }

    void kill_rank(base::Rank rank) {
        if (Lane* const lane = lane_of(rank)) {
            ranks_[static_cast<std::size_t>(rank)].killed = true;
            lane->lane.link->send(encode(Kill{.rank = rank}));
        } else {
            own_->kill_rank(rank);
        }
    }

    void end() {
        if (std::exchange(ended_, true)) {
            return;
        }
        if (own_) {
            for (base::Rank rank = 0; rank < size(); ++rank) {
                if (lane_of(rank) == nullptr) {
                    ranks_[static_cast<std::size_t>(rank)].end = own_->end_of(rank);
                }
            }
        }
        wait_whether_hosts_end();
        const std::string frame = encode(Finish{});
        for (auto& lane : lanes_) {
            lane->lane.link->send(frame);
        }
        if (own_) {
            own_->kill_all();
        }
        Hosts::Lanes whole;
        await_ends();
        for (auto& lane : lanes_) {
            lane->thread.join();
            if (lane->over) {
                whole.push_back(std::move(lane->lane));
            } else {
                hosts_.lose(lane->lane, lane->why_gone);
            }
        }
        for (auto& lane : lanes_) {
            if (lane->over) {
                append(stdout_file_, lane->over->printed);
                append(stderr_file_, lane->over->printed_errors);
            }
        }
        hosts_.put_back(std::move(whole));
    }

    [[nodiscard]] int size() const { return static_cast<int>(ranks_.size()); }
    [[nodiscard]] int running() const { return running_ + (own_ && !ended_ ? own_->running() : 0); }
    [[nodiscard]] bool is_here(base::Rank rank) const { return lane_of(rank) == nullptr; }
    [[nodiscard]] launch::Job* own() const { return own_.get(); }
    [[nodiscard]] RankEnd end_of(base::Rank rank) const {
        return is_here(rank) && !ended_ ? own_->end_of(rank) : ranks_[static_cast<std::size_t>(rank)].end;
    }
    [[nodiscard]] const Remains* remains_of(base::Rank rank) const {
        const Lane* const lane = lane_of(rank);
        if (lane == nullptr || !lane->over) {
            return nullptr;
        }
        for (const Remains& each : lane->over->ranks) {
            if (each.rank == rank) {
                return &each;
            }
        }
        return nullptr;
    }
    [[nodiscard]] std::string output_failure() const {
        const std::string own = own_ ? own_->output_failure() : "";
        return own.empty() ? output_failure_ : own;
    }
    [[nodiscard]] std::string lost() const {
        const std::lock_guard lock(mutex_);
        return lost_;
    }

    // ---- what goes to ranks ----------------------------------------------------------------------------------------

    bool carry(base::Rank rank, Answer& answer) {
        Lane* const lane = lane_of(rank);
        AnswerTo message{.rank = rank, .answer = {}, .data = {}};
        for (Completion& completion : answer.completions) {
            const bool last = completion.told_again == 0;
            bring(lane, rank, completion.payload, completion.bytes, last, message.data);
            for (Part& part : completion.parts) {
                bring(lane, rank, part.payload, part.bytes, last, message.data);
            }
        }
        if (lane == nullptr) {
            return false;
        }
        message.answer = std::move(answer);
        lane->lane.link->send(encode(std::move(message)));
        return true;
    }

    bool tell_read(base::Rank rank, std::uint64_t read) {
        Lane* const lane = lane_of(rank);
        if (lane == nullptr) {
            return false;
        }
        ranks_[static_cast<std::size_t>(rank)].read.store(read, std::memory_order_release);
        std::uint64_t& told = ranks_[static_cast<std::size_t>(rank)].told_read;
        if (read - told >= told_in_parts_of) {
            told = read;
            lane->lane.link->send(encode(ReadUpTo{.rank = rank, .position = read}));
        }
        return true;
    }

    [[nodiscard]] bool makes_sense(base::Rank rank) const {
        return ranks_[static_cast<std::size_t>(rank)].sound.load(std::memory_order_acquire);
    }

    void let_pass(base::Rank rank, transport::VirtualTime until) {
        if (Lane* const lane = lane_of(rank)) {
            lane->lane.link->send(encode(Grant{.rank = rank, .until = until}));
        }
    }

    [[nodiscard]] std::chrono::nanoseconds behind(base::Rank rank) const {
        const Lane* const lane = lane_of(rank);
        return std::chrono::nanoseconds(lane == nullptr ? 0 : lane->behind.load());
    }

    // ---- what is asked about ranks ---------------------------------------------------------------------------------

    std::vector<std::vector<replay::CodePlace>> capture() {
        const std::string frame = encode(Capture{});
        for (auto& lane : lanes_) {
            lane->lane.link->send(frame);
        }
        std::vector<std::vector<replay::CodePlace>> stacks(ranks_.size());
        if (own_) {
            stacks = capture_situations(*own_, view_);
        }
        std::unique_lock lock(mutex_);
        answered_.wait_for(lock, patience_with_answers, [&] {
            return std::all_of(lanes_.begin(), lanes_.end(),
                               [](const auto& lane) { return lane->captured || lane->gone; });
        });
        for (const auto& lane : lanes_) {
            for (base::Rank rank = 0; lane->captured && rank < size(); ++rank) {
                if (lane_of(rank) == lane.get()) {
                    stacks[static_cast<std::size_t>(rank)] = (*lane->captured)[static_cast<std::size_t>(rank)];
                }
            }
        }
        return stacks;
    }

    std::optional<std::uint64_t> threads_sleeping(std::vector<pid_t> threads) {
        const pid_t host = threads.empty() ? 0 : threads.front() >> bits_of_thread;
        for (pid_t& each : threads) {
            if (each >> bits_of_thread != host) {
                return std::nullopt;
            }
            each &= (pid_t{1} << bits_of_thread) - 1;
        }
        if (host < 0 || static_cast<std::size_t>(host) > by_host_.size()) {
            return std::nullopt;
        }
        Lane* const lane = host == 0 ? nullptr : by_host_[static_cast<std::size_t>(host) - 1];
        if (lane == nullptr) {
            return launch::threads_sleeping(threads);
        }
        {
            const std::lock_guard lock(mutex_);
            lane->sleeping.reset();
        }
        lane->lane.link->send(encode(AskSleeping{.threads = std::move(threads)}));
        std::unique_lock lock(mutex_);
        answered_.wait_for(lock, patience_with_answers, [&] { return lane->sleeping || lane->gone; });
        return lane->sleeping && lane->sleeping->known != 0 ? std::optional(lane->sleeping->number) : std::nullopt;
    }

private:
    struct Lane {
        Hosts::Lane lane;
        std::jthread thread;
        std::atomic<std::int64_t> behind = 0;
        // Under mutex_, until the thread has ended:
        bool gone = false;
        std::string why_gone = "it has not ended its run in time";
        std::optional<std::vector<std::vector<replay::CodePlace>>> captured;
        std::optional<Sleeping> sleeping;
        std::optional<Over> over;
    };
    struct RankHere {
        RankEnd end;
        RankEnd told_end;     ///< by its node; under mutex_
        bool killed = false;  ///< by us
        std::uint64_t told_read = 0;
        // Not what stands in the exchange, which the ranks of this host can overwrite.
        std::uint64_t written = 0;  ///< of its calls; of the thread that listens
        std::atomic<std::uint64_t> read = 0;
        std::atomic<bool> sound = true;
    };
    struct Kept {
        std::uint32_t readers = 0;
        std::string data;
    };

    [[nodiscard]] Lane* lane_of(base::Rank rank) const { return by_host_[hosts_.host_of(rank)]; }

    void start_own(const launch::JobSpec& given) {
        for (std::size_t i = 0; i < hosts_.layout().size(); ++i) {
            const HostRanks& ranks = hosts_.layout()[i];
            if (!ranks.here || ranks.count == 0) {
                continue;
            }
            launch::JobSpec spec = given;
            spec.some = {.first = ranks.first, .count = ranks.count};
            spec.also_watched = news_.get();
            own_ = std::make_unique<launch::Job>(std::move(spec));
        }
    }

    /// What an answer speaks of has to be where its rank is. `lane`: null for a rank of this host.
    void bring(Lane* lane, base::Rank rank, Place& place, std::uint64_t bytes, bool last,
               std::vector<std::string>& data) {
        if (place == 0) {
            return;
        }
        if (!exchange_.has_block(place, bytes)) {
            distrust(rank);  // the program has overwritten what it was handed: nothing is there for it
            place = 0;
            return;
        }
        const base::Rank owner = exchange_.owner(place);
        Lane* const source = lane_of(owner);
        if (source == nullptr && lane == nullptr) {
            return;  // it is here
        }
        std::optional<std::string> copy =
            source == nullptr ? std::string(reinterpret_cast<const char*>(payload_data(exchange_, place)), bytes)
                              : take_kept(place, source != lane, last);
        if (!copy) {
            distrust(owner);
            place = 0;
            return;
        }
        if (source == lane) {
            return;  // it is there
        }
        copy->resize(bytes);
        if (last) {
            release(source, place);
        }
        if (lane == nullptr) {
            place = brought_.put(*copy);
        } else {
            place = brought;
            data.push_back(std::move(*copy));
        }
    }

    /// What is kept of a block for one of its readers, empty unless it is `wanted`; with `last` for the last time.
    /// Nothing: no such block has come.
    std::optional<std::string> take_kept(Place place, bool wanted, bool last) {
        const std::lock_guard lock(mutex_);
        const auto kept = kept_.find(place);
        if (kept == kept_.end()) {
            return std::nullopt;
        }
        const bool over = last && --kept->second.readers == 0;
        std::string data;
        if (wanted && over) {
            data = std::move(kept->second.data);
        } else if (wanted) {
            data = kept->second.data;
        }
        if (over) {
            kept_.erase(kept);
        }
        return data;
    }

    /// Whoever ends all processes of a host ends its ranks and its node alike, and that is nothing of the program's. So
    /// what may come of it counts only if the node is there a while later.
    void wait_whether_hosts_end() {
        std::unique_lock lock(mutex_);
        const bool may_be = std::any_of(ranks_.begin(), ranks_.end(), [](const RankHere& rank) {
            return !rank.killed && rank.told_end.how == RankEnd::How::signalled &&
                   may_come_from_outside(rank.told_end.code);
        });
        if (may_be && !stop_.stop_requested()) {
            answered_.wait_for(lock, while_hosts_end, [&] { return !lost_.empty(); });
        }
    }

    /// Of who says nothing any more, nothing is awaited for ever.
    void await_ends() {
        const auto begin = std::chrono::steady_clock::now();
        const auto all_over = [&] {
            return std::all_of(lanes_.begin(), lanes_.end(), [](const auto& lane) { return lane->over || lane->gone; });
        };
        std::unique_lock lock(mutex_);
        while (!answered_.wait_for(lock, look_interval, all_over)) {
            const auto passed = std::chrono::steady_clock::now() - begin;
            if (passed > patience_with_ends || (stop_.stop_requested() && passed > patience_when_stopped)) {
                break;
            }
        }
        for (auto& lane : lanes_) {
            if (!lane->over) {
                lane->lane.link->hang_up();
            }
        }
    }

    void release(Lane* source, Place place) {
        if (source == nullptr) {
            release_payload(exchange_, place);
        } else {
            source->lane.link->send(encode(Release{.place = place}));
        }
    }

    void distrust(base::Rank rank) { ranks_[static_cast<std::size_t>(rank)].sound.store(false); }

    void append(const std::filesystem::path& file, const std::string& text) {
        if (text.empty() || file.empty()) {
            return;
        }
        std::ofstream out(file, std::ios::binary | std::ios::app);
        if ((!(out << text) || !out.flush()) && output_failure_.empty()) {
            output_failure_ = "what the program prints cannot be written to " + file.string();
        }
    }

    // ---- what comes ------------------------------------------------------------------------------------------------

    void listen(Lane& lane) {
        std::string why = "its connection has ended";
        try {
            for (;;) {
                const auto heard = lane.lane.link->receive(turn);
                if (heard == Link::Heard::gone) {
                    break;
                }
                if (heard == Link::Heard::message && !take(lane, lane.lane.link->message())) {
                    return;
                }
            }
        } catch (const Error& error) {
            why = error.what();
        }
        {
            const std::lock_guard lock(mutex_);
            lane.gone = true;
            lane.why_gone = why;
            lost_ = fmt::format("host {} is lost: {}", hosts_.layout()[lane.lane.host].name, why);
        }
        tell_news();
    }

    /// False after the last message of the run.
    bool take(Lane& lane, const transport::network::Frame& frame) {
        switch (static_cast<Kind>(frame.kind)) {
            case Kind::begun:
                note_begun(lane, decode<Begun>(frame.bytes));
                return true;
            case Kind::failed: {
                const auto failed = decode<Failed>(frame.bytes);
                const std::lock_guard lock(mutex_);
                failed_ = fmt::format("on host {}: {}", hosts_.layout()[lane.lane.host].name, failed.why);
                break;
            }
            case Kind::calls: {
                Calls calls = decode<Calls>(frame.bytes);
                for (RankNews& news : calls.ranks) {
                    require_rank(lane, news.rank);
                    take(news);
                }
                exchange_.ring_doorbell();
                return true;
            }
            case Kind::ended: {
                const auto ended = decode<Ended>(frame.bytes);
                require_rank(lane, ended.rank);
                if (ended.how == 0 || ended.how > static_cast<std::uint32_t>(RankEnd::How::signalled)) {
                    throw Error("what its node says makes no sense");
                }
                const std::lock_guard lock(mutex_);
                ranks_[static_cast<std::size_t>(ended.rank)].told_end = {.how = static_cast<RankEnd::How>(ended.how),
                                                                         .code = ended.code};
                break;
            }
            case Kind::captured: {
                auto stacks = replay::from_bytes<std::vector<std::vector<replay::CodePlace>>>(
                    decode<Captured>(frame.bytes).stacks);
                stacks.resize(ranks_.size());
                const std::lock_guard lock(mutex_);
                lane.captured = std::move(stacks);
                answered_.notify_all();
                return true;
            }
            case Kind::sleeping: {
                const auto sleeping = decode<Sleeping>(frame.bytes);
                const std::lock_guard lock(mutex_);
                lane.sleeping = sleeping;
                answered_.notify_all();
                return true;
            }
            case Kind::over:
                take(lane, decode<Over>(frame.bytes));
                return false;
            default:
                throw Error("what its node says makes no sense");
        }
        tell_news();
        return true;
    }

    void note_begun(Lane& lane, Begun begun) {
        const std::chrono::nanoseconds now = std::chrono::steady_clock::now().time_since_epoch();
        lane.behind = now.count() - begun.clock;
        if (!begun.launching.empty()) {
            hosts_.note_launching(lane.lane.host, std::move(begun.launching));
        }
    }

    void require_rank(const Lane& lane, base::Rank rank) const {
        if (rank < 0 || rank >= size() || lane_of(rank) != &lane) {
            throw Error("what its node says makes no sense");
        }
    }

    void take(RankNews& news) {
        std::uint64_t& before = ranks_[static_cast<std::size_t>(news.rank)].written;
        const std::uint64_t read = ranks_[static_cast<std::size_t>(news.rank)].read.load(std::memory_order_acquire);
        if (news.calls.size() > ring_capacity || news.written - before != news.calls.size() ||
            news.written - read > ring_capacity || !show(area_, news.rank, news.lines)) {
            throw Error("what its node says makes no sense");
        }
        {
            const std::lock_guard lock(mutex_);
            for (Block& block : news.blocks) {
                if (!exchange_.has_block(block.place, block.data.size()) || exchange_.owner(block.place) != news.rank) {
                    throw Error("what its node says makes no sense");
                }
                kept_[block.place] = {.readers = block.readers, .data = std::move(block.data)};
            }
        }
        if (news.sound == 0) {
            distrust(news.rank);
        }
        std::uint8_t* const ring = exchange_.ring(news.rank);
        const std::uint64_t at = before % ring_capacity;
        const std::uint64_t up_to_end = std::min<std::uint64_t>(news.calls.size(), ring_capacity - at);
        std::copy_n(news.calls.begin(), up_to_end, ring + at);
        std::copy_n(news.calls.begin() + static_cast<std::ptrdiff_t>(up_to_end), news.calls.size() - up_to_end, ring);
        before = news.written;
        exchange_.channel(news.rank).written.store(news.written, std::memory_order_seq_cst);
    }

    void take(Lane& lane, Over over) {
        for (const Remains& remains : over.ranks) {
            require_rank(lane, remains.rank);
            if (!show(area_, remains.rank, remains.lines) || remains.log.size() > transport::memory::log_capacity) {
                throw Error("what its node says makes no sense");
            }
            std::memcpy(area_.log(remains.rank), remains.log.data(), remains.log.size());
        }
        const std::lock_guard lock(mutex_);
        lane.over = std::move(over);
        answered_.notify_all();
    }

    void tell_news() {
        has_news_ = true;
        const std::uint64_t one = 1;
        (void)!::write(news_.get(), &one, sizeof one);
        answered_.notify_all();
        exchange_.ring_doorbell();
    }

    Hosts& hosts_;
    Exchange& exchange_;
    const transport::memory::Area& area_;
    ViewOfHosts& view_;
    const std::stop_token stop_;
    const std::filesystem::path stdout_file_;
    const std::filesystem::path stderr_file_;
    base::UniqueFd news_;  ///< can be read while has_news_
    std::atomic<bool> has_news_ = false;
    std::vector<RankHere> ranks_;
    BroughtData brought_;  ///< for ranks of this host
    std::vector<std::unique_ptr<Lane>> lanes_;
    std::vector<Lane*> by_host_;  ///< null: this host
    std::unique_ptr<launch::Job> own_;
    int running_ = 0;  ///< on other hosts
    bool ended_ = false;
    std::string output_failure_;
    mutable std::mutex mutex_;  // for what follows, and what says so above
    std::condition_variable answered_;
    std::string lost_;
    std::string failed_;
    std::unordered_map<Place, Kept> kept_;  ///< blocks of ranks of other hosts
};

RunOverHosts::RunOverHosts(Hosts& hosts, Hosts::Lanes lanes, const launch::JobSpec& spec,
                           const replay::Interleaving& interleaving, Exchange& exchange,
                           const transport::memory::Area& area, ViewOfHosts& view) {
    exchange.carry_by(this);
    view.run_ = this;
    inside_ = std::make_unique<Inside>(hosts, std::move(lanes), spec, interleaving, exchange, area, view);
}
RunOverHosts::~RunOverHosts() = default;

void RunOverHosts::serve(std::chrono::microseconds patience) { inside_->serve(patience); }
void RunOverHosts::kill_rank(base::Rank rank) { inside_->kill_rank(rank); }
void RunOverHosts::kill_all() { inside_->end(); }
int RunOverHosts::size() const { return inside_->size(); }
int RunOverHosts::running() const { return inside_->running(); }
pid_t RunOverHosts::pid(base::Rank rank) const { return inside_->is_here(rank) ? inside_->own()->pid(rank) : 0; }
RankEnd RunOverHosts::end_of(base::Rank rank) const { return inside_->end_of(rank); }
bool RunOverHosts::may_have_begun(base::Rank rank) const {
    if (inside_->is_here(rank)) {
        return inside_->own()->may_have_begun(rank);
    }
    const Remains* const remains = inside_->remains_of(rank);
    return remains == nullptr || remains->may_have_begun != 0;
}
const std::vector<launch::AbortRequest>& RunOverHosts::abort_requests() const {
    static const std::vector<launch::AbortRequest> none;
    return inside_->own() == nullptr ? none : inside_->own()->abort_requests();
}
pid_t RunOverHosts::crew() const { return inside_->own() == nullptr ? 0 : inside_->own()->crew(); }
std::string RunOverHosts::output_failure() const { return inside_->output_failure(); }
std::string RunOverHosts::errors_of(base::Rank rank) const {
    if (inside_->is_here(rank)) {
        return inside_->own()->errors_of(rank);
    }
    const Remains* const remains = inside_->remains_of(rank);
    return remains == nullptr ? std::string() : remains->errors;
}
bool RunOverHosts::carry(base::Rank rank, Answer& answer) { return inside_->carry(rank, answer); }
bool RunOverHosts::tell_read(base::Rank rank, std::uint64_t read) { return inside_->tell_read(rank, read); }
bool RunOverHosts::makes_sense(base::Rank rank) const { return inside_->makes_sense(rank); }
std::vector<std::vector<replay::CodePlace>> RunOverHosts::capture() { return inside_->capture(); }
std::optional<std::uint64_t> RunOverHosts::threads_sleeping(const std::vector<pid_t>& threads) {
    return inside_->threads_sleeping(threads);
}
bool RunOverHosts::uses_processes_here() const { return inside_->own() != nullptr; }
std::string RunOverHosts::lost() const { return inside_->lost(); }
void RunOverHosts::let_pass(base::Rank rank, transport::VirtualTime until) { inside_->let_pass(rank, until); }
std::chrono::nanoseconds RunOverHosts::behind(base::Rank rank) const { return inside_->behind(rank); }

transport::RankProgress ViewOfHosts::progress(base::Rank rank) const {
    transport::RankProgress progress = MemoryView::progress(rank);
    const std::size_t host = hosts_.host_of(rank);
    if (hosts_.layout()[host].here) {
        return progress;
    }
    const auto with_host = [host](pid_t thread) {
        return static_cast<pid_t>((static_cast<pid_t>(host + 1) << bits_of_thread) |
                                  (thread & ((pid_t{1} << bits_of_thread) - 1)));
    };
    for (transport::PollingThread& each : progress.polling_threads) {
        each.id = with_host(each.id);
    }
    for (pid_t& each : progress.idle_threads) {
        each = with_host(each);
    }
    return progress;
}

std::optional<std::chrono::steady_clock::time_point> ViewOfHosts::time_of(base::Rank rank,
                                                                          transport::Moment moment) const {
    auto noted = MemoryView::time_of(rank, moment);
    if (noted && run_ != nullptr) {
        *noted += run_->behind(rank);
    }
    return noted;
}

void ViewOfHosts::let_pass(base::Rank rank, transport::VirtualTime until) {
    MemoryView::let_pass(rank, until);
    if (run_ != nullptr) {
        run_->let_pass(rank, until);
    }
}

}  // namespace dampi::scheduler::hosts
