// From the words of --launcher to a process's arguments.
#include "launch/launcher_command.hpp"

#include "base/check.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace dampi::launch {
namespace {

using Words = std::vector<std::string>;

Words words(const std::string& command) { return launcher_words(command, 4, {"/lib/rank", "token", "plan"}); }

TEST(LauncherCommand, IsSplitAtBlanks) {
    EXPECT_EQ(words("a  -b\tc "), (Words{"a", "-b", "c", "/lib/rank", "token", "plan"}));
}

TEST(LauncherCommand, QuotesAndBackslashesKeepBlanksTogether) {
    EXPECT_EQ(words(R"(a 'b  c' "d e" f\ g)"), (Words{"a", "b  c", "d e", "f g", "/lib/rank", "token", "plan"}));
    EXPECT_EQ(words(R"(a '\' "\"\\\n" x'y'"z" '' "")"),
              (Words{"a", "\\", "\"\\\\n", "xyz", "", "", "/lib/rank", "token", "plan"}));
}

TEST(LauncherCommand, NothingMeansAnythingElse) {
    EXPECT_EQ(words("a $HOME `b` *;&|"), (Words{"a", "$HOME", "`b`", "*;&|", "/lib/rank", "token", "plan"}));
}

TEST(LauncherCommand, MarksAreReplaced) {
    EXPECT_EQ(words("a -n {n} {command} x"), (Words{"a", "-n", "4", "/lib/rank", "token", "plan", "x"}));
    EXPECT_EQ(words("a -n{n}x{n}"), (Words{"a", "-n4x4", "/lib/rank", "token", "plan"}));
    EXPECT_EQ(words("sh -c 'exec {command} >log'"), (Words{"sh", "-c", "exec /lib/rank token plan >log"}));
}

TEST(LauncherCommand, MpiexecIsMpichs) {
    Words given = words("mpiexec");
    ASSERT_EQ(given.size(), 7U);
    EXPECT_TRUE(given[0] == "mpiexec.mpich" || given[0] == "mpiexec");
    given.erase(given.begin());
    EXPECT_EQ(given, (Words{"-disable-auto-cleanup", "-n", "4", "/lib/rank", "token", "plan"}));
    EXPECT_EQ(words("mpiexec -n {n}"), (Words{"mpiexec", "-n", "4", "/lib/rank", "token", "plan"}));
}

TEST(LauncherCommand, NonsenseIsRefused) {
    for (const char* command :
         {"", "  ", "''", "{command}", "a {command} {command}", "a {command}{command}", "a 'b", "a \"b", "a \\"}) {
        EXPECT_THROW(words(command), Error) << command;
    }
}

}  // namespace
}  // namespace dampi::launch
