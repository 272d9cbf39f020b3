#include "launch/observe/sleeping_threads.hpp"

#include "base/hash.hpp"
#include "launch/observe/handled_signals.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include <linux/futex.h>
#include <sys/syscall.h>

namespace dampi::launch {
namespace {

/// Which addresses of the process no other process can see. Reads them when it is asked: that costs more than all else.
class PrivateMemory {
public:
    explicit PrivateMemory(std::filesystem::path process) : process_(std::move(process)) {}
    [[nodiscard]] bool contains(std::uint64_t address) {
        if (!read_) {
            read();
        }
        const auto after = ends_.upper_bound(address);
        return after != ends_.begin() && address < std::prev(after)->second;
    }

private:
    void read() {
        read_ = true;
        std::ifstream maps(process_ / "maps");
        std::string line;
        while (std::getline(maps, line)) {
            unsigned long long begin = 0;
            unsigned long long end = 0;
            char shared = 's';
            if (std::sscanf(line.c_str(), "%llx-%llx %*c%*c%*c%c", &begin, &end, &shared) == 3 && shared == 'p') {
                ends_[begin] = end;
            }
        }
    }

    std::filesystem::path process_;
    bool read_ = false;
    std::map<std::uint64_t, std::uint64_t> ends_;
};

/// Whether the thread waits for a futex that only its own process can reach, without an end.
bool sleeps(const std::filesystem::path& thread, PrivateMemory& memory) {
    std::ifstream file(thread / "syscall");
    long long number = -1;
    std::uint64_t address = 0;
    std::uint64_t operation = 0;
    std::uint64_t value = 0;
    std::uint64_t timeout = 1;
    // A thread that runs has the word "running" there.
    if (!(file >> number >> std::hex >> address >> operation >> value >> timeout) || number != SYS_futex ||
        timeout != 0) {
        return false;
    }
    const auto command = operation & static_cast<std::uint64_t>(FUTEX_CMD_MASK);
    return (command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET) && memory.contains(address);
}

/// How often the thread has been given a core and has given it back.
std::optional<std::uint64_t> switches(const std::filesystem::path& thread) {
    std::ifstream file(thread / "status");
    std::optional<std::uint64_t> sum;
    std::string word;
    while (file >> word) {
        std::uint64_t count = 0;
        if (word.ends_with("_ctxt_switches:") && file >> count) {
            sum = sum.value_or(0) + count;
        }
    }
    return sum;
}

struct Sleepers {
    std::uint64_t number = 0;  ///< as threads_sleeping() has it
    bool any = false;
};

/// None if one of them does not sleep.
std::optional<Sleepers> sleepers(pid_t process, const std::vector<pid_t>& but) {
    const std::filesystem::path directory = "/proc/" + std::to_string(process);
    PrivateMemory memory(directory);
    base::Hash number(0);
    bool any = false;
    std::error_code error;
    auto entry = std::filesystem::directory_iterator(directory / "task", error);
    for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
        const std::string name = entry->path().filename();
        pid_t thread = 0;
        std::from_chars(name.data(), name.data() + name.size(), thread);
        if (std::find(but.begin(), but.end(), thread) != but.end()) {
            continue;
        }
        // Counted before: who is woken after that, and sleeps again, has another number the next time.
        const auto count = switches(entry->path());
        if (!count || !sleeps(entry->path(), memory)) {
            return std::nullopt;
        }
        number.add(static_cast<std::uint64_t>(thread)).add(*count);
        any = true;
    }
    return error ? std::nullopt : std::optional(Sleepers{.number = number.value(), .any = any});
}

}  // namespace

std::optional<std::uint64_t> threads_sleeping(const std::vector<pid_t>& but) {
    if (but.empty()) {
        return std::nullopt;
    }
    const auto others = sleepers(but.front(), but);
    return !others || (others->any && handles_signals(but.front())) ? std::nullopt : std::optional(others->number);
}

bool sleeps_for_ever(pid_t process, const std::vector<pid_t>& idle) {
    constexpr std::chrono::milliseconds between{100};
    const auto before = sleepers(process, idle);
    if (!before || !before->any || handles_signals(process)) {
        return false;
    }
    std::this_thread::sleep_for(between);
    const auto after = sleepers(process, idle);
    return after && after->number == before->number;
}

}  // namespace dampi::launch
