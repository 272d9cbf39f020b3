// When this rank has entered calls of MPI, by numbers that travel in clocks as those of the ends of accesses do
// (clocks/marks.hpp): whoever knows of a number knows of all that this rank had done by then. Keeps the latest moments,
// with a place for what ThreadSanitizer is told of each (rank/sanitizers/fibers.hpp).
#pragma once

#include "piggyback/rank/sanitizers/fibers.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace dampi::piggyback::distributed {

class EntryMoments {
public:
    static constexpr std::size_t most = 64;

    /// A new one, whose number is higher than those before. Its place.
    void* add(std::uint32_t number) {
        Moment& moment = moments_[added_++ % most];
        moment.number = number;
        return &moment.place;
    }
    /// Some have no number: from now on nobody can say what others know.
    void lose() { lost_ = true; }
    [[nodiscard]] bool lost() const { return lost_; }

    /// The latest of which somebody knows who knows of the numbers up to `known`; where that is kept no more a later
    /// one; nothing if there is none.
    [[nodiscard]] sanitizers::Fibers::Later latest(std::uint32_t known) {
        const std::size_t kept = std::min(added_, most);
        Moment* found = kept < added_ ? &moments_[added_ % most] : nullptr;  // the first of those that are kept
        for (std::size_t i = added_ - kept; i < added_; ++i) {
            Moment& moment = moments_[i % most];
            if (moment.number <= known) {
                found = &moment;
            }
        }
        return found == nullptr ? sanitizers::Fibers::Later{}
                                : sanitizers::Fibers::Later{.moment = &found->place, .number = found->number};
    }

private:
    struct Moment {
        std::uint32_t number = 0;
        char place = 0;  ///< its address is the moment's
    };
    std::array<Moment, most> moments_{};
    std::size_t added_ = 0;
    bool lost_ = false;
};

}  // namespace dampi::piggyback::distributed
