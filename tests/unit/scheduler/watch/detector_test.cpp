#include "scheduler/watch/detector.hpp"

#include <functional>
#include <optional>

#include <gtest/gtest.h>

namespace dampi::scheduler::watch {
namespace {

using std::chrono::seconds;

constexpr Milliseconds tick{50};

/// Four ranks and a clock of their own.
class Detecting : public testing::Test {
protected:
    /// Looks for so long at what `change` makes of the ranks; after how long the detector would have said "hang".
    std::optional<Milliseconds> watch(Milliseconds time, const std::function<void(Look&, int)>& change) {
        const Time begin = now_;
        for (int i = 0; now_ - begin < time; ++i) {
            now_ += tick;
            change(look_, i);
            if (detector_.observe(now_, look_)) {
                return std::chrono::duration_cast<Milliseconds>(now_ - begin);
            }
        }
        return std::nullopt;
    }
    /// All get on, at a place that is well known.
    static void get_on(Look& look, int /*i*/) {
        for (RankLook& rank : look) {
            rank.token += 1;
            rank.where = Whereabouts::outside;
            rank.place = 7;
            rank.visits += 1;
        }
    }
    /// All but the last wait for it.
    static void stand(Look& look, int /*i*/) {
        for (RankLook& rank : look) {
            rank.where = rank.rank == 3 ? Whereabouts::outside : Whereabouts::inside;
        }
    }
    static void nothing(Look& /*look*/, int /*i*/) {}

    Look look_{
        {.rank = 0, .process = 10}, {.rank = 1, .process = 11}, {.rank = 2, .process = 12}, {.rank = 3, .process = 13}};
    Time now_ = Time{} + seconds{100};
    Detector detector_{Significance{}, Milliseconds{100}};
};

TEST_F(Detecting, FindsARankThatStaysOutside) {
    EXPECT_FALSE(watch(seconds{20}, get_on));
    const auto found = watch(seconds{60}, stand);
    ASSERT_TRUE(found);
    EXPECT_GE(*found, seconds{5});
    EXPECT_LE(*found, seconds{8});
    EXPECT_EQ(detector_.standstill().kind, StandstillKind::few_outside);
}

TEST_F(Detecting, WaitsTwiceAsLongWhereMoreDependsOnIt) {
    detector_ = Detector(Significance{}, Milliseconds{100}, 2);
    EXPECT_FALSE(watch(seconds{20}, get_on));
    const auto found = watch(seconds{60}, stand);
    ASSERT_TRUE(found);
    EXPECT_GE(*found, seconds{10});
}

TEST_F(Detecting, APlaceThatIsNewHasMoreTime) {
    EXPECT_FALSE(watch(seconds{20}, get_on));
    look_[3].place = 99;
    look_[3].visits = 1;
    const auto found = watch(seconds{60}, stand);
    ASSERT_TRUE(found);
    EXPECT_GE(*found, seconds{30});
}

TEST_F(Detecting, ASlowDownByTenIsNoHang) {
    // A round in which the others wait for rank 3 for a second and a half.
    const auto round = [this](Milliseconds time) {
        auto found = watch(tick * 4, get_on);
        return found ? found : watch(time, stand);
    };
    for (int i = 0; i < 20; ++i) {
        EXPECT_FALSE(round(Milliseconds{1500}));
    }
    for (int i = 0; i < 5; ++i) {
        EXPECT_FALSE(round(Milliseconds{15000}));
    }
    // What has been seen once is expected.
    EXPECT_FALSE(round(seconds{100}));
}

TEST_F(Detecting, LearnsThatAPhaseIsLong) {
    EXPECT_FALSE(watch(seconds{20}, get_on));
    EXPECT_FALSE(watch(seconds{4}, stand));
    EXPECT_FALSE(watch(seconds{1}, get_on));
    EXPECT_FALSE(watch(seconds{40}, stand));
}

TEST_F(Detecting, ManyThatComputeAreGivenMinutes) {
    EXPECT_FALSE(watch(seconds{20}, get_on));
    const auto found = watch(seconds{300}, nothing);
    ASSERT_TRUE(found);
    EXPECT_GE(*found, seconds{120});
}

TEST_F(Detecting, ManyThatComputeWhereNobodyHasBeenMayForEver) {
    EXPECT_FALSE(watch(seconds{20}, get_on));
    for (RankLook& rank : look_) {
        rank.visits = 1;
    }
    EXPECT_FALSE(watch(seconds{3600}, nothing));
}

TEST_F(Detecting, AJobThatIsSuspendedOrDebuggedIsNotJudged) {
    EXPECT_FALSE(watch(seconds{20}, get_on));
    for (RankLook& rank : look_) {
        rank.stopped = true;
    }
    EXPECT_FALSE(watch(seconds{600}, stand));
    for (RankLook& rank : look_) {
        rank.stopped = false;
    }
    look_[1].traced = true;
    EXPECT_FALSE(watch(seconds{600}, stand));
}

TEST_F(Detecting, OneThatIsStoppedIsFound) {
    EXPECT_FALSE(watch(seconds{20}, get_on));
    look_[3].stopped = true;
    const auto found = watch(seconds{60}, stand);
    ASSERT_TRUE(found);
    EXPECT_EQ(detector_.standstill().kind, StandstillKind::some_stopped);
}

TEST_F(Detecting, FindsAHangBeforeThereIsAModel) {
    EXPECT_FALSE(watch(Milliseconds{100}, get_on));
    const auto found = watch(seconds{60}, [](Look& look, int) {
        for (RankLook& rank : look) {
            rank.where = Whereabouts::inside;
        }
    });
    ASSERT_TRUE(found);
    EXPECT_GE(*found, seconds{10});
    EXPECT_LE(*found, seconds{20});
}

TEST_F(Detecting, VainPollsAreNoProgress) {
    EXPECT_FALSE(watch(seconds{20}, get_on));
    const auto found = watch(seconds{60}, [](Look& look, int i) {
        for (RankLook& rank : look) {
            rank.where = rank.rank == 0 || i % 2 == 0 ? Whereabouts::inside : Whereabouts::polling;
        }
    });
    ASSERT_TRUE(found);
}

TEST_F(Detecting, TimeThatTheMonitorHasSleptDoesNotCount) {
    EXPECT_FALSE(watch(seconds{20}, get_on));
    EXPECT_FALSE(watch(seconds{4}, stand));
    now_ += seconds{1000};
    detector_.skip(now_);
    EXPECT_FALSE(watch(seconds{4}, stand));
}

TEST_F(Detecting, ARankThatEndsIsProgress) {
    EXPECT_FALSE(watch(seconds{20}, get_on));
    EXPECT_FALSE(watch(seconds{4}, stand));
    look_[0].where = Whereabouts::ended;
    const auto only_first_ended = [](Look& look, int) {
        for (RankLook& rank : look) {
            rank.where = rank.rank == 0   ? Whereabouts::ended
                         : rank.rank == 3 ? Whereabouts::outside
                                          : Whereabouts::inside;
        }
    };
    EXPECT_FALSE(watch(seconds{4}, only_first_ended));
    EXPECT_TRUE(watch(seconds{60}, only_first_ended));
}

TEST_F(Detecting, WhatWasRefutedBeginsAnew) {
    EXPECT_FALSE(watch(seconds{20}, get_on));
    ASSERT_TRUE(watch(seconds{60}, stand));
    detector_.refute(now_);
    const auto again = watch(seconds{30}, stand);
    EXPECT_FALSE(again);  // it has been seen to last so long
}

}  // namespace
}  // namespace dampi::scheduler::watch
