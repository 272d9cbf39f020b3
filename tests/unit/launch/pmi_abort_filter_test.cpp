// Requests to abort are taken out of what a rank says, and nothing else is.
#include "launch/pmi_abort_filter.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace dampi::launch {
namespace {

TEST(PmiAbortFilter, PassesEverythingElse) {
    PmiAbortFilter filter;
    const std::vector<std::string> texts{"cmd=init pmi_version=1\n", "cmd=barrier_in\n", "\n",
                                         "    27cmd=fullinit;pmirank=0;", "x\ncmd=put value=cmd=abort exitcode=3\n"};
    for (const std::string& text : texts) {
        EXPECT_EQ(filter.pass(text), text);
    }
    EXPECT_FALSE(filter.abort_code());
}

TEST(PmiAbortFilter, TakesARequestInPiecesOfAnySize) {
    const std::string before = "cmd=init\n";
    const std::string request = "cmd=abort exitcode=7\n";
    const std::string after = "cmd=get_maxes\n";
    const std::string all = before + request + after;
    for (std::size_t size = 1; size <= all.size(); ++size) {
        PmiAbortFilter filter;
        std::string passed;
        for (std::size_t at = 0; at < all.size(); at += size) {
            passed += filter.pass(all.substr(at, size));
        }
        EXPECT_EQ(passed, before + after) << size;
        ASSERT_TRUE(filter.abort_code());
        EXPECT_EQ(*filter.abort_code(), 7);
    }
}

TEST(PmiAbortFilter, KeepsTheFirstCode) {
    PmiAbortFilter filter;
    EXPECT_EQ(filter.pass("cmd=abort exitcode=5\ncmd=abort exitcode=6\n"), "");
    EXPECT_EQ(filter.abort_code(), 5);
    PmiAbortFilter without;
    EXPECT_EQ(without.pass("cmd=abort\n"), "");
    EXPECT_EQ(without.abort_code(), 1);
}

TEST(PmiAbortFilter, HoldsNothingBackForEver) {
    PmiAbortFilter filter;
    EXPECT_EQ(filter.pass("cmd=a"), "");
    EXPECT_EQ(filter.pass("x"), "cmd=ax");
    EXPECT_EQ(filter.pass("cmd=abort exitcode=1\n"), "cmd=abort exitcode=1\n") << "not at a line's beginning";
    const std::string endless = "cmd=abort " + std::string(5000, 'x');
    EXPECT_EQ(filter.pass(endless), endless);
    EXPECT_FALSE(filter.abort_code());
}

}  // namespace
}  // namespace dampi::launch
