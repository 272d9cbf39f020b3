// The sentence about a rank that met another operation than its decision names.
#include "replay/divergence_text.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace dampi::replay {
namespace {

TEST(DivergenceText, SaysWhatWasDecidedAndWhatWasMet) {
    EXPECT_EQ(other_operation_text({2, 7}, {.kind = EpochKind::receive, .comm = 1, .tag = 3},
                                   {.kind = EpochKind::probe, .comm = 1, .tag = base::any_tag}),
              "rank 2 was to issue a wildcard receive with tag 3 as its operation 7, but issued a wildcard MPI_Probe "
              "with any tag");
}

TEST(DivergenceText, NamesNoTagOfAChoice) {
    EXPECT_EQ(other_operation_text({0, 0}, {.kind = EpochKind::wait_any, .comm = 0, .tag = base::any_tag},
                                   {.kind = EpochKind::cancel, .comm = 0, .tag = base::any_tag}),
              "rank 0 was to issue an MPI_Waitany as its operation 0, but issued an MPI_Cancel of a receive");
}

TEST(DivergenceText, SaysThatOnlyTheCommunicatorDiffers) {
    EXPECT_EQ(other_operation_text({1, 0}, {.kind = EpochKind::receive, .comm = 1, .tag = 3},
                                   {.kind = EpochKind::receive, .comm = 2, .tag = 3}),
              "rank 1 was to issue a wildcard receive with tag 3 as its operation 0, but issued a wildcard receive "
              "with tag 3 on another communicator");
}

TEST(DivergenceText, HasAWordForEachKind) {
    std::set<std::string> texts;
    for (int kind = 0; kind <= static_cast<int>(last_epoch_kind); ++kind) {
        const EpochOperation operation{.kind = static_cast<EpochKind>(kind), .comm = 0, .tag = base::any_tag};
        const std::string text = other_operation_text({0, 0}, operation, operation);
        EXPECT_EQ(text.find("unknown"), std::string::npos) << kind;
        EXPECT_TRUE(texts.insert(text).second) << text;
    }
    EXPECT_NE(other_operation_text({0, 0}, {.kind = static_cast<EpochKind>(77)}, {}).find("unknown"),
              std::string::npos);
}

}  // namespace
}  // namespace dampi::replay
