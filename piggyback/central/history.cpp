#include "piggyback/central/history.hpp"

#include "piggyback/rank/memory/program_state.hpp"

namespace dampi::piggyback::central {
namespace {

/// What a run's history may cost: 256 MiB are read in a tenth of a second. Programs that make thousands of objects, and
/// so have much memory, would take longer for it than for all else.
constexpr std::uint64_t most_pages = 65'536;

}  // namespace

void History::note_objects(const Call& call) noexcept {
    if (!followed_ || !known_) {
        return;
    }
    base::DigestBuilder words;
    words.add(objects_).add(call.digest());
    if (told_) {
        // What its arrays hold, and all else that it may depend on, is somewhere in there.
        const std::uint64_t before = pages_of_states();
        const auto state = program_state(call.return_address());
        pages_ += pages_of_states() - before;
        known_ = state.has_value() && pages_ <= most_pages;
        words.add(state.value_or(base::Digest()));
    }
    objects_ = words.value();
}

}  // namespace dampi::piggyback::central
