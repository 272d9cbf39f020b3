// Which messages a receive accepts.
#include "base/types.hpp"

#include <gtest/gtest.h>

namespace dampi::base {
namespace {

TEST(ReceiveSpec, NamedSourceAndTagAcceptOnlyThese) {
    const ReceiveSpec spec{.comm = 7, .source = 2, .tag = 5};
    EXPECT_FALSE(spec.wildcard());
    EXPECT_TRUE(spec.fits(7, 2, 5));
    EXPECT_FALSE(spec.fits(8, 2, 5));
    EXPECT_FALSE(spec.fits(7, 1, 5));
    EXPECT_FALSE(spec.fits(7, 2, 6));
}

TEST(ReceiveSpec, WildcardsNeverCrossCommunicators) {
    const ReceiveSpec spec{.comm = 7, .source = any_source, .tag = any_tag};
    EXPECT_TRUE(spec.wildcard());
    EXPECT_TRUE(spec.fits(7, 0, 0));
    EXPECT_TRUE(spec.fits(7, 9, 32767));
    EXPECT_FALSE(spec.fits(world_comm, 0, 0));
    EXPECT_FALSE((ReceiveSpec{.comm = 7, .source = 3, .tag = any_tag}.wildcard()));
}

}  // namespace
}  // namespace dampi::base
