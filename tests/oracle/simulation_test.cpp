// The simulated MPI itself: left to itself it shows what the model allows and nothing else, sooner or later all of it.
#include "tests/oracle/simulation.hpp"

#include "tests/oracle/comparison.hpp"
#include "tests/oracle/generator.hpp"
#include "tests/oracle/model.hpp"

#include <gtest/gtest.h>

#include <set>

namespace dampi::oracle {
namespace {

std::set<Execution> seen(const Program& program, clocks::Protocol protocol, std::uint64_t runs) {
    std::set<Execution> executions;
    const Simulation simulation(program);
    for (std::uint64_t seed = 0; seed < runs; ++seed) {
        const SimulatedRun run = simulation.run({}, protocol, seed);
        executions.insert({.matches = outcome_text(run.record), .deadlock = run.deadlock});
    }
    return executions;
}

TEST(Simulation, ShowsWhatTheModelAllows) {
    std::size_t possible = 0;
    std::size_t shown = 0;
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        const Program program = generate_program(seed);
        const auto model = enumerate(program).value();
        const auto executions = seen(program, clocks::Protocol::vector, 100);
        for (const Execution& execution : executions) {
            EXPECT_TRUE(model.contains(execution)) << to_text(program) << execution.matches;
        }
        possible += model.size();
        shown += executions.size();
    }
    EXPECT_GT(shown, possible * 3 / 4);  // a receive takes what the probe before it has seen
}

TEST(Simulation, ShowsAllOfASmallProgram) {
    const Program program = parse_program(
        "ranks 3\n rank 0\n irecv 0 any 0\n probe 1 1 0\n recv 2 any any\n if 2 1\n ssend 1 0\n end\n wait 0\n"
        "rank 1\n send 0 0\n send 0 1\n recv 0 0 0\n rank 2\n issend 0 0 0\n wait 0\n send 0 0\n");
    const auto model = enumerate(program).value();
    EXPECT_GT(model.size(), 2U);
    EXPECT_EQ(to_text(seen(program, clocks::Protocol::vector, 2000)), to_text(model));
    EXPECT_EQ(to_text(seen(program, clocks::Protocol::lamport, 2000)), to_text(model));
}

TEST(Simulation, TheSameSeedIsTheSameRun) {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        const Simulation simulation(generate_program(seed));
        const SimulatedRun one = simulation.run({}, clocks::Protocol::vector, seed);
        const SimulatedRun two = simulation.run({}, clocks::Protocol::vector, seed);
        EXPECT_EQ(outcome_text(one.record), outcome_text(two.record));
        EXPECT_EQ(one.deadlock, two.deadlock);
    }
}

TEST(Simulation, DecisionsAreFollowed) {
    const Simulation simulation(
        parse_program("ranks 3\n rank 0\n recv 0 any 0\n recv 1 any 0\n rank 1\n send 0 0\n rank 2\n send 0 0\n"));
    const replay::Decision decision{.epoch = {0, 0},
                                    .kind = replay::EpochKind::receive,
                                    .comm = base::world_comm,
                                    .tag = 0,
                                    .outcome = {.source = 2}};
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        const SimulatedRun run = simulation.run({decision}, clocks::Protocol::vector, seed);
        EXPECT_EQ(outcome_text(run.record), "{0#0<-2 0#1<-1}");
        EXPECT_TRUE(run.record.epochs.front().forced);
    }
}

TEST(Simulation, ADecisionForAnotherOperationIsADivergence) {
    const Simulation simulation(parse_program("ranks 2\n rank 0\n recv 0 any 0\n rank 1\n send 0 0\n"));
    const replay::Decision decision{
        .epoch = {0, 0}, .kind = replay::EpochKind::receive, .comm = base::world_comm, .tag = 1};
    EXPECT_TRUE(simulation.run({decision}, clocks::Protocol::vector, 1).record.diverged);
}

}  // namespace
}  // namespace dampi::oracle
