#include "tests/unit/piggyback/distributed/rank_under_test.hpp"

#include "piggyback/distributed/progress.hpp"
#include "piggyback/distributed/thread_state.hpp"
#include "piggyback/rank/threads/threads.hpp"

namespace dampi::piggyback::distributed {

RankUnderTest::~RankUnderTest() {
    if (layer_) {
        thread_state() = {.thread = this_thread};  // the thread lives on, in the next test's rank
        this_thread->false_answers = {};           // shown on this rank's board
        layer_->set_active(false);
        Core::make_current(nullptr);
    }
}

void RankUnderTest::start() {
    layer_ = std::make_unique<DistributedLayer>(port);
    layer_->spins = 4;
    layer_->communicators.add_predefined(own, static_cast<int>(port.processes()));
    Core::make_current(layer_.get());
    begin_progress();
    layer_->set_active(true);
    enter_thread(*layer_);
}

std::uint64_t RankUnderTest::message(base::Rank source, int tag, const clocks::Clock& clock, bool comes) {
    layer();
    const std::uint64_t position = port.arrive(source, {.tag = tag, .clock = port.published(clock)});
    if (comes) {
        mpi.deliver(source, tag);
    }
    return position;
}

clocks::Clock RankUnderTest::knowing(const std::vector<std::pair<base::Rank, std::uint32_t>>& epochs) {
    clocks::Clock clock;
    for (const auto& [rank, index] : epochs) {
        clock.vector.add(rank, index);
    }
    return clock;
}

}  // namespace dampi::piggyback::distributed
