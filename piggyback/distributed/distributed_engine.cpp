// The distributed engine's library as every rank's parts see it, and what its waiting ranks do meanwhile.
#include "piggyback/distributed/epilogue.hpp"
#include "piggyback/distributed/layer.hpp"
#include "piggyback/distributed/matching/matching.hpp"
#include "piggyback/distributed/meanwhile.hpp"
#include "piggyback/distributed/sleeping.hpp"
#include "piggyback/rank/engine.hpp"
#include "piggyback/rank/library_values.hpp"

namespace dampi::piggyback::distributed {
namespace {

Core* make_layer(transport::RankPort& port) {
    return new DistributedLayer(port);  // lives until the process ends
}

void attach() {}

void detach(transport::memory::KeptMappings& /*kept*/) noexcept {}

void leaves_call() noexcept { notice_matches(*DistributedLayer::current()); }

void tell_senders(DistributedLayer& layer) { library_values_used() ? resolve_told(layer) : resolve_completed(layer); }

}  // namespace

const Meanwhile meanwhile{
    .tell_senders = tell_senders, .resolve_completed = resolve_completed, .write_epilogue = write_epilogue};

}  // namespace dampi::piggyback::distributed

namespace dampi::piggyback {

using namespace distributed;

const Engine engine{.make_layer = make_layer,
                    .attach = attach,
                    .detach = detach,
                    .initialise_alone = nullptr,
                    .leaves_call = leaves_call,
                    .makes_objects = nullptr,
                    .wait_until = wait_until};

}  // namespace dampi::piggyback
