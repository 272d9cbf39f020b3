#include "launch/observe/handled_signals.hpp"

#include <csignal>
#include <cstdint>
#include <fstream>
#include <string>

namespace dampi::launch {

bool handles_signals(pid_t process) {
    constexpr int first_of_users = 34;
    constexpr int last = 64;
    const auto bit = [](int signal) { return std::uint64_t{1} << (signal - 1); };
    std::uint64_t counted =
        bit(SIGALRM) | bit(SIGVTALRM) | bit(SIGPROF) | bit(SIGIO) | bit(SIGURG) | bit(SIGCHLD) | bit(SIGUSR2);
    for (int signal = first_of_users; signal <= last; ++signal) {
        counted |= bit(signal);
    }
    std::ifstream file("/proc/" + std::to_string(process) + "/status");
    std::string word;
    while (file >> word) {
        std::uint64_t caught = 0;
        if (word == "SigCgt:" && file >> std::hex >> caught) {
            return (caught & counted) != 0;
        }
    }
    return true;  // nobody knows
}

}  // namespace dampi::launch
