#include "scheduler/engines/central/posted_receives.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace dampi::scheduler::central {
namespace {

using base::any_source;
using base::any_tag;
using base::ReceiveSpec;
using transport::requests::no_operation;

constexpr base::CommId comm = 5;

TEST(CentralPostedReceives, TheFirstThatFitsHoweverItAsks) {
    const std::vector<ReceiveSpec> specs{
        {comm, 2, 7}, {comm, any_source, 7}, {comm, 1, any_tag}, {comm, 1, 7}, {comm, any_source, any_tag}};
    PostedReceives posted;
    for (std::size_t i = 0; i < specs.size(); ++i) {
        posted.add(i, specs[i], 100 + i);
    }
    EXPECT_EQ(posted.first_for(comm, 1, 7), 101U);
    EXPECT_EQ(posted.first_for(comm, 2, 7), 100U);
    EXPECT_EQ(posted.first_for(comm, 1, 8), 102U);
    EXPECT_EQ(posted.first_for(comm, 3, 8), 104U);
    EXPECT_EQ(posted.first_for(comm + 1, 1, 7), no_operation);
    posted.remove(1, specs[1]);
    EXPECT_EQ(posted.first_for(comm, 1, 7), 102U);
    posted.remove(2, specs[2]);
    EXPECT_EQ(posted.first_for(comm, 1, 7), 103U);
    EXPECT_EQ(posted.first_for(comm, 1, 8), 104U);
}

TEST(CentralPostedReceives, AreGoneThroughInPostingOrder) {
    PostedReceives posted;
    EXPECT_TRUE(posted.empty());
    for (const base::PostingOrder order : {3U, 8U, 20U}) {
        posted.add(order, {comm, static_cast<base::Rank>(order), 0}, order);
    }
    std::vector<base::PostingOrder> seen;
    for (const auto& [order, operation] : posted) {
        EXPECT_EQ(order, operation);
        seen.push_back(order);
    }
    EXPECT_EQ(seen, (std::vector<base::PostingOrder>{3, 8, 20}));
    EXPECT_EQ(posted.after(3)->first, 8U);
    EXPECT_EQ(posted.after(7)->first, 8U);
    EXPECT_EQ(posted.after(20), posted.end());
    for (const base::PostingOrder order : {3U, 8U, 20U}) {
        posted.remove(order, {comm, static_cast<base::Rank>(order), 0});
    }
    EXPECT_TRUE(posted.empty());
    EXPECT_EQ(posted.first_for(comm, 3, 0), no_operation);
}

}  // namespace
}  // namespace dampi::scheduler::central
