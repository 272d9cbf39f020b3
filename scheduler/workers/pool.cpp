#include "scheduler/workers/pool.hpp"

#include "base/check.hpp"
#include "replay/terminal_words.hpp"
#include "scheduler/engines/central/refused.hpp"
#include "scheduler/workers/conversation.hpp"
#include "scheduler/workers/lease_table.hpp"
#include "transport/network/listening.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <fstream>
#include <limits>
#include <map>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include <fmt/format.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

namespace dampi::scheduler::workers {

using namespace std::chrono_literals;
using boost::asio::ip::tcp;
using boost::system::error_code;
using Clock = std::chrono::steady_clock;

namespace {

constexpr std::size_t most_strangers = 2048;  // connections that have not been accepted yet
constexpr auto patience_at_the_end = 2s;
constexpr auto tick = 100ms;
constexpr std::size_t most_threads = 4;
/// An interleaving that so many workers were lost with may be what ends them.
constexpr unsigned most_losses = 20;
/// What cannot be run on so many machines is no matter of one of them.
constexpr unsigned most_failures = 3;

/// What the program has printed in a run; an empty folder: nobody wants it.
void keep_printed(const std::filesystem::path& output, Purpose purpose, std::uint64_t number, const Result& result) {
    const auto write = [&](const std::string& text, const char* ending) {
        if (text.empty()) {
            return;
        }
        std::filesystem::path folder = output;
        if (purpose == Purpose::repeating) {
            folder /= "repeated";
            std::error_code ignored;
            std::filesystem::create_directories(folder, ignored);
        }
        const std::filesystem::path file = folder / fmt::format("{:06}.{}", number, ending);
        std::ofstream out(file, std::ios::binary);
        if (!(out << text) || !out.flush()) {
            throw Error("what the program prints cannot be written to " + file.string());
        }
    };
    if (!output.empty()) {
        write(result.printed, "out");
        write(result.printed_errors, "err");
    }
}

}  // namespace

class Pool::Inside final : public Conversation::Listener {
public:
    explicit Inside(PoolSettings settings)
        : settings_(std::move(settings)),
          conversing_{.secret = settings_.secret, .patience = settings_.patience},
          ticker_(io_),
          listening_(settings_.here, "workers"),
          strangers_(io_, ::fcntl(listening_.descriptor(), F_DUPFD_CLOEXEC, 0)) {}

    void begin() {
        wait_for_strangers();
        wait_for_tick();
        const auto threads = std::clamp<std::size_t>(std::thread::hardware_concurrency() / 2, 1, most_threads);
        for (std::size_t i = 0; i < threads; ++i) {
            threads_.emplace_back([this] { io_.run(); });
        }
        threads_.emplace_back([this] {
            const auto more = boost::asio::make_work_guard(telling_);
            telling_.run();
        });
    }

    void send_away();
    void end();

    std::uint16_t port() const { return listening_.port(); }

    void start(Purpose purpose, std::shared_ptr<const replay::Interleaving> interleaving, std::stop_token stop,
               std::function<void(RunResult)> done);

    unsigned room() const {
        const std::lock_guard lock(mutex_);
        const std::uint64_t most = settings_.most_leases.value_or(std::numeric_limits<unsigned>::max());
        return static_cast<unsigned>(std::max<std::uint64_t>(1, std::min(table_.room(), most)));
    }

    void when_room_grows(std::function<void()> grown) {
        const std::lock_guard lock(hook_mutex_);
        grown_ = std::move(grown);
    }

    std::optional<std::string> gave_up() const {
        const std::lock_guard lock(mutex_);
        return gave_up_;
    }

    void expect_no_more(const std::string& why) {
        const std::lock_guard lock(mutex_);
        no_more_ = why;
    }

    std::uint64_t results() const { return results_.load(std::memory_order_relaxed); }

    WorkersAccount account() const {
        const std::lock_guard lock(mutex_);
        WorkersAccount now = account_;
        now.present = table_.workers();
        now.slots = table_.room() / 2;
        for (const auto& [worker, conversation] : ready_) {
            if (worker <= now.rows.size()) {
                now.rows[worker - 1].seconds = seconds_since(members_.at(conversation).joined);
            }
        }
        return now;
    }

    std::vector<std::string> launching() const {
        const std::lock_guard lock(mutex_);
        return launching_;
    }

private:
    using Worker = LeaseTable::Worker;

    /// Somebody who has connected: a stranger until `worker` is its number.
    struct Member {
        Conversation::Self conversation;
        Worker worker = 0;
        std::string name = {};
        std::string host = {};
        std::uint64_t process = 0;
        Clock::time_point joined = {};
        bool refusal_is_told = false;
    };

    /// An interleaving that somebody waits for.
    struct Job {
        Purpose purpose;
        std::shared_ptr<const replay::Interleaving> interleaving;
        std::function<void(RunResult)> done;
        std::unique_ptr<std::stop_callback<std::function<void()>>> when_stopped;
        unsigned losses = 0;    ///< so many workers were lost that had it
        unsigned failures = 0;  ///< so many were given up since they could not run it
    };

    static double seconds_since(Clock::time_point then) {
        return std::chrono::duration<double>(Clock::now() - then).count();
    }

    void wait_for_strangers();
    void wait_for_tick();
    void look_around();
    /// Leases what can be leased. mutex_ is held.
    void grant();
    /// Likewise soon, with what else comes until then. mutex_ is held.
    void grant_soon() {
        if (!std::exchange(will_grant_, true)) {
            boost::asio::post(io_, [this] {
                const std::lock_guard lock(mutex_);
                will_grant_ = false;
                grant();
            });
        }
    }
    /// What came of a run goes to who waits for it, by a thread that may take its time.
    void tell(Job job, RunResult result) {
        job.when_stopped.reset();
        boost::asio::post(telling_,
                          [job = std::make_shared<Job>(std::move(job)),
                           result = std::make_shared<RunResult>(std::move(result))] { job->done(std::move(*result)); });
    }
    void tell_room() {
        const std::lock_guard lock(hook_mutex_);
        if (grown_) {
            grown_();
        }
    }
    void withdraw(LeaseTable::Job job);
    /// Taken out of what is waited for; nothing where nobody waits any more. mutex_ is held.
    std::optional<Job> take(LeaseTable::Job job);
    void hello(const Conversation::Self& with, const Hello& hello) override;
    void ready(const Conversation::Self& with, std::uint32_t slots) override;
    void result(const Conversation::Self& with, Result result) override;
    void over(const Conversation::Self& with, const std::string& why, bool refused) override;
    /// It gets nothing any more, and what it had goes to others; empty `why`: as it should be. mutex_ is held.
    void retire(Member& member, const std::string& why);
    /// Whether this one, which could not run the job, is to be retired rather than the sweep ended. mutex_ is held.
    [[nodiscard]] bool others_may(const Member& member, const Job& job) const;
    /// What becomes of what a lost worker had. mutex_ is held.
    void count_losses(const std::vector<LeaseTable::Job>& jobs);
    void give_up(const std::string& sentence);

    const PoolSettings settings_;
    const Conversation::Settings conversing_;
    boost::asio::io_context io_;
    boost::asio::steady_timer ticker_;
    const transport::network::Listening listening_;
    boost::asio::posix::stream_descriptor strangers_;  ///< tells when somebody has come

    std::mutex hook_mutex_;  // held while the hook is called; taken before mutex_
    std::function<void()> grown_;

    std::atomic<std::uint64_t> results_ = 0;

    mutable std::mutex mutex_;  // for all that follows
    LeaseTable table_;
    std::unordered_map<LeaseTable::Job, Job> jobs_;
    LeaseTable::Job last_job_ = 0;
    std::map<Conversation*, Member> members_;
    std::map<Worker, Conversation*> ready_;  ///< those of them that have leases
    WorkersAccount account_;
    std::vector<std::string> launching_;
    Clock::time_point alone_since_ = Clock::now();
    std::optional<std::string> no_more_;
    std::optional<std::string> gave_up_;
    std::string last_refusal_;
    bool ending_ = false;
    bool will_grant_ = false;

    boost::asio::io_context telling_;  ///< of one thread: taking in what runs show is nothing for several
    std::vector<std::jthread> threads_;
};

void Pool::Inside::wait_for_strangers() {
    strangers_.async_wait(boost::asio::posix::stream_descriptor::wait_read, [this](const error_code& error) {
        if (error) {
            return;
        }
        for (;;) {
            const int socket = ::accept4(listening_.descriptor(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
            if (socket < 0) {
                break;
            }
            const int at_once = 1;
            ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &at_once, sizeof at_once);
            tcp::socket connection(io_);
            error_code failed;
            connection.assign(tcp::v4(), socket, failed);
            if (failed) {
                ::close(socket);
                continue;
            }
            const auto conversation = std::make_shared<Conversation>(io_, std::move(connection), *this, conversing_);
            {
                const std::lock_guard lock(mutex_);
                if (ending_ || members_.size() - ready_.size() >= most_strangers) {
                    continue;
                }
                members_.emplace(conversation.get(), Member{.conversation = conversation});
            }
            conversation->begin();
        }
        wait_for_strangers();
    });
}

void Pool::Inside::wait_for_tick() {
    ticker_.expires_after(tick);
    ticker_.async_wait([this](const error_code& error) {
        if (!error) {
            look_around();
            wait_for_tick();
        }
    });
}

void Pool::Inside::look_around() {
    std::vector<Conversation::Self> all;
    std::string sentence;
    {
        const std::lock_guard lock(mutex_);
        for (const auto& [key, member] : members_) {
            all.push_back(member.conversation);
        }
        if (!ready_.empty() || jobs_.empty()) {
            alone_since_ = Clock::now();
        } else if (!gave_up_ && (no_more_ || Clock::now() - alone_since_ > settings_.most_without)) {
            sentence =
                no_more_
                    ? "there is no worker, and no other will come: " + *no_more_
                    : fmt::format("there was no worker for {}",
                                  replay::duration_text(std::chrono::duration<double>(settings_.most_without).count()));
            if (!last_refusal_.empty()) {
                sentence += "; the last one that came was refused: " + last_refusal_;
            }
        }
    }
    const auto now = Clock::now();
    for (const auto& conversation : all) {
        conversation->look(now);
    }
    if (!sentence.empty()) {
        give_up(sentence);
    }
}

/// Whoever wants runs asks gave_up() and stops them. Where there has never been a worker, nothing is known of the
/// program: that is no result, but an error.
void Pool::Inside::give_up(const std::string& sentence) {
    std::unordered_map<LeaseTable::Job, Job> left;
    {
        const std::lock_guard lock(mutex_);
        gave_up_ = sentence;
        if (account_.joined != 0) {
            return;
        }
        std::swap(left, jobs_);
        for (const auto& [id, job] : left) {
            table_.withdraw(id);
        }
    }
    for (auto& [id, job] : left) {
        tell(std::move(job), {{}, std::make_exception_ptr(Error(sentence))});
    }
}

void Pool::Inside::grant() {
    std::map<Worker, std::vector<LeaseOf>> leases;
    for (const LeaseTable::Grant& grant : table_.grant()) {
        const Job& job = jobs_.at(grant.job);
        leases[grant.worker].push_back({grant.lease, job.purpose, job.interleaving.get()});
    }
    for (const auto& [worker, of_worker] : leases) {
        ready_.at(worker)->send(encode(of_worker));
    }
}

void Pool::Inside::start(Purpose purpose, std::shared_ptr<const replay::Interleaving> interleaving,
                         std::stop_token stop, std::function<void(RunResult)> done) {
    LeaseTable::Job id = 0;
    {
        const std::lock_guard lock(mutex_);
        id = ++last_job_;
        jobs_.emplace(id, Job{purpose, std::move(interleaving), std::move(done), nullptr});
        table_.ask(id);
        grant_soon();
    }
    // Only posts: whoever stops may hold what `done` needs. It may be over already when this is made.
    auto when_stopped = std::make_unique<std::stop_callback<std::function<void()>>>(
        std::move(stop), [this, id] { boost::asio::post(io_, [this, id] { withdraw(id); }); });
    const std::lock_guard lock(mutex_);
    if (const auto job = jobs_.find(id); job != jobs_.end()) {
        job->second.when_stopped = std::move(when_stopped);
    }
}

std::optional<Pool::Inside::Job> Pool::Inside::take(LeaseTable::Job id) {
    const auto found = jobs_.find(id);
    if (found == jobs_.end()) {
        return std::nullopt;
    }
    std::optional<Job> job(std::move(found->second));
    jobs_.erase(found);
    return job;
}

void Pool::Inside::withdraw(LeaseTable::Job id) {
    std::optional<Job> job;
    {
        const std::lock_guard lock(mutex_);
        job = take(id);
        if (!job) {
            return;
        }
        if (const auto lease = table_.withdraw(id)) {
            ready_.at(lease->first)->send(encode_recall(lease->second));
        }
    }
    RunResult none;
    none.record.cut_short = true;
    tell(std::move(*job), std::move(none));
}

void Pool::Inside::hello(const Conversation::Self& with, const Hello& hello) {
    const std::string name = fmt::format("{} (process {})", replay::printable(hello.host), hello.process);
    std::string refusal;
    if (hello.build != settings_.build) {
        refusal =
            fmt::format("dampi is another build there ({}, here {})", replay::printable(hello.build), settings_.build);
    }
    {
        const std::lock_guard lock(mutex_);
        Member& member = members_.at(with.get());
        member.name = name;
        member.host = hello.host;
        member.process = hello.process;
        if (!refusal.empty()) {
            last_refusal_ = name + ": " + refusal;
            member.refusal_is_told = true;
            ++account_.refused;
        }
    }
    if (refusal.empty()) {
        return with->send(encode(Kind::order, settings_.order));
    }
    with->send_away(encode(Kind::refusal, refusal));
    settings_.refused("a worker was refused: " + name + ": " + refusal);
}

void Pool::Inside::ready(const Conversation::Self& with, std::uint32_t slots) {
    {
        const std::lock_guard lock(mutex_);
        if (ending_) {
            return;
        }
        Member& member = members_.at(with.get());
        member.worker = ++account_.joined;
        member.joined = Clock::now();
        if (account_.rows.size() < WorkersAccount::most_rows) {
            account_.rows.push_back({member.host, member.process, slots, 0, 0, ""});
        }
        ready_.emplace(member.worker, with.get());
        table_.add_worker(member.worker, slots);
        grant();
    }
    boost::asio::post(telling_, [this] { tell_room(); });
}

void Pool::Inside::result(const Conversation::Self& with, Result result) {
    std::optional<Job> job;
    std::string name;
    std::string host;
    {
        std::unique_lock lock(mutex_);
        Member& member = members_.at(with.get());
        const auto id = table_.settle(member.worker, result.lease);
        if (!id) {
            return;  // it was recalled
        }
        if (result.ending == Result::Ending::failed && others_may(member, jobs_.at(*id))) {
            ++jobs_.at(*id).failures;
            table_.ask(*id);
            ++account_.run_again;
            const std::string told = fmt::format("worker {} is given up: {}", member.name, result.why);
            retire(member, result.why);
            lock.unlock();
            with->send_away(encode(Kind::farewell));
            return settings_.refused(told);
        }
        job = take(*id);
        name = member.name;
        host = member.host;
        ++results_;
        if (member.worker <= account_.rows.size()) {
            ++account_.rows[member.worker - 1].interleavings;
        }
        if (!result.launching.empty()) {
            launching_ = result.launching;
        }
        grant_soon();
    }
    DAMPI_CHECK(job);
    try {
        switch (result.ending) {
            case Result::Ending::record:
                if (!is_plausible(result.record, settings_.processes)) {
                    throw Error("the worker " + name +
                                " has sent what no run can have shown: run the sweep without that machine");
                }
                keep_printed(settings_.output, job->purpose, job->interleaving->number, result);
                break;
            case Result::Ending::refused:
                throw central::Refused(result.why);
            case Result::Ending::failed:
                throw Error("on " + replay::printable(host) + ": " + result.why);
        }
    } catch (...) {
        return tell(std::move(*job), {{}, std::current_exception()});
    }
    tell(std::move(*job), {std::move(result.record), nullptr});
}

bool Pool::Inside::others_may(const Member& member, const Job& job) const {
    return !ending_ && job.failures + 1 < most_failures &&
           std::any_of(ready_.begin(), ready_.end(),
                       [&](const auto& other) { return members_.at(other.second).host != member.host; });
}

void Pool::Inside::retire(Member& member, const std::string& why) {
    const std::vector<LeaseTable::Job> again = table_.remove_worker(member.worker);
    ready_.erase(member.worker);
    if (!why.empty()) {
        ++account_.lost;
        account_.run_again += again.size();
        count_losses(again);
    }
    if (member.worker <= account_.rows.size()) {
        WorkerRow& row = account_.rows[member.worker - 1];
        row.seconds = seconds_since(member.joined);
        row.lost = why;
    }
    member.worker = 0;
    grant();
}

void Pool::Inside::count_losses(const std::vector<LeaseTable::Job>& jobs) {
    for (const LeaseTable::Job each : jobs) {
        Job& job = jobs_.at(each);
        if (++job.losses >= most_losses && !gave_up_) {
            gave_up_ = fmt::format("interleaving {} was lost with {} workers, one after the other: see what ends them",
                                   job.interleaving->number, job.losses);
        }
    }
}

void Pool::Inside::over(const Conversation::Self& with, const std::string& why, bool refused) {
    std::string lost;
    std::string not_accepted;
    {
        const std::lock_guard lock(mutex_);
        Member member = std::move(members_.at(with.get()));
        members_.erase(with.get());
        if (member.worker != 0) {
            const bool is_lost = !why.empty() && !ending_;
            retire(member, is_lost ? why : "");
            if (is_lost) {
                lost = fmt::format("worker {} is lost, {}", member.name, why);
            }
        } else if (refused && !ending_ && !member.refusal_is_told) {
            ++account_.refused;
            if (!member.name.empty()) {
                last_refusal_ = member.name + ": " + why;
                not_accepted = "a worker was refused: " + last_refusal_;
            }
        }
    }
    if (!lost.empty()) {
        settings_.lost(lost);
    }
    if (!not_accepted.empty()) {
        settings_.refused(not_accepted);
    }
}

void Pool::Inside::send_away() {
    const std::lock_guard lock(mutex_);
    if (!std::exchange(ending_, true)) {
        for (const auto& [key, member] : members_) {
            member.conversation->send_away(encode(Kind::farewell));
        }
    }
}

void Pool::Inside::end() {
    send_away();
    boost::asio::post(io_, [this] {
        error_code ignored;
        strangers_.close(ignored);
    });
    const auto end = Clock::now() + patience_at_the_end;
    for (bool all = false; !all && Clock::now() < end; std::this_thread::sleep_for(1ms)) {
        const std::lock_guard lock(mutex_);
        all = members_.empty();
    }
    io_.stop();
    telling_.stop();
    threads_.clear();
    const std::lock_guard lock(mutex_);
    jobs_.clear();
    ready_.clear();
    members_.clear();
}

Pool::Pool(PoolSettings settings) : inside_(std::make_shared<Inside>(std::move(settings))) { inside_->begin(); }
Pool::~Pool() { inside_->end(); }

std::uint16_t Pool::port() const { return inside_->port(); }

void Pool::start(Purpose purpose, std::shared_ptr<const replay::Interleaving> interleaving, std::stop_token stop,
                 std::function<void(RunResult)> done) {
    inside_->start(purpose, std::move(interleaving), std::move(stop), std::move(done));
}

unsigned Pool::room() const { return inside_->room(); }
void Pool::when_room_grows(std::function<void()> grown) { inside_->when_room_grows(std::move(grown)); }
std::optional<std::string> Pool::gave_up() const { return inside_->gave_up(); }
void Pool::expect_no_more(const std::string& why) { inside_->expect_no_more(why); }
void Pool::send_away() { inside_->send_away(); }
std::uint64_t Pool::results() const { return inside_->results(); }
WorkersAccount Pool::account() const { return inside_->account(); }
std::vector<std::string> Pool::launching() const { return inside_->launching(); }

replay::RunRecord WorkersEngine::run(const replay::Interleaving& interleaving, std::stop_token stop) {
    std::mutex mutex;
    std::condition_variable over;
    std::optional<RunResult> result;
    start(std::make_shared<const replay::Interleaving>(interleaving), std::move(stop), [&](RunResult came) {
        const std::lock_guard lock(mutex);
        result = std::move(came);
        over.notify_one();
    });
    std::unique_lock lock(mutex);
    over.wait(lock, [&] { return result.has_value(); });
    return result->take();
}

}  // namespace dampi::scheduler::workers
