// What a divergence is called: the sentence that says which operation a rank was to issue and which it issued instead.
// The layer inside the ranks and the centralized engine both say it. Decides nothing: whoever compares the operations
// knows that they differ.
#pragma once

#include "replay/epoch.hpp"

#include <string>

namespace dampi::replay {

/// What makes two nondeterministic operations the same to a decision. `comm` is 0 and `tag` any_tag for choices.
struct EpochOperation {
    EpochKind kind = EpochKind::receive;
    CommId comm = 0;
    Tag tag = base::any_tag;

    bool operator==(const EpochOperation&) const = default;
};

/// "rank 1 was to issue a wildcard receive with tag 3 as its operation 0, but issued an MPI_Test". `decided` and `met`
/// may hold anything, also a kind that does not exist: they come from files and from the ranks' memory.
[[nodiscard]] std::string other_operation_text(EpochId epoch, const EpochOperation& decided, const EpochOperation& met);

}  // namespace dampi::replay
