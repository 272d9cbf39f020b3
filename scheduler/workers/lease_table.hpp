// Who runs what: interleavings that wait, and those that are leased to workers, each to one at a time. A worker gets
// somewhat more than it can run at once, so that it never waits for the next; the one with the least gets first. What a
// lost worker had goes to the others, before all that waits. Pure: knows neither time nor network.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace dampi::scheduler::workers {

class LeaseTable {
public:
    using Worker = std::uint64_t;
    using Job = std::uint64_t;      ///< an interleaving that is to be run, whoever runs it
    using LeaseId = std::uint64_t;  ///< never used twice
    struct Grant {
        LeaseId lease;
        Worker worker;
        Job job;
    };

    /// `slots`: so many it runs at the same time.
    void add_worker(Worker worker, std::uint32_t slots);
    /// Its leases are over; what they were for waits again, and is returned.
    std::vector<Job> remove_worker(Worker worker);

    void ask(Job job) { waiting_.push_back(job); }
    /// Leases what waits to whom has room.
    [[nodiscard]] std::vector<Grant> grant();
    /// What this lease was for, which is over now; nothing where it is none of this worker's (any more).
    std::optional<Job> settle(Worker worker, LeaseId lease);
    /// Nobody wants it any more; says whose lease it was, if it was leased.
    std::optional<std::pair<Worker, LeaseId>> withdraw(Job job);

    /// So many can be leased at the same time.
    [[nodiscard]] std::uint64_t room() const { return room_; }
    [[nodiscard]] std::size_t workers() const { return workers_.size(); }
    [[nodiscard]] std::size_t leased() const { return jobs_.size(); }
    [[nodiscard]] std::size_t waiting() const { return waiting_.size(); }

private:
    struct State {
        std::uint32_t slots = 1;
        std::map<LeaseId, Job> leases = {};
    };

    [[nodiscard]] static std::uint64_t capacity(std::uint32_t slots) { return 2 * std::uint64_t{slots}; }
    /// Comparable between workers: how many leases per slot.
    [[nodiscard]] static double load(const State& state) {
        return static_cast<double>(state.leases.size()) / static_cast<double>(state.slots);
    }
    /// Takes it out of those with room, calls `change` and puts it back where it belongs.
    template <typename Change>
    void change(Worker worker, Change&& change);

    std::map<Worker, State> workers_;
    std::set<std::pair<double, Worker>> with_room_;   ///< by load
    std::map<Job, std::pair<Worker, LeaseId>> jobs_;  ///< that are leased
    std::deque<Job> waiting_;
    LeaseId last_ = 0;
    std::uint64_t room_ = 0;
};

}  // namespace dampi::scheduler::workers
