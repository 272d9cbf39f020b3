// What a rank's calls have left behind in the layer: objects that the program has made, and where. Comparable between
// runs; followed only where dampi-run compares states.
#pragma once

#include "base/digest.hpp"
#include "piggyback/rank/call.hpp"
#include "transport/requests/protocol.hpp"

#include <cstdint>
#include <optional>

namespace dampi::piggyback::central {

class History {
public:
    void follow() { followed_ = true; }

    /// The program is told something by MPI: from now on what it does may be another thing in another run.
    void note(const transport::requests::Answer& answer) { told_ = told_ || !answer.completions.empty(); }

    /// The call is about to make or free objects.
    void note_objects(const Call& call) noexcept;

    /// Of all such calls with all that they were given. Nothing if that is not known.
    [[nodiscard]] std::optional<base::Digest> objects() const {
        return known_ ? std::optional(objects_) : std::nullopt;
    }

private:
    bool followed_ = false;
    bool told_ = false;
    bool known_ = true;
    std::uint64_t pages_ = 0;  ///< that the states in it were made of
    base::Digest objects_;
};

}  // namespace dampi::piggyback::central
