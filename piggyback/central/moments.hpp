// Writes down the moments in which this rank waits, where dampi-run wants to compare them with those of another run
// (transport/requests/moments.hpp). Allocates nothing, which might show in the program's heap.
#pragma once

#include "base/types.hpp"
#include "piggyback/rank/call.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace dampi::piggyback::central {

class Moments {
public:
    /// Asks the environment whether anybody wants them in this run.
    void begin(base::Rank own) noexcept;
    [[nodiscard]] bool wanted() const noexcept { return wanted_; }

    /// The rank is about to wait in the call.
    void note(const Call& call) noexcept;
    /// A message has come, of which the program is told this source and tag; its data may be there.
    void note_received(std::int64_t begin, std::int64_t end, int source, int tag) noexcept;

private:
    bool wanted_ = false;
    base::Rank own_ = 0;
    std::uint32_t number_ = 0;
    std::array<std::uint32_t, 16> memory_wanted_{};
    std::size_t memory_wanted_count_ = 0;
};

}  // namespace dampi::piggyback::central
