#include "replay/other_answers.hpp"

#include <algorithm>

namespace dampi::replay {

bool is_choice(const Epoch& epoch) {
    return epoch.forced || !epoch.potential_matches.empty() || !not_reported(epoch).empty();
}

std::vector<std::uint32_t> not_reported(const Epoch& epoch) {
    std::vector<std::uint32_t> positions;
    for (const Completable& completable : epoch.completable) {
        const bool reported = epoch.outcome && std::binary_search(epoch.outcome->completed.begin(),
                                                                  epoch.outcome->completed.end(), completable.position);
        const bool follows = epoch.outcome && (completable.known.vector.knows(epoch.id.rank, epoch.id.index) ||
                                               epoch.final < completable.known.lamport);
        if (!reported && !follows) {
            positions.push_back(completable.position);
        }
    }
    return positions;
}

}  // namespace dampi::replay
