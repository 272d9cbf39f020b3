#include "piggyback/rank/repetition.hpp"

#include "base/digest.hpp"
#include "piggyback/rank/core.hpp"
#include "piggyback/rank/memory/not_the_programs.hpp"
#include "piggyback/rank/memory/registers.hpp"
#include "piggyback/rank/programs_handlers.hpp"
#include "piggyback/rank/sanitizers/address_runtime.hpp"
#include "piggyback/rank/threads/only_thread.hpp"
#include "piggyback/rank/threads/thread_names.hpp"
#include "piggyback/rank/threads/threads.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string_view>

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

namespace dampi::piggyback {

bool repeating = false;

namespace {

constexpr std::size_t page = 4096;
/// Each takes about a millisecond.
constexpr unsigned most_attempts = 500;
/// What a program does otherwise in the beginning is over then, and before that nobody takes it for a livelock. Where
/// it was not, the next time it is after twice as many.
constexpr std::uint32_t many_false_answers = 500;
constexpr std::uint32_t most_doublings = 8;
constexpr std::size_t most_regions = 2048;
constexpr std::size_t most_pages = std::size_t{1} << 19;
constexpr std::size_t most_text = std::size_t{256} << 10;
/// Of the copy's processor time, in seconds.
constexpr rlim_t most_time = 1;
constexpr time_t most_waiting = 30;
/// Polling calls that a copy makes at the most, so that it is known of each what it was.
constexpr std::uint32_t most_calls = replay::most_polled;
/// So often a copy is looked at when it is back at the place where it began.
constexpr std::size_t most_stops = 8;
/// What it has changed until then are no more pages than these, or it is not followed.
constexpr std::size_t most_changed = 64;
constexpr std::size_t most_places = 64;
/// Where it looked at a clock after the call, or came back in another state so often in a row, it is not tried the next
/// times: four times as many with each, from three on.
constexpr std::uint32_t most_undecided = 4;
constexpr std::uint32_t most_skipped = 255;
/// The copy waits to be looked at, in a system call with this as its first argument.
constexpr std::uint32_t arrival_mark = 0x64616d70;
#if defined(__x86_64__)
constexpr std::uint32_t own_architecture = AUDIT_ARCH_X86_64;
constexpr long waiting_call = SYS_pause;
#else
constexpr std::uint32_t own_architecture = AUDIT_ARCH_AARCH64;
constexpr long waiting_call = SYS_ppoll;
#endif

/// What the copy has to say; shared with it.
struct Arrival {
    enum Where : std::uint32_t { nowhere, back, end };  ///< back: at the place where it began
    std::atomic<std::uint32_t> where;
    std::atomic<std::uint32_t> goes_on;  ///< from where it is back
    /// A process that does nothing and has the memory as it was when the program went on; 0: the rank, where nothing
    /// but the thread that waits here could change it.
    pid_t image;
    Registers registers;
    std::uint32_t calls;  ///< the number of the polling call that it makes; the one that it began with has 0
    bool looks_at_clock;
    bool is_poll;  ///< it has come to an end at a polling call: of too many, or one that cannot answer so
};

/// A moment at which the copy stands where it began.
struct Stop {
    base::Digest memory;  ///< all that it could have written and that is another now
    Registers registers;
    std::uint32_t calls = 0;
    bool met_again = false;

    [[nodiscard]] bool same_state(const Stop& other) const {
        return memory == other.memory && registers == other.registers;
    }
};

/// A page that is not what it was.
struct ChangedPage {
    std::uint64_t address = 0;
    base::Digest contents;
};
static_assert(sizeof(ChangedPage) == 24);

// Nothing is allocated meanwhile.
struct Work {
    std::array<char, most_text> maps;
    std::array<Range, most_regions> own, shared;
    std::size_t own_count, shared_count;
    NotThePrograms excluded;
    std::array<std::uint64_t, 1024> entries;
    std::array<char, page> before, after;
    std::array<ChangedPage, most_changed> changed;
    std::size_t changed_count;
    std::array<Stop, most_stops + 1> stops;
    Arrival* arrival;
    bool needs_image;
    const char* function;  ///< that it begins with
    Registers begin;
};
Work work;
unsigned attempts = 0, late_attempts = 0;

/// A place with a polling call of which nothing was proven once. What is not tried is not proven, which is always safe
/// to say.
struct PollingPlace {
    const void* return_address = nullptr;
    // Where the program looked at a clock after the call, or worked on between its calls, all times that it was tried
    // since it did not, it will do so the next time, too.
    bool looks_at_clock = false;
    std::uint32_t undecided = 0;       ///< so often in a row, the latest times
    std::uint32_t skipping = 0;        ///< so many times were not tried after the latest
    std::uint32_t left = 0;            ///< of them
    bool never_settles = false;        ///< it is looked whether it repeats itself at once, no more
    std::uint32_t late_undecided = 0;  ///< so often in a row nothing was proven after many false answers
};
std::array<PollingPlace, most_places> places;

/// Of the place, or of none yet; null where there is no room.
PollingPlace* place_of(const void* return_address) noexcept {
    const auto found = std::find_if(places.begin(), places.end(), [&](const PollingPlace& each) {
        return each.return_address == return_address || each.return_address == nullptr;
    });
    return found == places.end() ? nullptr : &*found;
}

/// The call returns 0 to the program. Nothing of the layer's is left on the stack.
[[noreturn]] void return_to_program([[maybe_unused]] const Registers& registers) noexcept {
#if defined(__x86_64__)
    asm volatile(
        "movq 0(%%rdi), %%rbx\n\t"
        "movq 8(%%rdi), %%rbp\n\t"
        "movq 16(%%rdi), %%r12\n\t"
        "movq 24(%%rdi), %%r13\n\t"
        "movq 32(%%rdi), %%r14\n\t"
        "movq 40(%%rdi), %%r15\n\t"
        "movq 48(%%rdi), %%rsp\n\t"
        "movq 56(%%rdi), %%rdx\n\t"
        "xorl %%eax, %%eax\n\t"
        "jmpq *%%rdx\n\t"
        :
        : "D"(&registers)
        : "memory");
    __builtin_unreachable();
#else
    std::abort();  // registers_of() finds none, so nothing is tried
#endif
}
static_assert(offsetof(Registers, rip) == 56);

/// Which memory may be written.
bool read_maps() noexcept {
    const int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return false;
    }
    std::size_t length = 0;
    ssize_t count = 0;
    while ((count = read(file, work.maps.data() + length, work.maps.size() - 1 - length)) > 0) {
        length += static_cast<std::size_t>(count);
    }
    close(file);
    work.maps[length] = '\0';
    work.own_count = work.shared_count = 0;
    std::size_t pages = 0;
    const std::string_view text(work.maps.data(), length);
    if (count != 0 || length + 1 == work.maps.size() || text.find("/vgpreload_") != std::string_view::npos) {
        return false;
    }
    for (const char* at = work.maps.data(); *at != '\0';) {
        char* next = nullptr;
        const std::uintptr_t begin = std::strtoull(at, &next, 16);
        const std::uintptr_t end = std::strtoull(next + 1, &next, 16);
        const char* const rights = next + 1;
        const char* const line_end = std::strchr(rights, '\n');
        if (line_end == nullptr) {
            return false;
        }
        if (rights[1] == 'w' && !sanitizers::is_address_shadow(begin, end)) {
            const bool own = rights[3] == 'p';
            std::size_t& number = own ? work.own_count : work.shared_count;
            if (number == most_regions) {
                return false;
            }
            (own ? work.own : work.shared)[number++] = {.begin = begin, .end = end};
            pages += own ? (end - begin) / page : 0;
        }
        at = line_end + 1;
    }
    return pages <= most_pages;
}

bool forbid_system_calls() noexcept {
    const auto jump = [](std::uint32_t number, std::uint8_t then, std::uint8_t otherwise) {
        return sock_filter{BPF_JMP | BPF_JEQ | BPF_K, then, otherwise, number};
    };
    constexpr sock_filter done{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO};
    const auto lower_half = [](const void* address) {
        return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(address));
    };
    std::array filter{
        sock_filter{BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, arch)},
        jump(own_architecture, 0, 11),
        sock_filter{BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)},
        jump(SYS_sched_yield, 10, 0),
        jump(SYS_nanosleep, 9, 0),
        jump(SYS_clock_nanosleep, 8, 0),
        jump(SYS_futex, 0, 3),
        sock_filter{BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, args)},
        jump(lower_half(&work.arrival->goes_on), 6, 0),
        jump(lower_half(&work.arrival->where), 5, 3),
        jump(waiting_call, 0, 2),
        sock_filter{BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, args)},
        jump(arrival_mark, 2, 0),
        sock_filter{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_TRAP},
        done,
        sock_filter{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW},
    };
    sock_fprog program{.len = static_cast<unsigned short>(filter.size()), .filter = filter.data()};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

/// In the copy.
[[noreturn]] void repeat(const Registers& registers, pid_t parent) noexcept {
    repeating = true;
    const rlimit no_core{0, 0};
    const rlimit time{most_time, most_time};
    std::uint64_t all_signals = ~std::uint64_t{0};
    bool well = prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == parent && setrlimit(RLIMIT_CORE, &no_core) == 0 &&
                setrlimit(RLIMIT_CPU, &time) == 0 && prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0) == 0 &&
                syscall(SYS_rt_sigprocmask, SIG_BLOCK, &all_signals, nullptr, sizeof all_signals) == 0;
    for (std::size_t i = 0; well && i < work.shared_count; ++i) {
        const Range& each = work.shared[i];
        well = mprotect(reinterpret_cast<void*>(each.begin), each.end - each.begin, PROT_READ) == 0;
    }
    if (well && work.needs_image) {
        // Other threads of the rank (the MPI library's) go on writing: what they do has no part in the comparison.
        const long image = syscall(SYS_clone, CLONE_PARENT, nullptr, nullptr, nullptr, nullptr);
        if (image == 0) {
            for (prctl(PR_SET_PDEATHSIG, SIGKILL); getppid() == parent;) {
                syscall(waiting_call, nullptr, 0, nullptr, nullptr, 0);
            }
            _exit(1);
        }
        work.arrival->image = static_cast<pid_t>(image);
        well = image > 0;
    }
    if (!well || !forbid_system_calls()) {
        _exit(1);
    }
    return_to_program(registers);
}

bool read_page(pid_t process, std::uintptr_t begin, std::array<char, page>& into) noexcept {
    const iovec local{into.data(), page};
    const iovec remote{reinterpret_cast<void*>(begin), page};
    return process_vm_readv(process, &local, 1, &remote, 1, 0) == static_cast<ssize_t>(page);
}

bool read_page_of_image(std::uintptr_t begin, std::array<char, page>& into) noexcept {
    if (work.arrival->image != 0) {
        return read_page(work.arrival->image, begin, into);
    }
    std::memcpy(into.data(), reinterpret_cast<const char*>(begin), page);
    return true;
}

/// Of the page only what the program can come to see.
bool note_page(pid_t copy, std::uintptr_t begin, std::uintptr_t alive) noexcept {
    if (!read_page_of_image(begin, work.before) || !read_page(copy, begin, work.after)) {
        return false;
    }
    if (work.before == work.after) {
        return true;
    }
    // The dead part of the stack may differ.
    const Range dead{.begin = alive - std::min<std::uintptr_t>(alive, 64 << 10), .end = alive};
    bool same = true;
    for (std::size_t i = 0; i < page; ++i) {
        if (work.before[i] != work.after[i]) {
            const std::uintptr_t at = begin + i;
            if (dead.contains(at) || work.excluded.contains(at)) {
                work.after[i] = work.before[i];
            } else {
                same = false;
            }
        }
    }
    if (!same) {
        if (work.changed_count == work.changed.size()) {
            return false;
        }
        work.changed[work.changed_count++] = {.address = begin,
                                              .contents = base::digest_of(work.after.data(), work.after.size())};
    }
    return true;
}

/// All that the copy has written and that is not what it was. Nothing: that cannot be told, or it is too much.
std::optional<base::Digest> changed_memory(pid_t copy, std::uintptr_t alive) noexcept {
    constexpr std::uint64_t is_present = std::uint64_t{1} << 63;
    constexpr std::uint64_t is_swapped = std::uint64_t{1} << 62;
    constexpr std::uint64_t is_exclusive = std::uint64_t{1} << 56;
    std::array<char, 64> path{};
    std::snprintf(path.data(), path.size(), "/proc/%d/pagemap", static_cast<int>(copy));
    const int file = open(path.data(), O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return std::nullopt;
    }
    work.excluded.find();
    work.changed_count = 0;
    bool well = true;
    for (std::size_t region = 0; well && region < work.own_count; ++region) {
        const Range& each = work.own[region];
        for (std::uintptr_t at = each.begin; well && at < each.end;) {
            const std::size_t pages = std::min((each.end - at) / page, work.entries.size());
            const std::size_t size = pages * sizeof work.entries[0];
            well = pread(file, work.entries.data(), size, static_cast<off_t>(at / page * sizeof work.entries[0])) ==
                   static_cast<ssize_t>(size);
            for (std::size_t i = 0; well && i < pages; ++i) {
                const std::uint64_t entry = work.entries[i];
                const std::uintptr_t begin = at + i * page;
                const bool written =
                    (entry & is_swapped) != 0 || (entry & (is_present | is_exclusive)) == (is_present | is_exclusive);
                well = !written || (work.excluded.contains(begin) && work.excluded.contains(begin + page - 1)) ||
                       note_page(copy, begin, alive);
            }
            at += pages * page;
        }
    }
    close(file);
    if (!well) {
        return std::nullopt;
    }
    return base::digest_of(work.changed.data(), work.changed_count * sizeof work.changed[0]);
}

/// Until the copy is back, or at its end. False: the process has ended, or has not come so far.
bool await(pid_t copy, bool& ended) noexcept {
    timespec begin{};
    clock_gettime(CLOCK_MONOTONIC_COARSE, &begin);
    for (;;) {
        if (work.arrival->where.load(std::memory_order_acquire) != Arrival::nowhere) {
            return true;
        }
        if (syscall(SYS_wait4, copy, nullptr, WNOHANG | __WALL, nullptr) != 0) {
            ended = true;
            return false;
        }
        timespec now{};
        clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
        if (now.tv_sec - begin.tv_sec > most_waiting) {
            return false;
        }
        const timespec nap{.tv_sec = 0, .tv_nsec = 200'000};  // one that ends wakes nobody up
        const int error = errno;                              // the rank's memory is what the copy's is compared with
        syscall(SYS_futex, &work.arrival->where, FUTEX_WAIT, Arrival::nowhere, &nap, nullptr, 0);
        errno = error;
    }
}

/// In the copy.
void arrive(Arrival::Where where) noexcept {
    work.arrival->where.store(where, std::memory_order_release);
    syscall(SYS_futex, &work.arrival->where, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

void wait_for(pid_t process) noexcept {
    while (syscall(SYS_wait4, process, nullptr, __WALL, nullptr) < 0 && errno == EINTR) {}
}

/// Where the copy is back for the first time in a state in which it was before it goes round for ever.
FoundRepetition follow(pid_t copy, bool& ended, std::size_t stops) noexcept {
    FoundRepetition found;
    Arrival& arrival = *work.arrival;
    std::size_t known = 0;
    work.stops[known++] = {.memory = base::digest_of(work.changed.data(), 0), .registers = work.begin};
    // What AddressSanitizer notes of the memory is not compared. A round may have changed it, so that it would end the
    // program in the next one; that one writes there what this one did.
    const bool twice = sanitizers::address_runtime != nullptr;
    bool in_a_round = true;
    for (std::size_t looks = 0; looks < stops && await(copy, ended); ++looks) {
        if (arrival.where.load(std::memory_order_acquire) == Arrival::end) {
            found.looks_at_clock = arrival.looks_at_clock && in_a_round;
            if (!arrival.looks_at_clock && !arrival.is_poll) {
                found.repetition = replay::Repetition::gives_up;
                found.turns_after = arrival.calls;
            }
            return found;
        }
        const std::optional<base::Digest> memory = changed_memory(copy, work.begin.rsp);
        if (!memory) {
            return found;
        }
        in_a_round = in_a_round && arrival.registers != work.begin;
        const Stop now{.memory = *memory, .registers = arrival.registers, .calls = arrival.calls};
        Stop* const end = work.stops.data() + known;
        Stop* const before =
            std::find_if(work.stops.data(), end, [&](const Stop& each) { return each.same_state(now); });
        if (before == end) {
            *end = now;
            ++known;
        } else if (twice && !before->met_again) {
            before->met_again = true;
        } else {
            const std::uint32_t round = (now.calls - before->calls) / (twice ? 2 : 1);
            found = {.repetition = before->calls == 0 ? replay::Repetition::unchanged : replay::Repetition::settles,
                     .turns_after = before->calls,
                     .round = round};
            return found;
        }
        arrival.where.store(Arrival::nowhere, std::memory_order_relaxed);
        arrival.goes_on.store(1, std::memory_order_release);
        syscall(SYS_futex, &arrival.goes_on, FUTEX_WAKE, 1, nullptr, nullptr, 0);
    }
    return found;
}

FoundRepetition try_out(const Registers& registers, const char* function, std::size_t stops) noexcept {
    work.arrival->where.store(Arrival::nowhere, std::memory_order_relaxed);
    work.arrival->goes_on.store(0, std::memory_order_relaxed);
    work.arrival->image = 0;
    work.arrival->calls = 1;
    work.arrival->looks_at_clock = false;
    work.arrival->is_poll = false;
    work.needs_image = !is_only_thread();
    work.function = function;
    work.begin = registers;
    const pid_t parent = getpid();
    const long copy = syscall(SYS_clone, 0L, nullptr, nullptr, nullptr, nullptr);
    if (copy == 0) {
        repeat(registers, parent);
    }
    if (copy < 0) {
        return {};
    }
    bool ended = false;
    const FoundRepetition found = follow(static_cast<pid_t>(copy), ended, stops);
    const pid_t image = work.arrival->image;
    if (image > 0) {
        syscall(SYS_kill, image, SIGKILL);
    }
    if (!ended) {
        syscall(SYS_kill, copy, SIGKILL);
        wait_for(static_cast<pid_t>(copy));
    }
    if (image > 0) {
        wait_for(image);
    }
    return found;
}

/// As long as no other thread does anything.
FoundRepetition repeats(const Core& core, const char* function, const void* return_address,
                        std::size_t stops) noexcept {
    FoundRepetition found;
    if (!may_prove_repetition(core, return_address)) {
        return found;
    }
    const int error = errno;
    const Registers registers = registers_of(return_address);
    if (registers.found && read_maps()) {
        void* const shared = mmap(nullptr, page, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (shared != MAP_FAILED) {
            work.arrival = static_cast<Arrival*>(shared);
            found = try_out(registers, function, stops);
            munmap(shared, page);
        }
    }
    errno = error;
    return found;
}

/// How many calls the rank makes in turn for ever if nothing comes; 0: that is not known.
std::uint32_t calls_in_turn(const FoundRepetition& found) { return found.round; }

/// In the copy, which is back: until it is to go on.
void wait_to_go_on(const Registers& registers) noexcept {
    Arrival& arrival = *work.arrival;
    const int error = errno;  // is the program's
    arrival.registers = registers;
    arrive(Arrival::back);
    while (arrival.goes_on.exchange(0, std::memory_order_acquire) == 0) {
        syscall(SYS_futex, &arrival.goes_on, FUTEX_WAIT, 0, nullptr, nullptr, 0);
    }
    errno = error;
}

}  // namespace

FoundRepetition repetition_of(Core& core, const char* function, const void* return_address) noexcept {
    const auto known = known_repetition(core, return_address);
    return known ? *known : try_repetition(core, function, return_address);
}

std::optional<FoundRepetition> known_repetition(Core& core, const void* return_address) noexcept {
    if (attempts == most_attempts || has_other_threads()) {
        return FoundRepetition{};
    }
    PollingPlace* const place = place_of(return_address);
    if (place != nullptr && place->left != 0) {
        --place->left;
        this_thread->false_answers.repeats(core, 0);
        return FoundRepetition{.looks_at_clock = place->looks_at_clock};
    }
    return std::nullopt;
}

bool may_prove_repetition(const Core& core, const void* return_address) noexcept {
    // A handler of signals may do what the program polls for.
    return !core.multithreaded && return_address != nullptr && !has_programs_handlers();
}

FoundRepetition try_repetition(Core& core, const char* function, const void* return_address,
                               const std::optional<FoundRepetition>& elsewhere) noexcept {
    PollingPlace* const place = place_of(return_address);
    ++attempts;
    const std::size_t stops = place != nullptr && place->never_settles ? 1 : most_stops;
    const FoundRepetition found = elsewhere ? *elsewhere : repeats(core, function, return_address, stops);
    this_thread->false_answers.repeats(core, calls_in_turn(found));
    const bool undecided = found.repetition == replay::Repetition::undecided;
    if (place != nullptr && (undecided || place->return_address != nullptr)) {
        place->return_address = return_address;
        place->looks_at_clock = found.looks_at_clock;
        place->undecided = undecided ? place->undecided + 1 : 0;
        const bool skips = found.looks_at_clock || place->undecided >= most_undecided;
        place->skipping = skips ? std::min(most_skipped, 4 * place->skipping + 3) : 0;
        place->left = place->skipping;
        place->never_settles = place->never_settles || undecided;
    }
    return found;
}

bool goes_on_repeating(const char* function, const void* return_address, bool may_come) noexcept {
    if (!may_come || work.arrival->calls >= most_calls) {
        work.arrival->is_poll = true;
        return false;
    }
    if (std::strcmp(work.function, function) == 0 &&
        work.begin.rip == reinterpret_cast<std::uintptr_t>(return_address)) {
        const Registers registers = registers_of(return_address);
        if (registers.found && registers.rsp == work.begin.rsp) {
            wait_to_go_on(registers);
        }
    }
    ++work.arrival->calls;
    return true;
}

void note_repetition(Core& core, const char* function, const void* return_address,
                     std::uint32_t false_answers) noexcept {
    if (false_answers < many_false_answers || false_answers % many_false_answers != 0) [[likely]] {
        return;
    }
    PollingPlace* const place = place_of(return_address);
    const std::uint32_t doublings = place == nullptr ? 0 : std::min(place->late_undecided, most_doublings);
    if (false_answers != many_false_answers << doublings || late_attempts == most_attempts) {
        return;
    }
    ++late_attempts;
    const FoundRepetition found = repeats(core, function, return_address, most_stops);
    this_thread->false_answers.repeats(core, calls_in_turn(found));
    if (place != nullptr) {
        place->return_address = return_address;
        place->late_undecided = found.repetition == replay::Repetition::undecided ? place->late_undecided + 1 : 0;
    }
}

void end_of_repetition(const char* function) noexcept {
    work.arrival->looks_at_clock = function == nullptr || std::strcmp(function, "MPI_Wtime") == 0;
    arrive(Arrival::end);
    for (;;) {
        syscall(waiting_call, arrival_mark, 0, nullptr, nullptr, 0);
    }
}

}  // namespace dampi::piggyback
