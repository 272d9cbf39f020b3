#include "scheduler/workers/lease_table.hpp"

#include "base/check.hpp"

#include <algorithm>

namespace dampi::scheduler::workers {

template <typename Change>
void LeaseTable::change(Worker worker, Change&& change) {
    State& state = workers_.at(worker);
    with_room_.erase({load(state), worker});
    change(state);
    if (state.leases.size() < capacity(state.slots)) {
        with_room_.emplace(load(state), worker);
    }
}

void LeaseTable::add_worker(Worker worker, std::uint32_t slots) {
    DAMPI_CHECK(slots != 0 && !workers_.contains(worker));
    workers_[worker].slots = slots;
    with_room_.emplace(0, worker);
    room_ += capacity(slots);
}

std::vector<LeaseTable::Job> LeaseTable::remove_worker(Worker worker) {
    const auto found = workers_.find(worker);
    if (found == workers_.end()) {
        return {};
    }
    const State& state = found->second;
    with_room_.erase({load(state), worker});
    room_ -= capacity(state.slots);
    std::vector<Job> again;
    for (auto each = state.leases.rbegin(); each != state.leases.rend(); ++each) {
        jobs_.erase(each->second);
        waiting_.push_front(each->second);
        again.push_back(each->second);
    }
    workers_.erase(found);
    return again;
}

std::vector<LeaseTable::Grant> LeaseTable::grant() {
    std::vector<Grant> grants;
    while (!waiting_.empty() && !with_room_.empty()) {
        const Grant grant{++last_, with_room_.begin()->second, waiting_.front()};
        waiting_.pop_front();
        change(grant.worker, [&](State& state) { state.leases.emplace(grant.lease, grant.job); });
        jobs_.emplace(grant.job, std::pair(grant.worker, grant.lease));
        grants.push_back(grant);
    }
    return grants;
}

std::optional<LeaseTable::Job> LeaseTable::settle(Worker worker, LeaseId lease) {
    const auto found = workers_.find(worker);
    if (found == workers_.end()) {
        return std::nullopt;
    }
    const auto held = found->second.leases.find(lease);
    if (held == found->second.leases.end()) {
        return std::nullopt;
    }
    const Job job = held->second;
    change(worker, [&](State& state) { state.leases.erase(lease); });
    jobs_.erase(job);
    return job;
}

std::optional<std::pair<LeaseTable::Worker, LeaseTable::LeaseId>> LeaseTable::withdraw(Job job) {
    const auto leased = jobs_.find(job);
    if (leased == jobs_.end()) {
        waiting_.erase(std::remove(waiting_.begin(), waiting_.end(), job), waiting_.end());
        return std::nullopt;
    }
    const auto where = leased->second;
    settle(where.first, where.second);
    return where;
}

}  // namespace dampi::scheduler::workers
