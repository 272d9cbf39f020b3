// What dampi-run sees of ranks that share memory with it (layout.hpp). Believes nothing that a rank wrote without
// checking it.
#pragma once

#include "transport/memory/area.hpp"
#include "transport/run_view.hpp"

namespace dampi::transport::memory {

class MemoryView : public RunControl {
public:
    /// The area lives as long as this.
    explicit MemoryView(const Area& area) : area_(area) {}

    [[nodiscard]] std::uint32_t processes() const override { return area_.processes(); }
    [[nodiscard]] clocks::Protocol protocol() const override { return area_.protocol(); }

    [[nodiscard]] Phase phase(base::Rank rank) const override;
    [[nodiscard]] RankProgress progress(base::Rank rank) const override;
    [[nodiscard]] RankWaits waits(base::Rank rank) const override;
    [[nodiscard]] std::optional<std::vector<base::Rank>> group(base::Rank owner, Token token) const override;
    [[nodiscard]] transport::LastCall last_call(base::Rank rank) const override;
    [[nodiscard]] std::optional<WrittenSituation> situation(base::Rank rank) const override;
    [[nodiscard]] std::optional<std::chrono::steady_clock::time_point> time_of(base::Rank rank,
                                                                               Moment moment) const override;

    void for_each_open(base::Rank source, base::Rank destination,
                       const std::function<void(const Envelope&)>& visit) const override;
    void for_each_held(base::Rank source, base::Rank destination,
                       const std::function<void(const Envelope&)>& visit) const override;
    [[nodiscard]] std::optional<std::vector<PostedReceive>> posted(base::Rank rank, std::uint64_t most) const override;
    bool read_clock(ClockName name, clocks::Clock& clock) const override;
    [[nodiscard]] std::vector<CollectiveProgress> collectives(base::Rank rank) const override;
    [[nodiscard]] std::optional<Contribution> contribution(base::Rank rank, base::CommId comm,
                                                           std::uint64_t sequence) const override;

    [[nodiscard]] LogContent log(base::Rank rank) const override { return area_.log_content(rank); }
    [[nodiscard]] RankRemains remains(base::Rank rank) const override;

    void ask(std::uint32_t round) override;
    void release_poll(base::Rank rank, std::uint32_t calls) override;
    [[nodiscard]] VirtualTime passed(base::Rank rank) const override;
    [[nodiscard]] bool timer_is_set(base::Rank rank) const override;
    void let_pass(base::Rank rank, VirtualTime until) override;

private:
    const Area& area_;
};

}  // namespace dampi::transport::memory
