// What is said of a kind of finding, and of a name that is no kind's.
#include "scheduler/report/explanation.hpp"

#include "base/check.hpp"
#include "replay/violation_kind.hpp"

#include <set>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

namespace dampi::scheduler {
namespace {

using replay::ViolationKind;
namespace violation_kinds = replay::violation_kinds;

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Explanation, HasTheExampleAndTheSameMended) {
    const std::string text = explanation(ViolationKind::leak_communicator);
    EXPECT_TRUE(
        text.starts_with("leak/communicator (error)\n\nA communicator was never freed.\n"
                         "What to do: Call MPI_Comm_free.\n\nA program that has it:\n\n    #include <mpi.h>\n"))
        << text;
    const std::size_t mended = text.find("\nMended:\n");
    ASSERT_NE(mended, std::string::npos);
    EXPECT_FALSE(contains(text.substr(0, mended), "MPI_Comm_free(&copy);"));
    EXPECT_TRUE(contains(text.substr(mended), "MPI_Comm_free(&copy);"));
    EXPECT_FALSE(contains(text, "ifdef MENDED"));
    EXPECT_TRUE(contains(text,
                         "    mpicc.mpich -g -o leak-communicator leak-communicator.c\n"
                         "    dampi-run -n 2 ./leak-communicator\n"));
    EXPECT_TRUE(contains(text, "leak-communicator.c is among the examples"));
}

TEST(Explanation, SaysWhatTheCompilerIsTold) {
    EXPECT_TRUE(contains(explanation(ViolationKind::sanitizer_address),
                         "mpicc.mpich -g -fsanitize=address -o sanitizer-address sanitizer-address.c\n"));
}

TEST(Explanation, HasAnExampleForEachKindThatAProgramAloneCanHave) {
    const std::set<ViolationKind> without{ViolationKind::argument_lock,  // MPICH calls it argument/value
                                          ViolationKind::divergence, ViolationKind::imprecise_match,
                                          ViolationKind::possible_livelock};
    for (const violation_kinds::Line& line : violation_kinds::lines) {
        const ViolationKind kind = *replay::violation_kind_of(line.text);
        EXPECT_EQ(contains(explanation(kind), "Mended:"), !without.contains(kind)) << line.text;
        EXPECT_TRUE(contains(explanation_in_markdown(kind), std::string(line.remedy))) << line.text;
    }
}

TEST(Explanation, ListsEachKindInALine) {
    std::istringstream lines(list_of_kinds());
    for (const violation_kinds::Line& kind : violation_kinds::lines) {
        std::string line;
        ASSERT_TRUE(std::getline(lines, line));
        EXPECT_TRUE(line.starts_with(std::string(kind.text) + " ")) << line;
        EXPECT_TRUE(contains(line, std::string(name_of(kind.severity)))) << line;
    }
}

TEST(Explanation, NamesTheNearestKinds) {
    const auto nearest = [](const std::string& name) -> std::string {
        try {
            (void)kind_called(name);
            return "no error";
        } catch (const Error& error) {
            return error.what();
        }
    };
    EXPECT_EQ(kind_called("rma/race"), ViolationKind::rma_race);
    EXPECT_TRUE(contains(nearest("race"), "'race'; the nearest: rma/race;")) << nearest("race");
    EXPECT_TRUE(contains(nearest("deadlok"), "the nearest: deadlock;")) << nearest("deadlok");
    EXPECT_TRUE(contains(nearest("leak/comunicator"), "the nearest: leak/communicator;"));
}

}  // namespace
}  // namespace dampi::scheduler
