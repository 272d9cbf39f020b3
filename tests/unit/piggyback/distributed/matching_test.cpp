// piggyback/distributed/matching/matching.hpp: which message a receive has taken, what is written down of it, and what
// the program knows afterwards.
#include "tests/unit/piggyback/distributed/rank_under_test.hpp"

#include "transport/log.hpp"

namespace dampi::piggyback::distributed {
namespace {

class Matching : public RankUnderTest {};

TEST_F(Matching, ANamedReceiveTakesTheMessageAndLearnsItsClock) {
    const auto position = message(1, 7, knowing({{1, 0}}));
    MPI_Status status;
    EXPECT_EQ(MPI_Recv(nullptr, 0, MPI_INT, 1, 7, MPI_COMM_WORLD, &status), MPI_SUCCESS);
    EXPECT_EQ(status.MPI_SOURCE, 1);
    EXPECT_TRUE(port.arrived(1, position).taken);
    EXPECT_TRUE(layer().clocks.now()->clock.vector.knows(1, 0));
    EXPECT_TRUE(port.logged<transport::EpochPostedRecord>().empty());
}

}  // namespace
}  // namespace dampi::piggyback::distributed
