#include "scheduler/workers/worker.hpp"

#include "base/check.hpp"
#include "base/wait_unless_stopped.hpp"
#include "scheduler/engines/central/refused.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace dampi::scheduler::workers {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using transport::network::Link;

/// The leases that this worker has, and who runs them.
class Running {
public:
    Running(Link& link, const WorkerSettings& settings) : link_(link), settings_(settings) {
        for (std::uint32_t i = 0; i < settings.slots; ++i) {
            threads_.emplace_back([this](const std::stop_token& over) { work(over); });
        }
    }

    ~Running() {
        {
            const std::lock_guard lock(mutex_);
            waiting_.clear();
            for (auto& [id, stop] : stops_) {
                stop.request_stop();
            }
        }
        for (std::jthread& each : threads_) {
            each.request_stop();
        }
    }

    void add(std::vector<Lease> leases) {
        const std::lock_guard lock(mutex_);
        for (Lease& lease : leases) {
            waiting_.push_back(std::move(lease));
            wake_.notify_one();
        }
    }

    void recall(std::uint64_t id) {
        const std::lock_guard lock(mutex_);
        std::erase_if(waiting_, [id](const Lease& lease) { return lease.id == id; });
        if (const auto found = stops_.find(id); found != stops_.end()) {
            found->second.request_stop();
        }
    }

private:
    void work(const std::stop_token& over) {
        for (;;) {
            Lease lease;
            std::stop_token stop;
            {
                std::unique_lock lock(mutex_);
                wake_.wait(lock, over, [this] { return !waiting_.empty(); });
                if (over.stop_requested()) {
                    return;
                }
                lease = std::move(waiting_.front());
                waiting_.pop_front();
                stop = stops_[lease.id].get_token();
            }
            const Result result = run(lease, stop);
            {
                const std::lock_guard lock(mutex_);
                stops_.erase(lease.id);
            }
            if (!stop.stop_requested()) {
                tell(lease, result);
            }
        }
    }

    Result run(const Lease& lease, const std::stop_token& stop) const {
        Result result;
        try {
            result = settings_.run(lease, stop);
        } catch (const central::Refused& refused) {
            result.ending = Result::Ending::refused;
            result.why = refused.fact();
        } catch (const std::exception& error) {
            result.ending = Result::Ending::failed;
            result.why = error.what();
        }
        result.lease = lease.id;
        return result;
    }

    void tell(const Lease& lease, const Result& result) {
        std::string message;
        try {
            message = encode(result);
        } catch (const Error& error) {
            Result failed;
            failed.lease = lease.id;
            failed.ending = Result::Ending::failed;
            failed.why = error.what();
            message = encode(failed);
        }
        link_.send(message);  // where the sweep is gone, that is seen by who listens
    }

    Link& link_;
    const WorkerSettings& settings_;
    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::deque<Lease> waiting_;
    std::map<std::uint64_t, std::stop_source> stops_;  ///< of those that run
    std::vector<std::jthread> threads_;
};

}  // namespace

std::string introduce(Link& link, const Hello& hello, std::chrono::milliseconds patience) {
    const auto until = Clock::now() + patience;
    link.send(encode(hello));
    while (Clock::now() < until) {
        const auto heard = link.receive(100ms);
        if (heard == Link::Heard::gone) {
            break;
        }
        if (heard == Link::Heard::message && kind_of(link.message()) == Kind::refusal) {
            throw Error("the sweep refuses this worker: " + std::string(link.message().bytes));
        }
        if (heard == Link::Heard::message && kind_of(link.message()) == Kind::farewell) {
            break;
        }
        if (heard == Link::Heard::message && kind_of(link.message()) == Kind::order) {
            return std::string(link.message().bytes);
        }
    }
    throw SweepIsGone("the sweep has ended, or does not answer");
}

WorkerEnd serve(Link& link, const WorkerSettings& settings, const std::atomic<bool>& stop) {
    const auto interval = std::max<std::chrono::milliseconds>(settings.patience / 8, 10ms);
    Running running(link, settings);
    link.send(encode_ready(settings.slots));
    // Also while a long message is being taken in.
    const std::jthread alive([&](const std::stop_token& over) {
        while (!over.stop_requested()) {
            link.send(encode(Kind::alive));
            base::wait_unless_stopped(interval, over);
        }
    });
    auto heard_at = Clock::now();
    for (;;) {
        const auto heard = link.receive(std::min<std::chrono::milliseconds>(interval, 100ms));
        if (stop) {
            link.send(encode(Kind::farewell));
            return WorkerEnd::stopped;
        }
        if (heard == Link::Heard::gone ||
            (heard == Link::Heard::nothing && Clock::now() - heard_at > settings.patience)) {
            return WorkerEnd::gone;
        }
        if (heard == Link::Heard::nothing) {
            continue;
        }
        heard_at = Clock::now();
        switch (kind_of(link.message())) {
            case Kind::leases:
                running.add(decode_leases(link.message().bytes));
                break;
            case Kind::recall:
                running.recall(decode_recall(link.message().bytes));
                break;
            case Kind::farewell:
                return WorkerEnd::sent_away;
            case Kind::alive:
                break;
            default:
                throw Error("what the sweep has sent is no message for a worker");
        }
    }
}

}  // namespace dampi::scheduler::workers
