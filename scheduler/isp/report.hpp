// What ISP prints, in ISP's words, for people and for the scripts that look for them. Pure text.
#pragma once

#include "scheduler/isp/findings.hpp"
#include "scheduler/isp/interleaving.hpp"
#include "scheduler/isp/options.hpp"

#include <cstdint>
#include <string>

namespace dampi::scheduler::isp {

/// A sentence that was made for dampi-run, in which options are dampi-run's.
[[nodiscard]] std::string as_said_here(std::string sentence);

/// Before the first interleaving.
[[nodiscard]] std::string introduction(const Options& options);

/// Makes the text of one interleaving after the other, and remembers what the last lines need.
class Narrator {
public:
    explicit Narrator(const Options& options) : options_(options) {}

    /// The next.
    [[nodiscard]] std::string interleaving(const Interleaving& run);

    [[nodiscard]] bool deadlock_seen() const { return deadlock_; }

    /// After the last one.
    [[nodiscard]] std::string conclusion() const;

    /// Of the first failed assertion, abort, invalid rank or crash, with which ISP would have stopped; else of a
    /// deadlock; else of an error that ISP does not know; else verified.
    [[nodiscard]] ExitCode exit_code() const;

private:
    const Options& options_;
    std::uint64_t interleavings_ = 0;
    std::uint64_t calls_ = 0;
    bool deadlock_ = false;
    bool other_ = false;
    Trouble first_ = Trouble::none;  ///< but for deadlocks, leaks and others
};

}  // namespace dampi::scheduler::isp
