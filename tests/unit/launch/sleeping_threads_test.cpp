// Which threads of a process wait for each other: this one's own.
#include "launch/observe/sleeping_threads.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

namespace dampi::launch {
namespace {

using namespace std::chrono_literals;

std::optional<std::uint64_t> others() { return threads_sleeping({gettid()}); }

/// What others() says once it says so, or in the end.
std::optional<std::uint64_t> others_in_time(bool sleep) {
    auto answer = others();
    for (const auto end = std::chrono::steady_clock::now() + 60s;
         answer.has_value() != sleep && std::chrono::steady_clock::now() < end; answer = others()) {
        std::this_thread::sleep_for(1ms);
    }
    return answer;
}

/// A thread that waits for a condition until the test is over.
struct SleepingThreadsTest : testing::Test {
    std::mutex mutex;
    std::condition_variable changed;
    bool over = false;
    std::thread thread{[this] {
        std::unique_lock lock(mutex);
        changed.wait(lock, [this] { return over; });
    }};

    void TearDown() override {
        {
            const std::scoped_lock lock(mutex);
            over = true;
        }
        changed.notify_all();
        thread.join();
    }
};

TEST_F(SleepingThreadsTest, WhoWaitsForAConditionOrForAThreadSleeps) {
    std::thread joining([this] {
        std::unique_lock lock(mutex);
        changed.wait(lock, [this] { return over; });
    });
    std::thread joiner([&] { joining.join(); });
    // Threads that have just begun may sleep on the way to where they stay: they wait for the mutex.
    auto first = others_in_time(true);
    auto again = first;
    const auto end = std::chrono::steady_clock::now() + 60s;
    do {
        first = again;
        std::this_thread::sleep_for(1ms);
        again = others_in_time(true);
    } while (again != first && std::chrono::steady_clock::now() < end);
    EXPECT_TRUE(first.has_value());
    EXPECT_EQ(first, again);
    {
        const std::scoped_lock lock(mutex);
        over = true;
    }
    changed.notify_all();
    joiner.join();
}

TEST_F(SleepingThreadsTest, TheNumberTellsWhetherOneHasBeenWoken) {
    const auto before = others_in_time(true);
    changed.notify_all();  // it sleeps on
    auto after = others_in_time(true);
    for (const auto end = std::chrono::steady_clock::now() + 60s;
         after == before && std::chrono::steady_clock::now() < end; after = others_in_time(true)) {
        std::this_thread::sleep_for(1ms);
    }
    EXPECT_TRUE(after.has_value());
    EXPECT_NE(before, after);
}

TEST_F(SleepingThreadsTest, WhereNobodyIsLeftToWakeThemTheySleepForEver) {
    const auto sleeps_in_time = [] {
        const auto end = std::chrono::steady_clock::now() + 60s;
        while (!sleeps_for_ever(getpid(), {gettid()}) && std::chrono::steady_clock::now() < end) {}
        return std::chrono::steady_clock::now() < end;
    };
    EXPECT_TRUE(sleeps_in_time());
    EXPECT_FALSE(sleeps_for_ever(getpid(), {})) << "this one computes";
    std::atomic<bool> end = false;
    std::thread other([&] {
        std::unique_lock lock(mutex);
        changed.wait_for(lock, 1h, [&] { return end.load(); });
    });
    for (int i = 0; i < 3; ++i) {
        EXPECT_FALSE(sleeps_for_ever(getpid(), {gettid()})) << "another may be in time";
    }
    {
        const std::scoped_lock lock(mutex);
        end = true;
    }
    changed.notify_all();
    other.join();
    EXPECT_TRUE(sleeps_in_time());
}

TEST_F(SleepingThreadsTest, WhoComputesOrSleepsForATimeDoesNot) {
    std::atomic<bool> end = false;
    for (const bool computes : {true, false}) {
        ASSERT_TRUE(others_in_time(true).has_value());
        end = false;
        std::thread busy([&] {
            while (!end) {
                if (!computes) {
                    std::unique_lock lock(mutex);
                    changed.wait_for(lock, 1h, [&] { return end.load(); });
                }
            }
        });
        EXPECT_FALSE(others_in_time(false).has_value());
        for (int i = 0; i < 100; ++i) {
            EXPECT_FALSE(others().has_value());
        }
        {
            const std::scoped_lock lock(mutex);
            end = true;
        }
        changed.notify_all();
        busy.join();
    }
}

TEST_F(SleepingThreadsTest, WhoCanBeWokenByAnotherProcessDoesNot) {
    auto* shared = static_cast<pthread_mutex_t*>(
        mmap(nullptr, sizeof(pthread_mutex_t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    ASSERT_NE(shared, MAP_FAILED);
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(shared, &attributes);
    pthread_mutex_lock(shared);
    std::thread waiting([&] {
        pthread_mutex_lock(shared);
        pthread_mutex_unlock(shared);
    });
    EXPECT_FALSE(others_in_time(false).has_value());
    std::this_thread::sleep_for(20ms);
    EXPECT_FALSE(others().has_value());
    pthread_mutex_unlock(shared);
    waiting.join();
    munmap(shared, sizeof(pthread_mutex_t));
}

TEST(SleepingThreads, OfAProcessThatIsGoneNothingIsKnown) {
    EXPECT_FALSE(threads_sleeping({0x7ffffffe}).has_value());
    EXPECT_FALSE(threads_sleeping({}).has_value());
    EXPECT_FALSE(sleeps_for_ever(0x7ffffffe, {}));
}

}  // namespace
}  // namespace dampi::launch
