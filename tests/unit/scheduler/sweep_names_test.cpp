// What sweeps are called beside each other.
#include "scheduler/report/exports/sweep_names.hpp"

#include <gtest/gtest.h>

namespace dampi::scheduler {
namespace {

ReportInputs sweep(const char* program, int processes, const char* directory) {
    ReportInputs inputs;
    inputs.options.program = program;
    inputs.options.processes = processes;
    inputs.options.output = directory;
    return inputs;
}

TEST(SweepNames, AreOfTheProgramAndTheProcessesWhereTheseDiffer) {
    const std::vector<ReportInputs> sweeps{sweep("./a", 3, "one"), sweep("./a", 4, "two"), sweep("x/b", 3, "three")};
    EXPECT_EQ(sweep_names(sweeps), (std::vector<std::string>{"a-n3", "a-n4", "b-n3"}));
    EXPECT_TRUE(sweep_names({}).empty());
}

TEST(SweepNames, AreThoseOfTheDirectoriesOtherwiseInWhateverOrder) {
    const ReportInputs plain = sweep("./a", 3, "suite/plain");
    const ReportInputs other = sweep("./a", 3, "suite/other");
    EXPECT_EQ(sweep_names(std::vector{plain, other}), (std::vector<std::string>{"plain", "other"}));
    EXPECT_EQ(sweep_names(std::vector{other, plain}), (std::vector<std::string>{"other", "plain"}));
}

TEST(SweepNames, AreNumberedWhereNothingTellsThemApart) {
    const ReportInputs same = sweep("./a", 3, "out");
    EXPECT_EQ(sweep_names(std::vector{same, same}), (std::vector<std::string>{"out", "out-2"}));
}

}  // namespace
}  // namespace dampi::scheduler
