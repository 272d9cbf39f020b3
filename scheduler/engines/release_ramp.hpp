// How many polling calls of a rank are let answer "nothing yet" at once where nobody else can go on. Who has been told
// so often in vain counts his polls, if he stops at all, or works between them, perhaps a million times: so each time
// there are more. It decides how fast that goes, and never which answers are possible.
#pragma once

#include <algorithm>
#include <cstdint>

namespace dampi::scheduler {

/// Of one rank.
class ReleaseRamp {
public:
    /// Since anything but polling has happened.
    [[nodiscard]] std::uint32_t releases() const { return releases_; }

    /// The rank is released once more: for how many calls. For one that looks at its clock they grow later, for time
    /// passes with each.
    std::uint32_t release(bool looks_at_clock) {
        constexpr std::uint32_t singles_with_clock = 64;
        constexpr std::uint32_t releases_per_doubling_with_clock = 4;
        constexpr std::uint32_t most_doublings = 16;
        const std::uint32_t before = head_start_ + releases_++;
        const std::uint32_t doublings = looks_at_clock ? (std::max(before, singles_with_clock) - singles_with_clock) /
                                                             releases_per_doubling_with_clock
                                                       : std::max(before, singles) - singles;
        return 1U << std::min(doublings, most_doublings);
    }

    /// Something else has happened. Who was told so many times at once until then is going to need about as many again:
    /// it begins with a quarter of that.
    void begin_anew(bool looks_at_clock) {
        constexpr std::uint32_t quarter = 2;
        constexpr std::uint32_t most = singles + 10;
        const std::uint32_t all = head_start_ + releases_;
        head_start_ = looks_at_clock || all <= singles + quarter ? 0 : std::min(most, all - quarter);
        releases_ = 0;
    }

private:
    static constexpr std::uint32_t singles = 8;

    std::uint32_t releases_ = 0;
    std::uint32_t head_start_ = 0;  ///< it is told as much at once as if it was released so often before
};

}  // namespace dampi::scheduler
