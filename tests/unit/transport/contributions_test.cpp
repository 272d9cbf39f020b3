// What ranks tell each other in collectives: one writer, readers in other threads, rings that grow.
#include "transport/memory/contributions.hpp"

#include "transport/collective_operation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <vector>

namespace dampi::transport::memory {
namespace {

Contribution contribution(std::uint64_t sequence) {
    return {.sequence = sequence,
            .clock = sequence * 3,
            .operation = static_cast<std::uint32_t>(sequence % 7),
            .reduction = static_cast<std::uint32_t>(sequence % 11),
            .root = static_cast<base::Rank>(sequence % 5),
            .site = sequence + 1000,
            .sent = sequence * 8,
            .received = sequence * 16};
}

struct ContributionsTest : testing::Test {
    Area area = Area::create(2, {});
    Slab slab{area, 0};
    Offset offset = add_record(area, slab, 0, 42);
    CommunicatorRecord& record = area.at<CommunicatorRecord>(offset);
};

TEST_F(ContributionsTest, AContributionIsReadAsItWasWritten) {
    EXPECT_FALSE(has_entered(record, 0));
    EXPECT_EQ(peek(area, record, 0), std::nullopt);
    enter(area, slab, record, contribution(0), 0, 1);
    EXPECT_TRUE(has_entered(record, 0));
    EXPECT_FALSE(has_entered(record, 1));
    EXPECT_EQ(peek(area, record, 0), contribution(0));
    EXPECT_EQ(read(area, record, 0), contribution(0));
}

TEST_F(ContributionsTest, WithoutReadersOnlyTheLatestAreKept) {
    const auto enter_until = [&](std::uint64_t end) {
        for (std::uint64_t i = record.entered; i < end; ++i) {
            enter(area, slab, record, contribution(i), 0, i % 3 == 0 ? 1 : 0);
            if (i % 3 == 0) {
                EXPECT_EQ(read(area, record, i), contribution(i));
            }
        }
    };
    enter_until(kept_contributions);
    for (std::uint64_t i = 0; i < kept_contributions; ++i) {
        ASSERT_EQ(peek(area, record, i), contribution(i)) << "nothing has to go yet";
        ASSERT_EQ(find_contribution(area, 0, 42, i), contribution(i)) << i;
    }
    enter_until(2 * kept_contributions);
    const Offset ring = record.ring.load();
    enter_until(20 * kept_contributions);
    EXPECT_EQ(record.ring.load(), ring) << "it grows no more";
    for (std::uint64_t i = 19 * kept_contributions; i < 20 * kept_contributions; ++i) {
        ASSERT_EQ(peek(area, record, i), contribution(i)) << i;
        ASSERT_EQ(find_contribution(area, 0, 42, i), contribution(i)) << i;
    }
    const std::uint64_t gone = 18 * kept_contributions;
    EXPECT_EQ(peek(area, record, gone), std::nullopt);
    EXPECT_EQ(read(area, record, gone), std::nullopt);
    EXPECT_EQ(find_contribution(area, 0, 42, gone), std::nullopt);
    EXPECT_EQ(find_contribution(area, 0, 42, 20 * kept_contributions), std::nullopt) << "not entered yet";
    EXPECT_EQ(find_contribution(area, 0, 43, 0), std::nullopt) << "another communicator";
    EXPECT_EQ(find_contribution(area, 1, 42, 0), std::nullopt) << "another rank";
}

TEST_F(ContributionsTest, TheRingGrowsWhileAReaderIsBehind) {
    constexpr std::uint64_t count = 1000;
    for (std::uint64_t i = 0; i < count; ++i) {
        enter(area, slab, record, contribution(i), 0, 2);
    }
    for (int reader = 0; reader < 2; ++reader) {
        for (std::uint64_t i = 0; i < count; ++i) {
            ASSERT_EQ(read(area, record, i), contribution(i)) << i;
        }
    }
    const Offset ring = record.ring.load();
    ASSERT_GE(area.at<ContributionRing>(ring).capacity, kept_contributions);
    for (std::uint64_t i = count; i < 10 * count; ++i) {
        enter(area, slab, record, contribution(i), 0, 1);
        ASSERT_EQ(read(area, record, i), contribution(i)) << i;
    }
    EXPECT_EQ(record.ring.load(), ring) << "no growth once all is read";
}

TEST_F(ContributionsTest, ReadersThatWereNotCountedDoNoHarm) {
    enter(area, slab, record, contribution(0), 0, 1);
    EXPECT_EQ(read(area, record, 0), contribution(0));
    EXPECT_EQ(read(area, record, 0), contribution(0));
    for (std::uint64_t i = 1; i < 2 * kept_contributions; ++i) {
        enter(area, slab, record, contribution(i), 0, 0);
    }
    EXPECT_EQ(area.at<ContributionRing>(record.ring).capacity, kept_contributions);
}

TEST_F(ContributionsTest, AGlanceShowsTheLatestThatHaveADigest) {
    for (std::uint64_t i = 0; i < 100; ++i) {
        const std::uint64_t digest = i % 10 == 7 ? 0 : i + 500;
        enter(area, slab, record, contribution(i), digest, 0);
        const auto now = glance(record, i);
        ASSERT_EQ(now.has_value(), digest != 0) << i;
        if (now) {
            EXPECT_EQ(now->digest, digest);
            EXPECT_EQ(now->clock, contribution(i).clock);
        }
        EXPECT_FALSE(glance(record, i + 1)) << "not entered yet";
        EXPECT_FALSE(i >= glances_kept && glance(record, i - glances_kept)) << "overwritten";
    }
}

TEST_F(ContributionsTest, AGlanceIsNeverAtAnotherCollective) {
    constexpr std::uint64_t count = 200000;
    std::uint64_t wrong = 0;
    std::uint64_t seen = 0;
    std::thread reader([&] {
        for (std::uint64_t i = 0; i < count; i = std::max(i + 1, record.entered.load() - 1)) {
            while (!has_entered(record, i)) {
                std::this_thread::yield();
            }
            if (const auto found = glance(record, i)) {
                ++seen;
                wrong += found->digest == i + 500 && found->clock == contribution(i).clock ? 0 : 1;
            }
        }
    });
    for (std::uint64_t i = 0; i < count; ++i) {
        enter(area, slab, record, contribution(i), i + 500, 0);
    }
    reader.join();
    EXPECT_EQ(wrong, 0U);
    EXPECT_GT(seen, 0U);
}

TEST_F(ContributionsTest, TwoThreadsAndAnOccasionalSpectator) {
    constexpr std::uint64_t count = 200000;
    std::uint64_t wrong = 0;
    std::uint64_t seen = 0;
    std::thread reader([&] {
        for (std::uint64_t i = 0; i < count; ++i) {
            while (!has_entered(record, i)) {
                std::this_thread::yield();
            }
            if (i % 4 != 0 && read(area, record, i) != contribution(i)) {
                ++wrong;
            }
            // Not meant for this thread: there or gone, but never torn.
            if (i >= 4) {
                const auto other = peek(area, record, i / 4 * 4);
                seen += other ? 1 : 0;
                if (other && other != contribution(i / 4 * 4)) {
                    ++wrong;
                }
            }
        }
    });
    for (std::uint64_t i = 0; i < count; ++i) {
        enter(area, slab, record, contribution(i), 0, i % 4 != 0 ? 1 : 0);
        if (i % 1000 == 0) {
            std::this_thread::yield();
        }
    }
    reader.join();
    EXPECT_EQ(wrong, 0U);
    EXPECT_GT(seen, 0U);
}

TEST(Contributions, ManyCommunicatorsAreFound) {
    const Area area = Area::create(2, {});
    Slab slab(area, 1);
    std::vector<Offset> records;
    Offset searched = 0;
    EXPECT_EQ(find_record(area, 1, 1007, searched), 0U);
    for (base::CommId id = 0; id < 5000; ++id) {
        if (id == 7) {
            EXPECT_EQ(find_record(area, 1, 1007, searched), 0U);
        }
        records.push_back(add_record(area, slab, 1, 1000 + id));
    }
    EXPECT_EQ(find_record(area, 1, 1007, searched), records[7]);
    for (base::CommId id = 0; id < 5000; id += 61) {
        searched = 0;
        EXPECT_EQ(find_record(area, 1, 1000 + id, searched), records[id]);
    }
    searched = 0;
    EXPECT_EQ(find_record(area, 1, 999, searched), 0U);
    EXPECT_EQ(searched, records.back());
    EXPECT_EQ(find_record(area, 0, 1007, searched = 0), 0U) << "another rank's list";
}

TEST(Contributions, TheOutsideSeesTheLatest) {
    const Area area = Area::create(2, {});
    Slab slab(area, 1);
    EXPECT_TRUE(collective_progress(area, 1).empty());
    add_record(area, slab, 1, 10);
    const Offset second = add_record(area, slab, 1, 20);
    for (std::uint64_t i = 0; i < 30; ++i) {
        enter(area, slab, area.at<CommunicatorRecord>(second), contribution(i), 0, 1);
    }
    auto progress = collective_progress(area, 1);
    ASSERT_EQ(progress.size(), 2U);
    EXPECT_EQ(progress[0].comm, 10U);
    EXPECT_EQ(progress[0].entered, 0U);
    EXPECT_EQ(progress[0].latest, std::nullopt);
    EXPECT_EQ(progress[1].comm, 20U);
    EXPECT_EQ(progress[1].entered, 30U);
    EXPECT_EQ(progress[1].latest, contribution(29));
    EXPECT_TRUE(collective_progress(area, 0).empty());
}

TEST(Contributions, TheOutsideBelievesNothing) {
    const Area area = Area::create(2, {});
    Slab slab(area, 1);
    const Offset first = add_record(area, slab, 1, 10);
    const Offset second = add_record(area, slab, 1, 20);
    auto& record = area.at<CommunicatorRecord>(second);
    enter(area, slab, record, contribution(0), 0, 1);
    const Offset ring = record.ring.load();

    for (const std::uint64_t capacity :
         {std::uint64_t{0}, std::uint64_t{7}, ~std::uint64_t{0}, std::uint64_t{1} << 27, std::uint64_t{1} << 63}) {
        area.at<ContributionRing>(ring).capacity = capacity;
        EXPECT_EQ(collective_progress(area, 1).back().latest, std::nullopt) << capacity;
        EXPECT_EQ(find_contribution(area, 1, 20, 0), std::nullopt) << capacity;
    }
    area.at<ContributionRing>(ring).capacity = 8;
    record.entered = 77;
    EXPECT_EQ(collective_progress(area, 1).back().latest, std::nullopt);
    record.entered = 1;
    EXPECT_EQ(collective_progress(area, 1).back().latest, contribution(0));
    for (const Offset wild : {Offset{8}, area.slab_begin(0), area.slab_end(1), ~Offset{0}, ring + 1}) {
        record.ring = wild;
        EXPECT_EQ(collective_progress(area, 1).back().latest, std::nullopt) << wild;
        EXPECT_EQ(find_contribution(area, 1, 20, 0), std::nullopt) << wild;
        record.ring = ring;
        record.next = wild;
        EXPECT_EQ(collective_progress(area, 1).size(), 1U) << wild;
        record.next = first;
    }
    // So does a chain of rings.
    area.at<ContributionRing>(ring).start = 7;
    area.at<ContributionRing>(ring).previous = ring;
    EXPECT_EQ(find_contribution(area, 1, 20, 0), std::nullopt);
    // A list in a circle ends.
    area.at<CommunicatorRecord>(first).next = first;
    area.at<CommunicatorRecord>(first).comm = 5;
    EXPECT_EQ(collective_progress(area, 1).size(), 2U);
}

TEST(CollectiveOperation, EveryNumberHasItsName) {
    EXPECT_STREQ(operation_name(operation_number(Collective::barrier, CollectiveForm::blocking)), "MPI_Barrier");
    EXPECT_STREQ(operation_name(operation_number(Collective::scan, CollectiveForm::nonblocking)), "MPI_Iscan");
    EXPECT_STREQ(operation_name(operation_number(Collective::bcast, CollectiveForm::persistent)), "MPI_Bcast_init");
    EXPECT_STREQ(operation_name(operation_number(Collective::comm_split, CollectiveForm::blocking)), "MPI_Comm_split");
    EXPECT_STREQ(operation_name(operation_number(Collective::comm_split, CollectiveForm::persistent)),
                 "an unknown collective");
    EXPECT_STREQ(operation_name(0xffffffff), "an unknown collective");
    EXPECT_STREQ(reduction_name(static_cast<std::uint32_t>(Reduction::max)), "MPI_MAX");
    EXPECT_STREQ(reduction_name(static_cast<std::uint32_t>(Reduction::replace)), "MPI_REPLACE");
    EXPECT_STREQ(reduction_name(static_cast<std::uint32_t>(Reduction::user_defined)), "a user-defined operator");
    EXPECT_STREQ(reduction_name(static_cast<std::uint32_t>(Reduction::replace) + 1), "an unknown operator");
    EXPECT_STREQ(reduction_name(0xffffffff), "an unknown operator");
}

}  // namespace
}  // namespace dampi::transport::memory
