// The reports: verdicts and exit statuses, the JSON parsed again, and what the terminal's text must say.
#include "replay/possible_races.hpp"
#include "replay/terminal_words.hpp"
#include "scheduler/report/json_report.hpp"
#include "scheduler/report/not_checked.hpp"
#include "scheduler/report/progress.hpp"
#include "scheduler/report/text_report.hpp"
#include "scheduler/report/worst_first.hpp"

#include "base/check.hpp"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include <gtest/gtest.h>

#include <pty.h>
#include <poll.h>
#include <unistd.h>

namespace dampi::scheduler {
namespace {

using nlohmann::json;

ReportInputs clean_inputs() {
    ReportInputs inputs;
    inputs.result.explored = 12;
    inputs.result.duplicates = 0;
    inputs.result.seconds = 0.5;
    inputs.result.communicators = {{base::world_comm, "MPI_COMM_WORLD"}};
    inputs.options.processes = 4;
    inputs.options.buffering = {replay::Buffering::native};
    inputs.options.program = "./app";
    inputs.options.arguments = {"--size", "8"};
    inputs.clock = "lamport";
    inputs.engine = "pmpi";
    return inputs;
}

Finding deadlock() {
    Finding finding;
    finding.violation.kind = replay::ViolationKind::deadlock;
    finding.violation.message = "all ranks wait for each other";
    finding.violation.ranks = {0, 1, 2, 3};
    const replay::CodePlace receive{"/app", 0x40, "main", "app.c", 12};
    finding.violation.situations = {{0, "MPI_Recv", "source 2, tag 7, MPI_COMM_WORLD", receive},
                                    {1, "MPI_Barrier", "MPI_COMM_WORLD", {"/app", 0x80, "main", "app.c", 20}},
                                    {2, "MPI_Barrier", "MPI_COMM_WORLD", {"/app", 0x80, "main", "app.c", 20}},
                                    {3, "", "", {}}};
    finding.count = 2;
    finding.first_interleaving = 2;
    replay::Epoch epoch;
    epoch.id = {0, 0};
    epoch.comm = base::world_comm;
    epoch.tag = 7;
    epoch.outcome = replay::Outcome{.source = 2, .tag = 7};
    epoch.forced = true;
    epoch.potential_matches = {{1, 7, 0}, {3, 7, 1}};
    epoch.call = "MPI_Recv";
    epoch.where = {"/app", 0x20, "main", "app.c", 11};
    replay::Epoch plain = epoch;
    plain.id = {0, 1};
    plain.forced = false;
    plain.potential_matches.clear();
    plain.outcome.reset();
    plain.where = {};
    finding.epochs = {epoch, plain};
    return finding;
}

ReportInputs faulty_inputs() {
    ReportInputs inputs = clean_inputs();
    inputs.result.explored = 3;
    inputs.result.findings = {deadlock()};
    inputs.finding_files = {"decisions/deadlock-1.json"};
    return inputs;
}

std::string last_line(const std::string& text) {
    EXPECT_TRUE(text.ends_with('\n'));
    const std::string without = text.substr(0, text.size() - 1);
    return without.substr(without.rfind('\n') + 1);
}

bool mentions(const std::string& text, const std::string& word) { return text.find(word) != std::string::npos; }

// Verdicts.

TEST(VerdictLine, Clean) {
    ReportInputs inputs = clean_inputs();
    inputs.result.by_buffering[replay::Buffering::native] = {.explored = 12, .pending = 0};
    inputs.not_checked = {"datatypes of accesses to windows", "buffers"};
    EXPECT_EQ(verdict_line(inputs),
              "dampi: verdict: clean (complete as far as Lamport clocks can tell: 12 interleavings under native "
              "buffering; not checked: datatypes of accesses to windows, buffers)");
    EXPECT_EQ(exit_status(verdict_of(inputs)), 0);
    inputs.clock = "vector";
    EXPECT_EQ(verdict_line(inputs),
              "dampi: verdict: clean (complete: 12 interleavings under native buffering; all outcomes of the modelled "
              "calls; not checked: datatypes of accesses to windows, buffers)");
    EXPECT_EQ(exit_status(verdict_of(inputs)), 0);
    inputs.result.by_buffering[replay::Buffering::zero] = {.explored = 5, .pending = 0};
    inputs.not_checked.clear();
    EXPECT_EQ(verdict_line(inputs),
              "dampi: verdict: clean (complete: 12 interleavings under native and zero buffering; all outcomes of the "
              "modelled calls)");
}

TEST(VerdictLine, WhatIsNotCheckedGoesByWhatTheProgramUses) {
    launch::Program program;
    program.mpi_functions = {"MPI_Send"};
    EXPECT_TRUE(not_checked(program, false).empty()) << "nothing is in use while it is outside of MPI";
    program.mpi_functions = {"MPI_Send", "MPI_Isend"};
    const std::vector<std::string> always{"loads and most stores in buffers"};
    EXPECT_EQ(not_checked(program, false), always);
    EXPECT_EQ(not_checked(program, true), std::vector<std::string>{"loads and stores in some buffers"});
    program.mpi_functions = {"MPI_Win_create", "MPI_Win_fence"};
    EXPECT_EQ(not_checked(program, false).back(), "windows' own loads and stores");
    program.mpi_functions = {"MPI_Put", "MPI_Ialltoallw", "MPI_Psend_init"};
    EXPECT_EQ(not_checked(program, false).size(), always.size() + 2);
    program.thread_sanitized = true;
    program.mpi_functions = {"MPI_Win_fence"};
    EXPECT_EQ(not_checked(program, false).front(),
              "loads and stores in buffers by what was built without ThreadSanitizer");
    EXPECT_EQ(not_checked(program, false).back(), "windows' own loads and stores that messages or locks may order");
    program.thread_sanitized = false;
    program.mpi_functions = {"MPI_File_open"};
    EXPECT_EQ(not_checked(program, false).back(), "accesses to files");
    program.mpi_functions = {"MPI_File_iread_at"};
    EXPECT_EQ(not_checked(program, true).back(), "loads and stores in what files are read into");
    program.mpi_functions.clear();
    program.mpi_at_run_time = true;
    EXPECT_EQ(not_checked(program, false).size(), always.size() + 5);
}

TEST(VerdictLine, WhatIsNotCheckedIsExplained) {
    launch::Program program;
    program.mpi_at_run_time = true;  // it may lead to everything
    const std::string text = what_is_not_checked();
    std::size_t all = 0;
    for (const bool sanitized : {false, true}) {
        program.thread_sanitized = sanitized;
        for (const bool checks_buffers : {false, true}) {
            for (const std::string& each : not_checked(program, checks_buffers)) {
                EXPECT_TRUE(mentions(text, "\n" + each + "\n    ")) << each;
                ++all;
            }
        }
    }
    EXPECT_EQ(all, 24U);
    ReportInputs inputs = clean_inputs();
    EXPECT_FALSE(mentions(make_text_report(inputs), "not-checked"));
    inputs.not_checked = {"accesses to files"};
    EXPECT_TRUE(mentions(make_text_report(inputs),
                         "dampi: what is not checked, why, and what to do: dampi-run --explain not-checked\n"
                         "dampi: verdict: clean"));
}

TEST(VerdictLine, Violations) {
    ReportInputs inputs = faulty_inputs();
    EXPECT_EQ(verdict_line(inputs),
              "dampi: verdict: violations (1 finding in 3 interleavings; complete as far as Lamport clocks can tell)");
    inputs.clock = "vector";
    EXPECT_EQ(verdict_line(inputs), "dampi: verdict: violations (1 finding in 3 interleavings; complete)");
    EXPECT_EQ(exit_status(verdict_of(inputs)), 1);
    inputs.result.findings.push_back(deadlock());
    inputs.result.pending = 1;
    inputs.result.left_out = {{"stop-on-first", "stopped"}};
    EXPECT_EQ(verdict_line(inputs),
              "dampi: verdict: violations (2 findings in 3 interleavings; incomplete: 1 known alternative not run: "
              "--stop-on-first)");
    EXPECT_EQ(exit_status(verdict_of(inputs)), 1);
}

TEST(VerdictLine, Incomplete) {
    ReportInputs inputs = clean_inputs();
    inputs.result.explored = 500;
    inputs.result.pending = 214;
    inputs.result.left_out = {{"max-interleavings", "stopped"}};
    EXPECT_EQ(verdict_line(inputs),
              "dampi: verdict: incomplete (no violation in 500 interleavings; 214 known alternatives not run: "
              "--max-interleavings)");
    EXPECT_EQ(exit_status(verdict_of(inputs)), 3);
    inputs.result.pending = 0;
    inputs.result.explored = 1;
    inputs.result.left_out = {{"interrupt", "a"}, {"interrupt", "b"}, {"my-own", "c"}};
    EXPECT_EQ(verdict_line(inputs),
              "dampi: verdict: incomplete (no violation in 1 interleaving; left out: interrupted, my-own)");
}

TEST(VerdictLine, Error) {
    ReportInputs inputs = faulty_inputs();
    inputs.error = "the program vanished";
    EXPECT_EQ(verdict_line(inputs),
              "dampi: verdict: error (ended early after 3 interleavings with 1 finding: the program vanished)");
    EXPECT_EQ(exit_status(verdict_of(inputs)), 4);
    EXPECT_EQ(make_json_report(inputs)["complete"], false);
}

TEST(Verdict, NothingThatIsMissingIsForgotten) {
    const auto reason_after = [](const auto& change) {
        ReportInputs inputs = clean_inputs();
        change(inputs.result);
        EXPECT_EQ(verdict_of(inputs), Verdict::incomplete);
        EXPECT_EQ(make_json_report(inputs)["complete"], false);
        const auto left_out = everything_left_out(inputs.result);
        return left_out.size() == 1 ? left_out[0].reason : "none";
    };
    EXPECT_EQ(reason_after([](SweepResult& result) { result.not_modelled = {{"MPI_Put", {3, {}}}}; }), "not-modelled");
    EXPECT_EQ(reason_after([](SweepResult& result) {
                  result.not_modelled = {{"other orders of threads", {4, {}}}};
              }),
              "thread-orders");
    EXPECT_EQ(reason_after([](SweepResult& result) {
                  result.not_modelled = {{"conflicts between threads that OpenMP may have ordered", {1, {}}}};
              }),
              "openmp");
    EXPECT_EQ(reason_after([](SweepResult& result) {
                  result.not_modelled = {{"loads and stores of threads in windows", {1, {}}}};
              }),
              "threads-in-windows");
    EXPECT_EQ(reason_after([](SweepResult& result) { result.doubts = {deadlock()}; }), "imprecise-match");
    EXPECT_EQ(reason_after([](SweepResult& result) { result.pending = 1; }), "pending");
    EXPECT_EQ(reason_after([](SweepResult& result) { result.explored = 0; }), "nothing-run");
    EXPECT_EQ(reason_after([](SweepResult& result) {
                  result.not_modelled = {{"MPI_Put", {3, {}}}};
                  result.left_out = {{"not-modelled", "named already"}};
              }),
              "not-modelled");
}

// report.json.

TEST(JsonReport, Clean) {
    ReportInputs inputs = clean_inputs();
    inputs.result.interleavings = {
        {1, "{0#0<-1}", {}, 0.25},
        {2, "{0#0<-2}", {replay::ViolationKind::crash, replay::ViolationKind::leak_request}, 0.125}};
    inputs.result.duplicates = 4;
    inputs.result.imprecise_matches = 5;
    inputs.result.divergences = 6;
    inputs.result.trials = 7;
    inputs.result.walk_runs = 9;
    inputs.options.explore_polls = 8;
    inputs.not_checked = {"buffers"};
    const json report = json::parse(make_json_report(inputs).dump());
    EXPECT_EQ(report["schema"], "dampi-report/3");
    EXPECT_EQ(report["dampi"], DAMPI_VERSION);
    EXPECT_EQ(report["program"], "./app");
    EXPECT_EQ(report["arguments"], json({"--size", "8"}));
    EXPECT_EQ(report["processes"], 4);
    EXPECT_EQ(report["clock"], "lamport");
    EXPECT_EQ(report["engine"], "pmpi");
    EXPECT_TRUE(report.contains("launcher") && report["launcher"].is_null());
    EXPECT_EQ(report["verdict"], "clean");
    EXPECT_EQ(report["complete"], true);
    EXPECT_EQ(report["interleavings"], (json{{"explored", 12},
                                             {"pending", 0},
                                             {"by_buffering", json::object()},
                                             {"merged", json::object()},
                                             {"printed", nullptr},
                                             {"duplicates", 4},
                                             {"unfinished", 0},
                                             {"trials", 7},
                                             {"walk_runs", 9},
                                             {"imprecise_matches", 5},
                                             {"divergences", 6}}));
    EXPECT_EQ(report["explore_polls"], 8);
    EXPECT_TRUE(report.contains("size_estimate") && report["size_estimate"].is_null());
    EXPECT_EQ(report["virtual_time"], false);
    EXPECT_EQ(report["fresh_directory"], false);
    for (const char* empty : {"violations", "doubts", "notes", "left_out"}) {
        EXPECT_EQ(report[empty], json::array()) << empty;
    }
    EXPECT_EQ(report["not_modelled"], json::object());
    EXPECT_EQ(report["not_checked"], json::array({"buffers"}));
    EXPECT_EQ(report["communicators"], (json{{"1", "MPI_COMM_WORLD"}}));
    EXPECT_EQ(report["seconds"], 0.5);
    EXPECT_EQ(report["outcomes_omitted"], false);
    ASSERT_EQ(report["outcomes"].size(), 2U);
    EXPECT_EQ(report["outcomes"][1], (json{{"number", 2},
                                           {"buffering", "native"},
                                           {"outcomes", "{0#0<-2}"},
                                           {"verdicts", {"crash", "leak/request"}},
                                           {"merged", false},
                                           {"seconds", 0.125}}));
    EXPECT_EQ(report["buffering"], "native");
    EXPECT_EQ(report["piggyback"], "shared");
    EXPECT_FALSE(mentions(make_text_report(inputs), "piggyback"));
    inputs.piggyback = replay::Piggyback::native;
    EXPECT_EQ(json::parse(make_json_report(inputs).dump())["piggyback"], "native");
    EXPECT_TRUE(mentions(make_text_report(inputs), "(lamport clocks, native buffering, native piggyback, pmpi)"));
}

/// 20 walks say 1.3 million, give or take a fifth.
ReportInputs inputs_with_walks() {
    ReportInputs inputs = clean_inputs();
    inputs.result.pending = 7;
    inputs.result.walk_runs = 63;
    inputs.result.size_estimate = heuristics::SizeEstimate{.walks = 20,
                                                           .ended = 20,
                                                           .abandoned = 0,
                                                           .runs = 63,
                                                           .mean = heuristics::LargeNumber(1.28e6),
                                                           .standard_error = heuristics::LargeNumber(0.256e6)};
    return inputs;
}

TEST(JsonReport, HowManyInterleavingsThereAre) {
    ReportInputs inputs = inputs_with_walks();
    json report = json::parse(make_json_report(inputs).dump());
    EXPECT_EQ(report["interleavings"]["walk_runs"], 63);
    json& size = report["size_estimate"];
    EXPECT_NEAR(size["log10"].get<double>(), 6.107, 0.001);
    EXPECT_NEAR(size["explored_share"].get<double>(), 12 / 1.28e6, 1e-12);
    EXPECT_NEAR(size["relative_error"].get<double>(), 0.2, 1e-12);
    for (const char* rounded : {"log10", "explored_share", "relative_error"}) {
        size.erase(rounded);
    }
    EXPECT_EQ(size, (json{{"walks", 20},
                          {"ended", 20},
                          {"abandoned", 0},
                          {"runs", 63},
                          {"interleavings", 1.28e6},
                          {"standard_error", 0.256e6}}));
    inputs.result.size_estimate = heuristics::SizeEstimate{.walks = 3, .abandoned = 1};
    size = json::parse(make_json_report(inputs).dump())["size_estimate"];
    EXPECT_EQ(size["ended"], 0);
    for (const char* unknown : {"interleavings", "log10", "standard_error", "relative_error", "explored_share"}) {
        EXPECT_TRUE(size.contains(unknown) && size[unknown].is_null()) << unknown;
    }
}

TEST(TextReport, HowManyInterleavingsThereAre) {
    ReportInputs inputs = inputs_with_walks();
    std::string text = make_text_report(inputs);
    EXPECT_TRUE(mentions(text,
                         "estimate: about 1.3 million (+-20%) interleavings in all, of which these are "
                         "less than 0.001%\n"))
        << text;
    EXPECT_TRUE(mentions(text, "from 20 of 20 random walks, with 63 further runs; +- is the standard error")) << text;
    EXPECT_FALSE(mentions(text, "abandoned")) << text;
    EXPECT_FALSE(mentions(text, "did not come to their end")) << text;
    EXPECT_FALSE(mentions(text, "modes of buffering")) << text;

    inputs.result.explored = 192'000;
    inputs.result.size_estimate->walks = 1;
    inputs.result.size_estimate->ended = 1;
    inputs.result.size_estimate->standard_error.reset();
    text = make_text_report(inputs);
    EXPECT_TRUE(mentions(text, "about 1.3 million interleavings in all, of which these are 15%")) << text;
    EXPECT_TRUE(mentions(text, "too few to tell how good it is")) << text;

    inputs.result.size_estimate->walks = 9;
    inputs.result.size_estimate->abandoned = 2;
    text = make_text_report(inputs);
    EXPECT_TRUE(mentions(text, "2 walks were abandoned")) << text;
    EXPECT_TRUE(mentions(text, "the others did not come to their end")) << text;

    inputs.result.size_estimate->mean = {};
    EXPECT_TRUE(mentions(make_text_report(inputs), "how many interleavings there are is not known"));

    inputs = inputs_with_walks();
    inputs.result.explored = 1'280'000 - inputs.result.pending;
    EXPECT_TRUE(mentions(make_text_report(inputs), "estimate:"));
    ++inputs.result.explored;
    EXPECT_FALSE(mentions(make_text_report(inputs), "estimate:")) << "more are known";
    EXPECT_TRUE(make_json_report(inputs)["size_estimate"].is_null());

    inputs = inputs_with_walks();
    inputs.options.buffering = {replay::all_bufferings.begin(), replay::all_bufferings.end()};
    EXPECT_TRUE(mentions(make_text_report(inputs), "in all with the modes of buffering up to now, of which"));

    inputs = inputs_with_walks();
    inputs.result.size_estimate.reset();
    EXPECT_TRUE(mentions(make_text_report(inputs), "only be estimated with vector clocks"));
    inputs.result.pending = 0;
    EXPECT_FALSE(mentions(make_text_report(inputs), "estimate")) << "it is known";
}

/// Three modes were asked for and begun, the deadlock was seen in one of them.
ReportInputs inputs_of_all_bufferings() {
    using replay::Buffering;
    ReportInputs inputs = faulty_inputs();
    inputs.options.buffering = {replay::all_bufferings.begin(), replay::all_bufferings.end()};
    inputs.result.by_buffering = {{Buffering::native, {.explored = 1, .pending = 0}},
                                  {Buffering::zero, {.explored = 2, .pending = 0}},
                                  {Buffering::infinite, {.explored = 4, .pending = 5}}};
    inputs.result.findings[0].buffering = {Buffering::zero};
    inputs.result.interleavings = {{1, "{}", {}, 0.25, Buffering::native},
                                   {2, "{}", {replay::ViolationKind::deadlock}, 0.25, Buffering::zero}};
    return inputs;
}

TEST(JsonReport, ModesOfBuffering) {
    const json report = json::parse(make_json_report(inputs_of_all_bufferings()).dump());
    EXPECT_EQ(report["buffering"], "all");
    EXPECT_EQ(report["interleavings"]["by_buffering"], (json{{"native", {{"explored", 1}, {"pending", 0}}},
                                                             {"zero", {{"explored", 2}, {"pending", 0}}},
                                                             {"infinite", {{"explored", 4}, {"pending", 5}}}}));
    EXPECT_EQ(report["violations"][0]["buffering"], json::array({"zero"}));
    EXPECT_EQ(report["outcomes"][0]["buffering"], "native");
    EXPECT_EQ(report["outcomes"][1]["buffering"], "zero");
}

TEST(TextReport, ModesOfBuffering) {
    ReportInputs inputs = inputs_of_all_bufferings();
    inputs.options.verbosity = 1;
    const std::string text = make_text_report(inputs);
    EXPECT_TRUE(mentions(text, "(lamport clocks, all buffering, pmpi)")) << text;
    EXPECT_TRUE(mentions(text,
                         "  interleavings: 1 with native buffering, 2 with zero buffering, "
                         "4 with infinite buffering\n"))
        << text;
    EXPECT_TRUE(
        mentions(text,
                 "  found under zero buffering, not under native and infinite buffering: only if standard sends and "
                 "collectives wait for the others, as MPI allows them to\n"))
        << text;
    EXPECT_TRUE(mentions(text, "interleaving 1: native {} clean")) << text;
    EXPECT_TRUE(mentions(text, "interleaving 2: zero {} deadlock")) << text;

    Finding exit = inputs.result.findings[0];
    exit.violation.kind = replay::ViolationKind::exit;
    exit.buffering = {replay::Buffering::native};
    inputs.result.findings.push_back(exit);
    EXPECT_TRUE(mentions(make_text_report(inputs),
                         "not under native and infinite buffering, where interleavings ended before they may have come "
                         "there\n"))
        << make_text_report(inputs);
    inputs.result.findings.pop_back();

    inputs.result.clocks_may_miss = true;
    EXPECT_TRUE(mentions(make_text_report(inputs),
                         "not under native and infinite buffering, of which Lamport clocks may have missed outcomes\n"))
        << make_text_report(inputs);
    inputs.result.clocks_may_miss = false;

    inputs.result.pending = 5;
    EXPECT_TRUE(mentions(make_text_report(inputs),
                         "not under native and infinite buffering in what was explored: only if standard sends"));
    inputs.result.findings[0].buffering = {replay::all_bufferings.begin(), replay::all_bufferings.end()};
    EXPECT_TRUE(mentions(make_text_report(inputs), "  found under native, zero and infinite buffering\n"));

    inputs.options.buffering = {replay::Buffering::zero};
    inputs.result.findings[0].buffering = {replay::Buffering::zero};
    inputs.result.by_buffering = {{replay::Buffering::zero, {.explored = 3, .pending = 0}}};
    const std::string one = make_text_report(inputs);
    EXPECT_TRUE(mentions(one, "(lamport clocks, zero buffering, pmpi)")) << one;
    EXPECT_FALSE(mentions(one, "found under")) << one;
    inputs = faulty_inputs();
    inputs.options.buffering = {replay::both_bufferings.begin(), replay::both_bufferings.end()};
    EXPECT_TRUE(mentions(make_text_report(inputs), "(lamport clocks, pmpi)")) << "the default";
}

TEST(JsonReport, WithoutArgumentsTheyAreStillAnArray) {
    ReportInputs inputs = clean_inputs();
    inputs.options.arguments.clear();
    EXPECT_EQ(make_json_report(inputs)["arguments"], json::array());
}

TEST(JsonReport, OutcomesAboveTheLimitAreLeftOutAndItIsSaid) {
    ReportInputs inputs = clean_inputs();
    inputs.result.outcomes_omitted = true;
    inputs.result.outcomes_limit = 1000;
    const json report = make_json_report(inputs);
    EXPECT_EQ(report["outcomes_omitted"], true);
    EXPECT_EQ(report["outcomes_limit"], 1000);
    EXPECT_FALSE(report.contains("outcomes"));
    EXPECT_EQ(report["verdict"], "clean");  // run, only not listed
}

TEST(JsonReport, AViolationWithAllItsParts) {
    ReportInputs inputs = faulty_inputs();
    inputs.result.notes = {deadlock()};
    inputs.result.not_modelled = {{"MPI_Put", {3, {}}}};
    const json report = json::parse(make_json_report(inputs).dump());
    EXPECT_EQ(report["verdict"], "violations");
    ASSERT_EQ(report["violations"].size(), 1U);
    const json& violation = report["violations"][0];
    EXPECT_EQ(violation["kind"], "deadlock");
    EXPECT_EQ(violation["message"], "all ranks wait for each other");
    EXPECT_EQ(violation["ranks"], json({0, 1, 2, 3}));
    EXPECT_EQ(violation["count"], 2);
    EXPECT_EQ(violation["foreseen"], false);
    EXPECT_EQ(violation["first_interleaving"], 2);
    EXPECT_EQ(violation["decisions"], "decisions/deadlock-1.json");
    EXPECT_EQ(violation["where"]["file"], "app.c");
    EXPECT_EQ(violation["where"]["line"], 12);
    EXPECT_EQ(violation["where"]["function"], "main");
    ASSERT_EQ(violation["situations"].size(), 4U);
    EXPECT_EQ(violation["situations"][1]["call"], "MPI_Barrier");
    EXPECT_EQ(violation["situations"][1]["where"]["line"], 20);
    EXPECT_TRUE(violation["situations"][3]["where"].is_null());
    ASSERT_EQ(violation["epochs"].size(), 2U);
    EXPECT_EQ(violation["epochs"][0]["matched"]["source"], 2);
    EXPECT_EQ(violation["epochs"][0]["forced"], true);
    EXPECT_EQ(violation["epochs"][0]["alternatives"].size(), 2U);
    EXPECT_EQ(violation["epochs"][0]["alternatives"][1]["source"], 3);
    EXPECT_EQ(violation["epochs"][0]["communicator"], "1");
    EXPECT_EQ(violation["epochs"][0]["outcome"], true);
    EXPECT_TRUE(violation["epochs"][0]["completed"].is_null());
    EXPECT_EQ(violation["epochs"][1]["outcome"], false);
    EXPECT_TRUE(violation["epochs"][1]["matched"].is_null());
    EXPECT_EQ(violation["epochs"][1]["alternatives"], json::array());
    EXPECT_EQ(violation["epochs_omitted"], 0);
    EXPECT_TRUE(report["notes"][0]["decisions"].is_null());
    EXPECT_EQ(report["not_modelled"], (json{{"MPI_Put", 3}}));
    EXPECT_EQ(report["left_out"][0]["reason"], "not-modelled");
    EXPECT_TRUE(mentions(report["left_out"][0]["what"], "MPI_Put"));
}

replay::Epoch choice_epoch() {
    replay::Epoch epoch;
    epoch.id = {2, 5};
    epoch.kind = replay::EpochKind::test_some;
    epoch.outcome = replay::Outcome{.completed = {1, 4}, .false_answers = 2};
    epoch.completable = {{.position = 0}, {.position = 1}, {.position = 4}, {.position = 6}};
    epoch.call = "MPI_Testsome";
    epoch.where = {"/app", 0x20, "main", "app.c", 11};
    return epoch;
}

TEST(JsonReport, AChoiceAmongRequests) {
    ReportInputs inputs = faulty_inputs();
    inputs.result.findings[0].epochs = {choice_epoch()};
    const json report = json::parse(make_json_report(inputs).dump());
    const json& epoch = report["violations"][0]["epochs"][0];
    EXPECT_EQ(epoch["kind"], "test-some");
    EXPECT_EQ(epoch["completed"], json({1, 4}));
    EXPECT_EQ(epoch["other_completions"], json({0, 6}));
    EXPECT_EQ(epoch["false_answers"], 2);
    EXPECT_TRUE(epoch["matched"].is_null());
    inputs.result.findings[0].epochs[0].completable[3].known.vector.add(2, 5);
    EXPECT_EQ(make_json_report(inputs)["violations"][0]["epochs"][0]["other_completions"], json({0}))
        << "request 6 could complete only after the choice";
    inputs.result.findings[0].epochs[0].outcome = replay::Outcome{};
    EXPECT_EQ(make_json_report(inputs)["violations"][0]["epochs"][0]["completed"], json::array());
}

TEST(Reports, SayHowManyEpochsAreNotShown) {
    ReportInputs inputs = faulty_inputs();
    Finding& finding = inputs.result.findings[0];
    EXPECT_EQ(make_json_report(inputs)["violations"][0]["epochs_omitted"], 0);
    finding.epochs_omitted = 6;
    EXPECT_EQ(make_json_report(inputs)["violations"][0]["epochs_omitted"], 6);
    finding.epochs.assign(14, finding.epochs[0]);
    EXPECT_NE(make_text_report(inputs).find("and more than 2 more, in the decision file"), std::string::npos);
}

TEST(JsonReport, IsWrittenWhateverBytesTheProgramHas) {
    std::string name = (std::filesystem::temp_directory_path() / "dampi-test-XXXXXX").string();
    const std::filesystem::path directory = ::mkdtemp(name.data());
    ReportInputs inputs = faulty_inputs();
    inputs.options.arguments = {"\xff\xfe"};
    inputs.result.findings[0].violation.message = "assert \xc3\x28 \x1b[31m";
    write_json_report(directory / "report.json", inputs);
    std::ifstream stream(directory / "report.json");
    const json report = json::parse(stream);
    EXPECT_EQ(report["schema"], "dampi-report/3");
    EXPECT_EQ(report["arguments"][0], "\xef\xbf\xbd\xef\xbf\xbd");
    EXPECT_THROW(write_json_report(directory / "no" / "report.json", inputs), Error);
    std::filesystem::remove_all(directory);
}

// The terminal.

TEST(TextReport, EndsWithTheVerdict) {
    for (const int verbosity : {-1, 0, 1}) {
        ReportInputs inputs = faulty_inputs();
        inputs.options.verbosity = verbosity;
        EXPECT_EQ(last_line(make_text_report(inputs)), verdict_line(inputs));
    }
}

TEST(TextReport, SaysWhatWasExplored) {
    const std::string text = make_text_report(clean_inputs());
    EXPECT_TRUE(mentions(text, "12 interleavings of ./app with 4 processes")) << text;
    EXPECT_TRUE(mentions(text, "0.50 s")) << text;
    EXPECT_TRUE(mentions(text, "Lamport")) << text;
    EXPECT_FALSE(mentions(text, "imprecise matches")) << "there are none: " << text;
    ReportInputs inputs = clean_inputs();
    inputs.options.verbosity = 1;
    EXPECT_TRUE(mentions(make_text_report(inputs), "duplicates run: 0, imprecise matches: 0, divergences: 0"));
    inputs.options.verbosity = 0;
    inputs.clock = "vector";
    inputs.result.duplicates.reset();
    inputs.result.unfinished = 2;
    inputs.result.imprecise_matches = 3;
    inputs.result.trials = 2;
    const std::string other = make_text_report(inputs);
    EXPECT_TRUE(mentions(other, "(vector clocks, ")) << other;
    EXPECT_FALSE(mentions(other, "Lamport")) << other;
    EXPECT_TRUE(mentions(other, "complete means")) << other;
    EXPECT_TRUE(mentions(other, "  imprecise matches: 3")) << other;
    EXPECT_TRUE(mentions(other, "2 runs were not finished")) << other;
    EXPECT_TRUE(mentions(other, "and 2 runs to see whether")) << other;
}

TEST(TextReport, ChoicesAmongRequests) {
    ReportInputs inputs = faulty_inputs();
    auto& epochs = inputs.result.findings[0].epochs;
    const auto text_of = [&](const auto& change) {
        epochs = {choice_epoch()};
        change(epochs[0]);
        return make_text_report(inputs);
    };
    std::string text = text_of([](replay::Epoch&) {});
    EXPECT_TRUE(mentions(text,
                         "2#5 reported requests 1, 4 of MPI_Testsome at app.c:11 (main) after 2 false answers, could "
                         "have reported requests 0, 6\n"))
        << text;
    text = text_of([](replay::Epoch& epoch) {
        epoch.kind = replay::EpochKind::wait_any;
        epoch.call = "MPI_Waitany";
        epoch.outcome = replay::Outcome{.completed = {2}};
        epoch.forced = true;
        epoch.completable.clear();
    });
    EXPECT_TRUE(mentions(text, "2#5 reported request 2 of MPI_Waitany at app.c:11 (main) (forced)\n")) << text;
    text = text_of([](replay::Epoch& epoch) { epoch.outcome = replay::Outcome{.false_answers = 1}; });
    EXPECT_TRUE(mentions(text, "2#5 MPI_Testsome at app.c:11 (main): never answered true after 1 false answer"))
        << text;
    text = text_of([](replay::Epoch& epoch) { epoch.outcome.reset(); });
    EXPECT_TRUE(mentions(text, "2#5 MPI_Testsome at app.c:11 (main): reported nothing")) << text;
    text = text_of([](replay::Epoch& epoch) {
        epoch.kind = replay::EpochKind::cancel;
        epoch.call = "MPI_Cancel";
        epoch.outcome = replay::Outcome{};
        epoch.completable = {{.position = 0}};
    });
    EXPECT_TRUE(mentions(text, "2#5 MPI_Cancel at app.c:11 (main): cancelled the receive, could have come too late"))
        << text;
}

TEST(TextReport, AForeseenFindingSaysThatNoRunHasShownIt) {
    ReportInputs inputs = faulty_inputs();
    inputs.result.findings[0].count = 0;
    inputs.result.findings[0].foreseen = true;
    const std::string text = make_text_report(inputs);
    EXPECT_TRUE(mentions(text, "foreseen: another match of interleaving 2 leads there, which was not run")) << text;
    EXPECT_FALSE(mentions(text, "seen in 0")) << text;
    EXPECT_EQ(json::parse(make_json_report(inputs).dump())["violations"][0]["foreseen"], true);
}

TEST(TextReport, AFindingHasEverythingNeeded) {
    const std::string text = make_text_report(faulty_inputs());
    EXPECT_TRUE(mentions(text, "violation 1: deadlock in ranks 0-3: all ranks wait")) << text;
    EXPECT_TRUE(mentions(text, "rank 0: MPI_Recv at app.c:12 (main): source 2, tag 7, MPI_COMM_WORLD")) << text;
    EXPECT_TRUE(mentions(text, "ranks 1, 2: MPI_Barrier at app.c:20 (main): MPI_COMM_WORLD")) << text;
    EXPECT_TRUE(mentions(text, "rank 3: outside MPI")) << text;
    EXPECT_TRUE(mentions(text, "seen in 2 of 3 interleavings, first in number 2")) << text;
    EXPECT_TRUE(mentions(text,
                         "0#0 MPI_Recv at app.c:11 (main) on MPI_COMM_WORLD: matched the message from rank 2 "
                         "(forced), could have matched ranks 1, 3"))
        << text;
    EXPECT_FALSE(mentions(text, "0#1")) << text;  // had no alternative
    EXPECT_TRUE(mentions(text, "dampi-run -n 4 --replay dampi-out/decisions/deadlock-1.json ./app --size 8\n")) << text;
}

TEST(Reports, SayWhatAFindingComesAfter) {
    ReportInputs inputs = faulty_inputs();
    Finding cause = deadlock();
    cause.violation.kind = replay::ViolationKind::type_message;
    cause.cause = "the cause";
    inputs.result.findings[0].violation.kind = replay::ViolationKind::crash;
    inputs.result.findings[0].after = {"the cause"};
    inputs.result.findings.insert(inputs.result.findings.begin(), cause);
    const std::string text = make_text_report(inputs);
    const std::size_t at = text.find("  comes after violation 1 in the same run, and may follow from it\n");
    EXPECT_TRUE(at != std::string::npos && at > text.find("violation 2")) << text;
    const json report = json::parse(make_json_report(inputs).dump());
    EXPECT_EQ(report["violations"][0]["comes_after"], json::array());
    EXPECT_EQ(report["violations"][1]["comes_after"], json{0});
    const std::vector<FindingPlace> order = worst_first(inputs.result);
    EXPECT_EQ(order[0].index, 0U) << "a crash is worse, but may follow";
    EXPECT_EQ(order[1].index, 1U);
    inputs.result.findings[1].after.clear();
    EXPECT_EQ(worst_first(inputs.result)[0].index, 1U);
}

TEST(Reports, NameTheOtherFormOfAFinding) {
    ReportInputs inputs = faulty_inputs();
    inputs.result.findings[0].other_forms = {{.kind = replay::ViolationKind::deadlock,
                                              .message = "rank 1 waits",
                                              .where = {"/app", 0x20, "main", "app.c", 33},
                                              .buffering = {replay::Buffering::zero}}};
    const std::string text = make_text_report(inputs);
    EXPECT_TRUE(mentions(text, "  under zero buffering it is seen as deadlock at app.c:33 (main): rank 1 waits\n"))
        << text;
    const json form = json::parse(make_json_report(inputs).dump())["violations"][0]["other_forms"][0];
    EXPECT_EQ(form["kind"], "deadlock");
    EXPECT_EQ(form["where"]["line"], 33);
    EXPECT_EQ(form["buffering"], json{"zero"});
}

TEST(TextReport, MessagesThatAnyTagCouldMatchAreNamedWithTheirs) {
    ReportInputs inputs = faulty_inputs();
    replay::Epoch& epoch = inputs.result.findings[0].epochs[0];
    epoch.tag = base::any_tag;
    epoch.outcome->tag = 4;
    const std::string text = make_text_report(inputs);
    EXPECT_TRUE(mentions(text,
                         "matched the message with tag 4 from rank 2 (forced), could have matched rank 1 with tag 7, "
                         "rank 3 with tag 7\n"))
        << text;
    for (int source = 4; source < 24; ++source) {
        epoch.potential_matches.push_back({source, 9, 0});
    }
    EXPECT_TRUE(mentions(make_text_report(inputs), "rank 9 with tag 9 and 14 more\n"));
}

TEST(TextReport, WhereTheCallersLineIsTheCauseTheCallsOwnIsNamedToo) {
    ReportInputs inputs = faulty_inputs();
    replay::RankSituation& situation = inputs.result.findings[0].violation.situations[0];
    situation.stack = {{"/app", 0x90, "receive", "app.c", 5}, situation.where};
    EXPECT_TRUE(mentions(make_text_report(inputs),
                         "rank 0: MPI_Recv at app.c:5 (receive), called at app.c:12 (main): source 2"))
        << make_text_report(inputs);
    situation.stack = {situation.where};
    EXPECT_TRUE(mentions(make_text_report(inputs), "rank 0: MPI_Recv at app.c:12 (main): source 2"));
}

TEST(TextReport, WhatToReadOfAFindingCanBeCopied) {
    ReportInputs inputs = faulty_inputs();
    EXPECT_TRUE(mentions(make_text_report(inputs), ": dampi-run --explain deadlock\n"));
    inputs.result.findings.insert(inputs.result.findings.begin(), deadlock());
    inputs.result.findings.front().violation.kind = replay::ViolationKind::leak_request;
    inputs.result.findings.push_back(deadlock());
    EXPECT_TRUE(mentions(make_text_report(inputs),
                         ":\n  dampi-run --explain leak/request\n  dampi-run --explain deadlock\ndampi: "))
        << make_text_report(inputs);
}

TEST(TextReport, LongListsAreShortened) {
    ReportInputs inputs = faulty_inputs();
    Finding& finding = inputs.result.findings[0];
    finding.epochs.assign(30, finding.epochs[0]);
    finding.epochs[0].potential_matches.clear();
    for (int source = 0; source < 40; source += 2) {
        finding.epochs[0].potential_matches.push_back({source, 7, 0});
    }
    const std::string text = make_text_report(inputs);
    EXPECT_TRUE(mentions(text, "and 18 more, in the decision file")) << text;
    EXPECT_TRUE(mentions(text, "ranks 0, 2, 4, 6, 8, 10, 12, 14 and 12 more")) << text;
}

TEST(TextReport, SaysWhatWasLeftOutAndWhatWouldIncludeIt) {
    ReportInputs inputs = clean_inputs();
    inputs.result.pending = 7;
    inputs.result.left_out = {{"max-interleavings", "exploration stopped at 12"}};
    inputs.result.not_modelled = {{"MPI_Put", {3, {}}}, {"MPI_Win_fence", {1, {}}}};
    const std::string text = make_text_report(inputs);
    EXPECT_TRUE(mentions(text, "exploration stopped at 12 (a larger --max-interleavings")) << text;
    EXPECT_TRUE(mentions(text, "7 known alternatives not run")) << text;
    EXPECT_TRUE(mentions(text, "MPI_Put (3x), MPI_Win_fence (1x)")) << text;
}

TEST(TextReport, AccessesThatMayRaceAreNoCallsPassedThrough) {
    ReportInputs inputs = clean_inputs();
    const replay::CodePlace put{"/app", 0x40, "insert", "dht.c", 51};
    inputs.result.not_modelled = {{replay::possible_races, {20, {put}}}};
    EXPECT_TRUE(mentions(make_text_report(inputs), "access at dht.c:51 (insert)\n"));
    inputs.result.not_modelled.insert(
        {{replay::possible_race_between("MPI_Put of rank 2", "MPI_Get of rank 0"), {1, {put}}},
         {replay::possible_race_between("MPI_Get of rank 0", "MPI_Put of rank 2"),
          {1, {{"/app", 0x30, "insert", "dht.c", 48}}}}});
    const std::string text = make_text_report(inputs);
    EXPECT_TRUE(mentions(text, "is not certain (20x): if nothing orders them this is a race (rma/race) (a fence"))
        << text;
    EXPECT_TRUE(mentions(text, "MPI_Put of rank 2, against MPI_Get of rank 0 at dht.c:51 (insert)\n")) << text;
    EXPECT_TRUE(mentions(text, "MPI_Get of rank 0, against MPI_Put of rank 2 at dht.c:48 (insert)\n")) << text;
    EXPECT_FALSE(mentions(text, "passed through")) << text;
    EXPECT_FALSE(mentions(text, "access at")) << text;
    EXPECT_EQ(verdict_of(inputs), Verdict::incomplete);
    inputs.result.not_modelled["MPI_Comm_set_info"] = {1, {}};
    EXPECT_TRUE(mentions(make_text_report(inputs), "passed through without being modelled: MPI_Comm_set_info (1x)"));
}

TEST(TextReport, PlacesOfWhatWasLeftOutAreNamed) {
    ReportInputs inputs = clean_inputs();
    LeftOut left{.reason = "alternatives",
                 .what = "places where the program may go on (12)",
                 .remedy = "--explore-polls 1 explores that",
                 .places = {}};
    for (int line = 1; line <= 12; ++line) {
        left.places.push_back({"MPI_Test", {"/app", 0x40, "serve", "server.c", line}, 1});
    }
    left.places.push_back({"MPI_Iprobe", {}, 1});
    inputs.result.left_out = {left};
    const std::string text = make_text_report(inputs);
    EXPECT_TRUE(mentions(text, "places where the program may go on (12) (--explore-polls 1 explores that)\n")) << text;
    EXPECT_TRUE(mentions(text, "1  MPI_Test at server.c:10 (serve)\n")) << text;
    EXPECT_FALSE(mentions(text, "server.c:11")) << text;
    EXPECT_TRUE(mentions(text, "and at 3 other places\n")) << text;
    EXPECT_EQ(make_json_report(inputs)["left_out"][0]["places"].size(), 13U);
}

TEST(TextReport, ADivergenceIsTheProgramsDoing) {
    ReportInputs inputs = clean_inputs();
    inputs.result.doubts = {deadlock()};
    inputs.result.doubts[0].violation.kind = replay::ViolationKind::divergence;
    const std::string text = make_text_report(inputs);
    EXPECT_TRUE(mentions(text, "the program did not repeat itself: divergence")) << text;
    EXPECT_TRUE(mentions(text, "goes by random numbers or threads")) << text;
    EXPECT_FALSE(mentions(text, "dampi's own doubt")) << text;
    EXPECT_FALSE(mentions(text, "doubts of the tool")) << text;
    EXPECT_EQ(verdict_of(inputs), Verdict::incomplete);
}

TEST(TextReport, AnImpreciseMatchIsTheToolsOwnDoubt) {
    ReportInputs inputs = clean_inputs();
    inputs.result.doubts = {deadlock()};
    inputs.result.doubts[0].violation.kind = replay::ViolationKind::imprecise_match;
    inputs.result.notes = {deadlock()};
    const std::string text = make_text_report(inputs);
    EXPECT_TRUE(mentions(text, "dampi's own doubt, not an error of the program: imprecise-match")) << text;
    EXPECT_FALSE(mentions(text, "did not repeat itself")) << text;
    EXPECT_TRUE(mentions(text, "note, not a violation: ")) << text;
    EXPECT_FALSE(mentions(text, "violation 1")) << text;
    EXPECT_EQ(verdict_of(inputs), Verdict::incomplete);
}

TEST(TextReport, ALivelockThatIsNotCertainIsNotTheToolsFault) {
    ReportInputs inputs = clean_inputs();
    inputs.result.doubts = {deadlock()};
    inputs.result.doubts[0].violation.kind = replay::ViolationKind::possible_livelock;
    const std::string text = make_text_report(inputs);
    EXPECT_TRUE(mentions(text, "not certain: possible-livelock")) << text;
    EXPECT_TRUE(mentions(text, "a larger --livelock-limit, or --hang-limit none, lets them go on")) << text;
    EXPECT_FALSE(mentions(text, "dampi's own doubt")) << text;
    EXPECT_FALSE(mentions(text, "did not repeat itself")) << text;
    EXPECT_EQ(verdict_of(inputs), Verdict::incomplete);
}

TEST(TextReport, QuietIsOneLineForEachFindingAndTheVerdict) {
    ReportInputs inputs = faulty_inputs();
    inputs.options.verbosity = -1;
    EXPECT_EQ(make_text_report(inputs),
              "violation: deadlock in ranks 0-3: all ranks wait for each other\n" + verdict_line(inputs) + "\n");
}

TEST(TextReport, VerboseHasALineForEachInterleaving) {
    ReportInputs inputs = clean_inputs();
    inputs.options.verbosity = 1;
    inputs.result.interleavings = {{1, "{0#0<-1 0#1<-2}", {}, 0.25},
                                   {2, "{0#0<-2 0#1<-2}", {replay::ViolationKind::crash}, 0.125}};
    std::string text = make_text_report(inputs);
    EXPECT_TRUE(mentions(text, "interleaving 1: {0#0<-1 0#1<-2} clean, 0.25 s\n")) << text;
    EXPECT_TRUE(mentions(text, "interleaving 2: {0#0<-2 0#1<-2} new: 0#0<-2 crash, 0.12 s\n") ||
                mentions(text, "interleaving 2: {0#0<-2 0#1<-2} new: 0#0<-2 crash, 0.13 s\n"))
        << text;
    inputs.result.outcomes_omitted = true;
    inputs.result.outcomes_limit = 1000;
    text = make_text_report(inputs);
    EXPECT_TRUE(mentions(text, "the list would be too long")) << text;
    inputs.result.explored = 1001;
    text = make_text_report(inputs);
    EXPECT_TRUE(mentions(text, "more than 1000")) << text;
}

TEST(TextReport, TheProgramCannotDriveTheTerminal) {
    ReportInputs inputs = faulty_inputs();
    inputs.result.findings[0].violation.message = "a\x1b[2Jb\nc\xc2\x9b";
    inputs.result.findings[0].epochs[0].call = "\x07";
    inputs.result.findings[0].violation.situations[0].detail = "\r";
    for (const int verbosity : {-1, 0}) {
        inputs.options.verbosity = verbosity;
        const std::string text = make_text_report(inputs);
        EXPECT_EQ(text.find_first_of("\x1b\r\x07"), std::string::npos);
        EXPECT_TRUE(mentions(text, "a\\x1b[2Jb c\\x9b")) << text;
    }
}

TEST(ReplayCommand, CanBePasted) {
    ReportInputs inputs = clean_inputs();
    inputs.options.output = "my out";
    inputs.options.program = "-odd app";
    inputs.options.arguments = {"it's",
                                "",
                                "$HOME",
                                "a\nb",
                                "tab\tand '\\",
                                "~",
                                "\x1b"
                                "1",
                                "x=y"};
    inputs.options.environment = {{"NAME", "two words"}};
    inputs.options.message_leaks = false;
    inputs.options.warns_unusual = true;
    inputs.options.fresh_directory = true;
    inputs.options.launcher = "srun -n {n} 'x y'";
    const std::string command = replay_command(inputs, "d 1.json");
    // Let a shell take it apart again: the real check.
    const std::string shell = "dampi-run() { printf '%s\\0' \"$@\"; }; " + command;
    std::string name = (std::filesystem::temp_directory_path() / "dampi-test-XXXXXX").string();
    const std::filesystem::path directory = ::mkdtemp(name.data());
    std::ofstream(directory / "script") << shell;
    const std::string run = "bash '" + (directory / "script").string() + "' > '" + (directory / "out").string() + "'";
    ASSERT_EQ(std::system(run.c_str()), 0);
    std::ifstream stream(directory / "out");
    std::vector<std::string> words;
    for (std::string word; std::getline(stream, word, '\0');) {
        words.push_back(word);
    }
    std::filesystem::remove_all(directory);
    EXPECT_EQ(words, (std::vector<std::string>{"-n",
                                               "4",
                                               "--env",
                                               "NAME=two words",
                                               "--launcher",
                                               "srun -n {n} 'x y'",
                                               "--no-message-leaks",
                                               "--warn",
                                               "unusual",
                                               "--fresh-dir",
                                               "--replay",
                                               "my out/d 1.json",
                                               "--",
                                               "-odd app",
                                               "it's",
                                               "",
                                               "$HOME",
                                               "a\nb",
                                               "tab\tand '\\",
                                               "~",
                                               "\x1b"
                                               "1",
                                               "x=y"}));
}

TEST(TerminalWords, RankLists) {
    EXPECT_EQ(replay::rank_list({}), "");
    EXPECT_EQ(replay::rank_list({3}), "rank 3");
    EXPECT_EQ(replay::rank_list({0, 1}), "ranks 0, 1");
    EXPECT_EQ(replay::rank_list({0, 1, 2, 5, 7, 8}), "ranks 0-2, 5, 7, 8");
}

TEST(TerminalWords, PlacesAndDurations) {
    EXPECT_EQ(replay::place_text({}), "");
    EXPECT_EQ(replay::place_text({"/app", 0x40, "main", "a.c", 3}), "a.c:3 (main)");
    EXPECT_EQ(replay::place_text({"/app", 0x40, "main", "", 0}), "/app+0x40 (main)");
    EXPECT_EQ(replay::duration_text(0.214), "0.21 s");
    EXPECT_EQ(replay::duration_text(61), "61.0 s");
    EXPECT_EQ(replay::duration_text(3720), "1 h 02 min");
}

// Progress.

ProgressNumbers some_numbers(std::uint64_t explored, std::uint64_t pending, std::uint64_t violations,
                             std::chrono::milliseconds elapsed = {}) {
    return {.explored = explored, .pending = pending, .violations = violations, .elapsed = elapsed};
}

TEST(ProgressLine, SaysTheNumbersAndFits) {
    ProgressNumbers numbers = some_numbers(12, 3, 1, std::chrono::milliseconds{1500});
    numbers.running = 2;
    EXPECT_EQ(progress_line(numbers, 200), "12 interleavings done, 5 known to be left, 8.0/s, 1 violation");
    EXPECT_EQ(progress_line(numbers, 10).size(), 10U);
    EXPECT_FALSE(mentions(progress_line({}, 200), "/s"));  // nothing to divide by
    numbers.part_done = 0.125;
    EXPECT_EQ(progress_line(numbers, 200),
              "12 interleavings done, 5 known to be left, 8.0/s, 1 violation, about 96 in all, 10.5 s left");
    numbers.explored_before = 6;
    EXPECT_TRUE(mentions(progress_line(numbers, 200), "4.0/s, 1 violation, about 96 in all, 21.0 s left"));
    numbers.part_done = 1e-12;
    EXPECT_TRUE(mentions(progress_line(numbers, 200), ", about 1e+13 in all")) << progress_line(numbers, 200);
    EXPECT_FALSE(mentions(progress_line(numbers, 200), "s left"));
}

TEST(ProgressLine, AnEstimateIsNeverBelowWhatIsKnown) {
    ProgressNumbers numbers = some_numbers(12, 8, 0, std::chrono::milliseconds{1000});
    EXPECT_FALSE(estimate(numbers));
    numbers.part_done = 1;
    ASSERT_TRUE(estimate(numbers));
    EXPECT_EQ(estimate(numbers)->interleavings, 20);
    numbers.explored = 2;
    EXPECT_FALSE(estimate(numbers)) << "too early to say";
}

TEST(ProgressLine, RandomWalksSayHowManyThereAre) {
    ProgressNumbers numbers = some_numbers(1, 3, 0, std::chrono::milliseconds{1000});
    numbers.part_done = 0.5;
    numbers.trials = 9;
    numbers.size = heuristics::estimate_size({heuristics::LargeNumber(1e6)});
    numbers.size->walks = 3;
    EXPECT_TRUE(mentions(progress_line(numbers, 200), "0 violations, 1 of 3 random walks"));
    EXPECT_FALSE(mentions(progress_line(numbers, 200), "in all")) << "one walk says little";
    numbers.size = heuristics::estimate_size({heuristics::LargeNumber(1e6), heuristics::LargeNumber(1.5e6)});
    numbers.size->walks = 2;
    EXPECT_TRUE(mentions(progress_line(numbers, 200), "0 violations, about 1.2 million (+-20%) in all, 34 h"))
        << progress_line(numbers, 200);
    const json line = json::parse(progress_json(numbers, false));
    EXPECT_EQ(line["estimated_interleavings"], 1.25e6);
    EXPECT_NEAR(line["estimated_relative_error"].get<double>(), 0.2, 1e-9);
    numbers.explored = 2'000'000;
    EXPECT_TRUE(mentions(progress_line(numbers, 200), "about 2000003 in all")) << progress_line(numbers, 200);
    EXPECT_TRUE(json::parse(progress_json(numbers, false))["estimated_relative_error"].is_null());
}

TEST(ProgressJson, IsOneLineForOtherPrograms) {
    ProgressNumbers numbers = some_numbers(12, 3, 1, std::chrono::milliseconds{1500});
    json line = json::parse(progress_json(numbers, false));
    EXPECT_EQ(line["explored"], 12);
    EXPECT_EQ(line["pending"], 3);
    EXPECT_EQ(line["violations"], 1);
    EXPECT_EQ(line["rate"], 8.0);
    EXPECT_TRUE(line["estimated_interleavings"].is_null());
    EXPECT_EQ(line["finished"], false);
    numbers.part_done = 0.5;
    line = json::parse(progress_json(numbers, true));
    EXPECT_EQ(line["estimated_interleavings"], 24);
    EXPECT_EQ(line["estimated_seconds_left"], 1.5);
    EXPECT_EQ(line["finished"], true);
}

/// What a Progress writes into a pipe.
std::string written(ProgressKind kind) {
    std::array<int, 2> ends{};
    EXPECT_EQ(::pipe(ends.data()), 0);
    {
        Progress progress(ends[1], kind);
        progress.update(some_numbers(1, 2, 3));
        progress.update(some_numbers(2, 2, 3));  // too soon
        progress.end(some_numbers(3, 0, 3));
    }
    ::close(ends[1]);
    std::string text(4096, ' ');
    const ssize_t got = ::read(ends[0], text.data(), text.size());
    ::close(ends[0]);
    text.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
    return text;
}

TEST(Progress, SaysNothingIntoAPipeUnlessItIsToldTo) {
    EXPECT_EQ(written(ProgressKind::automatic), "");
    EXPECT_EQ(written(ProgressKind::none), "");
    EXPECT_TRUE(mentions(written(ProgressKind::line), "\r1 interleaving done"));
    const std::string lines = written(ProgressKind::json);
    EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 2);
    EXPECT_TRUE(mentions(lines, "\"finished\":true}\n")) << lines;
}

TEST(Progress, ShowsAndErasesItsLineOnATerminal) {
    int outer = -1;
    int inner = -1;
    ASSERT_EQ(::openpty(&outer, &inner, nullptr, nullptr, nullptr), 0);
    Progress(inner, ProgressKind::none).update(some_numbers(1, 2, 3));  // nothing before what follows
    {
        Progress progress(inner, ProgressKind::automatic);
        progress.update(some_numbers(1, 2, 0));
        progress.update(some_numbers(2, 2, 0));  // too soon
    }
    const std::string line = "1 interleaving done, 2 known to be left, 0 violations";
    const std::string expected = "\r" + line + "\r" + std::string(line.size(), ' ') + "\r";
    std::string text;  // the terminal hands it over in pieces
    pollfd readable{.fd = outer, .events = POLLIN, .revents = 0};
    while (text.size() < expected.size() && ::poll(&readable, 1, 5000) == 1) {
        char piece[256];
        const ssize_t got = ::read(outer, piece, sizeof piece);
        ASSERT_GT(got, 0);
        text.append(piece, static_cast<std::size_t>(got));
    }
    EXPECT_EQ(text, expected);
    ::close(inner);
    ::close(outer);
}

TEST(NamesOfNothing, AreThoseThatLeaveNothingOut) {
    ReportInputs inputs;
    inputs.result.explored = 3;
    EXPECT_TRUE(names_of_nothing(inputs).empty());
    inputs.options.bounds.skip = {heuristics::parse_name_pattern("--skip", "log_serv"),
                                  heuristics::parse_name_pattern("--skip", "comm:X")};
    EXPECT_EQ(names_of_nothing(inputs),
              (std::vector<std::string>{"nothing was left out by --skip log_serv --skip comm:X: no call that has "
                                        "alternatives is in what this names"}));
    EXPECT_NE(make_text_report(inputs).find("note: nothing was left out by --skip log_serv"), std::string::npos);
    inputs.result.left_out_by_bounds[{heuristics::LeftOutBy::name, "MPI_Recv", {}}] = 1;
    EXPECT_TRUE(names_of_nothing(inputs).empty());
}

TEST(LeftOutOfASweep, IsTheCheckOfBuffersWhereARankCouldNotLook) {
    SweepResult result;
    result.explored = 1;
    Finding note;
    note.violation.kind = replay::ViolationKind::buffer_unwatched;
    note.violation.message = "loads and stores are not seen: the rank has several threads";
    note.violation.situations.resize(1);
    note.all_ranks = {1};
    result.notes = {note};
    ASSERT_EQ(everything_left_out(result).size(), 1U);
    EXPECT_EQ(everything_left_out(result)[0].what,
              "loads and stores in buffers of pending operations, which --check-buffers is to find, were not seen in "
              "rank 1: the rank has several threads");
    EXPECT_TRUE(everything_left_out(result)[0].remedy.empty());
    result.notes[0].violation.situations[0].where = {"/app", 1, "main", "a.c", 3};  // of some buffers alone
    EXPECT_TRUE(everything_left_out(result).empty());
}

TEST(NamesOfNothing, AWrapperMayBeOnTheStackOfAChoice) {
    ReportInputs inputs;
    inputs.options.wrappers = {"my_recv"};
    inputs.result.findings.resize(1);
    EXPECT_EQ(names_of_nothing(inputs).size(), 1U);
    inputs.calls.resize(1);
    inputs.calls[0].choice_stacks = {{}, {{"/app", 1, "my_recv", "a.c", 3}, {"/app", 2, "main", "a.c", 9}}};
    EXPECT_TRUE(names_of_nothing(inputs).empty());
}

TEST(NamesOfNothing, AreWrappersThatNoFindingHasOnItsStack) {
    ReportInputs inputs;
    inputs.options.wrappers = {"my_*", "her_send"};
    EXPECT_TRUE(names_of_nothing(inputs).empty());
    Finding finding;
    finding.violation.situations.resize(1);
    finding.violation.situations[0].stack = {{"/app", 1, "my_send", "a.c", 3}, {"/app", 2, "main", "a.c", 9}};
    inputs.result.findings.push_back(finding);
    EXPECT_EQ(
        names_of_nothing(inputs),
        (std::vector<std::string>{"--wrapper her_send names no function on the stack of a finding, or of a choice "
                                  "that leads to one"}));
}

TEST(LeftOutByBounds, CopiesOfOneSourceLineAreOnePlace) {
    SweepResult result;
    const auto left_out = [&](std::uint64_t offset, int line, const char* call) -> std::uint64_t& {
        return result
            .left_out_by_bounds[{heuristics::LeftOutBy::mixing_bound, call, {"/app", offset, "f", "a.c", line}}];
    };
    left_out(0x10, 12, "MPI_Recv") = 1;
    left_out(0x20, 12, "MPI_Recv") = 2;   // a copy that the compiler made
    left_out(0x30, 12, "MPI_Probe") = 9;  // another call on that line
    left_out(0x40, 0, "MPI_Recv") = 4;    // no line is known: these may be different places
    left_out(0x50, 0, "MPI_Recv") = 5;
    heuristics::SearchBoundSettings bounds;
    bounds.mixing_bound = 3;
    const std::vector<LeftOut> left = left_out_by_bounds(result, bounds);
    ASSERT_EQ(left.size(), 1);
    EXPECT_EQ(left[0].reason, "mixing-bound");
    EXPECT_EQ(left[0].what, "21 alternatives beyond --mixing-bound 3");
    std::vector<std::pair<std::string, std::uint64_t>> places;
    for (const LeftOut::Place& place : left[0].places) {
        places.emplace_back(place.call, place.alternatives);
    }
    EXPECT_EQ(places, (std::vector<std::pair<std::string, std::uint64_t>>{
                          {"MPI_Probe", 9}, {"MPI_Recv", 5}, {"MPI_Recv", 4}, {"MPI_Recv", 3}}));
}

}  // namespace
}  // namespace dampi::scheduler
