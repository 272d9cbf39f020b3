// The page of a sweep: its data, and the file that it becomes. What it looks like is tried in a browser: tests/page.
#include "scheduler/report/page.hpp"
#include "scheduler/cli/open_page.hpp"
#include "scheduler/report/page_data.hpp"
#include "scheduler/report/page_parts.hpp"
#include "scheduler/report/text_report.hpp"
#include "scheduler/source_lines.hpp"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

namespace dampi::scheduler {
namespace {

using nlohmann::json;

Finding finding(replay::ViolationKind kind, int line) {
    Finding made;
    made.violation.kind = kind;
    made.violation.message = "message";
    made.violation.ranks = {0, 1, 2};
    for (const replay::Rank rank : made.violation.ranks) {
        made.violation.situations.push_back(
            {rank, rank == 0 ? "MPI_Recv" : "MPI_Barrier", "", {"/app", 0x40, "main", "app.c", line}});
    }
    made.count = 1;
    made.reproducer.number = 1;
    return made;
}

ReportInputs inputs() {
    ReportInputs made;
    made.options.processes = 3;
    made.options.program = "./app";
    made.clock = "vector";
    made.engine = "distributed";
    made.result.explored = 2;
    made.result.interleavings = {
        {.number = 1, .outcomes = "{0#0<-1}", .verdicts = {replay::ViolationKind::deadlock}, .sites = {0}},
        {.number = 2, .outcomes = "{0#0<-2}", .verdicts = {}, .sites = {CallSites::unknown}}};
    made.result.findings = {finding(replay::ViolationKind::leak_request, 30),
                            finding(replay::ViolationKind::deadlock, 20)};
    made.finding_files = {"decisions/leak-1.json", "decisions/deadlock-1.json"};
    made.result.notes = {finding(replay::ViolationKind::leak_message, 30)};
    return made;
}

std::vector<std::string> twenty_two_lines(const std::string& file, int first, int last) {
    std::vector<std::string> lines;
    for (int line = first; file == "app.c" && line <= std::min(last, 22); ++line) {
        lines.push_back("line " + std::to_string(line));
    }
    return lines;
}

TEST(PageData, FindingsOfAllListsWorstFirst) {
    const json data = make_page_data(inputs(), twenty_two_lines);
    ASSERT_EQ(data["worst_first"].size(), 3U);
    EXPECT_EQ(data["worst_first"][0], (json{{"list", "violations"}, {"index", 1}, {"title", "violation 2"}}));
    EXPECT_EQ(data["worst_first"][1]["index"], 0);
    EXPECT_EQ(data["worst_first"][2]["list"], "notes");
    for (const char* kind : {"deadlock", "leak/request", "leak/message"}) {
        EXPECT_FALSE(data["kinds"][kind]["remedy"].get<std::string>().empty()) << kind;
    }
}

TEST(PageData, CallsOfTheRunThatFailsAndOfTheOneThatPasses) {
    ReportInputs made = inputs();
    made.result.findings[1].epochs = {{.id = {0, 0}}};
    replay::CallEvent receive;
    receive.kind = replay::CallKind::receive;
    receive.function = "MPI_Recv";
    receive.where = {"/app", 0x40, "main", "app.c", 21};
    receive.peer = base::any_source;
    receive.match = replay::CallName{1, 0};
    receive.epoch = 0;
    receive.issue = 1;
    replay::CallEvent send = receive;
    send.name = {1, 0};
    send.kind = replay::CallKind::send;
    send.function = "MPI_Send";
    send.match = replay::CallName{0, 0};
    send.epoch.reset();
    ListedCalls calls{.failing = {receive, send}, .passing = {receive, send}, .passing_number = 2};
    calls.passing[0].match = replay::CallName{2, 0};
    made.calls = {{}, calls};
    json data = make_page_data(made, twenty_two_lines);
    EXPECT_EQ(data["violations"][0]["calls"], nullptr);
    const json& deadlock = data["violations"][1];
    EXPECT_EQ(deadlock["calls"]["functions"], (json{"MPI_Recv", "MPI_Send"}));
    ASSERT_EQ(deadlock["calls"]["list"].size(), 2U);
    EXPECT_EQ(deadlock["calls"]["list"][0], json::parse("[0, 1, 0, 0, -1, 0, 0, 1, 0, true, 2, 0, 0, 0, 0, [], []]"));
    EXPECT_EQ(deadlock["calls"]["list"][1],
              json::parse("[1, 0, 1, 0, -1, 0, 0, 0, null, true, 1, null, 1, 1, 0, [], []]"));
    ASSERT_EQ(deadlock["call_differences"].size(), 1U);
    EXPECT_EQ(deadlock["call_differences"][0]["failing"], (json{0}));
    EXPECT_EQ(deadlock["passing_calls"]["list"].size(), 2U);
    EXPECT_TRUE(data["sources"].contains("app.c:21")) << "the lines of calls are there";
    made.calls[1].passing_number = 7;
    data = make_page_data(made, twenty_two_lines);
    EXPECT_EQ(data["violations"][1]["passing_calls"], nullptr) << "it is not the one that the difference is about";
}

/// Rank 0 probes for tag 1, which answers false, and finds tag 2; where it passes the first has found something.
ReportInputs polling() {
    ReportInputs made = inputs();
    made.result.interleavings[0].outcomes = "{0#0@1<-1~1}";
    made.result.interleavings[1].outcomes = "{0#0<-1}";
    replay::Epoch& epoch = made.result.findings[1].epochs.emplace_back();
    epoch.kind = replay::EpochKind::polling_probe;
    epoch.call = "MPI_Iprobe";
    epoch.tag = 2;
    epoch.poll = 1;
    epoch.before = 1;
    epoch.polled = {0, 1};
    epoch.outcome = replay::Outcome{.source = 1, .tag = 2, .poll = 1, .false_answers = 1};
    replay::OtherPoll& other = epoch.others.emplace_back();
    other.kind = epoch.kind;
    other.call = epoch.call;
    other.tag = 1;
    other.potential_matches = {{.source = 1, .tag = 1, .number = 0}};
    return made;
}

TEST(PageData, ADifferenceNamesTheMessagesThatWereTaken) {
    const json deadlock = make_page_data(polling(), twenty_two_lines)["violations"][1];
    const json& choice = deadlock["difference"]["choices"][0];
    EXPECT_EQ(choice["failing"]["messages"], json::parse("[[null, 1, 2]]"));
    EXPECT_EQ(choice["passing"]["messages"], json::parse("[[null, 1, 1]]")) << "which the run that fails had as well";
    EXPECT_EQ(deadlock["epochs"][0]["false_polls"], json::parse(R"(["MPI_Iprobe with tag 1"])"));
    EXPECT_EQ(deadlock["epochs"][0]["other_polls"][0]["words"], "MPI_Iprobe with tag 1");
}

TEST(PageData, WhereCallsAreMissingItSaysWhy) {
    ReportInputs made = polling();
    made.calls = {{}, {.failing = {}, .passing = {}, .why_not = "there was no time"}};
    const json data = make_page_data(made, twenty_two_lines);
    EXPECT_EQ(data["violations"][0]["why_no_calls"], "");
    EXPECT_EQ(data["violations"][1]["why_no_calls"], "there was no time");
    EXPECT_EQ(data["notes"][0]["why_no_calls"], "");
}

TEST(PageData, AnAbortComesBeforeAnExit) {
    ReportInputs made = inputs();
    made.result.findings = {finding(replay::ViolationKind::exit, 30), finding(replay::ViolationKind::abort, 20)};
    const json data = make_page_data(made, twenty_two_lines);
    EXPECT_EQ(data["worst_first"][0]["index"], 1);
    EXPECT_EQ(data["worst_first"][1]["index"], 0);
}

TEST(Reports, NameTheFilesOfTheProgramsOutput) {
    ReportInputs made = inputs();
    made.options.output = "out";
    made.finding_outputs = {{}, {"output/000001.err"}};
    const json data = make_page_data(made, twenty_two_lines);
    EXPECT_EQ(data["violations"][0]["printed"], json::array());
    EXPECT_EQ(data["violations"][1]["printed"], json::parse(R"(["output/000001.err"])"));
    EXPECT_NE(finding_text(made, 1).find("\n  the program's output: out/output/000001.err\n"), std::string::npos);
    EXPECT_EQ(finding_text(made, 0).find("output: "), std::string::npos);
}

TEST(PageData, AFindingHasWhatAPersonNeeds) {
    const json deadlock = make_page_data(inputs(), twenty_two_lines)["violations"][1];
    ASSERT_EQ(deadlock["groups"].size(), 2U) << "ranks in the same state are together";
    EXPECT_EQ(deadlock["groups"][1]["ranks"], (json{1, 2}));
    EXPECT_EQ(deadlock["groups"][1]["situation"], 1) << "whose line and stack are shown";
    EXPECT_NE(deadlock["replay"].get<std::string>().find("--replay dampi-out/decisions/deadlock-1.json"),
              std::string::npos);
    EXPECT_EQ(deadlock["difference"]["passing"], 2);
    EXPECT_EQ(deadlock["difference"]["choices"][0]["failing"]["site"], 0);
    EXPECT_EQ(deadlock["difference"]["choices"][0]["passing"]["site"], nullptr);
    EXPECT_EQ(deadlock["no_difference"], "");
}

TEST(PageData, WhyThereIsNothingToCompareWith) {
    ReportInputs made = inputs();
    made.result.interleavings[1].verdicts = {replay::ViolationKind::deadlock};
    EXPECT_EQ(make_page_data(made, twenty_two_lines)["violations"][1]["no_difference"],
              "No interleaving that was explored passes, so there is none to compare with.");
    made.result.findings[1].count = 2;
    EXPECT_EQ(make_page_data(made, twenty_two_lines)["violations"][1]["no_difference"],
              "Each interleaving shows it: it does not depend on which message comes first.");
    made.result.outcomes_omitted = true;
    made.result.interleavings.clear();
    const json data = make_page_data(made, twenty_two_lines);
    EXPECT_TRUE(data["violations"][1]["no_difference"].get<std::string>().starts_with("There are so many"));
    EXPECT_EQ(data["runs"]["omitted"], 2);
}

TEST(PageData, LinesAroundThePlacesThatAreThere) {
    const json sources = make_page_data(inputs(), twenty_two_lines)["sources"];
    EXPECT_EQ(sources.size(), 1U) << "the file has no line 30";
    EXPECT_EQ(sources["app.c:20"]["first"], 16);
    EXPECT_EQ(sources["app.c:20"]["lines"].size(), 7U);
}

TEST(PageData, OfVeryManyFindingsAndOutcomesSomeAreLeftOutAndCounted) {
    ReportInputs made = inputs();
    made.result.findings.assign(most_page_findings + 5, finding(replay::ViolationKind::crash, 20));
    InterleavingOutcome longest = made.result.interleavings[1];
    longest.outcomes.assign(most_page_outcome_bytes, ' ');
    made.result.interleavings.push_back(longest);
    const json data = make_page_data(made, twenty_two_lines);
    EXPECT_EQ(data["worst_first"].size(), most_page_findings);
    EXPECT_EQ(data["violations"].size(), most_page_findings + 5);
    EXPECT_EQ(data["violations"].back(), nullptr);
    EXPECT_EQ(data["runs"]["list"].size(), 2U);
    EXPECT_EQ(data["runs"]["omitted"], 1);
}

TEST(PageData, OfVeryManyOperationsThoseOfTheWorstFindingsAreThere) {
    ReportInputs made = inputs();
    made.result.findings[0].epochs.resize(2);
    made.result.findings[1].epochs.resize(most_page_epochs - 1);
    const json data = make_page_data(made, twenty_two_lines);
    EXPECT_EQ(data["violations"][1]["epochs"].size(), most_page_epochs - 1);
    EXPECT_EQ(data["violations"][1]["places"].size(), most_page_epochs - 1);
    EXPECT_EQ(data["violations"][0]["epochs"].size(), 0U);
    EXPECT_EQ(data["violations"][0]["places"].size(), 0U);
    EXPECT_EQ(data["violations"][0]["epochs_omitted"], 2);
}

TEST(Page, NothingOfTheDataEndsItsElement) {
    const std::string page = make_page({{"name", "</script><script>alert(1)</script><!--\xff"}});
    EXPECT_NE(page.find("\\u003c/script>\\u003cscript>alert(1)\\u003c/script>\\u003c!--\xef\xbf\xbd"),
              std::string::npos);
    EXPECT_EQ(page.find("<script>alert"), std::string::npos);
}

TEST(Page, NothingIsAllowedButItsOwnScriptAndStyle) {
    const std::string page = make_page(json::object());
    EXPECT_NE(page.find("content=\"default-src 'none'; script-src 'sha256-"), std::string::npos);
    EXPECT_EQ(page.find('@' + std::string("POLICY")), std::string::npos);
    EXPECT_LT(page.size(), 150'000U);
    EXPECT_EQ(page_script_digest().size(), 64U);
    // What ends an element must not stand in it, nor what could be fetched.
    for (const std::string_view part : {page_script(), page_style()}) {
        EXPECT_EQ(part.find("</"), std::string_view::npos);
        EXPECT_EQ(part.find("@import"), std::string_view::npos);
    }
}

TEST(Page, MuchDataIsCompressed) {
    const std::string plain = make_page({{"text", std::string(most_plain_data / 2, 'x')}});
    EXPECT_NE(plain.find(R"(id="data" type="application/json")"), std::string::npos);
    const std::string packed = make_page({{"text", std::string(most_plain_data, 'x')}});
    EXPECT_NE(packed.find(R"(id="data" type="text/plain")"), std::string::npos);
    EXPECT_LT(packed.size(), plain.size());
}

TEST(TextReport, SaysWhereThePageIsOnlyWhereThereIsSomethingToLookAt) {
    ReportInputs made = inputs();
    EXPECT_NE(make_text_report(made).find("look at it in a browser: dampi-out/report.html\n"), std::string::npos);
    made.result.findings.clear();
    EXPECT_EQ(make_text_report(made).find("report.html"), std::string::npos);
}

TEST(SourceLines, OfARegularFileOnly) {
    const std::filesystem::path file =
        std::filesystem::path(testing::TempDir()) / ("dampi-source-lines-" + std::to_string(getpid()));
    std::ofstream(file, std::ios::binary) << "one\r\ntwo\n" << std::string(1000, 'x');
    SourceLines lines;
    EXPECT_EQ(lines.lines(file.string(), 1, 2), (std::vector<std::string>{"one", "two"}));
    ASSERT_EQ(lines.lines(file.string(), 3, 9).size(), 1U);
    EXPECT_LT(lines.lines(file.string(), 3, 9)[0].size(), 1000U) << "nobody reads lines that long";
    EXPECT_TRUE(lines.lines(file.string(), 4, 9).empty());
    EXPECT_TRUE(lines.lines(file.string(), -5, 0).empty());
    std::filesystem::remove(file);
    EXPECT_TRUE(lines.lines("/dev/zero", 1, 2).empty());
    EXPECT_TRUE(lines.lines("/nowhere", 1, 2).empty());
}

TEST(BrowserCommands, ThoseOfTheVariableThenXdgOpen) {
    using Commands = std::vector<std::vector<std::string>>;
    EXPECT_EQ(browser_commands(nullptr, "p"), (Commands{{"xdg-open", "p"}}));
    EXPECT_EQ(browser_commands("", "p"), (Commands{{"xdg-open", "p"}}));
    EXPECT_EQ(browser_commands("firefox:  :w3m -T text/html x%s", "a b;c"),
              (Commands{{"firefox", "a b;c"}, {"w3m", "-T", "text/html", "xa b;c"}, {"xdg-open", "a b;c"}}));
}

}  // namespace
}  // namespace dampi::scheduler
