#include "scheduler/sweep/packing.hpp"

#include "base/check.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <random>
#include <string>
#include <vector>

namespace dampi::scheduler {
namespace {

constexpr std::size_t most = std::size_t{1} << 22;

std::string noise(std::size_t size, unsigned seed) {
    std::mt19937 random(seed);
    std::string text(size, '\0');
    for (char& each : text) {
        each = static_cast<char>(random());
    }
    return text;
}

TEST(Packing, WhatIsUnpackedIsWhatWasPacked) {
    const std::vector<std::string> texts{
        "", "a", noise(5000, 1), noise(5000, 1), std::string(100'000, 'x'), noise(3'000'000, 2), "", noise(5000, 3)};
    Packing packing;
    Packing unpacking;
    for (const std::string& text : texts) {
        EXPECT_EQ(unpacking.unpack(packing.pack(text), most), text);
    }
}

TEST(Packing, WhatIsLikeTheTextBeforeIsSmall) {
    const std::string text = noise(20'000, 1);
    Packing packing;
    EXPECT_GE(packing.pack(text).size(), text.size());
    EXPECT_LT(packing.pack(text).size(), 500U);
}

TEST(Packing, WhatCannotBeMadeSmallerFitsAllTheSame) {
    for (const std::size_t packed :
         {std::size_t{128}, std::size_t{20'000}, std::size_t{1} << 20, std::size_t{64} << 20}) {
        Packing packing;
        for (const unsigned seed : {1U, 2U}) {  // without a text before, and with one
            EXPECT_LE(packing.pack(noise(Packing::most_text(packed), seed)).size(), packed);
        }
    }
}

TEST(Packing, OtherTextsAreRefused) {
    Packing packing;
    const std::string first(packing.pack(noise(1000, 1)));
    const std::string second(packing.pack(noise(1000, 1)));
    EXPECT_THROW((void)Packing().unpack(second, most), Error) << "without what was before";
    EXPECT_THROW((void)Packing().unpack(first, 999), Error) << "too long";
    EXPECT_THROW((void)Packing().unpack("", most), Error);
    for (std::size_t size = 0; size < first.size(); size += 7) {
        EXPECT_THROW((void)Packing().unpack(first.substr(0, size), most), Error) << size;
    }
    EXPECT_THROW((void)Packing().unpack(first + "x", most), Error);
    for (std::size_t at = 0; at < first.size(); at += 7) {
        std::string changed = first;
        changed[at] = static_cast<char>(~changed[at]);
        EXPECT_THROW((void)Packing().unpack(changed, most), Error) << at;
    }
}

}  // namespace
}  // namespace dampi::scheduler
