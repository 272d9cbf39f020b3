// Handles and groups of the centralized engine's own.
#include "piggyback/central/groups.hpp"
#include "piggyback/central/handle_source.hpp"

#include <gtest/gtest.h>

#include <set>

namespace dampi::piggyback::central {
namespace {

TEST(CentralHandles, LookLikeObjectsOfTheirKind) {
    HandleSource source(MPI_REQUEST_NULL);
    const auto handle = static_cast<unsigned>(source.take());
    EXPECT_EQ(handle >> 30, 2U) << "an object of the program's";
    EXPECT_EQ(handle & 0x3c000000U, static_cast<unsigned>(MPI_REQUEST_NULL) & 0x3c000000U);
}

TEST(CentralHandles, AreUsedAgainAsLateAsPossible) {
    HandleSource source(MPI_REQUEST_NULL);
    const int first = source.take();
    source.give_back(first);
    for (int i = 0; i < 1000; ++i) {
        const int next = source.take();
        EXPECT_NE(next, first);
        source.give_back(next);
    }
    std::set<int> seen;
    for (int i = 0; i < 100'000; ++i) {
        const int next = source.take();
        seen.insert(next);
        source.give_back(next);
    }
    EXPECT_LT(seen.size(), 10'000U) << "but they are used again";
}

TEST(CentralGroups, KnowTheirMembersUntilTheyAreFreed) {
    Groups groups;
    const MPI_Group group = groups.make({3, 1});
    ASSERT_NE(groups.find(group), nullptr);
    EXPECT_EQ(*groups.find(group), (Groups::Members{3, 1}));
    EXPECT_NE(groups.make({3, 1}), group);
    groups.remove(group);
    EXPECT_EQ(groups.find(group), nullptr);
    EXPECT_EQ(groups.find(MPI_GROUP_NULL), nullptr);
}

TEST(CentralGroups, TheEmptyOneIsMPIs) {
    Groups groups;
    EXPECT_EQ(groups.make({}), MPI_GROUP_EMPTY);
    ASSERT_NE(groups.find(MPI_GROUP_EMPTY), nullptr);
    EXPECT_TRUE(groups.find(MPI_GROUP_EMPTY)->empty());
}

}  // namespace
}  // namespace dampi::piggyback::central
