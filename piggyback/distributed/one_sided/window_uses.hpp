// Memory of this rank's own in its windows that calls use which are no accesses: messages, collectives, files. MPI has
// it that these conflict with the accesses of others as loads and stores do. Only where it is certain that nothing
// orders both something is said (conflicts.hpp).
#pragma once

#include "piggyback/distributed/one_sided/access_list.hpp"
#include "piggyback/rank/buffers/pending.hpp"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace dampi::piggyback::distributed {

class DistributedLayer;

class WindowUses final : public UseListener {
public:
    /// `layer` outlives this.
    explicit WindowUses(DistributedLayer& layer) : layer_(layer) {}

    std::uint64_t begin_use(const BufferUse& use, const char* function, std::uint64_t site) override;
    void end_use(std::uint64_t token) override;

private:
    struct Use {
        base::CommId window = 0;
        Blocks blocks;  ///< from its beginning on
        AccessCall call = {};
    };

    DistributedLayer& layer_;
    std::uint64_t last_token_ = 0;
    std::unordered_map<std::uint64_t, std::vector<Use>> uses_;
};

}  // namespace dampi::piggyback::distributed
