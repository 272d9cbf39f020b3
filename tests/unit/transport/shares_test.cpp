// What one rank gives another in a collective against what that asks for.
#include "transport/shares.hpp"

#include "transport/collective_mismatch.hpp"
#include "transport/collective_operation.hpp"

#include <gtest/gtest.h>

namespace dampi::transport {
namespace {

TypedData items(std::uint64_t hash, std::uint64_t number) { return {.hash = hash, .items = number, .type = 1}; }

Shares shares(std::initializer_list<Share> all) {
    Shares made;
    for (const Share& share : all) {
        add_share(made, share);
    }
    return made;
}

/// What rank 3 gives rank 5 in MPI_Alltoallv.
std::optional<std::pair<Contribution, Contribution>> met(const Shares& given, const Shares& asked) {
    const Contribution part{
        .operation = operation_number(Collective::alltoallv, CollectiveForm::blocking), .site = 17, .sent = 99};
    const Contribution other{.operation = part.operation, .site = 18};
    return differing_shares({.rank = 3, .part = part, .given = given, .asked = {}},
                            {.rank = 5, .part = other, .given = {}, .asked = asked});
}

TEST(Shares, AreKeptAsTheyAre) {
    const Share share{.rank = 7, .bytes = 12, .data = items(34, 3)};
    const Shares two = shares({{}, share});
    ASSERT_EQ(number_of_shares(two), 2U);
    EXPECT_EQ(share_at(two, 0).rank, Share::everyone);
    EXPECT_EQ(share_at(two, 0).bytes, unknown_amount);
    EXPECT_EQ(share_at(two, 1).rank, 7);
    EXPECT_EQ(share_at(two, 1).bytes, 12U);
    EXPECT_EQ(share_at(two, 1).data, share.data);
}

TEST(Shares, OnlyThoseOfTheTwoRanksCount) {
    const Shares given = shares({{.rank = 4, .bytes = 1}, {.rank = 5, .bytes = 8}});
    EXPECT_FALSE(met(given, shares({{.rank = 3, .bytes = 8}, {.rank = 4, .bytes = 2}})));
    EXPECT_FALSE(met(given, shares({{.rank = 4, .bytes = 2}}))) << "it asks nothing of this rank";
    EXPECT_FALSE(met({}, shares({{.rank = 3, .bytes = 8}})));
    const auto found = met(given, shares({{.rank = 3, .bytes = 4}}));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->first.sent, 8U);
    EXPECT_EQ(found->first.site, 17U);
    EXPECT_EQ(found->second.received, 4U);
    EXPECT_EQ(difference(3, found->first, 5, found->second), Difference::amount);
    EXPECT_EQ(differing_property(Difference::amount, found->first), "8 bytes sent");
    EXPECT_EQ(differing_property(Difference::amount, found->second), "4 bytes received");
}

TEST(Shares, WhoeverGivesThePartsKeepTheirOrder) {
    const Contribution part{.operation = operation_number(Collective::alltoallv, CollectiveForm::blocking), .site = 17};
    const Contribution other{.operation = part.operation, .site = 18};
    const Shares asked = shares({{.rank = 5, .bytes = 4}});
    const Shares given = shares({{.rank = 3, .bytes = 8}});
    const auto found = differing_shares({.rank = 3, .part = part, .given = {}, .asked = asked},
                                        {.rank = 5, .part = other, .given = given, .asked = {}});
    ASSERT_TRUE(found);
    EXPECT_EQ(found->first.site, 17U);
    EXPECT_EQ(found->first.received, 4U);
    EXPECT_EQ(found->second.site, 18U);
    EXPECT_EQ(found->second.sent, 8U);
}

TEST(Shares, Types) {
    const auto given = [](const TypedData& data) {
        return shares({{.rank = Share::everyone, .bytes = 4, .data = data}});
    };
    const Shares asked = shares({{.rank = 3, .bytes = 4, .data = items(1, 1)}});
    EXPECT_FALSE(met(given(items(1, 1)), asked));
    EXPECT_FALSE(met(given({}), asked)) << "MPI_BYTE";
    const auto found = met(given(items(2, 1)), asked);
    ASSERT_TRUE(found);
    EXPECT_EQ(difference(3, found->first, 5, found->second), Difference::types);
}

TEST(Shares, SeveralEdgesAreComparedInAnyOrder) {
    const auto edges = [](base::Rank rank, std::uint64_t one, std::uint64_t other) {
        return shares({{.rank = rank, .bytes = one, .data = items(1, one)},
                       {.rank = rank, .bytes = other, .data = items(1, other)}});
    };
    EXPECT_FALSE(met(edges(5, 4, 8), edges(3, 8, 4)));
    EXPECT_TRUE(met(edges(5, 4, 8), edges(3, 8, 8)));
    EXPECT_FALSE(met(edges(5, 4, 8), shares({{.rank = 3, .bytes = 4}, {.rank = 3, .bytes = 4}})))
        << "of one of them it is not known what it is";
    EXPECT_FALSE(met(edges(5, 4, 8), shares({{.rank = 3, .bytes = 4}}))) << "they do not agree on the edges";
    const Shares everyone = shares({{.bytes = 4, .data = items(1, 4)}});
    EXPECT_FALSE(met(everyone, edges(3, 4, 4)));
    EXPECT_TRUE(met(everyone, edges(3, 4, 8)));
}

/// Whether two ranks that make a communicator agree.
bool agree(Collective collective, const Shares& given, const Shares& asked, const Shares& others_given,
           const Shares& others_asked) {
    const Contribution part{.operation = operation_number(collective, CollectiveForm::blocking), .site = 17};
    const auto found = differing_shares({.rank = 3, .part = part, .given = given, .asked = asked},
                                        {.rank = 5, .part = part, .given = others_given, .asked = others_asked});
    if (found) {
        EXPECT_EQ(difference(3, found->first, 5, found->second), Difference::arguments);
        EXPECT_TRUE(differ_in_shares(found->first, found->second));
        EXPECT_FALSE(differ_in_shares(found->first, part));
    }
    return !found.has_value();
}

TEST(Shares, EdgesAreNamedByBothEnds) {
    const auto edges = [](base::Rank rank, std::initializer_list<std::uint64_t> weights) {
        Shares made;
        for (const std::uint64_t weight : weights) {
            add_share(made, {.rank = rank, .bytes = weight});
        }
        return made;
    };
    constexpr auto create = Collective::dist_graph_create_adjacent;
    EXPECT_TRUE(agree(create, edges(5, {1, 2}), {}, {}, edges(3, {2, 1})));
    EXPECT_TRUE(agree(create, edges(4, {1}), edges(4, {1}), edges(6, {1}), {}));
    EXPECT_FALSE(agree(create, edges(5, {1}), {}, {}, {}));
    EXPECT_FALSE(agree(create, {}, edges(5, {1}), {}, {}));
    EXPECT_FALSE(agree(create, edges(5, {1}), {}, {}, edges(3, {1, 1})));
    EXPECT_FALSE(agree(create, edges(5, {1}), {}, {}, edges(3, {2})));
}

TEST(Shares, AGroupIsTheSameForItsMembers) {
    const auto group = [](std::initializer_list<base::Rank> ranks) {
        Shares made;
        for (const base::Rank rank : ranks) {
            add_share(made, {.rank = rank});
        }
        return made;
    };
    for (const auto create : {Collective::comm_create, Collective::cart_sub}) {
        EXPECT_TRUE(agree(create, group({3, 5}), {}, group({3, 5}), {}));
        EXPECT_TRUE(agree(create, group({3}), {}, group({5, 6}), {}));
        EXPECT_TRUE(agree(create, group({4, 6}), {}, {}, {}));
        EXPECT_FALSE(agree(create, group({3, 5}), {}, group({5, 3}), {}));
        EXPECT_FALSE(agree(create, group({3, 5}), {}, group({5}), {}));
        EXPECT_FALSE(agree(create, {}, {}, group({3, 5}), {}));
    }
}

}  // namespace
}  // namespace dampi::transport
