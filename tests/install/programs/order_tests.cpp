// Tests of which one holds in each interleaving, and one only in some.
#include <gtest/gtest.h>
#include <mpi.h>

namespace {

/// The ranks of which rank 0 gets messages, as a number: 12 or 21.
int order() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int order = 0;
    if (rank != 0) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        return 0;
    }
    for (int i = 0; i < 2; ++i) {
        int from = 0;
        MPI_Recv(&from, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        order = 10 * order + from;
    }
    return order;
}

TEST(Order, IsOneOfTwo) {
    const int got = order();
    EXPECT_TRUE(got == 0 || got == 12 || got == 21);
}

class OrderOf : public testing::TestWithParam<int> {};
TEST_P(OrderOf, IsThis) {
    const int got = order();
    EXPECT_TRUE(got == 0 || got == GetParam());
}
INSTANTIATE_TEST_SUITE_P(Both, OrderOf, testing::Values(12));

TEST(Order, DISABLED_Never) { FAIL(); }

}  // namespace

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    MPI_Init(&argc, &argv);
    const int failed = RUN_ALL_TESTS();
    MPI_Finalize();
    return failed;
}
