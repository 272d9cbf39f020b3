// Names as compilers make them, and what only looks like one.
#include "launch/program/demangled.hpp"

#include <gtest/gtest.h>

namespace dampi::launch {
namespace {

TEST(Demangled, AsPeopleWriteThem) {
    EXPECT_EQ(demangled("_ZN4halo8exchangeEi"), "halo::exchange(int)");
    EXPECT_EQ(demangled("__halo_mod_MOD_exchange"), "halo_mod::exchange");
    EXPECT_EQ(demangled("master.1"), "master");
    EXPECT_EQ(demangled("worker.0"), "worker");
}

TEST(Demangled, OthersAsTheyAre) {
    for (const char* name : {"main", "i", "MAIN__", "_Z", "__MOD_x", "_MOD_", "__libc_start_main", "work.constprop.0",
                             "main._omp_fn.0", "a.", ".1", ""}) {
        EXPECT_EQ(demangled(name), name);
    }
}

TEST(Demangled, WhatSaysWhereItBelongs) {
    EXPECT_TRUE(has_surroundings("_ZN4halo8exchangeEi"));
    EXPECT_TRUE(has_surroundings("__halo_mod_MOD_exchange"));
    EXPECT_FALSE(has_surroundings("__libc_start_main"));
    EXPECT_FALSE(has_surroundings("master.1"));
}

}  // namespace
}  // namespace dampi::launch
