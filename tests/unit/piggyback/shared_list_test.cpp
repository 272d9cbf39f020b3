// A list of accesses in memory that others read: whatever it is made to hold, it has room for it and writes nowhere
// else.
#include "piggyback/distributed/one_sided/shared_list.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <new>
#include <random>

namespace dampi::piggyback::distributed {
namespace {

constexpr std::uint64_t guard_bytes = 256;

/// Memory of exactly the list's size, with a guard behind it.
class GuardedList {
public:
    explicit GuardedList(std::uint64_t capacity)
        : bytes_(list_bytes(capacity)),
          memory_(static_cast<char*>(::operator new (bytes_ + guard_bytes, std::align_val_t{alignof(SharedList)}))) {
        std::memset(memory_.get(), 0, bytes_);
        std::memset(memory_.get() + bytes_, 0x5a, guard_bytes);
        list().capacity = capacity;
    }
    [[nodiscard]] SharedList& list() const { return *reinterpret_cast<SharedList*>(memory_.get()); }
    [[nodiscard]] bool is_intact() const {
        for (std::uint64_t i = 0; i < guard_bytes; ++i) {
            if (memory_.get()[bytes_ + i] != 0x5a) {
                return false;
            }
        }
        return true;
    }

private:
    struct Free {
        void operator()(char* memory) const { ::operator delete (memory, std::align_val_t{alignof(SharedList)}); }
    };
    std::uint64_t bytes_;
    std::unique_ptr<char, Free> memory_;
};

bool equal(const std::vector<Access>& a, const std::vector<Access>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Access& x, const Access& y) {
        return x.blocks == y.blocks && x.mode == y.mode && x.last == y.last;
    });
}

TEST(SharedList, has_room_for_what_it_is_made_for) {
    for (std::uint64_t capacity = 0; capacity < 100; ++capacity) {
        for (std::uint64_t needed = capacity + 1; needed < 2000; ++needed) {
            ASSERT_GE(grown(capacity, needed), needed);
            ASSERT_GE(grown(capacity, needed), 2 * capacity);
        }
    }
}

TEST(SharedList, holds_what_was_written_and_nothing_behind_it_changes) {
    std::mt19937 random(1);
    const auto upto = [&](int most) { return std::uniform_int_distribution<int>(0, most)(random); };
    for (int round = 0; round < 300; ++round) {
        std::vector<Access> accesses;
        auto guarded = std::make_unique<GuardedList>(0);
        for (int step = 0; step < 12; ++step) {
            // Several blocks at once, as a datatype with gaps brings them; now and then old ones go.
            std::size_t first = accesses.size();
            if (upto(3) == 0) {
                accesses.resize(static_cast<std::size_t>(upto(static_cast<int>(accesses.size()))));
                first = 0;
            }
            for (int blocks = upto(40); blocks > 0; --blocks) {
                accesses.push_back({.blocks = {.begin = upto(1000), .length = 1 + upto(8)},
                                    .mode = {.kind = AccessKind::write},
                                    .last = static_cast<std::uint64_t>(upto(5))});
            }
            if (accesses.size() > guarded->list().capacity) {
                guarded = std::make_unique<GuardedList>(grown(guarded->list().capacity, accesses.size()));
                first = 0;
            }
            write(guarded->list(), accesses, first);
            ASSERT_TRUE(guarded->is_intact());
            const auto read = try_read(guarded->list());
            ASSERT_TRUE(read.has_value());
            ASSERT_TRUE(equal(*read, accesses));
        }
    }
}

TEST(SharedList, is_not_read_while_it_is_written) {
    const GuardedList guarded(4);
    guarded.list().version.store(1);
    EXPECT_FALSE(try_read(guarded.list()).has_value());
}

}  // namespace
}  // namespace dampi::piggyback::distributed
