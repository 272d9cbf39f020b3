// The text of programs, the generator and the shrinker.
#include "tests/oracle/program.hpp"

#include "tests/oracle/generator.hpp"
#include "tests/oracle/model.hpp"
#include "tests/oracle/shrinker.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>

namespace dampi::oracle {
namespace {

TEST(Program, ItsTextIsReadAsItWasWritten) {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        const Program program = generate_program(seed);
        EXPECT_EQ(parse_program(to_text(program)), program) << to_text(program);
        const Program bounded = generate_program(seed, {.bounds = true});
        EXPECT_EQ(parse_program(to_text(bounded)), bounded) << to_text(bounded);
    }
}

TEST(Program, MalformedTextsAreRefused) {
    for (const char* text : {"",
                             "ranks 2\n send 0 0\n",
                             "ranks 2\n rank 2\n",
                             "ranks 2\n rank 0\n send 2 0\n",
                             "ranks 2\n rank 0\n send 1 any\n",
                             "ranks 2\n rank 0\n send any 0\n",
                             "ranks 2\n rank 0\n send 1\n",
                             "ranks 2\n rank 0\n send 1 0 0\n",
                             "ranks 2\n rank 0\n jump 1\n",
                             "ranks 2\n rank 0\n recv x 1 0\n",
                             "ranks 2\n rank 0\n recv 0 1 0\n recv 0 1 0\n",
                             "ranks 2\n rank 0\n barrier\n",
                             "ranks 2\n rank 0\n if 0 1\n",
                             "ranks 2\n rank 0\n end\n",
                             "ranks 2\n rank 0\n if 0 1\n barrier\n end\n rank 1\n",
                             "ranks 2\n rank 0\n if 0 1\n else\n else\n end\n",
                             "ranks 2\n rank 0\n wait any\n",
                             "ranks 2\n rank 0\n bcast 0\n rank 1\n bcast 1\n",
                             "ranks 2\n rank 0\n send 1 0 @4\n",
                             "ranks 2\n rank 0\n send 1 0 1\n",
                             "ranks 2\n rank 0\n waitany 1 1\n",
                             "ranks 2\n rank 0\n send 1 0 ^1\n",
                             "ranks 2\n rank 0\n recv 0 1 0 ^\n",
                             "ranks 2\n rank 0\n bracket 1 2\n",
                             "ranks 2\n rank 0\n unbracket 1\n",
                             "ranks 2\n rank 0\n ifdone\n end\n"}) {
        EXPECT_THROW((void)parse_program(text), ProgramError) << text;
    }
}

TEST(Program, WithoutBufferingSendsAreSynchronousAndCollectivesBarriers) {
    const Program program = parse_program(
        "ranks 2\n rank 0\n send 1 0\n irecv 0 1 0\n if 0 1\n isend 1 1 2\n else\n bsend 1 3\n end\n wait 0 1\n bcast "
        "1\n"
        "rank 1\n issend 0 0 0\n bcast 1\n");
    EXPECT_EQ(to_text(without_buffering(program)),
              to_text(parse_program("ranks 2\n rank 0\n ssend 1 0\n irecv 0 1 0\n if 0 1\n issend 1 1 2\n else\n"
                                    "bsend 1 3\n end\n wait 0 1\n barrier\n rank 1\n issend 0 0 0\n barrier\n")));
}

TEST(Program, EpochsAreInSequenceWhereEachIsOverBeforeTheNext) {
    const auto in_sequence = [](const std::string& ops) {
        return epochs_in_sequence(parse_program("ranks 2\n rank 0\n" + ops));
    };
    for (const char* ops :
         {"", "recv 0 any 0\n recv 1 any any\n probe 2 any 0\n",
          "irecv 0 any 0\n wait 0\n recv 1 any 0\n irecv 2 any 0\n",
          "irecv 0 1 0\n irecv 1 any 0\n recv 2 1 0\n wait 0 1\n waitany 0 1\n",
          "irecv 0 1 0\n recv 1 any 0\n if 1 1\n irecv 2 any 0\n wait 2\n else\n probe 3 any 0\n end\n"
          "waitsome 0\n"}) {
        EXPECT_TRUE(in_sequence(ops)) << ops;
    }
    for (const char* ops :
         {"irecv 0 any 0\n recv 1 any any\n", "irecv 0 any 0\n irecv 1 any 1\n wait 0 1\n",
          "irecv 0 any 0\n waitany 0\n", "irecv 0 any 0\n test 0\n", "irecv 0 any 0\n wait 1\n probe 2 any 0\n",
          "recv 0 any 0\n if 0 1\n irecv 1 any 0\n end\n recv 2 any 0\n",
          "irecv 0 any 0\n ifdone 0\n wait 0\n end\n recv 1 any 0\n", "recv 0 any 0\n rank 1\n recv 0 any 0\n"}) {
        EXPECT_FALSE(in_sequence(ops)) << ops;
    }
}

TEST(Generator, MakesTheSameProgramForTheSameSeed) {
    EXPECT_EQ(generate_program(7), generate_program(7));
    EXPECT_NE(generate_program(7), generate_program(8));
}

TEST(Generator, MakesEveryOperationOfTheFeatures) {
    std::map<OpKind, int> kinds;
    std::map<int, int> communicators;
    int large = 0;
    int to_nobody = 0;
    int persistent = 0;
    int repeated = 0;
    for (std::uint64_t seed = 1; seed <= 600; ++seed) {
        const Program program = generate_program(seed, {.features = parse_features("all")});
        EXPECT_EQ(parse_program(to_text(program)), program);
        for (const auto& ops : program.ranks) {
            for_each_op(ops, [&](const Op& op) {
                ++kinds[op.kind];
                ++communicators[op.comm];
                large += is_send(op.kind) && op.tag >= first_large_tag ? 1 : 0;
                to_nobody += has_peer(op.kind) && op.peer == nobody ? 1 : 0;
                persistent += op.persistent ? 1 : 0;
                repeated += op.times > 1 ? 1 : 0;
            });
        }
    }
    for (int kind = 0; kind <= static_cast<int>(last_op_kind); ++kind) {
        if (!is_bracket(static_cast<OpKind>(kind))) {
            EXPECT_GT(kinds[static_cast<OpKind>(kind)], 10) << kind;
        }
    }
    for (int which = 0; which < 4; ++which) {
        EXPECT_GT(communicators[which], 50) << which;
    }
    for (const int count : {large, to_nobody, persistent, repeated}) {
        EXPECT_GT(count, 50);
    }
}

TEST(Generator, FeaturesChangeNothingOfWhatIsMadeWithoutThem) {
    EXPECT_EQ(generate_program(7), generate_program(7, {.features = parse_features("classic")}));
    EXPECT_EQ(parse_features("all,-scans,-polls").contains(Feature::scans), false);
    EXPECT_EQ(parse_features("large,polls"), (Features{Feature::polls, Feature::large}));
    EXPECT_THROW((void)parse_features("loops"), std::runtime_error);
}

TEST(Generator, MakesEveryKindOfProgramOften) {
    int deadlocking = 0;
    int finishing = 0;
    int branching_out = 0;
    int single = 0;
    int in_sequence = 0;
    int second_communicator = 0;
    std::map<OpKind, int> kinds;
    constexpr int programs = 300;
    for (std::uint64_t seed = 1; seed <= programs; ++seed) {
        const Program program = generate_program(seed, {.tests = true});
        for (const auto& ops : program.ranks) {
            for_each_op(ops, [&](const Op& op) {
                ++kinds[op.kind];
                second_communicator += op.comm;
            });
        }
        single += count_wildcard_ranks(program) == 1 ? 1 : 0;
        in_sequence += epochs_in_sequence(program) ? 1 : 0;
        if (const auto model = enumerate(program)) {
            deadlocking += std::any_of(model->begin(), model->end(), [](const auto& e) { return e.deadlock; }) ? 1 : 0;
            finishing += std::any_of(model->begin(), model->end(), [](const auto& e) { return !e.deadlock; }) ? 1 : 0;
            branching_out += model->size() > 1 ? 1 : 0;
        }
    }
    EXPECT_GT(deadlocking, programs / 5);
    EXPECT_GT(finishing, programs / 2);
    EXPECT_GT(branching_out, programs / 3);
    EXPECT_GT(single, programs / 5);
    EXPECT_GT(in_sequence, programs / 10);
    EXPECT_EQ(kinds.size(), 17U);
    for (const auto& [kind, count] : kinds) {
        EXPECT_GT(count, programs / 30) << static_cast<int>(kind);
    }
    EXPECT_GT(second_communicator, programs / 10);
}

TEST(Generator, MakesWhatBoundsGoByOften) {
    int shared_places = 0;
    int zones = 0;
    int limiting = 0;
    std::map<OpKind, int> kinds;
    constexpr int programs = 300;
    for (std::uint64_t seed = 1; seed <= programs; ++seed) {
        const Program program = generate_program(seed, {.bounds = true});
        int collectives = 0;
        for (const auto& ops : program.ranks) {
            std::map<int, int> places;
            for_each_op(ops, [&](const Op& op) {
                ++kinds[op.kind];
                limiting += op.bound != nothing_inside ? 1 : 0;
                shared_places += op.place != own_place && ++places[op.place] == 2 ? 1 : 0;
            });
            collectives = static_cast<int>(
                std::count_if(ops.begin(), ops.end(), [](const Op& op) { return is_collective(op.kind); }));
        }
        zones += collectives > 1 ? 1 : 0;
        EXPECT_EQ(program.ranks.size(), generate_program(seed).ranks.size());
    }
    EXPECT_GT(kinds[OpKind::bracket], programs / 2);
    EXPECT_GT(kinds[OpKind::unbracket], programs / 2);
    EXPECT_GT(limiting, programs / 3);
    EXPECT_GT(shared_places, programs / 3);
    EXPECT_GT(zones, programs / 5);
}

TEST(Shrinker, LeavesOnlyWhatIsNeeded) {
    const Program program = parse_program(
        "ranks 4\n rank 0\n recv 0 3 0\n barrier\n irecv 1 any 5\n wait 1\n rank 1\n barrier\n"
        "send 2 0\n rank 2\n probe 0 any 0\n recv 1 1 0\n barrier\n"
        "rank 3\n send 0 0\n barrier\n if 0 1\n send 1 0\n end\n");
    const auto deadlocks = [](const Program& smaller) {
        const auto model = enumerate(smaller);
        return std::any_of(model->begin(), model->end(), [](const Execution& execution) { return execution.deadlock; });
    };
    const Program small = shrink(program, deadlocks);
    EXPECT_TRUE(deadlocks(small));
    EXPECT_EQ(count_ops(small), 1U) << to_text(small);
    EXPECT_EQ(small.ranks.size(), 2U);
}

}  // namespace
}  // namespace dampi::oracle
