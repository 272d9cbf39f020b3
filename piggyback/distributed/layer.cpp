#include "piggyback/distributed/layer.hpp"

namespace dampi::piggyback::distributed {
namespace {

clocks::Marks marks_of(const transport::RankPort& port) {
    const std::uint32_t marks = port.run().marks;
    return {.postings = (marks & transport::memory::mark_postings) != 0,
            .buffered = (marks & transport::memory::mark_buffered) != 0,
            .windows = (marks & transport::memory::mark_windows) != 0};
}

}  // namespace

DistributedLayer::DistributedLayer(transport::RankPort& own_port)
    : Layer(own_port),
      clocks(port.rank(), port.protocol(), marks_of(port)),
      buffering(static_cast<replay::Buffering::Kind>(port.run().buffering)),
      rendezvous_threshold(port.run().rendezvous_threshold),
      marks_doubtful((port.run().marks & transport::memory::marks_doubtful) != 0),
      piggyback(static_cast<replay::Piggyback>(port.run().piggyback)),
      free_seed(port.run().free_seed) {}

}  // namespace dampi::piggyback::distributed
