// The progress line of a sweep on a terminal; nothing at all anywhere else.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace dampi::scheduler {

struct ProgressNumbers {
    std::uint64_t explored = 0;
    std::uint64_t pending = 0;     ///< known to be left
    std::uint64_t violations = 0;  ///< distinct ones
    std::chrono::milliseconds elapsed{};
};

/// "12 interleavings done, 5 known to be left, 8.3/s, 1 violation", cut to `width` columns.
[[nodiscard]] std::string progress_line(const ProgressNumbers& numbers, std::size_t width);

/// Owned by one thread.
class Progress {
public:
    /// Writes to `descriptor` (stderr's) if it is a terminal and `wanted`. Not wanted: with --quiet, and when
    /// the program's own output is shown on the same terminal.
    Progress(int descriptor, bool wanted);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// May be called after each interleaving, however short: the terminal is written to at most ten times a
    /// second.
    void update(const ProgressNumbers& numbers);

    /// Removes the line, before anything else is printed; a later update() brings it back at once.
    void erase();

private:
    int descriptor_;
    bool active_;
    std::size_t shown_ = 0;  ///< columns
    std::chrono::steady_clock::time_point last_{};
};

}  // namespace dampi::scheduler
