#include "piggyback/central/history.hpp"

#include "piggyback/rank/memory/program_state.hpp"

namespace dampi::piggyback::central {

void History::note_objects(const Call& call) noexcept {
    if (!followed_ || !known_) {
        return;
    }
    base::DigestBuilder words;
    words.add(objects_).add(call.digest());
    if (told_) {
        // What its arrays hold, and all else that it may depend on, is somewhere in there.
        const auto state = program_state(call.return_address());
        known_ = state.has_value();
        words.add(state.value_or(base::Digest()));
    }
    objects_ = words.value();
}

}  // namespace dampi::piggyback::central
