#include "piggyback/distributed/epilogue.hpp"

#include "piggyback/distributed/completion/settling.hpp"
#include "piggyback/distributed/matching/cancelled_receives.hpp"
#include "piggyback/distributed/matching/matching.hpp"

namespace dampi::piggyback::distributed {

void write_epilogue(DistributedLayer& layer) {
    resolve_at_end(layer);
    settle_candidates(layer);
    check_cancelled_at_end(layer);
}

}  // namespace dampi::piggyback::distributed
