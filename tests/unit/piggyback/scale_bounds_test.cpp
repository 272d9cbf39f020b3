// Which collectives have more data than a bound allows.
#include "piggyback/rank/arguments/scale_bounds.hpp"

#include <gtest/gtest.h>

namespace dampi::piggyback::arguments {
namespace {

TEST(KnownScaleBounds, EachFormBoundsWhatItSays) {
    const auto exceeds = [](const char* text, std::int64_t processes, std::int64_t element, std::int64_t elements) {
        return !ScaleBounds(text).exceeded("MPI_Gather", processes, element, elements).empty();
    };
    EXPECT_FALSE(exceeds("MPI_Gather 0 240 0 0;", 4, 6, 10));
    EXPECT_TRUE(exceeds("MPI_Gather 0 240 0 0;", 4, 6, 11));
    EXPECT_FALSE(exceeds("MPI_Gather 1 40 0 0;", 4, 6, 10));
    EXPECT_TRUE(exceeds("MPI_Gather 1 40 0 0;", 4, 6, 11));
    EXPECT_FALSE(exceeds("MPI_Gather 2 60 0 0;", 4, 6, 10));
    EXPECT_TRUE(exceeds("MPI_Gather 2 60 0 0;", 4, 6, 11));
    EXPECT_TRUE(exceeds("MPI_Gather 3 10 0 0;", 4, 6, 11));
    EXPECT_TRUE(exceeds("MPI_Gather 4 10 4 6;", 4, 6, 11));
    EXPECT_FALSE(exceeds("MPI_Gather 4 10 4 6;", 4, 7, 11)) << "it was not measured";
    EXPECT_FALSE(exceeds("MPI_Gather 4 10 4 6;", 5, 6, 11));
}

TEST(KnownScaleBounds, VariantsOfAFunctionAreThatFunction) {
    const ScaleBounds bounds("MPI_Igather 3 10 0 0;MPI_Bcast 3 5 0 0;");
    EXPECT_EQ(bounds.exceeded("MPI_Gather", 2, 1, 11), "");
    EXPECT_NE(bounds.exceeded("MPI_Igather_c", 2, 1, 11), "");
    EXPECT_EQ(bounds.exceeded("MPI_Bcast_init_c", 2, 1, 6),
              "more than this MPI library was seen to take: at most 5 elements of each rank");
}

TEST(KnownScaleBounds, WhatIsNotUnderstoodIsLeftOut) {
    EXPECT_TRUE(ScaleBounds("").empty());
    EXPECT_TRUE(ScaleBounds("MPI_Bcast;MPI_Bcast 7 1 0 0;MPI_Bcast 0 -1 0 0;;x").empty());
}

}  // namespace
}  // namespace dampi::piggyback::arguments
