// Counting the handles that a program holds.
#include "piggyback/rank/resources/held_handles.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace dampi::piggyback {
namespace {

constexpr const char* contiguous = "MPI_Type_contiguous";
constexpr const char* comm_group = "MPI_Comm_group";

using Left = std::vector<std::pair<std::uint64_t, std::uint64_t>>;  ///< site and number

Left left(const HeldHandles& held) {
    Left result;
    held.for_each_origin([&](const Origin& origin, std::uint64_t number) { result.emplace_back(origin.site, number); });
    return result;
}

TEST(HeldHandles, counts_by_place_in_the_order_of_first_use) {
    HeldHandles held;
    held.add(1, {contiguous, 200});
    held.add(2, {contiguous, 100});
    held.add(3, {contiguous, 200});
    EXPECT_EQ(left(held), (Left{{200, 2}, {100, 1}}));
}

TEST(HeldHandles, forgets_what_is_freed) {
    HeldHandles held;
    held.add(1, {contiguous, 200});
    held.add(2, {contiguous, 200});
    held.release(1);
    EXPECT_EQ(left(held), (Left{{200, 1}}));
    held.release(2);
    EXPECT_TRUE(left(held).empty());
}

TEST(HeldHandles, a_freed_handle_is_stale_until_it_is_given_out_again) {
    HeldHandles held;
    held.release(1);  // of somebody else
    EXPECT_FALSE(held.is_stale(1));
    held.add(1, {contiguous, 200});
    held.add(1, {contiguous, 100});
    held.release(1);
    EXPECT_FALSE(held.is_stale(1));
    held.release(1);
    EXPECT_TRUE(held.is_stale(1));
    EXPECT_FALSE(held.is_stale(2));
    held.add(1, {contiguous, 200});
    EXPECT_FALSE(held.is_stale(1));
    held.release(1);
    held.given_out(1);
    EXPECT_FALSE(held.is_stale(1));
}

TEST(HeldHandles, tells_functions_at_one_place_apart) {
    HeldHandles held;
    held.add(1, {contiguous, 200});
    held.add(2, {comm_group, 200});
    held.release(1);
    std::vector<std::string> functions;
    held.for_each_origin([&](const Origin& origin, std::uint64_t) { functions.emplace_back(origin.function); });
    EXPECT_EQ(functions, std::vector<std::string>{comm_group});
}

TEST(HeldHandles, a_handle_is_held_as_often_as_it_was_given_out) {
    HeldHandles held;
    held.add(1, {comm_group, 10});
    held.add(1, {comm_group, 10});
    held.add(1, {comm_group, 10});
    held.release(1);
    EXPECT_EQ(left(held), (Left{{10, 2}}));
    held.release(1);
    held.release(1);
    EXPECT_TRUE(left(held).empty());
}

TEST(HeldHandles, the_newest_reference_is_given_back_first) {
    HeldHandles held;
    held.add(1, {comm_group, 10});
    held.add(1, {comm_group, 20});
    held.add(1, {comm_group, 10});
    held.release(1);
    held.release(1);
    EXPECT_EQ(left(held), (Left{{10, 1}}));
}

TEST(HeldHandles, releasing_what_is_not_held_does_nothing) {
    HeldHandles held;
    held.release(1);
    held.add(1, {comm_group, 10});
    held.release(1);
    held.release(1);
    EXPECT_TRUE(left(held).empty());
}

TEST(HeldHandles, a_freed_handle_may_come_back_as_another_object) {
    HeldHandles held;
    held.add(1, {contiguous, 10});
    held.release(1);
    held.add(1, {contiguous, 20});
    EXPECT_EQ(left(held), (Left{{20, 1}}));
}

TEST(HeldHandles, agrees_with_a_stack_for_each_handle) {
    std::mt19937 random(5);
    HeldHandles held;
    std::map<std::uint64_t, std::vector<std::uint64_t>> model;
    for (int step = 0; step < 20000; ++step) {
        const std::uint64_t handle = random() % 50;
        auto& references = model[handle];
        if (random() % 2 == 0) {
            const std::uint64_t site = random() % 6;
            held.add(handle, {comm_group, site});
            references.push_back(site);
        } else {
            held.release(handle);
            if (!references.empty()) {
                references.pop_back();
            }
        }
    }
    std::map<std::uint64_t, std::uint64_t> expected;
    for (const auto& [handle, references] : model) {
        for (const std::uint64_t site : references) {
            ++expected[site];
        }
    }
    std::map<std::uint64_t, std::uint64_t> seen;
    for (const auto& [site, number] : left(held)) {
        seen[site] = number;
    }
    EXPECT_EQ(seen, expected);
}

TEST(HeldHandles, tells_where_a_handle_came_from_the_last_time) {
    HeldHandles held;
    EXPECT_EQ(held.newest_origin(1), nullptr);
    held.add(1, {comm_group, 100});
    held.add(1, {contiguous, 200});
    ASSERT_NE(held.newest_origin(1), nullptr);
    EXPECT_EQ(held.newest_origin(1)->site, 200U);
    held.release(1);
    EXPECT_EQ(held.newest_origin(1)->function, comm_group);
    held.release(1);
    EXPECT_EQ(held.newest_origin(1), nullptr);
}

}  // namespace
}  // namespace dampi::piggyback
