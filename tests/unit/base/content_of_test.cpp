// Reading files that may not be there, or fail while they are read.
#include "base/content_of.hpp"

#include <gtest/gtest.h>

namespace dampi::base {
namespace {

TEST(ContentOf, WhatIsThere) { EXPECT_EQ(content_of("/proc/self/comm").back(), '\n'); }

TEST(ContentOf, AFileThatIsNotThereIsEmpty) { EXPECT_EQ(content_of("/nonexistent/file"), ""); }

TEST(ContentOf, OneThatCannotBeReadIsEmpty) {
    EXPECT_EQ(content_of("/proc/self/mem"), "") << "the system refuses to read at address 0, as if a process had gone";
}

}  // namespace
}  // namespace dampi::base
