#include "piggyback/distributed/matching/types.hpp"

namespace dampi::piggyback::distributed {

void compare_types(DistributedLayer& layer, const SentData& sent, const Asked& asked) {
    if (transport::surely_agree(sent.data, layer.types.table(), asked.data) ||
        layer.differences.size() == DistributedLayer::most_differences ||
        !layer.differences
             .insert({.source = sent.name.source,
                      .send_site = sent.send_site,
                      .receive_site = asked.site,
                      .sent = sent.data,
                      .received = asked.data})
             .second) {
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
