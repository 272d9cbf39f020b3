// Which of the things that could happen next does, where that is left to chance. In half of the runs each is as likely
// as the others. In the other half it is drawn by lot at the beginning whose messages come first, and whose last, and
// that holds for long, up to some thousand choices, except that a few times, at random moments, whoever was just chosen
// becomes the last one. So "three times in a row before all others", which hardly any run has where each choice is a
// lot of its own, comes about as often as "once" (S. Burckhardt and others, "A randomized scheduler with probabilistic
// guarantees of finding bugs", 2010, of threads; here of senders and of channels). Pure; all runs are as possible as
// any other.
#pragma once

#include "scheduler/engines/central/channel.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <tuple>
#include <vector>

namespace dampi::scheduler::central {

class Preferences {
public:
    using Random = std::function<std::uint64_t()>;

    /// None: each is as likely.
    Preferences() = default;
    /// Some, at random, or none; `random` gives numbers.
    explicit Preferences(const Random& random);

    /// The place of the one that happens, of as many as there are channels; at least one.
    std::size_t one(const std::vector<Channel>& channels, const Random& random);
    /// The places of those that happen together, ascending: at least one.
    std::vector<std::size_t> some(const std::vector<Channel>& channels, const Random& random);

private:
    enum class Kind : std::uint8_t { none, of_senders, of_channels };
    using Turn = std::tuple<std::size_t, std::uint64_t>;  ///< the lower, the sooner

    /// What has its turn where a message of this channel could come.
    [[nodiscard]] Channel holder(const Channel& channel) const;
    [[nodiscard]] Turn turn(const Channel& channel) const;
    void made(const Channel& chosen);

    Kind kind_ = Kind::none;
    std::uint64_t lot_ = 0;
    std::vector<std::uint64_t> changes_;  ///< with which choices
    std::uint64_t choices_ = 0;
    std::vector<Channel> last_;  ///< holders that have become the last one, one after the other
};

}  // namespace dampi::scheduler::central
