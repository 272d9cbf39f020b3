// Which accesses conflict, which order is certain, and where two of them meet.
#include "piggyback/distributed/one_sided/races.hpp"

#include "piggyback/distributed/one_sided/hearsay.hpp"

#include <gtest/gtest.h>

#include <set>

namespace dampi::piggyback::distributed {
namespace {

constexpr std::int32_t sum = 1;
constexpr std::int32_t product = 2;
constexpr Operators operators{.no_operation = 3, .replacement = 4};

AccessMode accumulating(std::int32_t operation, std::uint32_t element = 4) {
    return {.kind = AccessKind::accumulate, .operation = operation, .element = element};
}

constexpr AccessMode put{.kind = AccessKind::write};
constexpr AccessMode get{.kind = AccessKind::read};
constexpr AccessMode fetch{.kind = AccessKind::atomic_read, .element = 4, .ordered = 1};

bool conflict(const AccessMode& a, const AccessMode& b) {
    EXPECT_EQ(kinds_conflict(a, b, operators), kinds_conflict(b, a, operators));
    return kinds_conflict(a, b, operators);
}

TEST(Races, need_one_that_writes) {
    EXPECT_FALSE(conflict(get, get));
    EXPECT_FALSE(conflict(get, fetch));
    EXPECT_TRUE(conflict(put, get));
    EXPECT_TRUE(conflict(put, put));
    EXPECT_TRUE(conflict(put, fetch));
    EXPECT_TRUE(conflict(put, accumulating(sum)));
    EXPECT_TRUE(conflict(get, accumulating(sum)));
}

TEST(Races, are_none_between_accumulations_of_one_operator_and_type) {
    EXPECT_FALSE(conflict(accumulating(sum), accumulating(sum)));
    EXPECT_FALSE(conflict(accumulating(sum), fetch));
    EXPECT_FALSE(conflict(accumulating(sum), accumulating(operators.no_operation)));
    EXPECT_FALSE(conflict(accumulating(sum), accumulating(operators.replacement))) << "left to order_matters()";
    EXPECT_TRUE(conflict(accumulating(sum), accumulating(product)));
    EXPECT_TRUE(conflict(accumulating(sum, 4), accumulating(sum, 8)));
    EXPECT_FALSE(conflict(accumulating(sum, 4), accumulating(sum, 0))) << "the type is not known";
}

TEST(Races, between_atomic_accesses_order_may_matter) {
    EXPECT_TRUE(order_matters(fetch, accumulating(sum)));
    EXPECT_FALSE(order_matters(fetch, fetch));
    EXPECT_FALSE(order_matters(accumulating(sum), accumulating(sum)));
    EXPECT_FALSE(order_matters(put, fetch)) << "a conflict";
}

Access access(Opening opening, std::uint64_t last = Access::unfinished, std::uint64_t end = 0,
              std::uint64_t exposure = 0) {
    Access made;
    made.mode = {.kind = AccessKind::write, .opening = opening, .exposure = exposure};
    made.last = last;
    made.end = end;
    return made;
}

constexpr std::uint64_t phase = 5;

Order order(const Access& theirs, const Access& own, bool knows_end = false, bool heard = false) {
    return order_of(theirs, own, phase, knows_end, [&] { return heard; });
}

TEST(Races, of_fences_end_with_the_phase) {
    EXPECT_EQ(order(access(Opening::fence), access(Opening::fence)), Order::none);
    EXPECT_EQ(order(access(Opening::fence, phase), access(Opening::fence)), Order::none);
    EXPECT_EQ(order(access(Opening::fence, phase - 1), access(Opening::fence)), Order::certain);
    EXPECT_EQ(order(access(Opening::fence, phase), access(Opening::lock)), Order::possible);
}

TEST(Races, of_locks_depend_on_what_is_known) {
    const Access own = access(Opening::lock);
    EXPECT_EQ(order(access(Opening::lock), own), Order::none);
    EXPECT_EQ(order(access(Opening::lock), own, false, true), Order::none)
        << "it is not over: nobody can have heard so";
    EXPECT_EQ(order(access(Opening::lock, phase, 7), own, true), Order::certain);
    EXPECT_EQ(order(access(Opening::lock, phase, 7), own), Order::none);
    EXPECT_EQ(order(access(Opening::lock, phase, 7), own, false, true), Order::possible);
    EXPECT_EQ(order(access(Opening::lock, phase, 0), own), Order::possible) << "ends are not followed";
    const auto exclusive = AccessMode::locked_exclusively;
    EXPECT_EQ(order(access(Opening::lock, Access::unfinished, 0, exclusive), own), Order::certain);
    EXPECT_EQ(order(access(Opening::lock), access(Opening::lock, Access::unfinished, 0, exclusive)), Order::certain);
}

TEST(Races, of_the_owners_own_calls_end_when_these_do) {
    const auto of_owner = [](Access each) {
        each.mode.owners = 1;
        return each;
    };
    EXPECT_EQ(order(of_owner(access(Opening::fence)), access(Opening::fence)), Order::none);
    EXPECT_EQ(order(access(Opening::fence, phase), of_owner(access(Opening::fence))), Order::none);
    EXPECT_EQ(order(of_owner(access(Opening::fence, phase, 7)), access(Opening::fence)), Order::none);
    EXPECT_EQ(order(of_owner(access(Opening::fence, phase, 7)), access(Opening::fence), true), Order::certain);
    EXPECT_EQ(order(of_owner(access(Opening::fence, phase, 7)), access(Opening::fence), false, true), Order::possible);
    EXPECT_EQ(order(of_owner(access(Opening::fence, phase)), access(Opening::fence)), Order::possible);
    EXPECT_EQ(order(of_owner(access(Opening::lock)), access(Opening::fence)), Order::possible)
        << "the fence may not have let others go on";
    EXPECT_EQ(order(access(Opening::start), of_owner(access(Opening::lock))), Order::possible) << "not yet exposed";
    EXPECT_EQ(order(of_owner(access(Opening::lock, phase, 7)), access(Opening::lock)), Order::none);
}

TEST(Races, of_exposures_are_within_one) {
    const Access own = access(Opening::start, Access::unfinished, 0, 2);
    EXPECT_EQ(order(access(Opening::start, phase, 0, 2), own), Order::none);
    EXPECT_EQ(order(access(Opening::start, phase, 0, 1), own), Order::certain);
    EXPECT_EQ(order(access(Opening::start, phase, 0, 2), access(Opening::start)), Order::possible) << "which is its?";
    EXPECT_EQ(order(access(Opening::start, phase, 0, 2), access(Opening::lock)), Order::possible);
}

TEST(Races, name_a_byte_that_both_access) {
    const Blocks one{.begin = 0, .length = 4, .stride = 16, .count = 4};
    const Blocks other{.begin = 6, .length = 4, .stride = 7, .count = 6};
    std::set<std::int64_t> both;
    for (std::int64_t byte = 0; byte < 64; ++byte) {
        const Blocks single{.begin = byte, .length = 1};
        if (overlap(one, single) && overlap(other, single)) {
            both.insert(byte);
        }
    }
    ASSERT_FALSE(both.empty());
    EXPECT_EQ(first_common(one, other), *both.begin());
    EXPECT_EQ(first_common(other, one), *both.begin());
}

TEST(Hearsay, counts_from_a_moment_on_and_not_from_the_rank_itself) {
    Hearsay hearsay;
    hearsay.message(2);
    const std::uint64_t before = hearsay.now();
    EXPECT_FALSE(hearsay.heard_but_from(1, before, before));
    EXPECT_TRUE(hearsay.heard_but_from(1, 0, before));
    hearsay.message(1);
    EXPECT_FALSE(hearsay.heard_but_from(1, before, before));
    EXPECT_TRUE(hearsay.heard_but_from(2, before, before));
    hearsay.read();
    EXPECT_TRUE(hearsay.heard_but_from(1, before, before));
    EXPECT_FALSE(hearsay.heard_but_from(1, hearsay.now(), hearsay.now()));
    hearsay.somebody();
    EXPECT_TRUE(hearsay.heard_but_from(1, before, before));
}

/// Of the memory's owner, without a call.
Access touch(Opening opening, std::uint64_t exposure = 0, std::uint64_t owners = AccessMode::by_itself) {
    Access made = access(opening, phase, 7, exposure);
    made.mode.owners = owners;
    return made;
}

TEST(Races, are_not_kept_out_by_locks_where_the_owner_has_none) {
    const Access locked = access(Opening::lock, phase, 7, AccessMode::locked_exclusively);
    EXPECT_EQ(order(locked, touch(Opening::lock)), Order::none);
    EXPECT_EQ(order(touch(Opening::lock), locked), Order::none);
    EXPECT_EQ(order(locked, touch(Opening::lock, 0, AccessMode::by_itself | AccessMode::has_locked)), Order::certain);
    EXPECT_EQ(order(locked, touch(Opening::lock), true), Order::certain) << "it knows that the other is over";
    EXPECT_EQ(order(locked, touch(Opening::lock), false, true), Order::possible) << "it may";
}

TEST(Races, are_not_certain_where_the_owner_may_have_seen_what_was_written) {
    Access write = access(Opening::lock);
    EXPECT_EQ(order(write, touch(Opening::lock)), Order::none);
    EXPECT_EQ(order(write, touch(Opening::lock), false, true), Order::possible);
    EXPECT_EQ(order(write, access(Opening::lock), false, true), Order::none) << "no owner";
    write.mode.kind = AccessKind::read;
    EXPECT_EQ(order(write, touch(Opening::lock), false, true), Order::none) << "nobody sees that it is read";
}

TEST(Races, of_the_owner_belong_to_an_exposure) {
    const Access put_there = access(Opening::start, phase, 0, 2);
    EXPECT_EQ(order(put_there, touch(Opening::start, 2)), Order::none);
    EXPECT_EQ(order(put_there, touch(Opening::start, 1)), Order::certain);
    EXPECT_EQ(order(touch(Opening::start, 2), put_there), Order::none);
    EXPECT_EQ(order(touch(Opening::start, 2), put_there, true), Order::certain) << "told that it was before";
    EXPECT_EQ(order(put_there, touch(Opening::lock)), Order::possible);
    Access without_number = touch(Opening::start, 2);
    without_number.end = 0;
    EXPECT_EQ(order(without_number, put_there), Order::possible) << "nobody could be told of its end";
    without_number.last = Access::unfinished;
    EXPECT_EQ(order(without_number, put_there), Order::none) << "it has none yet";
}

}  // namespace
}  // namespace dampi::piggyback::distributed
