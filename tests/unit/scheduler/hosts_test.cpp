// What dampi-run and the nodes of other hosts say to each other, and which ranks are where.
#include "scheduler/cli/hosts_of_sweep.hpp"
#include "scheduler/cli/slurm_allocation.hpp"
#include "scheduler/engines/hosts/board_lines.hpp"
#include "scheduler/engines/hosts/brought_data.hpp"
#include "scheduler/engines/hosts/messages.hpp"
#include "scheduler/host_list.hpp"
#include "transport/requests/exchange.hpp"
#include "transport/requests/payload.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace {

using namespace dampi;
using namespace dampi::scheduler;
using namespace dampi::scheduler::hosts;
using transport::network::FrameReader;
using transport::network::most_bytes;

Calls some_calls() {
    Calls calls;
    RankNews& news = calls.ranks.emplace_back();
    news.rank = 2;
    news.written = 48;
    news.calls = std::string(48, 'c');
    news.lines.push_back({.number = 3, .bytes = {1, 2, 3}});
    news.blocks.push_back({.place = 4096, .readers = 2, .data = "data"});
    return calls;
}

AnswerTo some_answer() {
    AnswerTo answer{.rank = 1, .answer = {}, .data = {"abc", ""}};
    transport::requests::Completion& completion = answer.answer.completions.emplace_back();
    completion.payload = brought;
    completion.told_again = 1;
    completion.parts.push_back({.rank = 3, .bytes = 0, .payload = brought});
    return answer;
}

std::string_view value_of(const std::string& frame) { return std::string_view(frame).substr(5); }

TEST(HostsMessages, ComeBackAsTheyWere) {
    FrameReader reader(static_cast<std::uint8_t>(last_kind), most_bytes);
    reader.add(encode(some_calls()) + encode(some_answer()));
    auto frame = reader.next();
    ASSERT_TRUE(frame);
    EXPECT_EQ(static_cast<Kind>(frame->kind), Kind::calls);
    const auto calls = decode<Calls>(frame->bytes);
    ASSERT_EQ(calls.ranks.size(), 1U);
    EXPECT_EQ(calls.ranks[0].calls.size(), 48U);
    EXPECT_EQ(calls.ranks[0].lines.at(0).bytes[2], 3);
    EXPECT_EQ(calls.ranks[0].blocks.at(0).data, "data");
    frame = reader.next();
    ASSERT_TRUE(frame);
    const auto answer = decode<AnswerTo>(frame->bytes);
    EXPECT_EQ(answer.data, (std::vector<std::string>{"abc", ""}));
    EXPECT_EQ(answer.answer.completions.at(0).told_again, 1U);
    EXPECT_EQ(answer.answer.completions.at(0).parts.at(0).payload, brought);
    EXPECT_FALSE(reader.next());
}

/// Whatever is changed in its bytes, a message is one or an error.
TEST(HostsMessages, MutatedBytesAreAnErrorOrAMessage) {
    std::mt19937 random(28);  // NOLINT(cert-msc32-c,cert-msc51-cpp): the same each time
    int errors = 0;
    for (int i = 0; i < 4000; ++i) {
        const bool calls = i % 2 == 0;
        const std::string frame = calls ? encode(some_calls()) : encode(some_answer());
        std::string bytes(value_of(frame));
        for (std::size_t changes = 1 + random() % 3; changes != 0; --changes) {
            bytes[random() % bytes.size()] = static_cast<char>(random());
        }
        bytes.resize(random() % 4 == 0 ? random() % bytes.size() : bytes.size());
        try {
            calls ? (void)decode<Calls>(bytes) : (void)decode<AnswerTo>(bytes);
        } catch (const Error&) {
            ++errors;
        }
    }
    EXPECT_GT(errors, 500);
    EXPECT_LT(errors, 4000);
}

TEST(BoardLines, OnlyWhatHasChangedTravels) {
    using transport::memory::Area;
    const Area there = Area::create(2, {});
    const Area here = Area::create(2, {});
    BoardLines lines(there);
    EXPECT_TRUE(lines.changes(1).empty());
    there.rank(1).calls.store(7);
    there.rank(1).phase.store(transport::Phase::running);
    auto changed = lines.changes(1);
    EXPECT_GE(changed.size(), 1U);
    EXPECT_LE(changed.size(), 2U);
    EXPECT_TRUE(show(here, 1, changed));
    EXPECT_EQ(here.rank(1).calls.load(), 7U);
    EXPECT_EQ(here.rank(1).phase.load(), transport::Phase::running);
    EXPECT_EQ(here.rank(0).calls.load(), 0U);
    EXPECT_TRUE(lines.changes(1).empty());
    changed[0].number = 1U << 20U;
    EXPECT_FALSE(show(here, 1, changed));
}

TEST(ExchangeOfHosts, OnlyBlocksWithinARanksPartAreOnes) {
    using namespace transport::requests;
    const auto exchange = Exchange::create(2, {}, Exchange::Reach::with_carrier);
    PayloadArena arena(exchange, 1);
    const Place place = arena.allocate(100);
    EXPECT_TRUE(exchange.has_block(place, 100));
    EXPECT_EQ(exchange.owner(place), 1);
    EXPECT_FALSE(exchange.has_block(place + 1, 100));
    EXPECT_FALSE(exchange.has_block(place, payload_capacity));
    EXPECT_FALSE(exchange.has_block(0, 0));
    EXPECT_FALSE(exchange.has_block(exchange.payload_begin(0) - 64, 0));
    EXPECT_FALSE(exchange.has_block(~Place{0}, 0));
    PayloadArena carriers(exchange, exchange.carriers_part());
    EXPECT_FALSE(exchange.has_block(carriers.allocate(100), 100)) << "ranks hand nothing over there";
}

TEST(BroughtData, RoomIsUsedAgainAndNothingIsBelieved) {
    using namespace transport::requests;
    const auto exchange = Exchange::create(1, {}, Exchange::Reach::with_carrier);
    BroughtData brought(exchange);
    const Place first = brought.put("some data");
    const Place second = brought.put("other data");
    EXPECT_NE(first, second);
    EXPECT_EQ(std::string(reinterpret_cast<const char*>(payload_data(exchange, first)), 9), "some data");
    release_payload(exchange, first);
    EXPECT_EQ(brought.put("data"), first);
    // A rank has overwritten what says which blocks are released.
    exchange.channel(exchange.carriers_part()).released.store(12345);
    const Place third = brought.put("more");
    EXPECT_NE(third, second);
    release_payload(exchange, second);
    reinterpret_cast<BlockHead*>(exchange.at(second))->next = ~Place{0};
    EXPECT_EQ(brought.put("again"), second);
}

/// A carrier that has some of the ranks.
class SomeElsewhere final : public transport::requests::Carrier {
public:
    bool carry(base::Rank rank, transport::requests::Answer& answer) override {
        if (rank == 0) {
            return false;
        }
        carried.push_back(std::move(answer));
        return true;
    }
    bool tell_read(base::Rank rank, std::uint64_t read) override {
        told = read;
        return rank != 0;
    }
    [[nodiscard]] bool makes_sense(base::Rank rank) const override { return rank != 2; }

    std::vector<transport::requests::Answer> carried;
    std::uint64_t told = 0;
};

TEST(ExchangeOfHosts, ACarrierBringsAnswersAndTellsWhatIsRead) {
    using namespace transport::requests;
    auto exchange = Exchange::create(3, {}, Exchange::Reach::with_carrier);
    SomeElsewhere carrier;
    exchange.carry_by(&carrier);
    CallWriter(exchange, 1).post(ImmediateCall{.operation = 5});
    CallReader reader(exchange, 1);
    ASSERT_TRUE(reader.next());
    ImmediateCall call;
    EXPECT_TRUE(reader.read(call));
    EXPECT_EQ(call.operation, 5U);
    reader.release();
    EXPECT_EQ(carrier.told, reader.position());
    EXPECT_EQ(exchange.channel(1).read.load(), 0U) << "that is the carrier's to tell";
    reader.answer({.flag = 0});
    ASSERT_EQ(carrier.carried.size(), 1U);
    EXPECT_EQ(exchange.channel(1).answered.load(), 0U);
    CallReader(exchange, 0).answer({});
    EXPECT_EQ(exchange.channel(0).answered.load(), 1U);
    CallReader doubtful(exchange, 2);
    EXPECT_FALSE(doubtful.next());
    EXPECT_FALSE(doubtful.sound());
    exchange.carry_by(nullptr);
}

TEST(HostList, NamesAndNumbers) {
    EXPECT_EQ(parse_hosts("a:2,b", "--hosts"), (std::vector<HostLine>{{"a", 2}, {"b", 0}}));
    for (const char* wrong : {"", "a:0", "a:x", ":2", "a,,b", "-o", "a b", "a:5000"}) {
        EXPECT_THROW((void)parse_hosts(wrong, "--hosts"), Error) << wrong;
    }
}

TEST(HostList, RanksAreLaidOutOneAfterTheOther) {
    const auto layout = layout_of({{"nowhere-a", 2}, {"nowhere-b", 0}, {"nowhere-c", 8}, {"nowhere-d", 1}}, 5);
    ASSERT_EQ(layout.size(), 3U) << "the last one has nothing to do";
    EXPECT_EQ(layout[0].first, 0);
    EXPECT_EQ(layout[0].count, 2);
    EXPECT_EQ(layout[1].first, 2);
    EXPECT_EQ(layout[1].count, 1);
    EXPECT_EQ(layout[2].first, 3);
    EXPECT_EQ(layout[2].count, 2);
    EXPECT_FALSE(layout[0].here);
    EXPECT_TRUE(layout_of({{"localhost", 1}}, 1).front().here);
    EXPECT_THROW((void)layout_of({{"nowhere-a", 2}}, 3), Error);
    EXPECT_THROW((void)layout_of({{"nowhere-a", 2}, {"nowhere-a", 2}}, 3), Error);
}

TEST(SlurmAllocation, TasksOfNodes) {
    using Tasks = std::vector<std::uint32_t>;
    EXPECT_EQ(tasks_of_nodes("4"), Tasks{4});
    EXPECT_EQ(tasks_of_nodes("2(x3),1,5(x2)"), (Tasks{2, 2, 2, 1, 5, 5}));
    for (const char* wrong : {"", "0", "x", "2,", ",2", "2(x)", "2(x3", "2(x0)", "2(x3)1", "2(x4000000000)", "-1"}) {
        EXPECT_EQ(tasks_of_nodes(wrong), std::nullopt) << wrong;
    }
}

}  // namespace
