#include "transport/requests/exchange.hpp"

#include "transport/requests/payload.hpp"

#include <cstring>
#include <thread>

#include <gtest/gtest.h>

namespace dampi::transport::requests {
namespace {

SendCall a_send(std::uint64_t number) {
    SendCall call;
    call.operation = number;
    call.comm = 1;
    call.destination = 1;
    call.tag = static_cast<base::Tag>(number % 1000);
    call.function = "MPI_Send";
    return call;
}

TEST(ShortWait, IsLeftOutWhereItIsMostlyInVain) {
    ShortWait wait;
    for (int i = 0; i < 100; ++i) {
        EXPECT_TRUE(wait.look([] { return true; }));
    }
    int asked = 0;
    for (int i = 0; i < 64; ++i) {
        int looks = 0;
        EXPECT_FALSE(wait.look([&looks] {
            ++looks;
            return false;
        }));
        asked += looks != 0 ? 1 : 0;
    }
    EXPECT_GT(asked, 1) << "a little bad luck is no matter";
    EXPECT_LT(asked, 10);
    bool again = false;
    for (int i = 0; i < 64; ++i) {
        again = wait.look([] { return true; }) || again;
    }
    EXPECT_TRUE(again) << "it may have become another thing";
}

/// Who waits may look before it sleeps; neither side misses the other in either case.
TEST(Exchange, QuestionsAndAnswersMeetWhetherOrNotOneLooksBefore) {
    for (const std::uint32_t spins : {0U, 1U}) {
        const Exchange exchange = Exchange::create(1);
        exchange.header().spins = spins;
        constexpr std::uint64_t questions = 20'000;
        std::thread rank([&] {
            const Exchange own = Exchange::attach(exchange.file().attach_path().c_str());
            CallWriter writer(own, 0);
            for (std::uint64_t i = 0; i < questions; ++i) {
                EXPECT_EQ(writer.ask(FinalizeCall{}).message, i);
            }
        });
        CallReader reader(exchange, 0);
        ShortWait short_wait;
        for (std::uint64_t i = 0; i < questions;) {
            await_doorbell(exchange, short_wait, std::chrono::seconds(20), [&] {
                if (!reader.next()) {
                    return false;
                }
                reader.release();
                Answer answer;
                answer.message = i++;
                reader.answer(answer);
                return true;
            });
        }
        rank.join();
    }
}

TEST(Exchange, CallsComeInTheirOrderAlsoWhenTheRingIsFull) {
    const Exchange exchange = Exchange::create(2);
    constexpr std::uint64_t calls = 200'000;
    std::thread rank([&] {
        const Exchange own = Exchange::attach(exchange.file().attach_path().c_str());
        CallWriter writer(own, 0);
        for (std::uint64_t i = 1; i <= calls; ++i) {
            writer.post(a_send(i));
        }
        const Answer answer = writer.ask(FinalizeCall{});
        EXPECT_EQ(answer.completions.at(0).parts.at(1).bytes, 9U);
    });
    CallReader reader(exchange, 0);
    std::uint64_t heard = 0;
    bool over = false;
    bool in_order = true;
    ShortWait short_wait;
    const auto look = [&] {
        const std::uint64_t before = heard;
        while (!over && reader.next()) {
            SendCall call;
            over = reader.type() == FinalizeCall::type;
            in_order =
                in_order && (over || (reader.read(call) && call.operation == ++heard && call.function == "MPI_Send"));
        }
        reader.release();
        return over || heard != before;
    };
    while (!over && in_order) {
        await_doorbell(exchange, short_wait, std::chrono::milliseconds(20), look);
    }
    EXPECT_TRUE(in_order);
    EXPECT_EQ(heard, calls);
    Answer answer;
    Completion& completion = answer.completions.emplace_back();
    completion.parts = {{.rank = 0, .bytes = 3, .payload = 0}, {.rank = 1, .bytes = 9, .payload = 0}};
    reader.answer(answer);
    rank.join();
}

TEST(Exchange, WhatMakesNoSenseIsNotBelieved) {
    const Exchange exchange = Exchange::create(2);
    CallWriter writer(exchange, 0);
    writer.post(a_send(1));
    std::uint32_t size = 0;
    std::memcpy(&size, exchange.ring(0), sizeof size);
    const std::uint32_t too_long = size + 8;
    std::memcpy(exchange.ring(0), &too_long, sizeof too_long);
    CallReader reader(exchange, 0);
    EXPECT_FALSE(reader.next());
    EXPECT_FALSE(reader.sound());
}

TEST(Exchange, ACallOfAnotherFormIsRefused) {
    const Exchange exchange = Exchange::create(2);
    CallWriter writer(exchange, 0);
    SendCall call = a_send(1);
    call.mode = static_cast<SendMode>(77);
    writer.post(call);
    CallReader reader(exchange, 0);
    ASSERT_TRUE(reader.next());
    SendCall read;
    EXPECT_FALSE(reader.read(read));
    EXPECT_FALSE(reader.sound());
}

TEST(Exchange, ACopyGoesOnAtTheSameAddresses) {
    const Exchange exchange = Exchange::create(2);
    Exchange own = Exchange::attach(exchange.file().attach_path().c_str());
    CallWriter writer(own, 1);
    CallReader reader(exchange, 1);
    writer.post(a_send(1));
    writer.post(a_send(2));
    SendCall call;
    ASSERT_TRUE(reader.next() && reader.read(call));
    const std::uint8_t* const ring = own.ring(1);

    const Exchange copy = exchange.copy();
    EXPECT_EQ(copy.processes(), 2U);
    EXPECT_GT(copy.file().memory(), 0U);
    own.file().let_go();
    own.file().attach_again(copy.file().attach_path().c_str());
    EXPECT_EQ(own.ring(1), ring);
    writer.post(a_send(3));

    CallReader other(reader, copy);
    for (const std::uint64_t expected : {2U, 3U}) {
        ASSERT_TRUE(other.next() && other.read(call));
        EXPECT_EQ(call.operation, expected);
    }
    EXPECT_FALSE(other.next());
    // The original knows nothing of it.
    ASSERT_TRUE(reader.next() && reader.read(call));
    EXPECT_EQ(call.operation, 2U);
    EXPECT_FALSE(reader.next());
}

TEST(Payload, ABlockIsUsedAgainWhenAllReadersHaveReleasedIt) {
    const Exchange exchange = Exchange::create(2);
    PayloadArena arena(exchange, 1);
    const Place place = arena.allocate(100, 2);
    EXPECT_EQ(exchange.owner(place), 1);
    release_payload(exchange, place);
    EXPECT_NE(arena.allocate(100), place);
    release_payload(exchange, place);
    EXPECT_EQ(arena.allocate(100), place);
}

}  // namespace
}  // namespace dampi::transport::requests
