// The parser of DAMPI-TEST headers: what programs may write, and that nothing misspelt passes.
#include "tests/harness/expectation.hpp"

#include <gtest/gtest.h>

namespace dampi::harness {
namespace {

TEST(Expectation, ReadsACComment) {
    const Expectation e = parse_expectation(R"(/* DAMPI-TEST
 *   np: 3
 *   expect: deadlock, leak/communicator   (the second only in one order)
 *   notes: unusual, request/freed
 *   findings: 1
 *   interleavings: 2
 *   outcomes: {0#0<-1} {0#0<-2}   (both)
 *   args: 8 --fast
 *   options: --max-interleavings 5
 *   where: file.c:31
 *   lamport-misses: {0#0<-2}
 *
 * Prose: with a colon, which is no key.
 */
int main(void) { return 0; }
)");
    EXPECT_EQ(e.processes, 3);
    EXPECT_EQ(e.kinds, (std::set<std::string>{"deadlock", "leak/communicator"}));
    EXPECT_EQ(e.notes, (std::set<std::string>{"unusual", "request/freed"}));
    EXPECT_FALSE(e.incomplete);
    EXPECT_EQ(e.findings, 1U);
    EXPECT_EQ(e.interleavings, 2U);
    EXPECT_EQ(e.outcomes, (std::set<Outcome>{"{0#0<-1}", "{0#0<-2}"}));
    EXPECT_EQ(e.arguments, (std::vector<std::string>{"8", "--fast"}));
    EXPECT_EQ(e.options, (std::vector<std::string>{"--max-interleavings", "5"}));
    ASSERT_TRUE(e.where.has_value());
    EXPECT_EQ(e.where->file, "file.c");
    EXPECT_EQ(e.where->line, 31);
    EXPECT_EQ(e.lamport_misses, (std::set<Outcome>{"{0#0<-2}"}));
}

TEST(Expectation, ReadsWhichCallTheCentralizedEngineRefuses) {
    const auto of = [](const std::string& value) {
        return parse_expectation("/* DAMPI-TEST\n * np: 2\n * expect: clean\n * central: " + value + "\n */")
            .refused_by_central;
    };
    EXPECT_EQ(of("refused MPI_Win_create (one day it will not be)"), "MPI_Win_create");
    EXPECT_EQ(parse_expectation("/* DAMPI-TEST\n * np: 2\n * expect: clean\n */").refused_by_central, std::nullopt);
    for (const std::string value : {"refused", "MPI_Put", "refuses MPI_Put", "refused MPI_Put, MPI_Get",
                                    "refused MPI_Put MPI_Get", "refused put", "refused MPI_Put;"}) {
        EXPECT_THROW(of(value), HeaderError) << value;
    }
}

TEST(Expectation, ReadsAScriptsComment) {
    const Expectation expectation = parse_expectation(
        "#!/usr/bin/env python3\n# DAMPI-TEST\n#   np: 2\n#   expect: deadlock\n#   where: a.py:@\nimport x\nwait() "
        "#@\n");
    EXPECT_EQ(expectation.processes, 2);
    EXPECT_EQ(expectation.where->line, 7);
}

TEST(Expectation, ReadsAFortranComment) {
    const Expectation e =
        parse_expectation("! DAMPI-TEST\n!   np: 2\n!   expect: clean\n\nprogram main\nend program\n");
    EXPECT_EQ(e.processes, 2);
    EXPECT_TRUE(e.kinds.empty());
    EXPECT_FALSE(e.outcomes.has_value());
}

TEST(Expectation, ReadsLineComments) {
    EXPECT_EQ(parse_expectation("// DAMPI-TEST\n//   np: 2\n//   expect: clean\n#include <mpi.h>\n").processes, 2);
}

TEST(Expectation, JoinsContinuedOutcomes) {
    const Expectation e = parse_expectation(
        "/* DAMPI-TEST\n * np: 3\n * expect: clean\n * outcomes: {0#0<-1 0#1<-2}\n *   {0#0<-2 0#1<-1}\n */");
    EXPECT_EQ(e.outcomes, (std::set<Outcome>{"{0#0<-1 0#1<-2}", "{0#0<-2 0#1<-1}"}));
}

TEST(Expectation, EndsTheHeaderAtLessIndentation) {
    const Expectation e = parse_expectation(
        "/* DAMPI-TEST\n *   np: 2\n *   expect: clean\n * Figure 1: prose.\n * More.\n */\nint x;\n");
    EXPECT_EQ(e.processes, 2);
}

TEST(Expectation, FindsTheMarkedLine) {
    const std::string header = "/* DAMPI-TEST\n *   np: 2\n *   expect: crash\n *   where: a.c:@\n */\n";
    EXPECT_EQ(parse_expectation(header + "int x;\nint y; /*@*/\n").where->line, 7);
    EXPECT_THROW(parse_expectation(header + "int x;\n"), HeaderError);
    EXPECT_THROW(parse_expectation(header + "int x; /*@*/\nint y; /*@*/\n"), HeaderError);
}

TEST(Expectation, ReadsProseBeforeTheHeader) {
    EXPECT_EQ(parse_expectation("/* Two: ranks.\n *\n * DAMPI-TEST\n * np: 2\n * expect: clean\n */").processes, 2);
}

TEST(Expectation, ExpectsIncompleteBesideAKind) {
    const Expectation e = parse_expectation("/* DAMPI-TEST\n np: 1\n expect: crash, incomplete\n*/");
    EXPECT_TRUE(e.incomplete);
    EXPECT_EQ(e.kinds, std::set<std::string>{"crash"});
}

class BadHeader : public testing::TestWithParam<const char*> {};

TEST_P(BadHeader, IsRefused) {
    EXPECT_THROW(parse_expectation(std::string("/* DAMPI-TEST\n") + GetParam() + "\n*/\n"), HeaderError);
}

INSTANTIATE_TEST_SUITE_P(Headers, BadHeader,
                         testing::Values("np: 2", "expect: clean", "np: 0\nexpect: clean", "np: two\nexpect: clean",
                                         "np: 2\nexpect: clean, deadlock", "np: 2\nexpect: Deadlock!", "np: 2\nexpect:",
                                         "np: 2\nnp: 2\nexpect: clean", "np: 2\nexpect: clean\ninterleaving: 2",
                                         "np: 2\nexpect: clean\ninterleavings: 0",
                                         "np: 2\nexpect: clean\ninterleavings: 2\noutcomes: {0#0<-1}",
                                         "np: 2\nexpect: clean\noutcomes: 0#0<-1",
                                         "np: 2\nexpect: clean\noutcomes: {0#0<-1} {0#0<-1}",
                                         "np: 2\nexpect: clean\noutcomes: {0#0<-1 0#0<-2}",
                                         "np: 2\nexpect: clean\nwhere: file.c", "np: 2\nexpect: clean\nprose"));

TEST(Expectation, NeedsTheHeaderInTheFirstComment) {
    EXPECT_THROW(parse_expectation("int x; /* DAMPI-TEST\n np: 1\n expect: clean */"), HeaderError);
    EXPECT_THROW(parse_expectation("/* nothing */\n/* DAMPI-TEST\n np: 1\n expect: clean */"), HeaderError);
    EXPECT_THROW(parse_expectation("/* DAMPI-TEST\n np: 1\n expect: clean"), HeaderError);
    EXPECT_THROW(parse_expectation(""), HeaderError);
}

TEST(Outcome, IsSortedByEpoch) {
    EXPECT_EQ(canonical_outcome("{ 10#0<-1  2#10<-3,2#9<-4 }"), "{2#9<-4 2#10<-3 10#0<-1}");
    EXPECT_EQ(canonical_outcome("{}"), "{}");
    EXPECT_EQ(canonical_outcome("{0#0@1=0~2}"), "{0#0@1=0~2}");
    EXPECT_EQ(canonical_outcome("{1#0=none~2 0#3=2+0 0#4<-1~07 0#5=9}"), "{0#3=0+2 0#4<-1~7 0#5=9 1#0=none~2}");
}

TEST(Outcome, IsRefusedWhereItIsNone) {
    for (const char* text : {"0#0=1", "{0#0}", "{0#0<1}", "{0#0=}", "{0#0=1+}", "{0#0=1+1}", "{0#0=x}", "{0#0=1~}",
                             "{0#0<-1~x}", "{#0=1}", "{0=0#1}", "{0#0=nonesuch}"}) {
        EXPECT_THROW(canonical_outcome(text), HeaderError) << text;
    }
}

}  // namespace
}  // namespace dampi::harness
