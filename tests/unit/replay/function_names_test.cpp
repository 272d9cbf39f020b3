// Functions by the names that users give them.
#include "replay/function_names.hpp"

#include <gtest/gtest.h>

namespace dampi::replay {
namespace {

bool names(const std::string& pattern, const std::string& function) {
    return names_function(pattern, {.function = function});
}

TEST(FunctionNames, MatchWithAndWithoutParameters) {
    EXPECT_TRUE(names("my_send", "my_send"));
    EXPECT_TRUE(names("my_*", "my_send"));
    EXPECT_TRUE(names("net::send", "net::send(int, char*)"));
    EXPECT_TRUE(names("net::send(int, char\\*)", "net::send(int, char*)"));
    EXPECT_FALSE(names("send", "my_send"));
    EXPECT_FALSE(names("*", ""));
}

TEST(FunctionNames, OfATemplateTheNameIsEnough) {
    EXPECT_TRUE(names("net::send", "int net::send<int>(int)"));
    EXPECT_TRUE(names("net::send<int>", "net::send<int>(int)"));
    EXPECT_FALSE(names("send", "int net::send<int>(int)"));
}

}  // namespace
}  // namespace dampi::replay
