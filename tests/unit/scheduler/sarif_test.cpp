// What SARIF's readers refuse is left out of a file that would be too large, and that is said in it.
#include "scheduler/report/exports/sarif.hpp"

#include <map>
#include <string>

#include <gtest/gtest.h>

namespace dampi::scheduler {
namespace {

using Json = nlohmann::json;

/// With `count` findings, each with an interleaving, a stack and a place.
ReportInputs many(int count) {
    ReportInputs inputs;
    inputs.options.program = "./app";
    inputs.options.processes = 2;
    for (int i = 0; i < count; ++i) {
        Finding& finding = inputs.result.findings.emplace_back();
        finding.violation.kind = replay::ViolationKind::leak_request;
        finding.violation.message = "finding " + std::to_string(i);
        const replay::CodePlace place{"/app", 1, "main", "app.c", i + 1, 5};
        finding.violation.situations = {
            {.rank = 0, .call = "MPI_Isend", .detail = "lost", .where = place, .stack = {place, place}}};
        replay::Epoch& epoch = finding.epochs.emplace_back();
        epoch.call = "MPI_Recv";
        epoch.where = place;
    }
    return inputs;
}

/// Those about the file; the others are about the sweep.
std::vector<std::string> notes_of(const Json& sarif) {
    std::vector<std::string> notes;
    for (const Json& note : sarif["runs"][0]["invocations"][0]["toolExecutionNotifications"]) {
        const std::string text = note["message"]["text"];
        if (text.starts_with("left out of this file")) {
            notes.push_back(text);
        }
    }
    return notes;
}

TEST(Sarif, HasLinesAndColumns) {
    const Json region =
        make_sarif(std::vector{many(1)}, "/")["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"];
    EXPECT_EQ(region, Json({{"startLine", 1}, {"startColumn", 5}}));
}

TEST(Sarif, RulesSayWhatAKindIsAndWhatToDo) {
    for (const Json& rule : make_sarif(std::vector{many(1)}, "/")["runs"][0]["tool"]["driver"]["rules"]) {
        const std::string full = rule["fullDescription"]["text"];
        EXPECT_TRUE(full.starts_with(rule["shortDescription"]["text"].get<std::string>())) << full;
        EXPECT_GT(full.size(), rule["shortDescription"]["text"].get<std::string>().size()) << full;
    }
}

TEST(Sarif, CodeFlowsHaveTheSendsWhereTheyAreKnown) {
    std::vector<ReportInputs> sweeps{many(1)};
    replay::CallEvent receive;
    receive.kind = replay::CallKind::receive;
    receive.function = "MPI_Recv";
    receive.epoch = 0;
    receive.issue = 2;
    receive.match = replay::CallName{1, 0};
    replay::CallEvent send;
    send.name = {1, 0};
    send.function = "MPI_Send";
    send.tag = 7;
    send.issue = 1;
    send.match = replay::CallName{0, 0};
    sweeps[0].calls = {{.failing = {receive, send}, .passing = {}}};
    const auto threads = [&] {
        std::map<std::string, Json> all;
        const Json sarif = make_sarif(sweeps, "/");
        for (const Json& flow : sarif["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"]) {
            all[flow["id"]] = flow["locations"];
        }
        return all;
    };
    const std::map<std::string, Json> with = threads();
    ASSERT_EQ(with.size(), 2U);
    ASSERT_EQ(with.at("rank 1").size(), 1U);
    const Json& sent = with.at("rank 1")[0];
    EXPECT_EQ(sent["location"]["message"]["text"], "MPI_Send with tag 7: rank 0 took the message");
    EXPECT_LT(sent["executionOrder"], with.at("rank 0")[0]["executionOrder"]);
    EXPECT_EQ(with.at("rank 0").size(), 2U) << "the choice, and where it stands at the end";
    sweeps[0].calls[0].failing[0].epoch.reset();
    EXPECT_EQ(threads().size(), 1U) << "the choice is not among the calls, so they do not tell the whole";
}

TEST(Sarif, KeepsWithinTheLimitsAndSaysSo) {
    const std::vector<ReportInputs> sweeps{many(30), many(20)};
    const Json whole = make_sarif(sweeps, "/");
    EXPECT_TRUE(notes_of(whole).empty());
    const std::size_t size = text_of_sarif(whole).size();

    const Json fewer = make_sarif(sweeps, "/", {.results = 35});
    EXPECT_EQ(fewer["runs"][0]["results"].size(), 30U);
    EXPECT_EQ(fewer["runs"][1]["results"].size(), 5U);
    ASSERT_EQ(notes_of(fewer).size(), 1U);
    EXPECT_NE(notes_of(fewer)[0].find("35 results and 10000000 bytes: 15 of 50 results; report.json"),
              std::string::npos);

    // Interleavings go before results, and those of the first results stay.
    const Json smaller = make_sarif(sweeps, "/", {.bytes = size - 1});
    EXPECT_LE(text_of_sarif(smaller).size(), size - 1);
    EXPECT_TRUE(smaller["runs"][0]["results"][0].contains("codeFlows"));
    EXPECT_FALSE(smaller["runs"][1]["results"][19].contains("codeFlows"));
    EXPECT_TRUE(smaller["runs"][1]["results"][19].contains("stacks"));
    ASSERT_EQ(notes_of(smaller).size(), 1U);
    EXPECT_NE(notes_of(smaller)[0].find("bytes: the interleavings of 5 results; report.json"), std::string::npos)
        << notes_of(smaller)[0];

    const std::size_t empty = text_of_sarif(make_sarif(sweeps, "/", {.results = 0})).size();
    const Json smallest = make_sarif(sweeps, "/", {.bytes = empty + 20'000});
    EXPECT_LE(text_of_sarif(smallest).size(), empty + 20'000);
    EXPECT_FALSE(smallest["runs"][0]["results"].empty());
    EXPECT_LT(smallest["runs"][0]["results"].size(), 30U);
    EXPECT_TRUE(smallest["runs"][1]["results"].empty());
    EXPECT_NE(notes_of(smallest)[0].find(" of 50 results, the interleavings of 50 results, "), std::string::npos)
        << notes_of(smallest)[0];
}

}  // namespace
}  // namespace dampi::scheduler
