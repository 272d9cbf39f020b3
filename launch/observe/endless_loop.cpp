// A cycle of registers is looked for as Brent does (An improved Monte Carlo factorization algorithm, 1980): against one
// earlier state, which is replaced at powers of two. Once they have come round, the memory is looked at, too.
#include "launch/observe/endless_loop.hpp"

#include "base/digest.hpp"
#include "launch/observe/handled_signals.hpp"
#include "launch/observe/observed_process.hpp"
#include "launch/observe/sleeping_threads.hpp"
#include "launch/observe/traced_thread.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <elf.h>
#include <sched.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>

namespace dampi::launch {

#if defined(__x86_64__)

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

/// More is not compared: that would take too long.
constexpr std::size_t most_memory = std::size_t{256} << 20;
constexpr auto patience_with_stop = 300ms;
/// On a busy machine each instruction may wait for a processor, and so does the program meanwhile.
constexpr auto longest_following = 1s;

struct Mapping {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};

/// What a process can write, and what no loop may look at.
struct Memory {
    std::vector<Mapping> written;
    Mapping clock;                ///< the system's code and data for it
    bool may_be_changed = false;  ///< a file that others may write is mapped
};

std::optional<Memory> memory_of(pid_t process) {
    Memory memory;
    std::ifstream maps("/proc/" + std::to_string(process) + "/maps");
    std::size_t size = 0;
    for (std::string line; std::getline(maps, line);) {
        unsigned long long begin = 0;
        unsigned long long end = 0;
        std::array<char, 5> rights{};
        int name = 0;
        if (std::sscanf(line.c_str(), "%llx-%llx %4s %*x %*s %*u %n", &begin, &end, rights.data(), &name) != 3) {
            return std::nullopt;
        }
        const std::string_view file = std::string_view(line).substr(std::min<std::size_t>(name, line.size()));
        if (file == "[vdso]" || file == "[vvar]") {
            memory.clock = {memory.clock.end == 0 ? begin : std::min<std::uint64_t>(memory.clock.begin, begin),
                            std::max<std::uint64_t>(memory.clock.end, end)};
        }
        const bool shared = rights[3] == 's';
        const bool of_ranks = file.starts_with("/dev/shm/") || file.starts_with("/SYSV") ||
                              file.starts_with("/memfd:") || file.starts_with("/dev/zero");
        memory.may_be_changed = memory.may_be_changed || (shared && !file.empty() && !of_ranks && file[0] == '/');
        if (rights[1] == 'w' && !shared) {
            memory.written.push_back({begin, end});
            size += end - begin;
        }
    }
    return memory.written.empty() || size > most_memory ? std::nullopt : std::optional(std::move(memory));
}

bool read(pid_t process, std::uint64_t address, void* to, std::size_t size) {
    const iovec here{to, size};
    const iovec there{reinterpret_cast<void*>(address), size};  // NOLINT(performance-no-int-to-ptr)
    return process_vm_readv(process, &here, 1, &there, 1, 0) == static_cast<ssize_t>(size);
}

constexpr std::size_t page_size = 4096;

/// What is in one page of the memory.
std::optional<base::Digest> page_contents(pid_t process, std::uint64_t page) {
    std::array<char, page_size> bytes{};
    return read(process, page, bytes.data(), bytes.size()) ? std::optional(base::digest_of(bytes.data(), bytes.size()))
                                                           : std::nullopt;
}

/// What is in all that it can write, by page; empty where it cannot be read.
std::vector<std::pair<std::uint64_t, base::Digest>> contents(pid_t process, const Memory& memory) {
    std::vector<char> bytes;
    std::vector<std::pair<std::uint64_t, base::Digest>> pages;
    for (const Mapping& mapping : memory.written) {
        bytes.resize(mapping.end - mapping.begin);
        if (!read(process, mapping.begin, bytes.data(), bytes.size())) {
            return {};
        }
        for (std::size_t at = 0; at + page_size <= bytes.size(); at += page_size) {
            pages.emplace_back(mapping.begin + at, base::digest_of(bytes.data() + at, page_size));
        }
    }
    return pages;
}

/// All registers: the general ones, and those for floating-point numbers and vectors.
struct Registers {
    user_regs_struct general{};
    std::array<std::byte, std::size_t{16} << 10> others{};
    std::size_t others_size = 0;
};

bool read_general(pid_t thread, user_regs_struct& general) {
    if (ptrace(PTRACE_GETREGS, thread, nullptr, &general) != 0) {
        return false;
    }
    constexpr unsigned long long only_when_followed = 0x10100;  // the flags RF and TF
    general.eflags &= ~only_when_followed;
    return true;
}

bool read_others(pid_t thread, Registers& registers) {
    iovec room{registers.others.data(), registers.others.size()};
    if (ptrace(PTRACE_GETREGSET, thread, NT_X86_XSTATE, &room) != 0) {
        return false;
    }
    registers.others_size = room.iov_len;
    return true;
}

bool same(const user_regs_struct& one, const user_regs_struct& other) {
    return std::equal(reinterpret_cast<const char*>(&one), reinterpret_cast<const char*>(&one + 1),
                      reinterpret_cast<const char*>(&other));
}

/// The program's code, as it is: read once.
class Code {
public:
    explicit Code(pid_t process) : process_(process) {}

    /// Whether the instruction there depends on registers and memory alone.
    bool is_plain(std::uint64_t address) {
        const auto [known, added] = plain_.try_emplace(address, false);
        if (added) {
            known->second = looks_plain(address);
        }
        return known->second;
    }

private:
    bool looks_plain(std::uint64_t address) const {
        constexpr std::size_t longest = 15;
        std::array<unsigned char, longest + 1> bytes{};
        constexpr std::uint64_t page = 4096;
        const std::size_t here = std::min<std::size_t>(longest, page - address % page);
        if (!read(process_, address, bytes.data(), here)) {
            return false;
        }
        if (here < longest) {
            static_cast<void>(read(process_, address + here, bytes.data() + here, longest - here));
        }
        std::size_t at = 0;
        constexpr std::string_view prefixes = "\x26\x2e\x36\x3e\x64\x65\x66\x67\xf0\xf2\xf3";
        while (at < longest &&
               (prefixes.find(static_cast<char>(bytes[at])) != std::string_view::npos || (bytes[at] & 0xf0U) == 0x40)) {
            ++at;
        }
        constexpr unsigned char two_bytes = 0x0f;
        if (bytes[at] != two_bytes) {
            constexpr std::string_view interrupts = "\xcc\xcd\xce\xcf\xf1\xf4\xe4\xe5\xe6\xe7\xec\xed\xee\xef";
            return interrupts.find(static_cast<char>(bytes[at])) == std::string_view::npos;
        }
        const unsigned char second = bytes[at + 1];
        const unsigned char operand = bytes[at + 2];
        constexpr std::string_view asks{"\x05\x07\x31\x33\x34\x35\xa2", 7};  // the system, the clock, the processor
        const bool random = second == 0xc7 && operand >= 0xc0;               // rdrand, rdseed, rdpid
        const bool clock = second == 0x01 && operand >= 0xc0;                // rdtscp among others
        return asks.find(static_cast<char>(second)) == std::string_view::npos && !random && !clock;
    }

    pid_t process_;
    std::map<std::uint64_t, bool> plain_;
};

/// Keeps a thread on one processor as long as it lives: the kernel writes into the program's memory on which it is
/// (rseq(2)).
class OnOneProcessor {
public:
    explicit OnOneProcessor(pid_t thread) : thread_(thread) {
        CPU_ZERO(&before_);
        if (sched_getaffinity(thread, sizeof before_, &before_) != 0) {
            return;
        }
        int first = 0;
        while (first < CPU_SETSIZE - 1 && !CPU_ISSET(first, &before_)) {
            ++first;
        }
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(first, &one);
        changed_ = sched_setaffinity(thread, sizeof one, &one) == 0;
    }
    ~OnOneProcessor() {
        if (changed_) {
            sched_setaffinity(thread_, sizeof before_, &before_);
        }
    }
    OnOneProcessor(const OnOneProcessor&) = delete;
    OnOneProcessor& operator=(const OnOneProcessor&) = delete;

private:
    pid_t thread_;
    cpu_set_t before_;
    bool changed_ = false;
};

class Follower {
public:
    Follower(pid_t process, const Memory& memory)
        : process_(process), memory_(memory), code_(process), processor_(process), thread_(process) {}

    bool comes_round() {
        if (!thread_.wait(Clock::now() + patience_with_stop) || !comes_to_its_registers()) {
            return false;
        }
        // From here on with the memory. Inner loops have the same registers again, and count in memory.
        Registers begin;
        const auto pages = contents(process_, memory_);
        if (pages.empty() || !read_general(process_, begin.general) || !read_others(process_, begin)) {
            return false;
        }
        std::vector<std::pair<std::uint64_t, base::Digest>> changing;  // pages that were not the same, once
        user_regs_struct now = begin.general;
        for (int full_looks = 0; full_looks < most_full_looks && followed_ < most_followed;) {
            if (!step(now)) {
                return false;
            }
            if (!same(now, begin.general) || !all_are(changing)) {
                continue;
            }
            ++full_looks;
            if (is_again(begin, pages, changing)) {
                return true;
            }
        }
        return false;
    }

private:
    static constexpr int most_full_looks = 8;

    /// Executes the instruction that it stands at, if that depends on nothing else; `now` are its registers.
    bool step(user_regs_struct& now) {
        const bool is_clock = now.rip >= memory_.clock.begin && now.rip < memory_.clock.end;
        constexpr std::uint64_t between_looks = 64;
        if (++followed_ % between_looks == 0 && Clock::now() > end_) {
            return false;
        }
        return !is_clock && code_.is_plain(now.rip) && thread_.step() && read_general(process_, now);
    }

    /// Whether the general registers come to be what they were.
    bool comes_to_its_registers() {
        user_regs_struct earlier{};
        constexpr auto nowhere = ~decltype(earlier.orig_rax){0};
        if (!read_general(process_, earlier) || earlier.orig_rax != nowhere) {
            return false;  // it has just come to the system
        }
        user_regs_struct now = earlier;
        for (std::uint64_t since = 0, power = 1; followed_ < most_followed;) {
            if (!step(now)) {
                return false;
            }
            if (same(now, earlier)) {
                return true;
            }
            if (++since == power) {
                earlier = now;
                power *= 2;
                since = 0;
            }
        }
        return false;
    }

    [[nodiscard]] bool all_are(const std::vector<std::pair<std::uint64_t, base::Digest>>& pages) const {
        return std::all_of(pages.begin(), pages.end(),
                           [&](const auto& each) { return page_contents(process_, each.first) == each.second; });
    }

    /// Whether all registers and all memory are what they were; adds the pages that are not.
    bool is_again(const Registers& begin, const std::vector<std::pair<std::uint64_t, base::Digest>>& pages,
                  std::vector<std::pair<std::uint64_t, base::Digest>>& changing) const {
        Registers registers;
        const auto present = contents(process_, memory_);
        if (!read_others(process_, registers) || registers.others_size != begin.others_size ||
            registers.others != begin.others || present.size() != pages.size()) {
            return false;
        }
        bool all = true;
        for (std::size_t i = 0; i < pages.size(); ++i) {
            if (present[i] != pages[i]) {
                changing.push_back(pages[i]);
                all = false;
            }
        }
        return all;
    }

    pid_t process_;
    const Memory& memory_;
    Code code_;
    OnOneProcessor processor_;
    TracedThread thread_;
    std::uint64_t followed_ = 0;
    Clock::time_point end_ = Clock::now() + longest_following;
};

}  // namespace

bool loops_for_ever(pid_t process, const std::vector<pid_t>& idle_threads) {
    std::vector<pid_t> known{process};
    known.insert(known.end(), idle_threads.begin(), idle_threads.end());
    const std::optional<std::uint64_t> others = threads_sleeping(known);
    // One that is in the system had better not be stopped: what it waits for there may fail.
    const bool computes = state_of_process(process).state == 'R';
    const std::optional<Memory> memory = !computes || handles_signals(process) ? std::nullopt : memory_of(process);
    return others && memory && !memory->may_be_changed && Follower(process, *memory).comes_round() &&
           threads_sleeping(known) == others;
}

#else

bool loops_for_ever(pid_t /*process*/, const std::vector<pid_t>& /*idle_threads*/) { return false; }

#endif

}  // namespace dampi::launch
