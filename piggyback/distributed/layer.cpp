#include "piggyback/distributed/layer.hpp"

namespace dampi::piggyback::distributed {
namespace {

clocks::Marks marks_of(const transport::RankPort& port) {
    const std::uint32_t marks = port.terms().marks;
    return {.postings = (marks & transport::mark_postings) != 0,
            .buffered = (marks & transport::mark_buffered) != 0,
            .windows = (marks & transport::mark_windows) != 0};
}

}  // namespace

DistributedLayer::DistributedLayer(transport::RankPort& own_port)
    : Layer(own_port),
      clocks(port.rank(), port.protocol(), marks_of(port)),
      buffering(static_cast<replay::Buffering::Kind>(port.terms().buffering)),
      rendezvous_threshold(port.terms().rendezvous_threshold),
      marks_doubtful((port.terms().marks & transport::marks_doubtful) != 0),
      piggyback(static_cast<replay::Piggyback>(port.terms().piggyback)),
      free_seed(port.terms().free_seed) {}

}  // namespace dampi::piggyback::distributed
