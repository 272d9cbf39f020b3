// The interleaving as a trace: what is in it, and that its arrows have both ends.
#include "scheduler/report/exports/trace.hpp"

#include <algorithm>
#include <map>

#include <gtest/gtest.h>

namespace dampi::scheduler {
namespace {

using Json = nlohmann::json;

replay::Epoch receive(replay::Rank rank, std::uint32_t index, replay::Rank source) {
    replay::Epoch made;
    made.id = {rank, index};
    made.call = "MPI_Recv";
    made.where = {"/app", 1, "main", "app.c", 7};
    made.outcome = replay::Outcome{.source = source, .tag = 5};
    return made;
}

std::map<std::string, std::vector<Json>> by_phase(const Json& trace) {
    std::map<std::string, std::vector<Json>> events;
    for (const Json& event : trace["traceEvents"]) {
        events[event["ph"]].push_back(event);
    }
    return events;
}

TEST(Trace, OfAFindingHasItsOperationsMessagesAndWhereTheRanksStood) {
    ReportInputs inputs;
    inputs.options.program = "./app \xff\"";
    inputs.options.processes = 3;
    Finding& finding = inputs.result.findings.emplace_back();
    finding.violation.kind = replay::ViolationKind::deadlock;
    finding.violation.situations = {{.rank = 0, .call = "MPI_Recv", .detail = "waits", .where = {}}};
    finding.epochs = {receive(0, 0, 1), receive(0, 1, 2), receive(0, 2, 1)};
    finding.epochs[1].past.vector.add(0, 0);
    finding.epochs[2].past.vector.add(0, 0);
    finding.epochs[2].past.vector.add(0, 1);
    finding.epochs_omitted = 4;
    const Json trace = make_trace(inputs);
    EXPECT_EQ(Json::parse(trace.dump()), trace) << "it is valid JSON, whatever the program is called";
    EXPECT_EQ(trace["otherData"]["operations_left_out"], 4);
    auto events = by_phase(trace);
    EXPECT_EQ(events["M"].size(), 1U + 3U) << "the process, and each rank";
    EXPECT_EQ(events["X"].size(), 3U + 3U + 1U) << "operations, messages, and the end";
    ASSERT_EQ(events["s"].size(), 3U);
    ASSERT_EQ(events["f"].size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(events["s"][i]["id"], events["f"][i]["id"]);
        EXPECT_LT(events["s"][i]["ts"], events["f"][i]["ts"]);
        EXPECT_EQ(events["f"][i]["tid"], 1);
    }
    EXPECT_EQ(events["s"][1]["tid"], 3);
    for (const Json& end : events["f"]) {
        EXPECT_TRUE(std::any_of(events["X"].begin(), events["X"].end(), [&](const Json& slice) {
            return slice["tid"] == end["tid"] && slice["ts"] <= end["ts"] &&
                   end["ts"] < slice["ts"].get<std::uint64_t>() + slice["dur"].get<std::uint64_t>();
        }));
    }
    std::uint64_t last = 0;
    for (const Json& slice : events["X"]) {
        last = std::max<std::uint64_t>(last, slice["ts"].get<std::uint64_t>());
    }
    EXPECT_EQ(events["X"].back()["name"], "deadlock: MPI_Recv");
    EXPECT_EQ(events["X"].back()["ts"], last);
}

TEST(Trace, WhereAllCallsAreKnownItHasThem) {
    ReportInputs inputs;
    Finding& finding = inputs.result.findings.emplace_back();
    finding.violation.kind = replay::ViolationKind::abort;
    finding.epochs = {receive(0, 0, 1)};
    finding.epochs_omitted = 4;
    replay::CallEvent receive;
    receive.kind = replay::CallKind::receive;
    receive.function = "MPI_Recv";
    receive.match = replay::CallName{1, 0};
    receive.epoch = 0;
    replay::CallEvent send;
    send.name = {1, 0};
    send.function = "MPI_Send";
    send.match = receive.name;
    inputs.calls = {{.failing = {receive, send}, .passing = {}}};
    const Json trace = make_trace(inputs);
    auto events = by_phase(trace);
    EXPECT_EQ(trace["otherData"]["operations_left_out"], 0);
    ASSERT_EQ(events["X"].size(), 2U);
    EXPECT_EQ(events["X"][0]["name"], "MPI_Send");
    EXPECT_EQ(events["X"][1]["args"]["forced"], false) << "it is known to choose";
    ASSERT_EQ(events["s"].size(), 1U);
    ASSERT_EQ(events["f"].size(), 1U);
    EXPECT_EQ(events["s"][0]["tid"], 2);
    EXPECT_LT(events["s"][0]["ts"], events["f"][0]["ts"]);
}

TEST(Trace, AMessageThatNobodyHasCompletedArrivesAtALaterCall) {
    ReportInputs inputs;
    inputs.result.findings.emplace_back();
    replay::CallEvent receive;
    receive.kind = replay::CallKind::receive;
    receive.function = "MPI_Irecv";
    receive.match = replay::CallName{1, 1};
    replay::CallEvent wait;
    wait.name = {0, 1};
    wait.kind = replay::CallKind::completion;
    wait.function = "MPI_Wait";
    std::vector<replay::CallEvent> calls = {receive};
    for (std::uint32_t number = 0; number < 2; ++number) {
        replay::CallEvent send;
        send.name = {1, number};
        send.function = "MPI_Send";
        calls.push_back(send);
    }
    calls.back().match = receive.name;
    inputs.calls = {{.failing = calls, .passing = {}}};
    EXPECT_EQ(by_phase(make_trace(inputs))["s"].size(), 0U) << "nothing of its rank is later than the send";
    calls.insert(calls.begin() + 1, {wait, wait, wait});
    for (std::uint32_t number = 1; number < 4; ++number) {
        calls[number].name.index = number;
    }
    inputs.calls = {{.failing = calls, .passing = {}}};
    auto events = by_phase(make_trace(inputs));
    ASSERT_EQ(events["s"].size(), 1U);
    ASSERT_EQ(events["f"].size(), 1U);
    EXPECT_LT(events["s"][0]["ts"], events["f"][0]["ts"]);
}

TEST(Trace, WithoutFindingsIsOfTheFirstInterleaving) {
    ReportInputs inputs;
    auto events = by_phase(make_trace(inputs));
    EXPECT_EQ(events["X"].size(), 0U);
    inputs.result.interleavings.push_back(
        {.number = 1, .outcomes = "{0#0<-1 2#0=0+1 2#1=none ... 0123456789abcdef}", .verdicts = {}});
    events = by_phase(make_trace(inputs));
    ASSERT_EQ(events["X"].size(), 3U);
    EXPECT_EQ(events["X"][2]["tid"], 3);
    EXPECT_EQ(events["X"][2]["args"]["what"], "2#1=none");
    EXPECT_GT(events["X"][2]["ts"], events["X"][1]["ts"]);
}

}  // namespace
}  // namespace dampi::scheduler
