// What the reports say of a deadlock, a hang and a livelock: few lines also for a thousand ranks, the cycle or knot,
// what found no partner, the same as JSON, and a file that Graphviz takes.
#include "replay/terminal_words.hpp"
#include "scheduler/report/alike.hpp"
#include "scheduler/report/graphviz.hpp"
#include "scheduler/report/json_report.hpp"
#include "scheduler/report/situation_text.hpp"
#include "scheduler/report/text_report.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace dampi::scheduler {
namespace {

using replay::CodePlace;
using replay::Rank;
using replay::RankSituation;
using replay::UnmatchedOperation;
using replay::Violation;
using replay::WaitForGraph;
using Core = WaitForGraph::Core;

CodePlace place(const std::string& function, int line) {
    return {"/home/me/app", static_cast<std::uint64_t>(line), function, "src/app.c", line};
}

RankSituation receiving(Rank rank, Rank source, int line = 12) {
    return {.rank = rank,
            .call = "MPI_Recv",
            .detail = fmt::format("waits for a message from rank {} with tag 7 on MPI_COMM_WORLD", source),
            .where = place("exchange", line),
            .arguments = fmt::format("count 1, datatype MPI_INT, source {}, tag 7, comm MPI_COMM_WORLD", source),
            .stack = {place("exchange", line), place("step", 30), place("main", 50), {"/lib/libc.so", 7, "", "", 0}}};
}

WaitForGraph::Edge message_from(Rank to, unsigned wait = 0) {
    return {.to = to, .wait = wait, .reason = "send a message with tag 7 on MPI_COMM_WORLD"};
}

ReportInputs inputs_of(Violation violation, int processes) {
    ReportInputs inputs;
    inputs.result.explored = 3;
    inputs.options.processes = processes;
    inputs.options.program = "./app";
    inputs.options.buffering = {replay::Buffering::native};
    inputs.clock = "vector";
    inputs.engine = "distributed";
    Finding finding;
    finding.violation = std::move(violation);
    finding.count = 1;
    finding.first_interleaving = 2;
    inputs.result.findings = {finding};
    inputs.finding_files = {"decisions/deadlock-1.json"};
    inputs.finding_graphs = {"graphs/deadlock-1.dot"};
    return inputs;
}

/// Rank r waits for rank r + 1, the last for the first.
Violation ring(Rank count) {
    Violation violation{
        .kind = replay::ViolationKind::deadlock, .message = "nothing can come", .ranks = {}, .situations = {}};
    WaitForGraph graph;
    graph.shape = Core::cycle;
    for (Rank rank = 0; rank < count; ++rank) {
        const Rank next = (rank + 1) % count;
        violation.ranks.push_back(rank);
        violation.situations.push_back(receiving(rank, next));
        graph.nodes.push_back({.rank = rank, .in_core = true, .edges = {message_from(next)}});
        graph.core.push_back(rank);
        violation.unmatched.push_back({.rank = rank, .peer = next, .tag = 7, .communicator = "MPI_COMM_WORLD"});
    }
    violation.wait_for = std::move(graph);
    return violation;
}

bool mentions(const std::string& text, const std::string& word) { return text.find(word) != std::string::npos; }

std::vector<std::string> lines_of(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);) {
        lines.push_back(line);
    }
    return lines;
}

std::string finding_text(const ReportInputs& inputs) {
    const std::string text = make_text_report(inputs);
    const std::size_t begin = text.find("violation 1");
    return text.substr(begin, text.find("\n\n", begin) + 1 - begin);
}

TEST(DeadlockText, TwoRanks) {
    EXPECT_EQ(finding_text(inputs_of(ring(2), 2)),
              "violation 1: deadlock in ranks 0, 1: nothing can come\n"
              "  rank 0: MPI_Recv(count 1, datatype MPI_INT, source 1, tag 7, comm MPI_COMM_WORLD) at src/app.c:12 "
              "(exchange)\n"
              "    waits for a message from rank 1 with tag 7 on MPI_COMM_WORLD\n"
              "    in exchange (app.c:12) < step (app.c:30) < main (app.c:50)\n"
              "  rank 1: MPI_Recv(count 1, datatype MPI_INT, source 0, tag 7, comm MPI_COMM_WORLD) at src/app.c:12 "
              "(exchange)\n"
              "    waits for a message from rank 0 with tag 7 on MPI_COMM_WORLD\n"
              "    in exchange (app.c:12) < step (app.c:30) < main (app.c:50)\n"
              "  cycle: rank 0 → rank 1 → rank 0\n"
              "    rank 0 needs rank 1 to send a message with tag 7 on MPI_COMM_WORLD\n"
              "    rank 1 needs rank 0 to send a message with tag 7 on MPI_COMM_WORLD\n"
              "  receives that found no message:\n"
              "    1 receive of rank 0 from rank 1 with tag 7 on MPI_COMM_WORLD\n"
              "    1 receive of rank 1 from rank 0 with tag 7 on MPI_COMM_WORLD\n"
              "  seen in 1 of 3 interleavings, first in number 2\n"
              "  replay: dampi-run -n 2 --replay dampi-out/decisions/deadlock-1.json ./app\n"
              "  who waits for whom, for Graphviz: dampi-out/graphs/deadlock-1.dot\n");
}

TEST(DeadlockText, ARingOfAThousand) {
    EXPECT_EQ(finding_text(inputs_of(ring(1000), 1000)),
              "violation 1: deadlock in ranks 0-999: nothing can come\n"
              "  ranks 0-999: MPI_Recv(count 1, datatype MPI_INT, source <own rank + 1, modulo 1000>, tag 7, comm "
              "MPI_COMM_WORLD) at src/app.c:12 (exchange)\n"
              "    waits for a message from rank <own rank + 1, modulo 1000> with tag 7 on MPI_COMM_WORLD\n"
              "    in exchange (app.c:12) < step (app.c:30) < main (app.c:50)\n"
              "  cycle: rank 0 → rank 1 → rank 2 → rank 3 → rank 4 → rank 5 → ... (993 more) → rank 999 → rank 0\n"
              "    ranks 0-999: each needs the next to send a message with tag 7 on MPI_COMM_WORLD\n"
              "  receives that found no message:\n"
              "    1000 receives of ranks 0-999 from rank <own rank + 1, modulo 1000> with tag 7 on MPI_COMM_WORLD\n"
              "  seen in 1 of 3 interleavings, first in number 2\n"
              "  replay: dampi-run -n 1000 --replay dampi-out/decisions/deadlock-1.json ./app\n"
              "  who waits for whom, for Graphviz: dampi-out/graphs/deadlock-1.dot\n");
}

TEST(DeadlockText, AThousandRanksInAllSortsOfStatesStillReadWell) {
    Violation violation = ring(1000);
    for (Rank rank = 0; rank < 1000; ++rank) {
        RankSituation& situation = violation.situations[static_cast<std::size_t>(rank)];
        situation = receiving(rank, (rank * rank) % 997, rank % 37);  // 37 places
        auto& edge = violation.wait_for->nodes[static_cast<std::size_t>(rank)].edges[0];
        edge.reason = fmt::format("do something of sort {}", std::string(static_cast<std::size_t>(rank % 50), 'x'));
        violation.unmatched.push_back({.send = true,
                                       .rank = rank,
                                       .peer = rank / 3,
                                       .tag = rank,
                                       .communicator = fmt::format("MPI_Comm_dup #{}", rank % 9)});
        violation.ranks[static_cast<std::size_t>(rank)] = 2 * rank;
    }
    const std::vector<std::string> lines = lines_of(finding_text(inputs_of(violation, 1000)));
    EXPECT_LE(lines.size(), 50U);
    for (const std::string& line : lines) {
        EXPECT_LE(line.size(), 300U) << line;
    }
    const std::string text = finding_text(inputs_of(violation, 1000));
    EXPECT_TRUE(mentions(text, "deadlock in ranks 0, 2, 4, 6, 8, 10, 12, 14 and 992 more: ")) << text;
    EXPECT_TRUE(mentions(text, "in 29 more situations, in report.json\n")) << text;
    EXPECT_TRUE(mentions(text, "    and 46 more, in report.json\n")) << text;
    EXPECT_TRUE(mentions(text, "    and 5 more, in report.json\n")) << text;
}

TEST(DeadlockText, MostRanksInABarrier) {
    Violation violation = ring(2);
    for (Rank rank = 2; rank < 1000; ++rank) {
        violation.ranks.push_back(rank);
        violation.situations.push_back({.rank = rank,
                                        .call = "MPI_Barrier",
                                        .detail = "waits for ranks 0 and 1 to enter the collective",
                                        .where = place("main", 60),
                                        .arguments = "comm MPI_COMM_WORLD",
                                        .stack = {place("main", 60)}});
        violation.wait_for->nodes.push_back({.rank = rank, .edges = {message_from(0), message_from(1, 1)}});
    }
    const std::string text = finding_text(inputs_of(violation, 1000));
    EXPECT_LE(lines_of(text).size(), 20U) << text;
    EXPECT_TRUE(mentions(text, "  ranks 2-999: MPI_Barrier(comm MPI_COMM_WORLD) at src/app.c:60 (main)\n")) << text;
    EXPECT_TRUE(mentions(text, "  cycle: rank 0 → rank 1 → rank 0\n")) << text;
}

/// 0 waits for any of 1 and 2, 1 for any of 0 and 2, 2 for all of 0 (or 1) and 3.
Violation knot() {
    Violation violation{.kind = replay::ViolationKind::deadlock, .message = "m", .ranks = {0, 1, 2}, .situations = {}};
    violation.situations = {receiving(0, -1), receiving(1, -1), receiving(2, -1)};
    WaitForGraph graph;
    graph.shape = Core::knot;
    graph.core = {0, 1, 2};
    graph.nodes = {{.rank = 0, .any = true, .in_core = true, .edges = {message_from(1), message_from(2, 1)}},
                   {.rank = 1, .any = true, .in_core = true, .edges = {message_from(0), message_from(2, 1)}},
                   {.rank = 2,
                    .in_core = true,
                    .edges = {message_from(0), message_from(1), {.to = 3, .wait = 1, .reason = "call MPI_Finalize"}}}};
    graph.nodes[1].edges[1].reason = "receive the message with tag 3 on MPI_COMM_WORLD";
    violation.wait_for = graph;
    return violation;
}

TEST(DeadlockText, AKnot) {
    const std::string text = finding_text(inputs_of(knot(), 4));
    EXPECT_TRUE(mentions(text,
                         "  knot: whatever ranks 0-2 wait for can only come from among themselves\n"
                         "    rank 0 needs one of ranks 1, 2 to send a message with tag 7 on MPI_COMM_WORLD\n"
                         "    rank 1 needs rank 0 to send a message with tag 7 on MPI_COMM_WORLD, or rank 2 to receive "
                         "the message with tag 3 on MPI_COMM_WORLD\n"
                         "    rank 2 needs one of ranks 0, 1 to send a message with tag 7 on MPI_COMM_WORLD\n"))
        << text;
}

TEST(DeadlockText, SomebodyHasEnded) {
    Violation violation = ring(3);
    violation.wait_for->shape = Core::end;
    violation.wait_for->core = {1};
    violation.wait_for->nodes = {{.rank = 0, .edges = {message_from(1)}},
                                 {.rank = 1, .in_core = true, .edges = {message_from(2)}}};
    std::string text = finding_text(inputs_of(violation, 3));
    EXPECT_TRUE(mentions(text,
                         "  no cycle: rank 1 waits for what no rank can do any more\n"
                         "    rank 1 needs rank 2, which has ended, to send a message with tag 7 on MPI_COMM_WORLD\n"))
        << text;
    violation.wait_for->nodes[1].edges.clear();
    text = finding_text(inputs_of(violation, 3));
    EXPECT_TRUE(mentions(text, "any more\n  receives")) << text;
}

TEST(DeadlockText, WhatFoundNoPartner) {
    Violation violation = ring(2);
    violation.unmatched = {
        {.send = true, .rank = 0, .peer = 1, .tag = 3, .communicator = "a", .count = 4, .where = place("main", 9)},
        {.send = true, .rank = 1, .peer = 1, .tag = 3, .communicator = "a", .where = place("main", 9)},
        {.send = false, .rank = 1, .peer = base::any_source, .tag = base::any_tag, .communicator = "b\n"}};
    const std::string text = finding_text(inputs_of(violation, 2));
    EXPECT_TRUE(mentions(text,
                         "  sent and not received:\n"
                         "    5 messages from ranks 0, 1 to rank 1 with tag 3 on a at src/app.c:9 (main)\n"
                         "  receives that found no message:\n"
                         "    1 receive of rank 1 from any rank with any tag on b \n"))
        << text;
}

TEST(HangText, SaysWhereTheRanksOutsideMpiAre) {
    Violation violation{
        .kind = replay::ViolationKind::hang, .message = "rank 1 has not come back", .ranks = {1}, .situations = {}};
    violation.situations = {{.rank = 1,
                             .call = "",
                             .detail = "",
                             .where = place("main", 20),
                             .last_call = "MPI_Barrier",
                             .stack = {place("spin", 70), place("main", 21)}},
                            receiving(0, 1)};
    const std::string text = finding_text(inputs_of(violation, 2));
    EXPECT_TRUE(mentions(text,
                         "  rank 1: outside MPI since MPI_Barrier at src/app.c:20 (main)\n"
                         "    in spin (app.c:70) < main (app.c:21)\n"
                         "  rank 0: MPI_Recv(count 1, "))
        << text;
    EXPECT_EQ(shown_place(violation.situations[0]).line, 70) << "where it is, not where it called MPI last";
    EXPECT_EQ(shown_place(violation.situations[1]), violation.situations[1].where);
    violation.situations[0].stack[0].file.clear();
    EXPECT_EQ(shown_place(violation.situations[0]).line, 21) << "what has a source";
}

TEST(LivelockText, SaysWhatIsPolledWhere) {
    Violation violation{
        .kind = replay::ViolationKind::livelock, .message = "they poll for ever", .ranks = {0, 1, 2}, .situations = {}};
    for (const Rank rank : violation.ranks) {
        violation.situations.push_back({.rank = rank,
                                        .call = "MPI_Test",
                                        .detail = "polls for a message from rank 3",
                                        .where = place("main", 20),
                                        .stack = {place("main", 20)}});
    }
    const std::string text = finding_text(inputs_of(violation, 4));
    EXPECT_TRUE(
        mentions(text, "  ranks 0-2: MPI_Test at src/app.c:20 (main): polls for a message from rank 3\n  seen in"))
        << text;
}

TEST(DeadlockText, TheProgramCannotDriveTheTerminal) {
    Violation violation = knot();
    violation.situations[0].arguments = "\x1b[2J\x1f";
    violation.situations[0].stack[0].function = "f\x07";
    violation.situations[1].call.clear();
    violation.situations[1].last_call = "\r";
    violation.wait_for->nodes[0].edges[0].reason = "\x1b[2J";
    violation.unmatched = {
        {.rank = 0, .peer = 1, .tag = 0, .communicator = "\x1b[2J", .where = {"\x1b", 0, "", "", 0}}};
    const std::string text = make_text_report(inputs_of(violation, 4)) + make_dot(violation, 4);
    EXPECT_EQ(text.find_first_of("\x1b\x07\r\x1f"), std::string::npos);
    EXPECT_TRUE(mentions(text, "\\x1b[2J\\x1f)"));
}

// Putting alike texts together.

std::vector<std::string> grouped(const std::vector<Described>& entries, std::size_t most, Rank ranks) {
    std::vector<std::string> texts;
    for (const Alike& alike : group_alike(entries, most, ranks)) {
        texts.push_back(replay::rank_list(alike.ranks) + ": " + alike.text);
    }
    return texts;
}
using Texts = std::vector<std::string>;

TEST(Alike, EqualTextsAreOne) {
    EXPECT_EQ(grouped({{2, "a", "x 1"}, {0, "a", "x 2"}, {1, "a", "x 1"}, {3, "b", "x 1"}}, 3, 4),
              (Texts{"ranks 1, 2: x 1", "rank 0: x 2", "rank 3: x 1"}));
}

TEST(Alike, NumbersAreSummarised) {
    EXPECT_EQ(grouped({{0, "", "tag 5"}, {1, "", "tag 9"}}, 1, 4), (Texts{"ranks 0, 1: tag 5, 9"}));
    EXPECT_EQ(grouped({{0, "", "tag 1"}, {1, "", "tag 2"}, {2, "", "tag 3"}}, 1, 4),
              (Texts{"ranks 0-2: tag <own rank + 1>"}));
    EXPECT_EQ(grouped({{3, "", "to 2, 8"}, {1, "", "to 0, 8"}, {0, "", "to 3, 8"}, {2, "", "to 1, 8"}}, 1, 4),
              (Texts{"ranks 0-3: to <own rank - 1, modulo 4>, 8"}));
    EXPECT_EQ(grouped({{0, "", "to 0"}, {1, "", "to 1"}, {2, "", "to 2"}}, 1, 3), (Texts{"ranks 0-2: to <own rank>"}));
    EXPECT_EQ(grouped({{0, "", "x9"}, {1, "", "x1"}, {2, "", "x16"}, {3, "", "x4"}, {4, "", "x9"}}, 1, 5).size(), 4U)
        << "part of a name";
    EXPECT_EQ(grouped({{0, "", "x 9"}, {1, "", "x 1"}, {2, "", "x 16"}, {3, "", "x 4"}, {4, "", "x 12"}}, 1, 5),
              (Texts{"ranks 0-4: x 1, 4, 9, ... (5 values)"}));
    EXPECT_EQ(grouped({{0, "", "x 99999999999999999999"}, {1, "", "x 5"}}, 1, 5).size(), 2U) << "too large for one";
    EXPECT_EQ(grouped({{0, "", ""}, {1, "", "5"}, {2, "", "7"}}, 1, 5), (Texts{"rank 0: ", "ranks 1, 2: 5, 7"}));
}

TEST(TerminalWords, LongRankListsAndStacks) {
    EXPECT_EQ(replay::rank_list({0, 2, 3, 5, 6, 7, 9}, 2), "ranks 0, 2, 3 and 4 more");
    EXPECT_EQ(replay::rank_list({0, 2, 3}, 2), "ranks 0, 2, 3");
    EXPECT_EQ(replay::stack_text({}), "");
    EXPECT_EQ(replay::stack_text({{"/lib/libx.so", 0x40, "", "", 0}, {"/app", 1, "f", "", 0}, {}}),
              "in libx.so+0x40 < f (app+0x1) < ");
    EXPECT_EQ(replay::stack_text(std::vector<CodePlace>(11, place("f", 1))).substr(0, 30),
              "in f (app.c:1) < f (app.c:1) <");
    EXPECT_TRUE(replay::stack_text(std::vector<CodePlace>(11, place("f", 1))).ends_with(" < f (app.c:1) < 3 more"));
}

// report.json.

TEST(DeadlockJson, HasTheGraphAndEverythingElse) {
    Violation violation = knot();
    violation.situations[1].call.clear();
    violation.situations[1].last_call = "MPI_Send";
    violation.wait_for->nodes[1].edges_omitted = 17;
    violation.unmatched = {
        {.send = true, .rank = 0, .peer = 1, .tag = 3, .communicator = "a", .count = 4, .where = place("main", 9)},
        {.send = false, .rank = 1, .peer = base::any_source, .tag = base::any_tag, .communicator = "b"}};
    ReportInputs inputs = inputs_of(violation, 4);
    nlohmann::json found = make_json_report(inputs)["violations"][0];
    EXPECT_EQ(found["graph"], "graphs/deadlock-1.dot");
    EXPECT_EQ(found["situations"][0]["arguments"], violation.situations[0].arguments);
    EXPECT_EQ(found["situations"][0]["last_call"], "");
    EXPECT_EQ(found["situations"][1]["last_call"], "MPI_Send");
    ASSERT_EQ(found["situations"][0]["stack"].size(), 4U);
    EXPECT_EQ(found["situations"][0]["stack"][1]["function"], "step");
    const nlohmann::json& graph = found["wait_for"];
    EXPECT_EQ(graph["shape"], "knot");
    EXPECT_EQ(graph["core"], (std::vector<int>{0, 1, 2}));
    ASSERT_EQ(graph["nodes"].size(), 3U);
    EXPECT_EQ(
        graph["nodes"][1],
        (nlohmann::json{{"rank", 1},
                        {"any", true},
                        {"in_core", true},
                        {"edges",
                         {{{"to", 0}, {"wait", 0}, {"reason", "send a message with tag 7 on MPI_COMM_WORLD"}},
                          {{"to", 2}, {"wait", 1}, {"reason", "receive the message with tag 3 on MPI_COMM_WORLD"}}}},
                        {"edges_omitted", 17}}));
    ASSERT_EQ(found["unmatched"].size(), 2U);
    EXPECT_EQ(found["unmatched"][0]["operation"], "send");
    EXPECT_EQ(found["unmatched"][0]["peer"], 1);
    EXPECT_EQ(found["unmatched"][0]["tag"], 3);
    EXPECT_EQ(found["unmatched"][0]["count"], 4);
    EXPECT_EQ(found["unmatched"][0]["communicator"], "a");
    EXPECT_EQ(found["unmatched"][0]["where"]["line"], 9);
    EXPECT_EQ(found["unmatched"][1]["operation"], "receive");
    EXPECT_TRUE(found["unmatched"][1]["peer"].is_null());
    EXPECT_TRUE(found["unmatched"][1]["tag"].is_null());

    inputs.result.findings[0].violation.wait_for.reset();
    inputs.finding_graphs.clear();
    found = make_json_report(inputs)["violations"][0];
    EXPECT_TRUE(found["wait_for"].is_null());
    EXPECT_TRUE(found["graph"].is_null());
}

// Graphviz.

/// Whether each line is a statement of the few kinds that make_dot writes, and each edge is between boxes.
void expect_valid(const std::string& dot) {
    const std::string text = R"re("(?:[^"\\]|\\.)*")re";
    const std::string attribute = "[a-z]+=(?:[a-z0-9]+|" + text + ")";
    const std::string attributes = R"( \[)" + attribute + "(?:, " + attribute + R"()*\];)";
    const std::regex box("    (box[0-9]+)" + attributes);
    const std::regex edge("    (box[0-9]+) -> (box[0-9]+)" + attributes);
    const std::regex other("    (?:(?:node|edge)" + attributes + "|label=" + text + ";)");
    const std::vector<std::string> lines = lines_of(dot);
    ASSERT_GE(lines.size(), 3U);
    EXPECT_TRUE(lines[0].starts_with("//"));
    EXPECT_EQ(lines[1], "digraph wait_for {");
    EXPECT_EQ(lines.back(), "}");
    std::vector<std::string> boxes;
    for (std::size_t i = 2; i + 1 < lines.size(); ++i) {
        std::smatch match;
        if (std::regex_match(lines[i], match, box)) {
            boxes.push_back(match[1]);
        } else if (std::regex_match(lines[i], match, edge)) {
            EXPECT_EQ(std::count(boxes.begin(), boxes.end(), match[1]), 1) << lines[i];
            EXPECT_EQ(std::count(boxes.begin(), boxes.end(), match[2]), 1) << lines[i];
        } else {
            EXPECT_TRUE(std::regex_match(lines[i], other)) << lines[i];
        }
    }
}

std::size_t occurrences(const std::string& text, const std::string& word) {
    std::size_t count = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
        ++count;
    }
    return count;
}

TEST(Dot, ACycle) {
    const std::string dot = make_dot(ring(3), 3);
    expect_valid(dot);
    EXPECT_EQ(occurrences(dot, " -> "), 3U) << dot;
    EXPECT_EQ(occurrences(dot, "color=red"), 6U) << dot;
    EXPECT_EQ(occurrences(dot, "style=solid"), 3U) << dot;
    EXPECT_TRUE(mentions(dot,
                         "label=\"rank 1\\nMPI_Recv(count 1, datatype MPI_INT, source 2, tag 7, comm \\n"
                         "MPI_COMM_WORLD) at src/app.c:12 (exchange)\""))
        << dot;
}

TEST(Dot, AKnotWithARankThatHasEnded) {
    const std::string dot = make_dot(knot(), 4);
    expect_valid(dot);
    EXPECT_EQ(occurrences(dot, "style=dashed"), 6U) << dot;
    EXPECT_EQ(occurrences(dot, "style=solid"), 1U) << dot;
    EXPECT_EQ(occurrences(dot, "color=red"), 9U) << dot;
    EXPECT_TRUE(mentions(dot, "label=\"rank 3\\nended\", style=filled, fillcolor=lightgrey")) << dot;
}

TEST(Dot, AThousandRanksAreFewBoxes) {
    Violation violation = ring(1000);
    std::string dot = make_dot(violation, 1000);
    expect_valid(dot);
    EXPECT_EQ(lines_of(dot).size(), 8U) << dot;
    EXPECT_TRUE(mentions(dot, "box0 -> box0")) << dot;

    // A short cycle in a large job: its ranks by themselves, the others together.
    violation.wait_for->core = {4, 5};
    violation.wait_for->nodes[5].edges[0].to = 4;
    violation.wait_for->nodes[5].edges_omitted = 2;
    for (auto& node : violation.wait_for->nodes) {
        node.in_core = node.rank == 4 || node.rank == 5;
    }
    dot = make_dot(violation, 1000);
    expect_valid(dot);
    EXPECT_EQ(occurrences(dot, "label=\"rank"), 3U) << dot;
    EXPECT_TRUE(mentions(dot, "label=\"rank 4\\nMPI_Recv(count 1, datatype MPI_INT, source 5, ")) << dot;
    EXPECT_TRUE(mentions(dot, "source <own rank + 1, ")) << dot;
    EXPECT_EQ(occurrences(dot, "color=red"), 4U) << dot;
    EXPECT_TRUE(mentions(dot, "2 edges not drawn")) << dot;
}

TEST(Dot, NamesMeanNothingToIt) {
    Violation violation = ring(2);
    violation.situations[0].call = "a\"b\\n\\";
    violation.situations[1].arguments = "\xff\n<b>\\\"" + std::string(500, 'x');
    violation.wait_for->nodes[0].edges[0].reason = "\\\"; } graph {";
    expect_valid(make_dot(violation, 2));
}

TEST(Dot, IsWritten) {
    std::string name = (std::filesystem::temp_directory_path() / "dampi-test-XXXXXX").string();
    const std::filesystem::path directory = ::mkdtemp(name.data());
    write_dot(directory / "d.dot", ring(2), 2);
    std::ifstream stream(directory / "d.dot");
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(stream), {}), make_dot(ring(2), 2));
    std::filesystem::remove_all(directory);
}

}  // namespace
}  // namespace dampi::scheduler
