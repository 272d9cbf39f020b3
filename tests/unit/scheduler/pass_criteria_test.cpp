// What a finding is recognised by, which findings make a sweep fail, and baselines that are damaged.
#include "scheduler/report/pass_criteria.hpp"
#include "scheduler/report/fingerprint.hpp"
#include "scheduler/report/json_report.hpp"
#include "scheduler/report/severity.hpp"
#include "scheduler/report/source_root.hpp"

#include "base/check.hpp"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <random>

#include <gtest/gtest.h>
#include <unistd.h>

namespace dampi::scheduler {
namespace {

namespace fs = std::filesystem;
using replay::violation_kinds::Severity;

/// A folder of its own, removed at the end.
class PassCriteria : public testing::Test {
protected:
    PassCriteria() {
        std::string name = fs::temp_directory_path() / "dampi-pass-XXXXXX";
        folder_ = mkdtemp(name.data());
    }
    ~PassCriteria() override { fs::remove_all(folder_); }

    fs::path write(const std::string& name, const std::string& content) const {
        std::ofstream(folder_ / name, std::ios::binary) << content;
        return folder_ / name;
    }

    fs::path folder_;
};

replay::CodePlace place(const fs::path& file, int line, const char* function = "solve") {
    return {"/app", static_cast<std::uint64_t>(line), function, file, line};
}

Finding finding(replay::ViolationKind kind, std::vector<replay::RankSituation> situations) {
    Finding finding;
    finding.violation.kind = kind;
    finding.violation.message = "rank 7 waits";
    finding.violation.situations = std::move(situations);
    finding.count = 1;
    return finding;
}

constexpr std::chrono::year_month_day some_day{std::chrono::year(2026), std::chrono::January, std::chrono::day(31)};

std::string print_of(const Finding& finding) {
    SourceLines sources;
    return fingerprint(finding.violation, sources);
}

using enum replay::ViolationKind;

TEST_F(PassCriteria, FingerprintsHoldWhileLinesAndRanksMove) {
    const fs::path then = write("then.c", "one\nMPI_Recv(a);\nMPI_Send(b);\n");
    const fs::path now = write("now.c", "one\n\n\n    MPI_Send( b );\nMPI_Recv(a);\n");
    const Finding first = finding(deadlock, {{0, "MPI_Recv", "", place(then, 2)}, {1, "MPI_Send", "", place(then, 3)}});
    const Finding moved = finding(
        deadlock,
        {{2, "MPI_Send", "", place(now, 4)}, {5, "MPI_Recv", "", place(now, 5)}, {6, "MPI_Recv", "", place(now, 5)}});
    EXPECT_EQ(print_of(first), print_of(moved));
    EXPECT_EQ(print_of(first).size(), 16U);
}

TEST_F(PassCriteria, FingerprintsTellApartWhatIsNotTheSame) {
    const fs::path file = write("app.c", "MPI_Recv(a);\nMPI_Recv(b);\n");
    const auto of = [&](replay::ViolationKind kind, const char* call, int line, const char* function) {
        return print_of(finding(kind, {{0, call, "", place(file, line, function)}}));
    };
    const std::string one = of(deadlock, "MPI_Recv", 1, "solve");
    EXPECT_NE(one, of(crash, "MPI_Recv", 1, "solve"));
    EXPECT_NE(one, of(deadlock, "MPI_Irecv", 1, "solve"));
    EXPECT_NE(one, of(deadlock, "MPI_Recv", 2, "solve"));
    EXPECT_NE(one, of(deadlock, "MPI_Recv", 1, "main"));
}

TEST_F(PassCriteria, WithoutAPlaceTheMessageCountsWithoutItsNumbers) {
    Finding one = finding(leak_message, {});
    Finding other = one;
    other.violation.message = "rank 12 waits";
    EXPECT_EQ(print_of(one), print_of(other));
    other.violation.message = "rank 7 sleeps";
    EXPECT_NE(print_of(one), print_of(other));
}

TEST_F(PassCriteria, AnEntryOfTheBaselineStandsForOneFinding) {
    const fs::path file = write("app.c", "MPI_Comm_dup(a);\n");
    ReportInputs inputs;
    inputs.result.explored = 1;
    inputs.options.baseline = "kept.json";
    inputs.result.findings.assign(3, finding(leak_communicator, {{0, "MPI_Comm_dup", "", place(file, 1)}}));
    const std::string print = print_of(inputs.result.findings.front());
    const Passing passing =
        judge_passing(inputs, {{print, "", ""}, {"0", "crash", "gone"}, {print, "", ""}}, {}, some_day);
    ASSERT_EQ(passing.findings.size(), 3U);
    EXPECT_TRUE(passing.of(0).known && passing.of(1).known);
    EXPECT_FALSE(passing.of(0).fails || passing.of(1).fails);
    EXPECT_FALSE(passing.of(2).known);
    EXPECT_TRUE(passing.of(2).fails);
    ASSERT_EQ(passing.gone.size(), 1U);
    EXPECT_EQ(passing.gone.front().message, "gone");
    EXPECT_EQ(passing.exit_status, 1);
}

TEST_F(PassCriteria, OtherWordsThanNewChooseAmongWhatIsNew) {
    const fs::path file = write("app.c", "MPI_Comm_dup(a);\n");
    ReportInputs inputs;
    inputs.result.explored = 1;
    inputs.options.baseline = "kept.json";
    inputs.result.findings.assign(2, finding(leak_communicator, {{0, "MPI_Comm_dup", "", place(file, 1)}}));
    const std::string print = print_of(inputs.result.findings.front());
    const auto fail = [&](std::vector<std::string> words) {
        inputs.options.fail_on = std::move(words);
        const Passing passing = judge_passing(inputs, {{print, "", ""}}, {}, some_day);
        return std::pair(passing.of(0).fails, passing.of(1).fails);  // known, new
    };
    EXPECT_EQ(fail({"error"}), std::pair(false, true));
    EXPECT_EQ(fail({"leak/*"}), std::pair(false, true));
    EXPECT_EQ(fail({"deadlock"}), std::pair(false, false));
    EXPECT_EQ(fail({"new", "error"}), std::pair(true, true));
    EXPECT_EQ(fail({"all"}), std::pair(true, true));
}

TEST_F(PassCriteria, AnErrorOfTheSweepFailsWhateverIsAsked) {
    ReportInputs inputs;
    inputs.result.explored = 1;
    inputs.options.fail_on = {"hang"};
    inputs.options.incomplete_ok = true;
    EXPECT_EQ(judge_passing(inputs, {}, {}, some_day).exit_status, 0);
    inputs.error = "the program vanished";
    EXPECT_EQ(judge_passing(inputs, {}, {}, some_day).exit_status, 4);
}

TEST_F(PassCriteria, SeveritiesFailAsTheyAreNamed) {
    ReportInputs inputs;
    inputs.result.explored = 2;
    inputs.result.by_buffering = {{replay::Buffering::native, {.explored = 1}},
                                  {replay::Buffering::zero, {.explored = 1}}};
    Finding finding;
    finding.violation.kind = replay::ViolationKind::deadlock;
    finding.buffering = {replay::Buffering::zero};
    inputs.result.findings = {finding};
    const auto status = [&](const char* word) {
        inputs.options.fail_on = {word};
        return judge_passing(inputs, {}, {}, some_day).exit_status;
    };
    // Not with the library's own buffering, and everything was looked at.
    EXPECT_EQ(severity_of(inputs.result, inputs.result.findings[0]), Severity::portability);
    EXPECT_EQ(status("portability"), 1);
    EXPECT_EQ(status("deadlock"), 1);
    EXPECT_EQ(status("error"), 0);
    inputs.result.pending = 1;
    EXPECT_EQ(severity_of(inputs.result, inputs.result.findings[0]), Severity::error);
    inputs.result.pending = 0;
    inputs.result.clocks_may_miss = true;
    EXPECT_EQ(severity_of(inputs.result, inputs.result.findings[0]), Severity::error);
    inputs.result.clocks_may_miss = false;
    // Without a send that waits in its cycle it is collectives that wait, which is up to the library from call to call.
    Finding collective = finding;
    collective.violation.wait_for = replay::WaitForGraph{
        .nodes = {{.rank = 0,
                   .in_core = true,
                   .edges = {{.to = 1, .reason = "enter the collective on MPI_COMM_WORLD"}}},
                  {.rank = 1, .in_core = true, .edges = {{.to = 0, .reason = "receive the message with tag 7"}}},
                  {.rank = 2, .edges = {{.to = 0, .reason = "receive the message with tag 8"}}}},
        .core = {0, 1}};
    EXPECT_EQ(severity_of(inputs.result, collective), Severity::portability);
    collective.violation.wait_for->nodes[1].edges[0].reason = "send a message with tag 7";
    EXPECT_EQ(severity_of(inputs.result, collective), Severity::error);
    Finding abort = finding;
    abort.violation.kind = replay::ViolationKind::abort;
    abort.buffering = {replay::Buffering::native};
    inputs.result.findings.push_back(abort);
    EXPECT_EQ(severity_of(inputs.result, inputs.result.findings[0]), Severity::error)
        << "a run with the library's buffering has not come so far";
    inputs.result.findings.pop_back();
    inputs.result.findings[0].buffering.insert(inputs.result.findings[0].buffering.begin(), replay::Buffering::native);
    EXPECT_EQ(status("error"), 1);
    EXPECT_EQ(status("portability"), 0);
    inputs.result.findings[0].buffering = {replay::Buffering::zero};
    inputs.result.by_buffering.erase(replay::Buffering::native);
    EXPECT_EQ(severity_of(inputs.result, inputs.result.findings[0]), Severity::error);
    // A replay says what its sweep has found.
    inputs.result.known_portability = replay::ViolationKind::deadlock;
    EXPECT_EQ(severity_of(inputs.result, inputs.result.findings[0]), Severity::portability);
    EXPECT_TRUE(is_portability_by_sweep(inputs.result, inputs.result.findings[0]));
    inputs.result.findings.push_back(inputs.result.findings[0]);
    EXPECT_EQ(severity_of(inputs.result, inputs.result.findings[0]), Severity::error) << "which of both is it?";
    inputs.result.findings.pop_back();
    inputs.result.doubts = {finding};
    EXPECT_EQ(severity_of(inputs.result, inputs.result.findings[0]), Severity::error) << "it went otherwise";
    inputs.result.doubts.clear();
    inputs.result.known_portability = replay::ViolationKind::crash;
    EXPECT_EQ(severity_of(inputs.result, inputs.result.findings[0]), Severity::error);
    inputs.result.known_portability.reset();
    // As its kind is; and notes.
    inputs.result.findings[0].violation.kind = replay::ViolationKind::argument_ready;
    EXPECT_EQ(status("error"), 0);
    EXPECT_EQ(status("portability"), 1);
    EXPECT_EQ(status("warning"), 0);
    inputs.result.notes = {finding};
    EXPECT_EQ(status("warning"), 1);
    EXPECT_NE(passing_text([&] {
                  inputs.passing = judge_passing(inputs, {}, {}, some_day);
                  inputs.result.findings.clear();
                  return inputs;
              }())
                  .find("there is a note"),
              std::string::npos);
}

TEST(FailWords, AreWordsOrKindsOfViolations) {
    for (const char* word :
         {"all", "new", "error", "portability", "warning", "deadlock", "leak/*", "argument/r*", "*"}) {
        EXPECT_TRUE(is_fail_word(word)) << word;
    }
    for (const char* word : {"", "leak", "deadlock ", "ALL", "divergence", "doubt", "pcontrol/*", "leak/*/x"}) {
        EXPECT_FALSE(is_fail_word(word)) << word;
    }
}

/// Whatever is in the file: findings, or a sentence that names it.
TEST_F(PassCriteria, DamagedBaselinesAreReadOrRefused) {
    ReportInputs inputs;
    inputs.options.program = "./app";
    inputs.result.explored = 1;
    inputs.result.findings.assign(2, finding(deadlock, {{0, "MPI_Recv", "", place("app.c", 1)}}));
    inputs.passing = judge_passing(inputs, {}, {}, some_day);
    const std::string whole = make_json_report(inputs).dump();
    ASSERT_EQ(read_baseline(write("kept.json", whole)).size(), 2U);
    try {
        (void)read_baseline(write("old.json", "{\"schema\": \"dampi-report/1\",\n\"violations\": [\n{}]}"));
        ADD_FAILURE() << "a report of another kind";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("old.json:3: this is no report.json"), std::string::npos);
    }
    try {
        (void)read_baseline(write("newer.json", "{\"violations\": [],\n\"schema\": \"dampi-report/9\"}"));
        ADD_FAILURE() << "a report of a later dampi";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what())
                      .find("newer.json:2: this report.json has the schema 'dampi-report/9', and "
                            "this dampi knows those up to dampi-report/3"),
                  std::string::npos)
            << error.what();
    }
    std::mt19937 random(1);
    const auto below = [&random](std::size_t end) {
        return std::uniform_int_distribution<std::size_t>(0, end - 1)(random);
    };
    std::size_t refused = 0;
    for (int i = 0; i < 500; ++i) {
        std::string text = whole;
        switch (below(4)) {
            case 0:
                text.resize(below(text.size()));
                break;
            case 1:
                text[below(text.size())] = static_cast<char>(below(256));
                break;
            case 2:
                text.erase(below(text.size()), below(40));
                break;
            default:
                text.insert(below(text.size()), text.substr(below(text.size()), below(200)));
                break;
        }
        const fs::path file = write("kept.json", text);
        try {
            EXPECT_LE(read_baseline(file).size(), 4U);
        } catch (const Error& error) {
            ++refused;
            const std::string said = error.what();
            EXPECT_NE(said.find(file.string() + ":"), std::string::npos) << said;
        }
    }
    EXPECT_GT(refused, 100U);
}

TEST_F(PassCriteria, SourcesAreBelowTheNearestRepository) {
    fs::create_directories(folder_ / "repo/.git");
    fs::create_directories(folder_ / "repo/src/deep");
    EXPECT_EQ(source_root(folder_ / "repo/src/deep"), folder_ / "repo");
    fs::create_directories(folder_ / "build/sub");
    const auto made_of = [&](const fs::path& sources) {
        std::ofstream(folder_ / "build/CMakeCache.txt")
            << "# a comment\nCMAKE_HOME_DIRECTORY:INTERNAL=" << sources.string() << "\nX:STRING=\n";
        return source_root(folder_ / "build/sub");
    };
    EXPECT_EQ(made_of(folder_ / "repo/src"), folder_ / "repo");
    EXPECT_EQ(made_of(folder_ / "elsewhere"), folder_ / "elsewhere");
    EXPECT_EQ(path_within(folder_ / "repo", folder_ / "repo/src/../src/a.c"), "src/a.c");
    EXPECT_EQ(path_within(folder_ / "repo", folder_ / "repository/a.c"), std::nullopt);
    EXPECT_EQ(path_within(folder_ / "repo", folder_ / "repo"), std::nullopt);
    EXPECT_EQ(path_within("/", "/usr/a.c"), "usr/a.c");
}

std::vector<Suppression> suppression(const std::string& kind, const std::string& function,
                                     std::optional<std::chrono::year_month_day> until = {}) {
    return {{.line = 3,
             .text = kind + " fun:" + function,
             .kind = kind,
             .frames = {{.what = Suppression::Frame::What::function, .pattern = function}},
             .reason = "because",
             .until = until}};
}

TEST_F(PassCriteria, WhatIsSuppressedDoesNotFailAndIsTold) {
    ReportInputs inputs;
    inputs.options.suppressions = "live.supp";
    inputs.result.explored = 1;
    inputs.result.findings = {finding(leak_request, {{0, "MPI_Isend", "", place("a.c", 1, "init")}}),
                              finding(crash, {{0, "", "", place("a.c", 2)}})};
    inputs.passing = judge_passing(inputs, {}, suppression("leak/*", "init"), some_day);
    EXPECT_EQ(inputs.passing.exit_status, 1) << "the crash is not";
    EXPECT_TRUE(inputs.passing.suppressed(0) == "because");
    EXPECT_FALSE(inputs.passing.suppressed(1));
    EXPECT_NE(
        passing_text(inputs).find("suppressed by live.supp: 1 finding\n  line 3: leak/* fun:init: 1 finding: because"),
        std::string::npos)
        << passing_text(inputs);
    inputs.result.findings.pop_back();
    inputs.passing = judge_passing(inputs, {}, suppression("leak/*", "init"), some_day);
    EXPECT_EQ(inputs.passing.exit_status, 0);
    EXPECT_EQ(verdict_of(inputs), Verdict::violations) << "the verdict is what it is";
    const nlohmann::json report = make_json_report(inputs);
    EXPECT_EQ(report["violations"][0]["suppressed"], "because");
    EXPECT_EQ(report["violations"][0]["fails"], false);
    EXPECT_EQ(report["passing"]["suppressions"][0]["findings"], 1);
}

TEST_F(PassCriteria, WhatCameOfAFindingIsNotSuppressedWithIt) {
    ReportInputs inputs;
    inputs.options.suppressions = "live.supp";
    inputs.result.explored = 1;
    inputs.result.findings = {finding(argument_datatype, {{0, "MPI_Reduce", "", place("a.c", 1, "init")}})};
    inputs.result.findings[0].violation.consequences = {abort};
    std::vector<Suppression> given = suppression("argument/*", "init");
    inputs.passing = judge_passing(inputs, {}, given, some_day);
    EXPECT_EQ(inputs.passing.exit_status, 1);
    EXPECT_FALSE(inputs.passing.suppressed(0));
    EXPECT_NE(passing_text(inputs).find("not for findings that led to abort, which nothing suppresses there"),
              std::string::npos)
        << passing_text(inputs);
    EXPECT_EQ(make_json_report(inputs)["passing"]["suppressions"][0]["not_covered"], nlohmann::json({"abort"}));
    given.push_back(suppression("abort", "elsewhere").front());
    EXPECT_EQ(judge_passing(inputs, {}, given, some_day).exit_status, 1);
    given.push_back(suppression("abort", "init").front());
    inputs.passing = judge_passing(inputs, {}, given, some_day);
    EXPECT_EQ(inputs.passing.exit_status, 0);
    EXPECT_EQ(inputs.passing.suppressions[2].findings, 1U);
    EXPECT_NE(passing_text(inputs).find("suppressed by live.supp: 1 finding\n"), std::string::npos)
        << passing_text(inputs);
    // Words that name it are about what came of it, too.
    inputs.options.fail_on = {"abort"};
    EXPECT_EQ(judge_passing(inputs, {}, {}, some_day).exit_status, 1);
    inputs.options.fail_on = {"deadlock"};
    EXPECT_EQ(judge_passing(inputs, {}, {}, some_day).exit_status, 0);
}

TEST_F(PassCriteria, OfLeaksAllPlacesMustBeSuppressedAndOfWhatRanksDoTogetherOne) {
    ReportInputs inputs;
    inputs.options.suppressions = "live.supp";
    inputs.result.explored = 1;
    inputs.result.findings = {finding(leak_communicator, {{0, "MPI_Comm_dup", "", place("a.c", 1, "solver")},
                                                          {1, "MPI_Comm_dup", "", place("a.c", 2, "mesh")}})};
    std::vector<Suppression> given = suppression("*", "solver");
    inputs.passing = judge_passing(inputs, {}, given, some_day);
    EXPECT_TRUE(inputs.passing.of(0).fails) << "the other place is the program's own";
    EXPECT_EQ(make_json_report(inputs)["passing"]["suppressions"][0]["partly"], 1);
    EXPECT_NE(
        passing_text(inputs).find("0 findings: because; not for 1 finding, since nothing suppresses other places"),
        std::string::npos)
        << passing_text(inputs);
    given.push_back(suppression("leak/*", "mesh").front());
    given.back().reason = "known";
    inputs.passing = judge_passing(inputs, {}, given, some_day);
    EXPECT_EQ(inputs.passing.exit_status, 0) << "each has a place";
    EXPECT_EQ(inputs.passing.of(0).suppressed_by, (std::vector<std::size_t>{0, 1}));
    EXPECT_TRUE(inputs.passing.suppressed(0) == "because; known");
    const std::string text = passing_text(inputs);
    EXPECT_NE(text.find("suppressed by live.supp: 1 finding\n"), std::string::npos) << text;
    EXPECT_EQ(text.find("not used"), std::string::npos) << text;
    EXPECT_EQ(text.find("not for"), std::string::npos) << text;
    given.back().until = some_day - std::chrono::years(1);
    EXPECT_TRUE(judge_passing(inputs, {}, given, some_day).of(0).fails) << "one has expired";
    given.pop_back();
    inputs.result.findings[0].violation.kind = deadlock;
    EXPECT_EQ(judge_passing(inputs, {}, given, some_day).exit_status, 0);
    inputs.result.findings[0].violation.situations.clear();
    inputs.result.findings[0].violation.kind = leak_communicator;
    EXPECT_EQ(judge_passing(inputs, {}, given, some_day).exit_status, 1) << "it is nowhere";
}

TEST_F(PassCriteria, UnusedSuppressionsAreToldAndExpiredOnesFail) {
    ReportInputs inputs;
    inputs.options.suppressions = "live.supp";
    inputs.result.explored = 1;
    inputs.passing = judge_passing(inputs, {}, suppression("leak/*", "init"), some_day);
    EXPECT_EQ(inputs.passing.exit_status, 0);
    EXPECT_NE(passing_text(inputs).find("line 3: leak/* fun:init: not used"), std::string::npos);
    inputs.passing = judge_passing(inputs, {}, suppression("leak/*", "init", some_day), some_day);
    EXPECT_EQ(inputs.passing.exit_status, 0) << "its last day";
    inputs.passing =
        judge_passing(inputs, {}, suppression("leak/*", "init", some_day - std::chrono::years(1)), some_day);
    EXPECT_EQ(inputs.passing.exit_status, 1);
    EXPECT_NE(passing_text(inputs).find("has expired"), std::string::npos);
    EXPECT_NE(passing_text(inputs).find("exit status 1: a suppression has expired"), std::string::npos);
    inputs.result.findings = {finding(leak_request, {{0, "MPI_Isend", "", place("a.c", 1, "init")}})};
    inputs.passing =
        judge_passing(inputs, {}, suppression("leak/*", "init", some_day - std::chrono::years(1)), some_day);
    EXPECT_FALSE(inputs.passing.suppressed(0));
    EXPECT_TRUE(inputs.passing.of(0).fails);
}

TEST_F(PassCriteria, SourcesSayWhatToLiveWith) {
    const fs::path source = write("a.c",
                                  "MPI_Isend(a);  // dampi: allow leak/request  # never completed, until 2027-01\n"
                                  "/* dampi: allow leak/* # all of them */\n"
                                  "MPI_Comm_dup(b);\n"
                                  "MPI_Isend(c);\n"
                                  "! dampi: allow crash # there is none\n"
                                  "x = \"dampi: allow leak/request # no comment\";\n"
                                  "MPI_Isend(d); // dampi: allow leak/request # over, until 2025-01\n"
                                  "// dampi: allowed are three\n");
    ReportInputs inputs;
    inputs.result.explored = 1;
    const auto leak = [&](int line) { return finding(leak_request, {{0, "MPI_Isend", "", place(source, line)}}); };
    inputs.result.findings = {leak(1), leak(3), leak(4),
                              leak(6), leak(7), finding(crash, {{0, "", "", place(source, 1)}})};
    inputs.passing = judge_passing(inputs, {}, {}, some_day);
    const Passing& passing = inputs.passing;
    EXPECT_TRUE(passing.suppressed(0) == "never completed");
    EXPECT_TRUE(passing.suppressed(1) == "all of them");
    for (const std::size_t fails : {2U, 3U, 4U, 5U}) {
        EXPECT_FALSE(passing.suppressed(fails)) << fails;
        EXPECT_TRUE(passing.of(fails).fails) << fails;
    }
    ASSERT_EQ(passing.suppressions.size(), 4U);
    const std::string text = passing_text(inputs);
    EXPECT_NE(text.find("suppressed in the source: 2 findings\n"), std::string::npos) << text;
    EXPECT_NE(text.find(source.string() + ":5: crash: not used"), std::string::npos) << text;
    EXPECT_NE(text.find(source.string() + ":7: leak/request: has expired"), std::string::npos) << text;
    const nlohmann::json report = make_json_report(inputs);
    EXPECT_EQ(report["passing"]["suppressions"][0]["in_source"], true);
    EXPECT_EQ(report["passing"]["suppressions"][0]["findings"], 1);
    // All that is left is suppressed: it passes, until a comment cannot be understood.
    inputs.result.findings.erase(inputs.result.findings.begin() + 1, inputs.result.findings.end());
    write("a.c", "MPI_Isend(a);  // dampi: allow leak/request  # never completed\n");
    inputs.passing = judge_passing(inputs, {}, {}, some_day);
    EXPECT_EQ(inputs.passing.exit_status, 0);
    for (const char* said : {"leak/nothing # reason", "leak/request because", "leak/request fun:f # reason",
                             "leak/request # until later", "divergence # why"}) {
        write("a.c", std::string("MPI_Isend(a);  // dampi: allow ") + said + "\n");
        inputs.passing = judge_passing(inputs, {}, {}, some_day);
        EXPECT_FALSE(inputs.passing.suppressed(0)) << said;
        ASSERT_EQ(inputs.passing.suppressions.size(), 1U);
        EXPECT_FALSE(inputs.passing.suppressions[0].trouble.empty()) << said;
        EXPECT_EQ(inputs.passing.exit_status, 1) << said;
    }
    // No reason is needed where the code is.
    for (const char* said : {"leak/request", "leak/* ", "leak/request #", "leak/request # until 2027-01"}) {
        write("a.c", std::string("MPI_Isend(a);  // dampi: allow ") + said + "\n");
        inputs.passing = judge_passing(inputs, {}, {}, some_day);
        EXPECT_EQ(inputs.passing.exit_status, 0) << said;
        EXPECT_TRUE(inputs.passing.suppressed(0) == "allowed in the source") << said;
    }
}

}  // namespace
}  // namespace dampi::scheduler
