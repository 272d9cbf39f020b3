// The ranks' logs: records come back as they were written, up to where the log makes sense and no byte
// further, whatever the program under test has done to it.
#include "transport/log.hpp"
#include "transport/memory/area.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include <sys/mman.h>

namespace dampi::transport::memory {
namespace {

constexpr std::uint64_t page = 4096;

/// Reads everything as dampi-run does; returns how many records had their form.
std::size_t read_all(LogReader& reader) {
    std::size_t sound = 0;
    const auto as = [&](auto record) {
        if (reader.type() == record.type) {
            sound += reader.read(record) ? 1 : 0;
        }
    };
    while (reader.next()) {
        as(ModuleRecord{}), as(EpochPostedRecord{}), as(AnsweringRecord{}), as(ReceivePostedRecord{});
        as(MatchedRecord{}), as(DroppedRecord{}), as(LateMessageRecord{}), as(CandidateRecord{});
        as(CompletableRecord{}), as(ChosenRecord{});
        as(CommunicatorNameRecord{}), as(ViolationRecord{}), as(DivergenceRecord{}), as(InternalErrorRecord{});
        as(NoteRecord{}), as(StackRecord{}), as(UnsuitableRecord{});
    }
    return sound;
}

void append_some(LogWriter& writer, std::uint32_t i) {
    writer.append(ModuleRecord{.low = i, .high = i + 1ULL, .bias = 7, .path = "/lib/" + std::string(i % 50, 'x')});
    writer.append(EpochPostedRecord{.index = i,
                                    .kind = 2,
                                    .comm = 3,
                                    .order = 4,
                                    .posted_at = 41,
                                    .oldest_pending = 42,
                                    .posted_clock = 5,
                                    .site = 6,
                                    .tag = -1,
                                    .source = 43,
                                    .forced = 1,
                                    .call = "MPI_Recv",
                                    .zone = 44,
                                    .bracketed = 1,
                                    .mixing_bound = 45,
                                    .stack = 46,
                                    .previous_follow_up = 47,
                                    .communicator_name = "n"});
    writer.append(AnsweringRecord{
        .index = i, .false_answers = 1, .order = 2, .posted_at = 3, .oldest_pending = 4, .posted_clock = 5});
    writer.append(ReceivePostedRecord{
        .comm = i, .order = 1, .posted_at = 2, .oldest_pending = 3, .posted_clock = 4, .source = 5, .tag = 6});
    writer.append(CommunicatorNameRecord{.comm = i, .name = ""});
    writer.append(ViolationRecord{.kind = 7, .message = "m", .call = "c", .detail = "d", .site = i});
    writer.append(DivergenceRecord{.index = i, .message = "m", .call = "c", .site = 15});
    writer.append(InternalErrorRecord{.text = std::string("a\0b", 3)});
    writer.append(MatchedRecord{.order = i,
                                .settled_at = 1,
                                .number = 2,
                                .final_clock = 3,
                                .past_clock = 4,
                                .after_clock = 5,
                                .source = 6,
                                .tag = 7});
    writer.append(DroppedRecord{.order = i, .settled_at = 1});
    writer.append(LateMessageRecord{.comm = i, .number = 1, .taken_by = 2, .clock = 3, .source = 4, .tag = 5});
    writer.append(CandidateRecord{.index = i, .position = 1, .order = 2});
    writer.append(CompletableRecord{.index = i, .position = 1, .clock = 2});
    writer.append(ChosenRecord{
        .index = i, .final_clock = 1, .posted_clock = 2, .past_clock = 3, .after_clock = 4, .completed = {5, i, 7}});
    writer.append(NoteRecord{{.kind = 7, .message = "m", .call = "c", .detail = "d", .site = i}});
    writer.append(StackRecord{.number = i, .frames = {1, ~std::uint64_t{0}}});
}
constexpr std::size_t some = 16;

struct LogTest : testing::Test {
    Area area = Area::create(2, {});
    LogWriter writer{area.log_room(0)};
    std::atomic<std::uint64_t>& length = area.rank(0).log_length;

    /// Makes the memory behind the first `pages` pages of the log a trap.
    void guard(std::uint64_t pages) {
        ASSERT_EQ(reinterpret_cast<std::uintptr_t>(area.log(0)) % page, 0U);
        ASSERT_EQ(mprotect(area.log(0) + pages * page, page, PROT_NONE), 0);
    }
};

TEST_F(LogTest, AnEmptyLogIsSound) {
    LogReader reader(area.log_content(0));
    EXPECT_FALSE(reader.next());
    EXPECT_FALSE(reader.next());
    EXPECT_TRUE(reader.sound());
}

TEST_F(LogTest, RecordsComeBackAsTheyWereWritten) {
    append_some(writer, 20);
    append_some(writer, 3);
    EXPECT_FALSE(writer.full());
    LogReader reader(area.log_content(0));

    ModuleRecord module;
    ASSERT_TRUE(reader.next());
    ASSERT_EQ(reader.type(), ModuleRecord::type);
    ASSERT_TRUE(reader.read(module));
    EXPECT_EQ(std::tie(module.low, module.high, module.bias), std::make_tuple(20U, 21U, 7U));
    EXPECT_EQ(module.path, "/lib/" + std::string(20, 'x'));

    EpochPostedRecord posted;
    ASSERT_TRUE(reader.next());
    ASSERT_EQ(reader.type(), EpochPostedRecord::type);
    ASSERT_TRUE(reader.read(posted));
    EXPECT_EQ(std::tie(posted.index, posted.kind, posted.comm, posted.order, posted.posted_at, posted.oldest_pending,
                       posted.posted_clock, posted.site, posted.tag, posted.source, posted.forced, posted.call),
              std::make_tuple(20U, 2U, 3U, 4U, 41U, 42U, 5U, 6U, -1, 43, 1U, "MPI_Recv"));
    EXPECT_EQ(std::tie(posted.zone, posted.bracketed, posted.mixing_bound, posted.stack, posted.previous_follow_up,
                       posted.communicator_name),
              std::make_tuple(44U, 1U, 45U, 46U, 47U, "n"));

    AnsweringRecord answering;
    ASSERT_TRUE(reader.next());
    ASSERT_EQ(reader.type(), AnsweringRecord::type);
    ASSERT_TRUE(reader.read(answering));
    EXPECT_EQ(std::tie(answering.index, answering.false_answers, answering.order, answering.posted_at,
                       answering.oldest_pending, answering.posted_clock),
              std::make_tuple(20U, 1U, 2U, 3U, 4U, 5U));

    ReceivePostedRecord receive;
    ASSERT_TRUE(reader.next());
    ASSERT_EQ(reader.type(), ReceivePostedRecord::type);
    ASSERT_TRUE(reader.read(receive));
    EXPECT_EQ(std::tie(receive.comm, receive.order, receive.posted_at, receive.oldest_pending, receive.posted_clock,
                       receive.source, receive.tag),
              std::make_tuple(20U, 1U, 2U, 3U, 4U, 5, 6));

    CommunicatorNameRecord name{.comm = 0, .name = "old"};
    ASSERT_TRUE(reader.next());
    ASSERT_EQ(reader.type(), CommunicatorNameRecord::type);
    ASSERT_TRUE(reader.read(name));
    EXPECT_EQ(name.comm, 20U);
    EXPECT_EQ(name.name, "");

    ViolationRecord violation;
    ASSERT_TRUE(reader.next());
    ASSERT_EQ(reader.type(), ViolationRecord::type);
    ASSERT_TRUE(reader.read(violation));
    EXPECT_EQ(violation.kind, 7U);
    EXPECT_EQ(violation.message + violation.call + violation.detail, "mcd");
    EXPECT_EQ(violation.site, 20U);

    DivergenceRecord divergence;
    ASSERT_TRUE(reader.next());
    ASSERT_EQ(reader.type(), DivergenceRecord::type);
    ASSERT_TRUE(reader.read(divergence));
    EXPECT_EQ(std::tie(divergence.index, divergence.message, divergence.call, divergence.site),
              std::make_tuple(20U, "m", "c", 15U));

    InternalErrorRecord error;
    ASSERT_TRUE(reader.next());
    ASSERT_EQ(reader.type(), InternalErrorRecord::type);
    ASSERT_TRUE(reader.read(error));
    EXPECT_EQ(error.text, std::string("a\0b", 3));

    MatchedRecord matched;
    ASSERT_TRUE(reader.next());
    ASSERT_EQ(reader.type(), MatchedRecord::type);
    ASSERT_TRUE(reader.read(matched));
    EXPECT_EQ(std::tie(matched.order, matched.settled_at, matched.number, matched.final_clock, matched.past_clock,
                       matched.after_clock, matched.source, matched.tag),
              std::make_tuple(20U, 1U, 2U, 3U, 4U, 5U, 6, 7));

    DroppedRecord dropped;
    ASSERT_TRUE(reader.next());
    ASSERT_EQ(reader.type(), DroppedRecord::type);
    ASSERT_TRUE(reader.read(dropped));
    EXPECT_EQ(std::tie(dropped.order, dropped.settled_at), std::make_tuple(20U, 1U));

    LateMessageRecord late;
    ASSERT_TRUE(reader.next());
    ASSERT_EQ(reader.type(), LateMessageRecord::type);
    ASSERT_TRUE(reader.read(late));
    EXPECT_EQ(std::tie(late.comm, late.number, late.taken_by, late.clock, late.source, late.tag),
              std::make_tuple(20U, 1U, 2U, 3U, 4, 5));

    CandidateRecord candidate;
    ASSERT_TRUE(reader.next());
    ASSERT_EQ(reader.type(), CandidateRecord::type);
    ASSERT_TRUE(reader.read(candidate));
    EXPECT_EQ(std::tie(candidate.index, candidate.position, candidate.order), std::make_tuple(20U, 1U, 2U));

    CompletableRecord completable;
    ASSERT_TRUE(reader.next());
    ASSERT_EQ(reader.type(), CompletableRecord::type);
    ASSERT_TRUE(reader.read(completable));
    EXPECT_EQ(std::tie(completable.index, completable.position, completable.clock), std::make_tuple(20U, 1U, 2U));

    ChosenRecord chosen;
    ASSERT_TRUE(reader.next());
    ASSERT_EQ(reader.type(), ChosenRecord::type);
    ASSERT_TRUE(reader.read(chosen));
    EXPECT_EQ(std::tie(chosen.index, chosen.final_clock, chosen.posted_clock, chosen.past_clock, chosen.after_clock),
              std::make_tuple(20U, 1U, 2U, 3U, 4U));
    EXPECT_EQ(chosen.completed, (std::vector<std::uint32_t>{5, 20, 7}));

    NoteRecord note;
    ASSERT_TRUE(reader.next());
    ASSERT_EQ(reader.type(), NoteRecord::type);
    ASSERT_TRUE(reader.read(note));
    EXPECT_EQ(std::tie(note.kind, note.message, note.call, note.detail, note.site),
              std::make_tuple(7U, "m", "c", "d", 20U));

    StackRecord stack;
    ASSERT_TRUE(reader.next());
    ASSERT_EQ(reader.type(), StackRecord::type);
    ASSERT_TRUE(reader.read(stack));
    EXPECT_EQ(stack.number, 20U);
    EXPECT_EQ(stack.frames, (std::vector<std::uint64_t>{1, ~std::uint64_t{0}}));

    EXPECT_EQ(read_all(reader), some);
    EXPECT_TRUE(reader.sound());
    EXPECT_FALSE(LogReader(area.log_content(1)).next()) << "another rank's log";
}

TEST_F(LogTest, RecordsThatAreNotReadAreSkipped) {
    append_some(writer, 1);
    LogReader reader(area.log_content(0));
    std::vector<std::uint32_t> types;
    while (reader.next()) {
        types.push_back(reader.type());
    }
    EXPECT_EQ(types, (std::vector<std::uint32_t>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}));
    EXPECT_TRUE(reader.sound());
}

TEST_F(LogTest, ARecordIsVisibleAsAWholeOrNotAtAll) {
    append_some(writer, 5);
    const std::uint64_t whole = length.load();
    std::vector<std::uint64_t> ends{0};
    for (LogReader reader(area.log_content(0)); reader.next();) {
        std::uint32_t size = 0;
        std::memcpy(&size, area.log(0) + ends.back(), sizeof size);
        ends.push_back(ends.back() + size);
    }
    ASSERT_EQ(ends.size(), some + 1);
    ASSERT_EQ(ends.back(), whole);
    // Shorter logs than what was written: only whole records count, and a cut in the middle is noticed.
    for (std::uint64_t cut = 0; cut <= whole; ++cut) {
        length = cut;
        LogReader reader(area.log_content(0));
        const auto at = std::find(ends.begin(), ends.end(), cut);
        const auto complete =
            static_cast<std::size_t>(std::upper_bound(ends.begin(), ends.end(), cut) - ends.begin() - 1);
        ASSERT_EQ(read_all(reader), complete) << cut;
        ASSERT_EQ(reader.sound(), at != ends.end()) << cut;
    }
}

TEST_F(LogTest, ALengthBeyondTheLogIsNotBelieved) {
    append_some(writer, 5);
    for (const std::uint64_t wild : {log_capacity + 1, ~std::uint64_t{0}, std::uint64_t{1} << 63}) {
        length = wild;
        LogReader reader(area.log_content(0));
        EXPECT_FALSE(reader.next());
        EXPECT_FALSE(reader.sound());
    }
}

TEST_F(LogTest, ARecordWithMoreOrLessThanItsFieldsIsRefused) {
    writer.append(CandidateRecord{.index = 1, .position = 2, .order = 3});
    LogReader reader(area.log_content(0));
    ASSERT_TRUE(reader.next());
    MatchedRecord longer;
    EXPECT_FALSE(reader.read(longer));
    EXPECT_FALSE(reader.sound());
    LogReader again(area.log_content(0));
    ASSERT_TRUE(again.next());
    InternalErrorRecord shorter;
    EXPECT_FALSE(again.read(shorter)) << "the index is taken for the text's size, 1: bytes are left over";
    EXPECT_FALSE(again.sound());
}

TEST_F(LogTest, RandomBytesNeverLeadBeyondTheLog) {
    guard(1);
    std::mt19937 random(3);
    for (int round = 0; round < 3000; ++round) {
        const std::uint64_t bytes = round % 2 == 0 ? page : 1 + random() % 200;
        std::uint8_t* const begin = area.log(0) + page - bytes;  // what ends at the trap is read from its own start
        for (std::uint64_t i = 0; i < bytes; ++i) {
            begin[i] = static_cast<std::uint8_t>(random() % (round % 3 == 0 ? 256 : 12));
        }
        if (round % 2 != 0) {
            // A plausible head in front of the random bytes, of one record that fills the page.
            const std::uint32_t head[2] = {static_cast<std::uint32_t>(page),
                                           1 + static_cast<std::uint32_t>(random() % 16)};
            std::memcpy(area.log(0), static_cast<const void*>(head), sizeof head);
        }
        length = page;
        LogReader reader(area.log_content(0));
        read_all(reader);
        ASSERT_FALSE(reader.next());
    }
}

TEST_F(LogTest, FlippedBytesInRealRecordsNeverLeadBeyondTheLog) {
    guard(2);
    std::mt19937 random(5);
    std::size_t unsound = 0;
    for (int round = 0; round < 3000; ++round) {
        length = 0;
        // Records up to exactly the trap.
        LogWriter fresh(area.log_room(0));
        std::uint32_t i = random() % 50;
        while (length.load() + 1000 < 2 * page) {
            append_some(fresh, i++);
        }
        fresh.append(InternalErrorRecord{.text = std::string(2 * page - length.load() - 12, 'z')});
        ASSERT_EQ(length.load(), 2 * page);
        for (unsigned flips = 1 + random() % 4; flips > 0; --flips) {
            area.log(0)[random() % (2 * page)] = static_cast<std::uint8_t>(random());
        }
        LogReader reader(area.log_content(0));
        read_all(reader);
        ASSERT_FALSE(reader.next());
        unsound += reader.sound() ? 0 : 1;
    }
    EXPECT_GT(unsound, 100U);
}

TEST_F(LogTest, EveryByteOfEveryRecordMayBeWrong) {
    append_some(writer, 9);
    const std::uint64_t whole = length.load();
    for (std::uint64_t i = 0; i < whole; ++i) {
        const std::uint8_t old = area.log(0)[i];
        for (const std::uint8_t wrong : {0x00, 0x01, 0x7f, 0x80, 0xff}) {
            area.log(0)[i] = wrong;
            LogReader reader(area.log_content(0));
            ASSERT_LE(read_all(reader), some);
        }
        area.log(0)[i] = old;
    }
    LogReader reader(area.log_content(0));
    EXPECT_EQ(read_all(reader), some);
}

TEST_F(LogTest, ARecordThatDoesNotFitIsLostAsAWhole) {
    append_some(writer, 1);
    const std::uint64_t before = length.load();
    writer.append(InternalErrorRecord{.text = std::string(log_capacity, 'x')});
    EXPECT_TRUE(writer.full());
    EXPECT_EQ(length.load(), before);
    LogReader reader(area.log_content(0));
    EXPECT_EQ(read_all(reader), some);
    EXPECT_TRUE(reader.sound());
}

TEST_F(LogTest, TheLogCanBeFilledToTheLastByte) {
    length = log_capacity - 40;
    writer.append(InternalErrorRecord{.text = std::string(28, 'x')});
    EXPECT_FALSE(writer.full());
    EXPECT_EQ(length.load(), log_capacity);
    writer.append(InternalErrorRecord{.text = ""});
    EXPECT_TRUE(writer.full());
    EXPECT_EQ(length.load(), log_capacity);
}

TEST_F(LogTest, AfterALostRecordNoneFollows) {
    // Facts with a hole in the middle would look complete.
    length = log_capacity - 40;
    writer.append(InternalErrorRecord{.text = std::string(100, 'x')});
    ASSERT_TRUE(writer.full());
    writer.append(InternalErrorRecord{.text = "small"});
    EXPECT_EQ(length.load(), log_capacity - 40);
    EXPECT_TRUE(writer.full());
}

}  // namespace
}  // namespace dampi::transport::memory
