#include "piggyback/distributed/divergence.hpp"

namespace dampi::piggyback::distributed {

void diverge(DistributedLayer& layer, const Call& call, std::uint32_t index, const std::string& message) {
    layer.diverged = true;
    layer.log.append(
        transport::DivergenceRecord{.index = index, .message = message, .call = call.function(), .site = call.site()});
}

}  // namespace dampi::piggyback::distributed
