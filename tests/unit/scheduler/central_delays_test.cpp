#include "scheduler/engines/central/delays.hpp"

#include <gtest/gtest.h>

#include <deque>

namespace dampi::scheduler::central {
namespace {

/// Gives these numbers in turn, and no others.
class Numbers {
public:
    explicit Numbers(std::deque<std::uint64_t> numbers) : numbers_(std::move(numbers)) {}
    std::function<std::uint64_t()> source() {
        return [this] {
            if (numbers_.empty()) {
                ADD_FAILURE() << "asked for more numbers than expected";
                return std::uint64_t{0};
            }
            const std::uint64_t number = numbers_.front();
            numbers_.pop_front();
            return number;
        };
    }
    [[nodiscard]] bool all_taken() const { return numbers_.empty(); }

private:
    std::deque<std::uint64_t> numbers_;
};

TEST(CentralDelays, NoneByDefault) {
    Numbers none({});
    Delays delays;
    EXPECT_FALSE(delays.are_there());
    delays.look({{1, 0}}, none.source());
    EXPECT_FALSE(delays.holds({1, 0}));
}

TEST(CentralDelays, AreNoneInSomeRuns) {
    Numbers numbers({/*how many*/ 4, /*horizon*/ 0});
    const Delays delays(numbers.source());
    EXPECT_TRUE(numbers.all_taken());
    EXPECT_FALSE(delays.are_there());
}

TEST(CentralDelays, BeginAtTheirChoiceAndLastAsLongAsPlanned) {
    // One delay, within the first eight choices: at the choice with index 9 % 8, for 4 steps.
    Numbers numbers({1, 0, 9, 0, /*which channel*/ 3});
    Delays delays(numbers.source());
    EXPECT_TRUE(delays.are_there());
    const std::vector<Channel> channels{{1, 0}, {2, 0}};
    delays.look(channels, numbers.source());
    EXPECT_FALSE(delays.holds({1, 0}) || delays.holds({2, 0})) << "before its choice";
    EXPECT_FALSE(delays.hold_anything());
    delays.look(channels, numbers.source());
    EXPECT_TRUE(delays.holds({2, 0}));
    EXPECT_FALSE(delays.holds({1, 0}));
    EXPECT_FALSE(delays.holds({0, 2})) << "the other direction";
    EXPECT_TRUE(delays.hold_anything());
    for (int step = 0; step < 3; ++step) {
        delays.pass_time(false);
        EXPECT_TRUE(delays.holds({2, 0})) << step;
    }
    delays.pass_time(false);
    EXPECT_FALSE(delays.holds({2, 0}));
    EXPECT_FALSE(delays.hold_anything());
    EXPECT_TRUE(delays.are_there()) << "for the run has had one";
    EXPECT_TRUE(numbers.all_taken());
}

TEST(CentralDelays, OnClocksTimePassesFaster) {
    // One delay, at the first choice, for 16 steps.
    Numbers numbers({1, 0, 0, 2, /*which channel*/ 0});
    Delays delays(numbers.source());
    delays.look({{1, 0}}, numbers.source());
    delays.pass_time(true);
    EXPECT_TRUE(delays.holds({1, 0}));
    delays.pass_time(true);
    EXPECT_FALSE(delays.holds({1, 0}));
}

TEST(CentralDelays, AChoiceWithoutMessagesHasNothingToDelay) {
    Numbers numbers({1, 0, 0, 0});
    Delays delays(numbers.source());
    delays.look({}, numbers.source());
    delays.look({{1, 0}}, numbers.source());
    EXPECT_FALSE(delays.holds({1, 0}));
}

TEST(CentralDelays, NothingIsLateAfterTheEnd) {
    // Two delays: at the first choice and at the second.
    Numbers numbers({2, 0, 0, 0, 1, 0, /*which channel*/ 0});
    Delays delays(numbers.source());
    delays.look({{1, 0}}, numbers.source());
    EXPECT_TRUE(delays.holds({1, 0}));
    delays.end();
    EXPECT_FALSE(delays.holds({1, 0}));
    delays.look({{1, 0}}, numbers.source());
    EXPECT_FALSE(delays.holds({1, 0}));
    EXPECT_TRUE(numbers.all_taken());
}

}  // namespace
}  // namespace dampi::scheduler::central
