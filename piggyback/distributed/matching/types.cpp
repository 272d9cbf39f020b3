#include "piggyback/distributed/matching/types.hpp"

namespace dampi::piggyback::distributed {

void note_difference(DistributedLayer& layer, const SentData& sent, const Asked& asked) {
    const DifferingData difference{.source = sent.name.source,
                                   .send_site = sent.send_site,
                                   .receive_site = asked.site,
                                   .sent = sent.data,
                                   .received = asked.data};
    if (layer.differences.size() == DistributedLayer::most_differences ||
        !layer.differences.insert(difference).second) {
        return;
    }
    layer.log.append(transport::DifferingTypesRecord{.comm = sent.name.comm,
                                                     .source = sent.name.source,
                                                     .tag = sent.tag,
                                                     .send_site = sent.send_site,
                                                     .receive_site = asked.site,
                                                     .sent = transport::fields_of(sent.data),
                                                     .received = transport::fields_of(asked.data)});
}

}  // namespace dampi::piggyback::distributed
