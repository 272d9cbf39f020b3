// A process of somebody else's that is looked at again and again while it runs: its stack with the names of functions,
// what tells whether it has got on, where its addresses lie. Each look stops one thread for about a millisecond
// (traced_thread.hpp) and changes nothing. One thread uses an object, always the same.
#pragma once

#include "replay/epoch.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace dampi::launch {

struct ObservedFrame {
    std::uint64_t address = 0;  ///< where it is; within the call for all but the innermost
    replay::CodePlace place;    ///< module and offset only
    std::string symbol;         ///< as the linker names it; empty: not known
    std::uint64_t stack = 0;    ///< where its part of the stack begins; 0: not known
    std::uint64_t saved = 0;    ///< a digest of the registers that a call keeps, as they are in this frame
    /// The general registers in this frame, by their numbers in DWARF, as far as they are known.
    std::array<std::optional<std::uint64_t>, 16> registers = {};
};

/// What the kernel says of a process.
struct ProcessState {
    char state = 'X';            ///< as in /proc: R, S, D, T (stopped), t (traced), Z, X (gone)
    pid_t tracer = 0;            ///< somebody's debugger
    std::uint64_t ticks = 0;     ///< of CPU time
    std::uint64_t io_bytes = 0;  ///< read and written; 0 where the system does not tell
};
/// Lets those go that read_stack() has asked to stop and that did so too late: under load a process may not even stop
/// within its patience.
[[nodiscard]] ProcessState state_of_process(pid_t process);
/// CPU time of one thread; 0 where it has gone.
[[nodiscard]] std::uint64_t ticks_of_thread(pid_t process, pid_t thread);

class ObservedProcess {
public:
    explicit ObservedProcess(pid_t process);
    ~ObservedProcess();
    ObservedProcess(ObservedProcess&&) noexcept;
    ObservedProcess& operator=(ObservedProcess&&) noexcept;

    [[nodiscard]] pid_t process() const;

    /// The stack of a thread of it, innermost first; empty where it cannot be had within `patience`.
    [[nodiscard]] std::vector<ObservedFrame> read_stack(pid_t thread, std::chrono::milliseconds patience);
    /// The same of a thread that the caller has stopped.
    [[nodiscard]] std::vector<ObservedFrame> read_stopped_stack(pid_t thread);
    /// Its threads; the first one first.
    [[nodiscard]] std::vector<pid_t> threads() const;
    /// A digest of the stack from this address on, up to 16 KiB: another one when something there has changed.
    [[nodiscard]] std::uint64_t digest_of_stack(std::uint64_t from) const;
    /// Of an address within a call.
    [[nodiscard]] replay::CodePlace place_of(std::uint64_t address);

private:
    class Modules;
    std::unique_ptr<Modules> modules_;
};

}  // namespace dampi::launch
