// What is to be seen of a run of the centralized engine that is over: messages, receives and collectives as the machine
// knows them, and everything else as the ranks have left it. To be made when no rank's call is to come any more.
#pragma once

#include "scheduler/engines/central/machine.hpp"
#include "transport/run_view.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace dampi::scheduler::central {

class MachineView final : public transport::RunView {
public:
    /// `ranks` lives as long as this.
    MachineView(const Machine& machine, const transport::RunView& ranks);

    [[nodiscard]] std::uint32_t processes() const override { return ranks_.processes(); }
    [[nodiscard]] clocks::Protocol protocol() const override { return ranks_.protocol(); }

    [[nodiscard]] transport::Phase phase(Rank rank) const override { return ranks_.phase(rank); }
    [[nodiscard]] transport::RankProgress progress(Rank rank) const override { return ranks_.progress(rank); }
    [[nodiscard]] transport::RankWaits waits(Rank rank) const override { return ranks_.waits(rank); }
    [[nodiscard]] std::optional<std::vector<Rank>> group(Rank owner, transport::Token token) const override {
        return ranks_.group(owner, token);
    }
    [[nodiscard]] transport::LastCall last_call(Rank rank) const override { return ranks_.last_call(rank); }
    [[nodiscard]] std::optional<transport::WrittenSituation> situation(Rank rank) const override {
        return ranks_.situation(rank);
    }
    [[nodiscard]] std::optional<std::chrono::steady_clock::time_point> time_of(
        Rank rank, transport::Moment moment) const override {
        return ranks_.time_of(rank, moment);
    }

    void for_each_open(Rank source, Rank destination,
                       const std::function<void(const transport::Envelope&)>& visit) const override;
    /// Nobody waits for the receive of a matched probe any more.
    void for_each_held(Rank /*source*/, Rank /*destination*/,
                       const std::function<void(const transport::Envelope&)>& /*visit*/) const override {}
    [[nodiscard]] std::optional<std::vector<transport::PostedReceive>> posted(Rank rank,
                                                                              std::uint64_t most) const override;
    bool read_clock(transport::ClockName name, clocks::Clock& clock) const override {
        return ranks_.read_clock(name, clock);
    }
    /// Only of communicators in which ranks contradict each other, or have entered more collectives than others.
    [[nodiscard]] std::vector<transport::CollectiveProgress> collectives(Rank rank) const override;
    [[nodiscard]] std::optional<transport::Contribution> contribution(Rank rank, CommId comm,
                                                                      std::uint64_t sequence) const override;

    [[nodiscard]] transport::LogContent log(Rank rank) const override { return ranks_.log(rank); }
    [[nodiscard]] transport::RankRemains remains(Rank rank) const override { return ranks_.remains(rank); }

private:
    void add_collectives(const Machine& machine);

    const transport::RunView& ranks_;
    std::map<std::pair<Rank, Rank>, std::vector<transport::Envelope>> open_;  ///< by source and destination
    std::vector<std::vector<transport::PostedReceive>> posted_;               ///< by rank
    /// By rank and communicator: what is to be known of its contributions, ascending.
    std::map<std::pair<Rank, CommId>, std::map<std::uint64_t, transport::Contribution>> contributions_;
};

/// Of each collective in which ranks contradict each other: the lowest rank, and the lowest that contradicts it.
struct Contradiction {
    CommId comm = 0;
    std::uint64_t sequence = 0;
    CollectivePart first;
    CollectivePart second;
    bool of_starts = false;  ///< as NoticedMismatch::of_starts
};
[[nodiscard]] std::vector<Contradiction> contradictions(const Machine& machine);

}  // namespace dampi::scheduler::central
