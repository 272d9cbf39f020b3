#include "piggyback/rank/threads/threads.hpp"

#include "piggyback/distributed/matching/matching.hpp"
#include "piggyback/distributed/progress.hpp"
#include "piggyback/rank/call.hpp"
#include "piggyback/rank/rank.hpp"
#include "piggyback/rank/thread_lock.hpp"
#include "piggyback/rank/threads/thread_names.hpp"

#include <chrono>
#include <string>

#include <ctime>

#include <unistd.h>

namespace dampi::piggyback {
namespace {

using namespace std::chrono_literals;

// A thread whose turn it is may compute, or wait in MPI for a rank that does, or that gets no processor. When nothing
// has happened for so long it is taken not to come.
constexpr auto patience = 10s;

}  // namespace

__thread ProgramThread* this_thread = nullptr;

void Threads::add_this_thread() {
    auto added = std::make_unique<ProgramThread>();
    added->name = name_this_thread();
    added->id = gettid();
    this_thread = added.get();
    threads_.push_back(std::move(added));
    Layer& layer = *Layer::current();
    if (several() && !layer.multithreaded) {
        layer.multithreaded = true;
        layer.spins = 4;  // the others wait for the lock
        layer.count_not_modelled("other orders of threads");
    }
}

void Threads::note_turn(Layer& layer) {
    latest_ = this_thread->name;
    layer.log.append(transport::memory::ThreadTurnRecord{.thread = latest_, .before = operations_});
}

const transport::memory::TurnEntry* Threads::turn() const {
    const Layer& layer = *Layer::current();
    const transport::memory::RankHeader& header = layer.header();
    for (; turn_ < header.turn_count; ++turn_) {
        const auto& entry = (&layer.area.at<transport::memory::TurnEntry>(header.turns))[turn_];
        if (operations_ < before_turn_ + entry.operations) {
            return &entry;
        }
        before_turn_ += entry.operations;
    }
    return nullptr;
}

bool Threads::follows_order(const Layer& layer) const {
    const transport::memory::RankHeader& header = layer.header();
    return header.turn_count != 0 && !layer.diverged && turn() != nullptr;
}

namespace {

void await_turn(Layer& layer, const Call& call) {
    using Clock = std::chrono::steady_clock;
    Threads& threads = layer.threads;
    std::uint64_t operations = threads.operations();
    auto begin = Clock::now();
    while (threads.follows_order(layer) && !threads.is_turn_of(this_thread->name)) {
        if (operations != threads.operations()) {
            operations = threads.operations();
            begin = Clock::now();
        }
        const auto waited = Clock::now() - begin;
        // Without the lock nobody else can come while this one is in MPI.
        if (!layer.locks_calls || waited > patience) {
            diverge(layer, call, layer.clocks.epochs(),
                    "rank " + std::to_string(layer.rank()) + " was to go on with another of its threads, but " +
                        call.function() + " came first");
            return;
        }
        make_progress();  // other ranks may wait for what this one has posted
        notice_matches(layer);
        unlock_threads();
        const timespec time{.tv_sec = 0, .tv_nsec = waited < 1ms ? 1'000 : 100'000};
        nanosleep(&time, nullptr);
        lock_threads();
    }
}

}  // namespace

void take_turn(Layer& layer, const Call& call) {
    if (layer.header().turn_count != 0) [[unlikely]] {
        await_turn(layer, call);
    }
    layer.threads.issue(layer);
}

}  // namespace dampi::piggyback
