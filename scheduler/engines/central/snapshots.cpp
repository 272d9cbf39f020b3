#include "scheduler/engines/central/snapshots.hpp"

#include "base/available_memory.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace dampi::scheduler::central {
namespace {

using namespace std::chrono_literals;

/// Each is a process for each rank, all of them asleep.
constexpr std::size_t most_kept = 8;
/// What a snapshot costs is at most this part of what a run takes, and repeating so much is not worth one.
constexpr int worth = 10;
/// Until one has been measured.
constexpr auto first_guess_for_a_rank = 2ms;

}  // namespace

Snapshots::Snapshots(SnapshotUse use, int processes, std::string obstacle)
    : use_(use),
      obstacle_(use == SnapshotUse::never ? "--snapshots never" : std::move(obstacle)),
      cost_(first_guess_for_a_rank * processes) {}

bool Snapshots::wanted(Duration since) const {
    const std::lock_guard lock(mutex_);
    return obstacle_.empty() && (use_ == SnapshotUse::always || since > worth * cost_);
}

void Snapshots::give_up(const std::string& why) {
    const std::lock_guard lock(mutex_);
    obstacle_ = why;
}

void Snapshots::keep(std::shared_ptr<RunSnapshot> snapshot, Duration cost) {
    // Holders are ended when nobody needs them any more: not while others wait for the mutex.
    std::vector<std::shared_ptr<RunSnapshot>> over;
    const std::uint64_t memory = snapshot->program->memory() + snapshot->area.file().memory() +
                                 snapshot->exchange.file().memory() + snapshot->program->written()[0].size() +
                                 snapshot->program->written()[1].size();
    const std::uint64_t available = base::available_memory();
    const std::lock_guard lock(mutex_);
    cost_ = std::max(cost, (3 * cost_ + cost) / 4);  // on a busy machine it varies much
    ++taken_;
    kept_.push_back({.snapshot = std::move(snapshot), .memory = memory, .fitted = searches_});
    const auto is_too_much = [&] {
        std::uint64_t sum = 0;
        for (const Kept& each : kept_) {
            sum += each.memory;
        }
        return kept_.size() > most_kept || sum > available / 2;
    };
    while (is_too_much()) {
        const auto victim = kept_.begin() + static_cast<std::ptrdiff_t>(least_useful());
        over.push_back(std::move(victim->snapshot));
        kept_.erase(victim);
    }
}

/// Of those that no interleaving has agreed with for longest, the one without which least would be repeated.
std::size_t Snapshots::least_useful() const {
    const auto gain = [&](const Kept& kept) {
        Duration before{0};
        for (const Kept& other : kept_) {
            if (&other != &kept && other.snapshot->way <= kept.snapshot->way) {
                before = std::max(before, other.snapshot->way);
            }
        }
        return kept.snapshot->way - before;
    };
    const auto least = std::min_element(kept_.begin(), kept_.end(), [&](const Kept& a, const Kept& b) {
        return a.fitted != b.fitted ? a.fitted < b.fitted : gain(a) < gain(b);
    });
    return static_cast<std::size_t>(least - kept_.begin());
}

std::shared_ptr<RunSnapshot> Snapshots::find(const replay::Interleaving& interleaving) {
    const std::lock_guard lock(mutex_);
    ++searches_;
    std::shared_ptr<RunSnapshot> latest;
    for (Kept& each : kept_) {
        if (each.snapshot->buffering == interleaving.buffering &&
            each.snapshot->machine.agrees(interleaving.decisions)) {
            each.fitted = searches_;
            if (!latest || latest->way < each.snapshot->way) {
                latest = each.snapshot;
            }
        }
    }
    begun_ += latest ? 1 : 0;
    return latest;
}

void Snapshots::drop(const std::shared_ptr<RunSnapshot>& snapshot) {
    const std::lock_guard lock(mutex_);
    std::erase_if(kept_, [&](const Kept& each) { return each.snapshot == snapshot; });
}

std::string Snapshots::summary() const {
    const std::lock_guard lock(mutex_);
    if (use_ == SnapshotUse::never) {
        return {};
    }
    if (taken_ != 0) {
        return fmt::format("{} snapshot{} taken, from which {} run{} went on", taken_, taken_ == 1 ? " was" : "s were",
                           begun_, begun_ == 1 ? "" : "s");
    }
    return obstacle_.empty() ? "no snapshots were taken: all runs were short"
                             : "no snapshots can be taken: " + obstacle_;
}

}  // namespace dampi::scheduler::central
