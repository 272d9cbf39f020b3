// What the order of messages changes, as a user is told of it with --explain-order: the variable by its name, and
// nothing that is no finding.
#include "tests/cli/content_of.hpp"
#include "tests/cli/own_folder.hpp"
#include "tests/harness/supervised_run.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace dampi::harness {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

const fs::path programs = DAMPI_CLI_PROGRAMS;

class OrderOfMessages : public InOwnFolder {
protected:
    struct Sweep {
        int status = 0;
        std::string text;
        Json order;

        [[nodiscard]] bool says(const std::string& words) const { return text.find(words) != std::string::npos; }
        /// The variables of all effects.
        [[nodiscard]] std::vector<Json> variables() const {
            std::vector<Json> all;
            for (const Json& effect : order.at("effects")) {
                for (const Json& each : effect.at("variables")) {
                    all.push_back(each);
                }
            }
            return all;
        }
    };

    Sweep sweep(const std::vector<std::string>& words) {
        Command command{.words = {DAMPI_RUN, "-n", "4", "--buffering", "native", "-o", (work_ / "out").string()},
                        .stdout_file = work_ / "stdout",
                        .stderr_file = work_ / "stderr",
                        .working_directory = work_};
        command.words.insert(command.words.end(), words.begin(), words.end());
        const CommandResult result = run_supervised(command);
        EXPECT_TRUE(result.left_behind.empty());
        EXPECT_FALSE(fs::exists(work_ / "out/moments"));
        EXPECT_FALSE(fs::exists(work_ / "out/order"));
        Sweep sweep;
        sweep.status = result.status;
        sweep.text = content_of(work_ / "stdout") + content_of(work_ / "stderr");
        const Json report = Json::parse(content_of(work_ / "out/report.json"));
        sweep.order = report.at("order_of_messages");
        return sweep;
    }

    Sweep explained(const std::string& what, const std::string& program = "order_changes") {
        return sweep({"--explain-order", (programs / program).string(), what});
    }
};

TEST_F(OrderOfMessages, ASumOfFloatingPointNumbersIsNamed) {
    const Sweep sweep = this->sweep({"--explain-order", (programs / "drifting_sum").string()});
    EXPECT_EQ(sweep.status, 0) << sweep.text;
    ASSERT_EQ(sweep.order.at("effects").size(), 1U) << sweep.text;
    const Json& effect = sweep.order.at("effects").front();
    EXPECT_EQ(effect.at("rank"), 0);
    EXPECT_EQ(effect.at("also"), (std::vector{1, 2, 3}));
    EXPECT_EQ(effect.at("call"), "MPI_Bcast");
    EXPECT_EQ(effect.at("where").at("line"), 28);
    ASSERT_EQ(effect.at("choices").size(), 1U);
    EXPECT_EQ(effect.at("choices").front().at("call"), "MPI_Recv");
    EXPECT_EQ(effect.at("choices").front().at("where").at("line"), 21);
    ASSERT_EQ(effect.at("variables").size(), 1U);
    const Json& total = effect.at("variables").front();
    EXPECT_EQ(total.at("name"), "total");
    EXPECT_EQ(total.at("line"), 14);
    EXPECT_EQ(total.at("kind"), "local");
    EXPECT_EQ(total.at("function"), "main");
    EXPECT_EQ(total.at("type"), "double");
    EXPECT_EQ(total.at("bytes"), 8);
    const std::string one = total.at("one");
    const std::string other = total.at("other");
    EXPECT_EQ(std::min(one, other), "0.59999999999999998");
    EXPECT_EQ(std::max(one, other), "0.60000000000000009");
    EXPECT_TRUE(sweep.says("changes what rank 0 computes: 8 bytes of `total` (")) << sweep.text;
    EXPECT_TRUE(sweep.says("so it is in ranks 1-3")) << sweep.text;
}

TEST_F(OrderOfMessages, NothingIsSaidUnlessAskedFor) {
    const Sweep sweep = this->sweep({(programs / "drifting_sum").string()});
    EXPECT_TRUE(sweep.order.is_null());
    EXPECT_FALSE(sweep.says("order of messages")) << sweep.text;
}

TEST_F(OrderOfMessages, PartsOfVariablesAndBlocksAreNamed) {
    const Sweep heap = explained("heap");
    ASSERT_EQ(heap.variables().size(), 1U) << heap.text;
    EXPECT_EQ(heap.variables().front().at("name"), "block");
    EXPECT_EQ(heap.variables().front().at("kind"), "heap");
    EXPECT_EQ(heap.variables().front().at("first"), "block[2]");

    const Sweep global = explained("global");
    ASSERT_EQ(global.variables().size(), 1U) << global.text;
    EXPECT_EQ(global.variables().front().at("name"), "all");
    EXPECT_EQ(global.variables().front().at("kind"), "global");
    EXPECT_EQ(global.variables().front().at("first"), "all.sum");
}

TEST_F(OrderOfMessages, AVariableOfAFunctionThatIsOverAtTheEndIsNamed) {
    const Sweep sweep = explained("function");
    ASSERT_EQ(sweep.variables().size(), 1U) << sweep.text;
    EXPECT_EQ(sweep.variables().front().at("name"), "inner");
    EXPECT_EQ(sweep.variables().front().at("function"), "add_up");
}

TEST_F(OrderOfMessages, WhatIsNoFindingIsNotTold) {
    for (const std::string what : {"integers", "copies", "again", "pointers"}) {
        const Sweep sweep = explained(what);
        EXPECT_TRUE(sweep.order.at("effects").empty()) << what << '\n' << sweep.text;
        EXPECT_TRUE(sweep.says("no variable is known that the order of messages changes")) << what << '\n'
                                                                                           << sweep.text;
        EXPECT_EQ(sweep.order.at("compared"), 6) << what;
        EXPECT_FALSE(sweep.order.at("nothing_differs")) << what;
    }
}

/// Nobody can say that a variable is dead; so it is told.
TEST_F(OrderOfMessages, ADeadVariableIsTold) {
    const Sweep sweep = explained("dead");
    ASSERT_EQ(sweep.variables().size(), 1U) << sweep.text;
    EXPECT_EQ(sweep.variables().front().at("name"), "dead");
}

TEST_F(OrderOfMessages, ThatNothingDiffersIsSaidOfACompleteSweepAlone) {
    const Sweep whole = explained("end");
    EXPECT_TRUE(whole.order.at("nothing_differs")) << whole.text;
    EXPECT_TRUE(whole.says("the order of messages does not change")) << whole.text;

    const Sweep part =
        sweep({"--explain-order", "--max-interleavings", "2", (programs / "order_changes").string(), "end"});
    EXPECT_FALSE(part.order.at("nothing_differs")) << part.text;
}

TEST_F(OrderOfMessages, WithoutDebugInformationThereAreSymbolsAndSections) {
    const Sweep symbols = explained("global", "order_changes_without_debug");
    ASSERT_FALSE(symbols.variables().empty()) << symbols.text;
    EXPECT_EQ(symbols.variables().front().at("name"), "all");
    EXPECT_EQ(symbols.variables().front().at("kind"), "symbol");
    EXPECT_TRUE(symbols.variables().front().at("line").is_null());

    const Sweep stripped = explained("global", "order_changes_stripped");
    ASSERT_FALSE(stripped.variables().empty()) << stripped.text;
    EXPECT_EQ(stripped.variables().front().at("name"), "order_changes_stripped .bss");
    const std::string first = stripped.variables().front().at("first");
    EXPECT_TRUE(first.starts_with("order_changes_stripped .bss+0x")) << first;
}

TEST_F(OrderOfMessages, WhereMemoryCannotBeComparedTheReportSaysWhy) {
    const Sweep sweep =
        this->sweep({"--explain-order", "--engine", "distributed", (programs / "order_changes").string(), "global"});
    EXPECT_FALSE(sweep.order.at("why_not").is_null());
    EXPECT_TRUE(sweep.says("what the order of messages changes cannot be told: ")) << sweep.text;
}

}  // namespace
}  // namespace dampi::harness
