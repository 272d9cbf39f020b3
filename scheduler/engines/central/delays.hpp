// Messages that are on their way for long, in a run that looks for faults and not for all outcomes: now and then what
// one rank has sent another one stays unseen by wildcards, while time goes on for all, and a while later it has come.
// So time-outs come at moments at which they practically never do. A few such delays at random moments find faults that
// take few coincidences, however many choices a run has: S. Burckhardt and others, "A randomized scheduler with
// probabilistic guarantees of finding bugs", 2010, of threads with priorities; here of channels. Pure; what a run that
// has them came to is as possible as any other.
#pragma once

#include "scheduler/engines/central/channel.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace dampi::scheduler::central {

class Delays {
public:
    /// None.
    Delays() = default;
    /// Some, at random, or none; `random` gives numbers.
    explicit Delays(const std::function<std::uint64_t()>& random);

    /// Before a choice among messages of these channels: whether one of them is to be late from now on.
    void look(const std::vector<Channel>& channels, const std::function<std::uint64_t()>& random);
    /// Whether anything was, is or will be late in this run.
    [[nodiscard]] bool are_there() const { return are_there_; }
    [[nodiscard]] bool holds(const Channel& channel) const;
    /// Whether something is late now.
    [[nodiscard]] bool hold_anything() const { return !late_.empty(); }
    /// Somebody was told "nothing yet", or has slept. `on_clocks`: so that his clock shows it, and more each time.
    void pass_time(bool on_clocks);
    /// All has come, and nothing will be late any more.
    void end();

private:
    struct Planned {
        std::uint64_t choice = 0;  ///< it begins with
        std::uint64_t steps = 0;   ///< of time that it lasts
    };
    struct Late {
        Channel channel;
        std::uint64_t steps_left = 0;
    };

    bool are_there_ = false;
    std::vector<Planned> planned_;
    std::vector<Late> late_;
    std::uint64_t choices_ = 0;
};

}  // namespace dampi::scheduler::central
