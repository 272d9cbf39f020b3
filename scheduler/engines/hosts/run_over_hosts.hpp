// One run whose ranks are spread over hosts, as dampi-run has it. Those of this host are a Job of its own; of those of
// other hosts it is a picture: what they hand over stands in this run's exchange, what they show in its area, as if
// they were here, and what is answered them goes to their node. So whoever drives the run need not know where a rank
// is.
//
// Data that a rank has handed over comes along with its call and is kept here until all readers on other hosts have
// got it with their answers; who is on the sender's own host reads it there.
//
// Driven by one thread. A node that is lost is told by serve() as HostLost, and by lost() after kill_all().
#pragma once

#include "launch/job.hpp"
#include "launch/job_driver.hpp"
#include "replay/decision.hpp"
#include "replay/violation.hpp"
#include "scheduler/engines/hosts/hosts.hpp"
#include "transport/memory/area.hpp"
#include "transport/memory/memory_view.hpp"
#include "transport/requests/exchange.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dampi::scheduler::hosts {

/// What dampi-run sees of the ranks. Numbers of threads on other hosts have the number of the host in them, so that
/// RunOverHosts::threads_sleeping() knows whom to ask.
class ViewOfHosts final : public transport::memory::MemoryView {
public:
    ViewOfHosts(const transport::memory::Area& area, const Hosts& hosts) : MemoryView(area), hosts_(hosts) {}

    [[nodiscard]] transport::RankProgress progress(base::Rank rank) const override;
    [[nodiscard]] std::optional<std::chrono::steady_clock::time_point> time_of(base::Rank rank,
                                                                               transport::Moment moment) const override;
    void let_pass(base::Rank rank, transport::VirtualTime until) override;

private:
    friend class RunOverHosts;
    const Hosts& hosts_;
    class RunOverHosts* run_ = nullptr;  ///< while there is one
};

class RunOverHosts final : public launch::JobDriver, public transport::requests::Carrier {
public:
    /// Starts all ranks. `spec` is that of a run on one host. Everything outlives this but `lanes`, which go back to
    /// `hosts` at the end. Throws dampi::Error when the ranks of this host cannot be started.
    RunOverHosts(Hosts& hosts, Hosts::Lanes lanes, const launch::JobSpec& spec,
                 const replay::Interleaving& interleaving, transport::requests::Exchange& exchange,
                 const transport::memory::Area& area, ViewOfHosts& view);
    ~RunOverHosts() override;
    RunOverHosts(const RunOverHosts&) = delete;
    RunOverHosts& operator=(const RunOverHosts&) = delete;

    // launch::JobDriver
    void serve(std::chrono::microseconds patience) override;
    void kill_rank(base::Rank rank) override;
    /// Also brings what the ranks have left and printed.
    void kill_all() override;
    [[nodiscard]] int size() const override;
    [[nodiscard]] int running() const override;
    [[nodiscard]] pid_t pid(base::Rank rank) const override;
    [[nodiscard]] launch::RankEnd end_of(base::Rank rank) const override;
    [[nodiscard]] bool may_have_begun(base::Rank rank) const override;
    [[nodiscard]] const std::vector<launch::AbortRequest>& abort_requests() const override;
    [[nodiscard]] pid_t crew() const override;
    [[nodiscard]] std::string output_failure() const override;
    [[nodiscard]] std::string errors_of(base::Rank rank) const override;

    // transport::requests::Carrier
    bool carry(base::Rank rank, transport::requests::Answer& answer) override;
    bool tell_read(base::Rank rank, std::uint64_t read) override;
    [[nodiscard]] bool makes_sense(base::Rank rank) const override;

    /// As capture_situations(), of all ranks.
    [[nodiscard]] std::vector<std::vector<replay::CodePlace>> capture();
    /// As launch::threads_sleeping(), of threads that ViewOfHosts has told of.
    [[nodiscard]] std::optional<std::uint64_t> threads_sleeping(const std::vector<pid_t>& threads);
    /// Of this host's ranks and others'.
    [[nodiscard]] bool uses_processes_here() const;
    /// Why the run is worth nothing: a host is lost. Empty: none is.
    [[nodiscard]] std::string lost() const;

    void let_pass(base::Rank rank, transport::VirtualTime until);
    /// The clock of the rank's host is so much behind ours.
    [[nodiscard]] std::chrono::nanoseconds behind(base::Rank rank) const;

private:
    class Inside;
    std::unique_ptr<Inside> inside_;
};

}  // namespace dampi::scheduler::hosts
