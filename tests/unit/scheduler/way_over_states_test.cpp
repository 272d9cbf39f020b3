// A way that is put together of parts of runs: which epochs it names.
#include "scheduler/exploration/way_over_states.hpp"

#include "replay/pinned_outcomes.hpp"

#include <string>

#include <gtest/gtest.h>

namespace dampi::scheduler {
namespace {

using replay::Decision;

Decision took(replay::Rank rank, std::uint32_t index, replay::Rank source) {
    return {.epoch = {rank, index}, .outcome = {.source = source, .tag = 4, .number = 17, .completed = {}}};
}

std::string text(const WayOverStates& way) {
    std::string all;
    for (const Decision& each : way.decisions()) {
        all += (all.empty() ? "" : " ") + std::to_string(each.epoch.rank) + "#" + std::to_string(each.epoch.index) +
               "<-" + std::to_string(each.outcome.source);
    }
    return all;
}

TEST(WayOverStates, OfOneRunItIsThatRuns) {
    WayOverStates way;
    way.follow({took(1, 0, 2), took(0, 1, 3), took(0, 0, 1)});
    EXPECT_EQ(text(way), "0#0<-1 0#1<-3 1#0<-2");
    EXPECT_EQ(way.decisions().front().outcome.tag, 4);
    EXPECT_EQ(way.decisions().front().outcome.number, replay::any_message) << "others may have been sent before";
}

TEST(WayOverStates, IndicesAreThoseOfTheWay) {
    WayOverStates way;
    way.follow({took(0, 0, 1)});
    // The other run had two more choices of rank 0, and none less of rank 1.
    const std::vector<Decision> there{took(0, 0, 2), took(0, 1, 2), took(0, 2, 2)};
    way.change_to(there);
    std::vector<Decision> further = there;
    further.insert(further.end(), {took(1, 0, 5), took(0, 3, 6), took(0, 4, 7)});
    way.follow(further);
    EXPECT_EQ(text(way), "0#0<-1 0#1<-6 0#2<-7 1#0<-5");
}

TEST(WayOverStates, APendingEpochIsTheSameInBoth) {
    // Of rank 0 the second choice is settled in both, the first is pending in the one and the third in the other.
    WayOverStates way;
    way.follow({took(0, 1, 1)});
    const std::vector<Decision> there{took(0, 0, 1), took(0, 1, 1), took(0, 3, 1)};
    way.change_to(there);
    std::vector<Decision> further = there;
    further.push_back(took(0, 2, 8));
    way.follow(further);
    EXPECT_EQ(text(way), "0#0<-8 0#1<-1");
}

TEST(WayOverStates, ChangesAgainAndAgain) {
    WayOverStates way;
    way.follow({took(0, 0, 1), took(0, 1, 1)});
    way.change_to({took(0, 0, 3)});
    way.follow({took(0, 0, 3), took(0, 1, 4)});
    way.change_to({took(0, 0, 5), took(0, 1, 5), took(0, 2, 5), took(0, 3, 5)});
    way.follow({took(0, 0, 5), took(0, 1, 5), took(0, 2, 5), took(0, 3, 5), took(0, 4, 6)});
    EXPECT_EQ(text(way), "0#0<-1 0#1<-1 0#2<-4 0#3<-6");
}

}  // namespace
}  // namespace dampi::scheduler
