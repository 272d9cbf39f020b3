// What counts as a disagreement.
#include "tests/oracle/comparison.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace dampi::oracle {
namespace {

using Set = std::set<std::string>;

harness::Report report(const std::vector<harness::ReportedOutcome>& outcomes) {
    harness::Report report;
    report.complete = true;
    report.explored = outcomes.size();
    report.outcomes = outcomes;
    return report;
}

const Program single = parse_program("ranks 3\n rank 0\n recv 0 any 0\n");
const Program several = parse_program("ranks 3\n rank 0\n recv 0 any 0\n rank 1\n recv 0 any 0\n");
const Program pending = parse_program("ranks 3\n rank 0\n irecv 0 any 0\n recv 1 any any\n");
const std::set<Execution> model{{"{0#0<-1}", false}, {"{0#0<-2}", true}};

Comparison compare_lamport(const Program& program, const harness::Report& tool) {
    return compare(program, model, tool, clocks::Protocol::lamport);
}

TEST(Comparison, TheSameIsAgreement) {
    const auto result = compare_lamport(single, report({{1, "{0#0<-1}", {}}, {2, "{0#0<-2}", {"deadlock"}}}));
    EXPECT_EQ(result.kinds(), Set{});
    EXPECT_TRUE(result.missed.empty());
    EXPECT_EQ(result.explored, 2U);
}

TEST(Comparison, EachKindIsSeen) {
    EXPECT_EQ(compare_lamport(single, report({{1, "{0#0<-1}", {"deadlock"}}, {2, "{0#0<-2}", {"deadlock"}}})).kinds(),
              Set{"false-deadlock"});
    EXPECT_EQ(compare_lamport(single, report({{1, "{0#0<-1}", {}}, {2, "{0#0<-2}", {}}})).kinds(),
              Set{"unseen-deadlock"});
    EXPECT_EQ(compare_lamport(several, report({{1, "{0#0<-3}", {}}})).kinds(), Set{"unsound"});
    EXPECT_EQ(compare_lamport(several, report({{1, "{0#0<-1}", {}}, {2, "{0#0<-1}", {}}})).kinds(), Set{"duplicate"});
    auto doubting = report({{1, "{0#0<-1}", {}}, {2, "{0#0<-2}", {"imprecise-match"}}});
    doubting.complete = false;
    doubting.doubts.push_back({.kind = "imprecise-match"});
    EXPECT_EQ(compare_lamport(several, doubting).kinds(), Set{"doubt"});
    auto crashing = report({{1, "{0#0<-1}", {}}});
    crashing.violations.push_back({.kind = "crash"});
    EXPECT_EQ(compare_lamport(several, crashing).kinds(), Set{"violation"});
    auto bounded = report({{1, "{0#0<-1}", {}}});
    bounded.complete = false;
    bounded.left_out.emplace_back("max-interleavings: enough");
    EXPECT_EQ(compare_lamport(several, bounded).kinds(), Set{"left-out"});
}

TEST(Comparison, MissingIsADisagreementOnlyWhereLamportClocksAreExact) {
    const auto half = report({{1, "{0#0<-1}", {}}});
    EXPECT_EQ(compare_lamport(single, half).kinds(), Set{"missed"});
    EXPECT_EQ(compare_lamport(several, half).kinds(), Set{});
    EXPECT_EQ(compare_lamport(pending, half).kinds(), Set{});
    EXPECT_EQ(compare_lamport(several, half).missed, (std::set<Execution>{{"{0#0<-2}", true}}));
    EXPECT_EQ(compare(several, model, half, clocks::Protocol::vector).kinds(), Set{"missed"});
    EXPECT_EQ(compare(pending, model, half, clocks::Protocol::vector).kinds(), Set{"missed"});
    auto unclear = half;
    unclear.complete = false;
    unclear.left_out.emplace_back("not-modelled: synchronous send, receiver unclear");
    EXPECT_EQ(compare_lamport(single, unclear).kinds(), Set{});
    EXPECT_TRUE(compare_lamport(single, unclear).unclear);
}

}  // namespace
}  // namespace dampi::oracle
