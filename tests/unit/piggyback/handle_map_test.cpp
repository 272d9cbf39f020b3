// HandleMap against std::map under random operations, with handles that collide.
#include "piggyback/rank/handle_map.hpp"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>

namespace dampi::piggyback {
namespace {

void expect_equal(HandleMap<int>& map, const std::map<int, int>& model) {
    ASSERT_EQ(map.size(), model.size());
    std::map<int, int> seen;
    map.for_each([&](int handle, int value) { EXPECT_TRUE(seen.emplace(handle, value).second) << handle; });
    EXPECT_EQ(seen, model);
}

void run_random_operations(unsigned seed, int handles, int stride, int steps) {
    std::mt19937 random(seed);
    HandleMap<int> map;
    std::map<int, int> model;
    for (int step = 0; step < steps; ++step) {
        const auto handle = static_cast<int>((static_cast<unsigned>(random()) % static_cast<unsigned>(handles)) *
                                             static_cast<unsigned>(stride)) |
                            static_cast<int>(0x98000000U);
        int* found = map.find(handle);
        const auto expected = model.find(handle);
        ASSERT_EQ(found != nullptr, expected != model.end());
        if (found != nullptr) {
            ASSERT_EQ(*found, expected->second);
        }
        if (random() % 2 == 0) {
            map.erase(handle);
            model.erase(handle);
            ASSERT_EQ(map.find(handle), nullptr);
        } else if (found == nullptr) {
            ASSERT_EQ(map.insert(handle, step), step);
            model.emplace(handle, step);
        } else {
            *found = step;
            model[handle] = step;
        }
    }
    expect_equal(map, model);
}

TEST(HandleMap, agrees_with_a_map_for_consecutive_handles) { run_random_operations(1, 40, 1, 20000); }

TEST(HandleMap, agrees_with_a_map_when_it_has_to_grow) { run_random_operations(2, 5000, 1, 50000); }

TEST(HandleMap, agrees_with_a_map_for_handles_that_collide) {
    for (const int stride : {1 << 7, 1 << 13, 1 << 20}) {
        run_random_operations(static_cast<unsigned>(stride), 60, stride, 20000);
    }
}

TEST(HandleMap, erasing_what_is_not_there_does_nothing) {
    HandleMap<int> map;
    map.insert(7, 1);
    map.erase(8);
    EXPECT_EQ(map.size(), 1U);
    ASSERT_NE(map.find(7), nullptr);
    map.erase(7);
    map.erase(7);
    EXPECT_EQ(map.size(), 0U);
}

TEST(HandleMap, owns_its_values) {
    const auto shared = std::make_shared<int>(3);
    HandleMap<std::shared_ptr<int>> map;
    for (int handle = 0; handle < 200; ++handle) {
        map.insert(handle, shared);
    }
    EXPECT_EQ(shared.use_count(), 201);
    for (int handle = 0; handle < 200; handle += 2) {
        map.erase(handle);
    }
    EXPECT_EQ(shared.use_count(), 101);
    EXPECT_EQ(*map.find(1), shared);
}

}  // namespace
}  // namespace dampi::piggyback
