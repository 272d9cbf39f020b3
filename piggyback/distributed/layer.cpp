#include "piggyback/distributed/layer.hpp"

#include <utility>

namespace dampi::piggyback::distributed {
namespace {

clocks::Marks marks_of(const transport::memory::Area& area) {
    const std::uint32_t marks = area.header().marks;
    return {.postings = (marks & transport::memory::mark_postings) != 0,
            .buffered = (marks & transport::memory::mark_buffered) != 0,
            .windows = (marks & transport::memory::mark_windows) != 0};
}

}  // namespace

DistributedLayer::DistributedLayer(transport::memory::Area shared, base::Rank own_rank)
    : Layer(std::move(shared), own_rank),
      outgoing(area.processes()),
      incoming(area.processes()),
      clocks(own_rank, area.protocol(), marks_of(area)),
      others_clocks(area.processes()),
      buffering(static_cast<replay::Buffering::Kind>(area.header().buffering)),
      rendezvous_threshold(area.header().rendezvous_threshold),
      marks_doubtful((area.header().marks & transport::memory::marks_doubtful) != 0),
      piggyback(static_cast<replay::Piggyback>(area.header().piggyback)),
      free_seed(area.header().free_seed) {}

}  // namespace dampi::piggyback::distributed
