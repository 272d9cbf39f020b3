#include "heuristics/name_pattern.hpp"

#include "base/check.hpp"

#include <gtest/gtest.h>

namespace dampi::heuristics {
namespace {

using Kind = NamePattern::Kind;
using replay::CodePlace;
using replay::Epoch;

CodePlace place(const std::string& function, const std::string& file, int line) {
    return {.module = "/app", .offset = 1, .function = function, .file = file, .line = line};
}

Epoch epoch_at(const CodePlace& where, const std::string& communicator = "") {
    Epoch epoch;
    epoch.where = where;
    epoch.context.communicator_name = communicator;
    return epoch;
}

bool matches_text(const std::string& text, const Epoch& epoch, const std::vector<CodePlace>& stack = {}) {
    return matches(parse_name_pattern("--skip", text), epoch, stack);
}

TEST(NamePattern, IsReadAndWritten) {
    EXPECT_EQ(parse_name_pattern("--skip", "solve"), (NamePattern{Kind::any, "solve", {}}));
    EXPECT_EQ(parse_name_pattern("--skip", "function:a::b"), (NamePattern{Kind::function, "a::b", {}}));
    EXPECT_EQ(parse_name_pattern("--skip", "file:queue.c"), (NamePattern{Kind::file, "queue.c", {}}));
    EXPECT_EQ(parse_name_pattern("--skip", "queue.c:42"), (NamePattern{Kind::file, "queue.c", 42}));
    EXPECT_EQ(parse_name_pattern("--skip", "comm:results:1"), (NamePattern{Kind::communicator, "results:1", {}}));
    EXPECT_EQ(parse_name_pattern("--skip", "a::b"), (NamePattern{Kind::any, "a::b", {}}));
    for (const char* text : {"solve", "function:a::b", "file:queue.c", "file:queue.c:42", "comm:results:1"}) {
        EXPECT_EQ(format(parse_name_pattern("--skip", text)), text);
    }
}

TEST(NamePattern, NeedsAName) {
    for (const char* text : {"", "function:", "file:", "comm:", "file::3"}) {
        try {
            [[maybe_unused]] const NamePattern pattern = parse_name_pattern("--explore", text);
            FAIL() << "'" << text << "' was taken";
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find("--explore"), std::string::npos);
        }
    }
}

TEST(NamePattern, NamesFunctionsWithOrWithoutParameters) {
    const Epoch epoch = epoch_at(place("ns::collect(int, char*)", "/src/a.cpp", 7));
    EXPECT_TRUE(matches_text("ns::collect", epoch));
    EXPECT_TRUE(matches_text("ns::collect(int, char[*])", epoch));
    EXPECT_TRUE(matches_text("function:*collect", epoch));
    EXPECT_FALSE(matches_text("collect", epoch));
    EXPECT_FALSE(matches_text("file:ns::collect", epoch));
    EXPECT_FALSE(matches_text("comm:ns::collect", epoch));
}

TEST(NamePattern, NamesAnythingOnTheCallStack) {
    const Epoch epoch = epoch_at(place("receive", "/src/lib.c", 7));
    const std::vector<CodePlace> stack{epoch.where, place("solve", "/src/solver.c", 70), place("main", "/src/m.c", 9)};
    EXPECT_TRUE(matches_text("solve", epoch, stack));
    EXPECT_TRUE(matches_text("solver.c", epoch, stack));
    EXPECT_TRUE(matches_text("main", epoch, stack));
    EXPECT_FALSE(matches_text("solve", epoch));
    EXPECT_FALSE(matches_text("preconditioner", epoch, stack));
}

TEST(NamePattern, NamesFilesByPathOrLastPartAndLine) {
    const Epoch epoch = epoch_at(place("receive", "/src/lib.c", 7));
    EXPECT_TRUE(matches_text("lib.c", epoch));
    EXPECT_TRUE(matches_text("file:/src/*", epoch));
    EXPECT_TRUE(matches_text("lib.c:7", epoch));
    EXPECT_FALSE(matches_text("lib.c:8", epoch));
    EXPECT_FALSE(matches_text("ib.c", epoch));
    EXPECT_FALSE(matches_text("function:lib.c", epoch));
}

TEST(NamePattern, NamesCommunicators) {
    const Epoch epoch = epoch_at(place("receive", "", 0), "results 3");
    EXPECT_TRUE(matches_text("results*", epoch));
    EXPECT_TRUE(matches_text("comm:results ?", epoch));
    EXPECT_FALSE(matches_text("function:results*", epoch));
    EXPECT_FALSE(matches_text("*", epoch_at({})));  // nothing is known of it that could have a name
}

}  // namespace
}  // namespace dampi::heuristics
