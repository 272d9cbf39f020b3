#include "scheduler/engines/central/message_stream.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace dampi::scheduler::central {
namespace {

/// Of messages named by what they say.
base::Digest own_digest(MessageStream::Index message) { return base::DigestBuilder().add(message).value(); }

TEST(CentralMessageStream, DigestsSayWhatIsThereAndNothingOfThePast) {
    std::size_t looks = 0;
    const auto counted = [&](MessageStream::Index message) {
        ++looks;
        return own_digest(message);
    };
    for (unsigned seed = 0; seed < 100; ++seed) {
        std::mt19937 random(seed);
        MessageStream stream;
        std::vector<MessageStream::Index> expected;
        for (int step = 0; step < 100; ++step) {
            if (expected.empty() || random() % 2 == 0) {
                expected.push_back(random() % 3);
                stream.push_back(expected.back());
            } else {
                const std::size_t at = random() % 4 == 0 ? random() % expected.size() : 0;
                stream.erase(stream.begin() + static_cast<std::ptrdiff_t>(at));
                expected.erase(expected.begin() + static_cast<std::ptrdiff_t>(at));
            }
            if (random() % 3 == 0) {
                MessageStream anew;
                for (const MessageStream::Index each : expected) {
                    anew.push_back(each);
                }
                ASSERT_EQ(stream.digest(counted), anew.digest(own_digest)) << "seed " << seed << ", step " << step;
            }
        }
    }
    EXPECT_GT(looks, 1000U);
}

TEST(CentralMessageStream, OtherOrdersAndLengthsHaveOtherDigests) {
    std::vector<base::Digest> digests;
    for (const std::vector<MessageStream::Index>& messages :
         {std::vector<MessageStream::Index>{}, {1}, {2}, {1, 2}, {2, 1}, {1, 1}, {1, 2, 1}, {2, 1, 1}, {1, 1, 2}}) {
        MessageStream stream;
        for (const MessageStream::Index each : messages) {
            stream.push_back(each);
        }
        digests.push_back(stream.digest(own_digest));
    }
    for (std::size_t i = 0; i < digests.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            EXPECT_NE(digests[i], digests[j]) << i << " and " << j;
        }
    }
}

TEST(CentralMessageStream, EachMessageIsLookedAtOnceWhileTheFirstOnesLeave) {
    std::size_t looks = 0;
    MessageStream stream;
    for (MessageStream::Index i = 0; i < 100; ++i) {
        stream.push_back(i);
        if (i % 2 == 0) {
            stream.erase(stream.begin());
        }
        static_cast<void>(stream.digest([&](MessageStream::Index message) {
            ++looks;
            return own_digest(message);
        }));
    }
    EXPECT_LE(looks, 100U);
}

}  // namespace
}  // namespace dampi::scheduler::central
