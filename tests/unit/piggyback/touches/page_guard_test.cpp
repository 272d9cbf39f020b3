// What a program does with buffers that are guarded, in this process.
#include "piggyback/rank/touches/page_guard.hpp"

#include "launch/program/preload.hpp"
#include "piggyback/rank/touches/page_keys.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <csetjmp>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

namespace dampi::piggyback::touches {
namespace {

struct Seen {
    void* whose = nullptr;
    std::int64_t byte = 0;
    std::int64_t end = 0;
    std::uint64_t size = 0;
    bool writes = false;
    std::uint64_t site = 0;
};
std::array<Seen, 64> seen;
std::size_t seen_count = 0;

bool note(const GuardedBuffer& buffer, const Touch& touch) noexcept {
    if (seen_count < seen.size()) {
        seen[seen_count++] = {.whose = buffer.whose,
                              .byte = touch.byte,
                              .end = touch.end,
                              .size = touch.size,
                              .writes = touch.writes,
                              .site = touch.site};
    }
    return true;
}

std::int64_t address_of(const volatile void* memory) { return reinterpret_cast<std::intptr_t>(memory); }

class PageGuardTest : public testing::TestWithParam<Means> {
protected:
    static constexpr std::size_t size = std::size_t{4} * 4096;

    void SetUp() override {
        ASSERT_NE(dlopen(launch::decoder_library, RTLD_NOW), nullptr) << dlerror();
        stack_t stack{};
        stack.ss_sp = handlers_stack.data();
        stack.ss_size = handlers_stack.size();
        ASSERT_EQ(sigaltstack(&stack, nullptr), 0);
        start([](std::uintptr_t /*handler*/) noexcept { return true; }, GetParam());
        seen_count = 0;
        static_cast<void>(take_reasons());
        memory_ = static_cast<char*>(mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
        ASSERT_NE(memory_, MAP_FAILED);
        enter_mpi();
    }
    void TearDown() override {
        guard({}, 0);
        leave_mpi();
        munmap(memory_, size);
    }

    [[nodiscard]] volatile char* memory() const { return memory_; }
    void add(const volatile void* begin, std::int64_t length, bool received, const Element* element = nullptr) {
        const std::int64_t address = address_of(begin);
        buffers_.push_back({.region = {.begin = address, .end = address + length, .element = element, .count = 1},
                            .received = received,
                            .site = ++last_site,
                            .told = note,
                            .whose = this});
    }
    /// The program runs.
    template <typename Program>
    __attribute__((noinline)) void run(Program&& program) {
        guard(buffers_, harmless_threads_);
        leave_mpi();
        program();
        enter_mpi();
    }
    void allow_a_thread() { harmless_threads_ = 1; }
    [[nodiscard]] static std::vector<Unwatched> reasons() {
        std::vector<Unwatched> all;
        for (const UnwatchedPlace& each : take_reasons()) {
            all.push_back(each.why);
        }
        return all;
    }

private:
    alignas(64) static inline std::array<char, 128 * 1024> handlers_stack;
    unsigned harmless_threads_ = 0;
    static inline std::uint64_t last_site = 0;  ///< no two tests have one in common
    char* memory_ = nullptr;
    std::vector<GuardedBuffer> buffers_;
};

INSTANTIATE_TEST_SUITE_P(ByMeans, PageGuardTest, testing::Values(Means::best, Means::rights),
                         [](const auto& info) { return std::string(info.param == Means::best ? "Best" : "Rights"); });

TEST_P(PageGuardTest, LooksAtDatatypesThatLieOnClosedPages) {
    auto* const element = new (const_cast<char*>(memory()) + 1024)
        Element{.begin = 0, .end = 80, .extent = 80, .blocks = {{{.begin = 0, .length = 8, .stride = 24, .count = 4}}}};
    volatile char* const buffer = memory() + 100;
    add(buffer, 80, true, element);
    run([&] {
        buffer[8] = 1;  // a gap
        buffer[24] = 1;
    });
    std::destroy_at(element);
    ASSERT_EQ(seen_count, 1U);
    EXPECT_EQ(seen[0].byte, address_of(buffer + 24));
    EXPECT_TRUE(seen[0].writes);
    EXPECT_TRUE(reasons().empty());
}

TEST_P(PageGuardTest, TellsOfLoadsAndStoresWhereSomethingIsReceived) {
    volatile char* const buffer = memory() + 100;
    add(buffer, 40, true);
    char value = 0;
    run([&] {
        value = buffer[8];
        buffer[9] = 1;
    });
    EXPECT_EQ(value, 0);
    EXPECT_EQ(buffer[9], 1);
    ASSERT_EQ(seen_count, 2U);
    EXPECT_FALSE(seen[0].writes);
    EXPECT_EQ(seen[0].byte, address_of(buffer + 8));
    EXPECT_EQ(seen[0].size, 1U);
    EXPECT_EQ(seen[0].whose, this);
    EXPECT_TRUE(seen[1].writes);
    EXPECT_EQ(seen[1].byte, address_of(buffer + 9));
    EXPECT_TRUE(reasons().empty());
}

TEST_P(PageGuardTest, LetsWhatIsSentBeRead) {
    add(memory(), 4096, false);
    char value = 1;
    run([&] {
        value = memory()[8];
        memory()[9] = 1;
        memory()[10] = static_cast<char>(memory()[10] + 1);
    });
    EXPECT_EQ(value, 0);
    ASSERT_EQ(seen_count, 2U);
    EXPECT_TRUE(seen[0].writes);
    EXPECT_EQ(seen[1].byte, address_of(memory() + 10));
}

TEST_P(PageGuardTest, LeavesToTheProgramWhatLiesBeside) {
    add(memory() + 100, 40, true);
    add(memory() + 4096, 4096, true);
    int sum = 0;
    run([&] {
        for (int i = 0; i < 100; ++i) {
            memory()[i] = static_cast<char>(i);
        }
        memory()[140] = 1;
        memory()[4095] = 2;
        memory()[8192] = 3;
        for (int i = 0; i < 100; ++i) {
            sum += memory()[i];
        }
    });
    EXPECT_EQ(sum, 4950);
    EXPECT_EQ(memory()[140] + memory()[4095] + memory()[8192], 6);
    EXPECT_EQ(seen_count, 0U);
    EXPECT_TRUE(reasons().empty());
}

TEST_P(PageGuardTest, TellsOfAnAccessThatBeginsBefore) {
    volatile char* const buffer = memory() + 4096;
    add(buffer, 40, true);
    run([&] { *reinterpret_cast<volatile std::uint64_t*>(buffer - 4) = 1; });  // on two pages
    ASSERT_EQ(seen_count, 1U);
    EXPECT_EQ(seen[0].byte, address_of(buffer));
    EXPECT_EQ(seen[0].end, address_of(buffer + 4)) << "what lies before does not count";
    EXPECT_EQ(seen[0].size, 8U);
    EXPECT_EQ(buffer[-4], 1);
}

TEST_P(PageGuardTest, DoesNotSayThatABufferIsReadWhereMoreIsRead) {
    add(memory() + 4, 4, true);
    run([&] { static_cast<void>(*reinterpret_cast<volatile std::uint64_t*>(memory())); });
    EXPECT_EQ(seen_count, 0U);
    run([&] { static_cast<void>(*reinterpret_cast<volatile std::uint32_t*>(memory() + 4)); });
    EXPECT_EQ(seen_count, 1U);
}

TEST_P(PageGuardTest, KnowsWhoCopies) {
    std::array<char, 200> copy{};
    add(memory() + 64, 200, true);
    auto* volatile function = &std::memcpy;
    run([&] { function(copy.data(), const_cast<char*>(memory()) + 64, copy.size()); });
    ASSERT_GE(seen_count, 1U);
    EXPECT_FALSE(seen[0].writes);
    EXPECT_EQ(seen[0].byte, address_of(memory() + 64));
    Dl_info where{};
    ASSERT_NE(dladdr(reinterpret_cast<void*>(seen[0].site), &where), 0);
    EXPECT_EQ(std::strstr(where.dli_fname, "libc.so"), nullptr);
}

TEST_P(PageGuardTest, IsNotDeceivedByWhatLooksAtWholeWords) {
    char* const text = const_cast<char*>(memory());
    std::strcpy(text, "word");
    add(memory() + 5, 4000, true);
    std::size_t length = 0;
    run([&] {
        auto* volatile function = &std::strlen;
        length = function(text);
    });
    EXPECT_EQ(length, 4U);
    EXPECT_EQ(seen_count, 0U);
}

TEST_P(PageGuardTest, LetsTheSystemReadAndWrite) {
    std::array<int, 2> ends{};
    ASSERT_EQ(pipe(ends.data()), 0);
    add(memory(), size, true);
    ssize_t written = 0;
    ssize_t got = 0;
    run([&] {
        written = write(ends[1], const_cast<char*>(memory()), 100);
        got = read(ends[0], const_cast<char*>(memory()) + 4096, 100);
        memory()[0] = 1;  // and still closed
    });
    EXPECT_EQ(written, 100);
    EXPECT_EQ(got, 100);
    ASSERT_EQ(seen_count, 2U);
    EXPECT_FALSE(seen[0].writes);  // by the system
    EXPECT_EQ(seen[0].size, 100U);
    EXPECT_TRUE(seen[1].writes);
    EXPECT_EQ(seen[1].byte, address_of(memory()));
    close(ends[0]);
    close(ends[1]);
}

TEST_P(PageGuardTest, GuardsPartsOfTheStack) {
    volatile int received = 0;
    volatile int other = 0;
    add(&received, sizeof received, true);
    run([&] {
        other = other + 1;
        received = 2;
        other = other + 1;
    });
    EXPECT_EQ(received, 2);
    EXPECT_EQ(other, 2);
    ASSERT_EQ(seen_count, 1U);
    EXPECT_EQ(seen[0].byte, address_of(&received));
}

TEST_P(PageGuardTest, FollowsInstructionsThatRepeat) {
    add(memory() + 4096, 4096, true);
    run([&] {
        const volatile char* to = memory() + 4000;
        std::size_t count = 200;
        asm volatile("rep stosb" : "+D"(to), "+c"(count) : "a"(7) : "memory");
    });
    EXPECT_EQ(memory()[4000] + memory()[4199], 14);
    ASSERT_EQ(seen_count, 1U);
    EXPECT_EQ(seen[0].byte, address_of(memory() + 4096));
    EXPECT_GE(seen[0].size, 104U);  // the processor may have begun
    EXPECT_LE(seen[0].size, 200U);
}

TEST_P(PageGuardTest, GivesUpWhereTooMuchElseLiesBeside) {
    add(memory() + 100, 40, true);
    int sum = 0;
    const auto program = [&] {
        for (int i = 0; i < 10000; ++i) {
            sum += memory()[i % 100] + 1;
        }
    };
    run(program);
    EXPECT_EQ(sum, 10000);
    EXPECT_EQ(seen_count, 0U);
    EXPECT_EQ(reasons(), std::vector{Unwatched::busy_pages});
    run([&] { memory()[100] = 1; });
    EXPECT_EQ(seen_count, 0U);
}

sigjmp_buf back;
volatile std::uint64_t fault_address = 0;

void on_own_fault(int /*signal*/, siginfo_t* what, void* /*context*/) {
    fault_address = reinterpret_cast<std::uint64_t>(what->si_addr);
    siglongjmp(back, 1);
}

TEST_P(PageGuardTest, LeavesTheProgramItsOwnFaults) {
    add(memory(), 40, true);
    struct sigaction own {};
    struct sigaction before {};
    own.sa_sigaction = on_own_fault;
    own.sa_flags = SA_SIGINFO;
    ASSERT_EQ(sigaction(SIGSEGV, &own, &before), 0);
    run([&] {
        memory()[100] = 1;
        if (sigsetjmp(back, 1) == 0) {
            *reinterpret_cast<volatile int*>(std::uintptr_t{64}) = 1;
        }
        memory()[101] = 1;
    });
    EXPECT_EQ(fault_address, 64U);
    struct sigaction now {};
    sigaction(SIGSEGV, &before, &now);
    EXPECT_EQ(now.sa_sigaction, on_own_fault);
}

volatile int traps = 0;
void on_own_trap(int /*signal*/) { traps = traps + 1; }

TEST_P(PageGuardTest, LeavesTheProgramItsOwnTraps) {
    add(memory(), 40, true);
    traps = 0;
    struct sigaction before {};
    run([&] {
        struct sigaction own {};
        own.sa_handler = on_own_trap;
        sigaction(SIGTRAP, &own, &before);
        asm volatile("int3");
        raise(SIGTRAP);
    });
    sigaction(SIGTRAP, &before, nullptr);
    EXPECT_EQ(traps, 2);
}

TEST_P(PageGuardTest, LeavesChildrenAlone) {
    add(memory(), size, true);
    int status = -1;
    run([&] {
        const pid_t child = fork();
        if (child == 0) {
            memory()[5] = 1;
            _exit(memory()[5] + 2);
        }
        waitpid(child, &status, 0);
    });
    EXPECT_EQ(WEXITSTATUS(status), 3);
    EXPECT_EQ(seen_count, 0U);
}

TEST_P(PageGuardTest, LetsOtherProcessesAccessWhatIsClosedByKeys) {
    if (!closes_for_one_thread()) {
        GTEST_SKIP() << "there are no protection keys, or they are not used";
    }
    add(memory(), size, true);
    std::array<int, 2> go{};
    std::array<int, 2> done{};
    ASSERT_EQ(pipe(go.data()), 0);
    ASSERT_EQ(pipe(done.data()), 0);
    const pid_t parent = getpid();
    char word = 0;
    const pid_t child = fork();
    if (child == 0) {
        char letter = 'x';
        static_cast<void>(read(go[0], &letter, 1));
        letter = 'x';
        const iovec own{.iov_base = &letter, .iov_len = 1};
        const iovec other{.iov_base = const_cast<char*>(memory()) + 7, .iov_len = 1};
        letter = process_vm_writev(parent, &own, 1, &other, 1, 0) == 1 ? 'y' : 'n';
        static_cast<void>(write(done[1], &letter, 1));
        _exit(0);
    }
    run([&] {
        static_cast<void>(write(go[1], "g", 1));
        static_cast<void>(read(done[0], &word, 1));
    });
    waitpid(child, nullptr, 0);
    EXPECT_EQ(word, 'y');
    EXPECT_EQ(memory()[7], 'x');
    EXPECT_EQ(seen_count, 0U);
    for (const int each : {go[0], go[1], done[0], done[1]}) {
        close(each);
    }
}

TEST_P(PageGuardTest, AsksForTheKeysAnew) {
    add(memory(), 40, true);
    for (int i = 0; i < 40; ++i) {  // more often than there are keys
        stop();
        start([](std::uintptr_t /*handler*/) noexcept { return true; }, GetParam());
        EXPECT_EQ(closes_for_one_thread(), GetParam() == Means::best && have_keys());
    }
    enter_mpi();
    run([&] { memory()[0] = 1; });
    leave_mpi();
    EXPECT_EQ(seen_count, 0U) << "it has not left MPI for good";
    run([&] { memory()[0] = 1; });
    EXPECT_EQ(seen_count, 1U);
}

TEST_P(PageGuardTest, SaysThatThereAreThreads) {
    add(memory(), 40, true);
    volatile bool ends = false;
    std::thread other([&] {
        while (!ends) {
            usleep(1000);
        }
    });
    run([&] { memory()[0] = 1; });
    ends = true;
    other.join();
    EXPECT_EQ(seen_count, 0U);
    EXPECT_EQ(reasons(), std::vector{Unwatched::other_threads});
}

TEST_P(PageGuardTest, SaysThatAThreadComes) {
    add(memory(), 40, true);
    run([&] {
        make_thread();
        std::thread other([&] { memory()[0] = 1; });
        other.join();
    });
    EXPECT_EQ(seen_count, 0U);
    EXPECT_EQ(reasons().size(), 1U);
}

TEST_P(PageGuardTest, OpensForAThreadWhatItNeeds) {
    add(memory(), 40, true);
    std::atomic<int> step = 0;
    std::thread other([&] {
        while (step != 1) {
            usleep(1000);
        }
        memory()[100] = 1;
        step = 2;
    });
    allow_a_thread();
    run([&] {
        memory()[0] = 1;
        step = 1;
        while (step != 2) {
            usleep(1000);
        }
    });
    other.join();
    EXPECT_EQ(memory()[100], 1);
    EXPECT_EQ(seen_count, 1U);
}

TEST_P(PageGuardTest, SaysThatSignalsAreBlocked) {
    add(memory(), 40, true);
    sigset_t own;
    sigset_t before;
    sigemptyset(&own);
    sigaddset(&own, SIGSEGV);
    sigprocmask(SIG_BLOCK, &own, &before);
    run([&] { memory()[0] = 1; });
    sigprocmask(SIG_SETMASK, &before, nullptr);
    EXPECT_EQ(seen_count, 0U);
    EXPECT_EQ(reasons(), std::vector{Unwatched::blocked_signals});
}

void on_alarm(int /*signal*/) {}

TEST_P(PageGuardTest, KeepsTheStackOpenForHandlersThatUseIt) {
    struct sigaction own {};
    struct sigaction before {};
    own.sa_handler = on_alarm;
    sigaction(SIGALRM, &own, &before);
    volatile int received = 0;
    add(&received, sizeof received, true);
    add(memory(), 40, true);
    run([&] {
        received = 2;
        memory()[0] = 1;
        raise(SIGALRM);
        memory()[1] = 1;
    });
    sigaction(SIGALRM, &before, nullptr);
    EXPECT_EQ(received, 2);
    ASSERT_EQ(seen_count, 2U);
    EXPECT_EQ(seen[0].byte, address_of(memory()));
    EXPECT_EQ(seen[1].byte, address_of(memory() + 1));
    EXPECT_EQ(reasons(), std::vector{Unwatched::stack});
}

TEST_P(PageGuardTest, SaysThatAHandlerWouldBlockWhatIsNeeded) {
    struct sigaction own {};
    struct sigaction before {};
    own.sa_handler = on_alarm;
    own.sa_flags = SA_ONSTACK;
    sigfillset(&own.sa_mask);
    sigaction(SIGALRM, &own, &before);
    add(memory(), 40, true);
    run([&] { memory()[0] = 1; });
    sigaction(SIGALRM, &before, nullptr);
    EXPECT_EQ(seen_count, 0U);
    EXPECT_EQ(reasons(), std::vector{Unwatched::handlers});
}

TEST_P(PageGuardTest, SaysWhichCodeItDoesNotKnow) {
    add(memory(), 40, true);
    run([&] {
        asm volatile(
            "pcmpeqd %%xmm0, %%xmm0\n"
            "maskmovdqu %%xmm0, %%xmm0"
            :
            : "D"(memory())
            : "xmm0", "memory");
    });
    EXPECT_EQ(memory()[0], -1);
    EXPECT_EQ(seen_count, 0U);
    EXPECT_EQ(reasons(), std::vector{Unwatched::unknown_code});
}

TEST_P(PageGuardTest, KnowsWhatVectorsSelect) {
    if (!__builtin_cpu_supports("avx2")) {
        GTEST_SKIP() << "this processor has no such instructions";
    }
    add(memory() + 16, 4, true);
    add(memory() + 4096, 4, true);
    alignas(32) std::array<std::int32_t, 8> mask{-1, -1, -1, -1, 0, -1, -1, -1};
    alignas(32) std::array<std::int32_t, 8> index{0, 1, 2, 3, 1024, 5, 6, 7};
    const auto gather = [&](const volatile char* from) {
        asm volatile(
            "vmovdqa (%1), %%ymm2\n"
            "vmovdqa (%2), %%ymm1\n"
            "vpgatherdd %%ymm2, (%0,%%ymm1,4), %%ymm0\n"
            "vzeroupper"
            :
            : "r"(from), "r"(mask.data()), "r"(index.data())
            : "xmm0", "xmm1", "xmm2", "memory");
    };
    run([&] {
        asm volatile(
            "vmovdqa (%1), %%ymm1\n"
            "vpmaskmovd %%ymm0, %%ymm1, (%0)\n"
            "vzeroupper"
            :
            : "r"(memory()), "r"(mask.data())
            : "xmm0", "xmm1", "memory");
        gather(memory());
    });
    EXPECT_EQ(seen_count, 0U);
    mask[4] = -1;
    mask[0] = 0;
    run([&] { gather(memory()); });
    ASSERT_GE(seen_count, 1U);
    for (std::size_t i = 0; i < seen_count; ++i) {  // the processor may stop between elements
        EXPECT_EQ(seen[i].byte, address_of(memory() + 4096));
        EXPECT_EQ(seen[i].size, 4U);
    }
    EXPECT_TRUE(reasons().empty());
}

TEST_P(PageGuardTest, KnowsWhatMasksSelect) {
    if (!__builtin_cpu_supports("avx512bw") || !__builtin_cpu_supports("avx512vl")) {
        GTEST_SKIP() << "this processor has no such instructions";
    }
    add(memory() + 16, 4, true);
    const auto store = [&](std::uint64_t mask) {
        asm volatile(
            "kmovq %1, %%k1\n"
            "vpxord %%zmm17, %%zmm17, %%zmm17\n"
            "vmovdqu8 %%zmm17, (%0)%{%%k1%}"
            :
            : "r"(memory()), "r"(mask)
            : "memory");
    };
    run([&] {
        store(0xffff'ffff'fff0'ffff);
        store(0);
    });
    EXPECT_EQ(seen_count, 0U);
    run([&] { store(0x2'0000); });
    ASSERT_EQ(seen_count, 1U);
    EXPECT_EQ(seen[0].byte, address_of(memory() + 17));
    EXPECT_EQ(seen[0].size, 1U);
    EXPECT_TRUE(reasons().empty());
}

}  // namespace
}  // namespace dampi::piggyback::touches
