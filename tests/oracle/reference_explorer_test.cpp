// The definition of bounded searches, on programs small enough to count by hand.
#include "tests/oracle/reference_explorer.hpp"

#include "tests/oracle/generator.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace dampi::oracle {
namespace {

/// Rank 0 takes `rounds` messages from each of two others; `before` and `after` stand around the receive `which`.
Program receives(int rounds, int which = -1, const std::string& before = "", const std::string& after = "",
                 const std::string& place = "") {
    std::string text = "ranks 3\nrank 0\n";
    for (int i = 0; i < 2 * rounds; ++i) {
        text += (i == which ? before : "") + " recv " + std::to_string(i) + " any 0" + place + "\n" +
                (i == which ? after : "");
    }
    for (int rank = 1; rank <= 2; ++rank) {
        text += "rank " + std::to_string(rank) + "\n";
        for (int i = 0; i < rounds; ++i) {
            text += " send 0 0\n";
        }
    }
    return parse_program(text);
}

std::set<Interleaved> explored(const Program& program, const ReferenceBounds& bounds) {
    const ReferenceSet set = explore_by_definition(program, bounds, 17, 10'000);
    EXPECT_EQ(set.faults, std::vector<std::string>());
    return set.interleavings;
}

std::size_t count(const Program& program, const ReferenceBounds& bounds) { return explored(program, bounds).size(); }

TEST(ReferenceExplorer, WithoutBoundsNamesEveryOutcomeOnce) {
    EXPECT_EQ(count(receives(1), {}), 2U);
    EXPECT_EQ(count(receives(2), {}), 6U);
    EXPECT_EQ(count(receives(3), {}), 20U);
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        const Program program = generate_program(seed);
        const auto model = enumerate(program).value();
        if (model.size() > 200) {
            continue;
        }
        std::set<Execution> outcomes;
        for (const Interleaved& each : explored(program, {})) {
            EXPECT_TRUE(outcomes.insert(each.second).second) << to_text(program);
        }
        EXPECT_EQ(outcomes, model) << to_text(program);
    }
}

TEST(ReferenceExplorer, MixingZeroIsTheSumOfTheAlternatives) {
    for (const Interleaved& each : explored(receives(3), {.mixing = 0})) {
        // Nothing is decided behind the one alternative: its receive is the last that is decided.
        EXPECT_EQ(each.first.find("#5"), std::string::npos) << each.first;
    }
    const std::size_t alternatives = count(receives(3), {.mixing = 0}) - 1;
    EXPECT_GE(alternatives, 3U);
    EXPECT_LE(alternatives, 5U);
}

TEST(ReferenceExplorer, ALargerMixingBoundAddsOnly) {
    std::set<Interleaved> smaller;
    for (std::uint32_t bound = 0; bound < 6; ++bound) {
        const auto larger = explored(receives(3), {.mixing = bound});
        EXPECT_TRUE(std::includes(larger.begin(), larger.end(), smaller.begin(), smaller.end())) << bound;
        smaller = larger;
    }
    EXPECT_EQ(smaller, explored(receives(3), {}));
}

TEST(ReferenceExplorer, NothingInsideABracketIsExplored) {
    EXPECT_EQ(count(receives(1, 0, " bracket\n", " unbracket\n"), {}), 1U);
    EXPECT_EQ(count(receives(1, 0, " bracket\n", " unbracket\n"), {.brackets = false}), 2U);
    // Only the first receive has an alternative.
    EXPECT_EQ(count(receives(1, 1, " bracket\n", " unbracket\n"), {}), 2U);
    EXPECT_EQ(count(receives(1, 0, " bracket\n bracket\n unbracket\n", " unbracket\n"), {}), 1U);
    EXPECT_EQ(count(receives(1, 0, " bracket\n unbracket\n", ""), {}), 2U);
    EXPECT_EQ(count(receives(1, 0, " unbracket\n", ""), {}), 2U);
    EXPECT_EQ(count(receives(1, 0, " bracket\n", ""), {}), 1U);
}

TEST(ReferenceExplorer, ABracketMaySetTheMixingBoundInside) {
    const std::size_t free = count(receives(3), {.mixing = 1});
    EXPECT_EQ(count(receives(3, 0, " bracket 1\n", ""), {}), free);
    EXPECT_EQ(count(receives(3, 0, " bracket 2\n bracket 1\n", ""), {}), free);
    EXPECT_EQ(count(receives(3, 0, " bracket 1\n bracket 2\n", ""), {}), free);
    EXPECT_EQ(count(receives(3, 0, " bracket 2\n", ""), {.mixing = 1}), free);
    EXPECT_LT(count(receives(3, 0, " bracket 0\n", ""), {.mixing = 1}), free);
    EXPECT_LT(free, count(receives(3), {}));
}

TEST(ReferenceExplorer, LoopsAreBoundedByThePlaceOfTheCall) {
    const Program loop = receives(2, -1, "", "", " ^1");
    EXPECT_EQ(count(loop, {}), 6U);
    EXPECT_EQ(count(loop, {.loop = 1}), 2U);
    EXPECT_EQ(count(loop, {.loop = 4}), 6U);
    EXPECT_EQ(count(receives(2), {.loop = 1}), 6U);
}

TEST(ReferenceExplorer, PartsAreLeftOutByName) {
    const NamedPart place{.kind = NamedPart::Kind::place, .which = 1};
    const NamedPart world{.kind = NamedPart::Kind::communicator, .which = 0};
    const NamedPart other{.kind = NamedPart::Kind::communicator, .which = 1};
    const NamedPart receiver{.kind = NamedPart::Kind::rank, .which = 0};
    const NamedPart sender{.kind = NamedPart::Kind::rank, .which = 1};
    const Program program = receives(2, -1, "", "", " ^1");
    for (const NamedPart& part : {place, world, receiver}) {
        EXPECT_EQ(count(program, {.skip = {part}}), 1U);
        EXPECT_EQ(count(program, {.explore = {part}}), 6U);
    }
    for (const NamedPart& part : {other, sender}) {
        EXPECT_EQ(count(program, {.skip = {part}}), 6U);
        EXPECT_EQ(count(program, {.explore = {part}}), 1U);
        EXPECT_EQ(count(program, {.explore = {part, world}}), 6U);
    }
}

TEST(ReferenceExplorer, ZonesAreCountedByCollectives) {
    std::string text = "ranks 3\nrank 0\n recv 0 any 0\n recv 1 any 0\n barrier\n recv 2 any 0\n recv 3 any 0\n";
    for (int rank = 1; rank <= 2; ++rank) {
        text += "rank " + std::to_string(rank) + "\n send 0 0\n barrier\n send 0 0\n";
    }
    const Program program = parse_program(text);
    EXPECT_EQ(count(program, {}), 4U);
    EXPECT_EQ(count(program, {.mixing = 0, .zones = true}), 3U);
    EXPECT_EQ(count(program, {.mixing = 1, .zones = true}), 4U);
    EXPECT_EQ(count(program, {.mixing = 0}), 3U);
    EXPECT_EQ(count(program, {.mixing = 1}), 3U);
    EXPECT_EQ(count(program, {.mixing = 2}), 4U);
}

}  // namespace
}  // namespace dampi::oracle
