// See progress.hpp.
#include "scheduler/report/progress.hpp"

#include "scheduler/report/terminal_words.hpp"

#include <cerrno>
#include <string_view>

#include <sys/ioctl.h>
#include <unistd.h>

#include <fmt/format.h>

namespace dampi::scheduler {

namespace {

constexpr std::chrono::milliseconds shortest_interval{100};

std::size_t terminal_width(int descriptor) {
    winsize size{};
    if (::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 1) {
        return size.ws_col - 1U;  // the last column would make some terminals wrap
    }
    return 79;
}

/// A terminal that went away is no reason to end the sweep.
void write_all(int descriptor, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(descriptor, text.data(), text.size());
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            return;
        }
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

}  // namespace

std::string progress_line(const ProgressNumbers& numbers, std::size_t width) {
    const double seconds = static_cast<double>(numbers.elapsed.count()) / 1000;
    const std::string rate =
        seconds > 0 ? fmt::format(", {:.1f}/s", static_cast<double>(numbers.explored) / seconds) : "";
    std::string line = fmt::format("{} done, {} known to be left{}, {}", counted(numbers.explored, "interleaving"),
                                   numbers.pending, rate, counted(numbers.violations, "violation"));
    if (line.size() > width) {
        line.resize(width);
    }
    return line;
}

Progress::Progress(int descriptor, bool wanted)
    : descriptor_(descriptor), active_(wanted && ::isatty(descriptor) == 1) {}

Progress::~Progress() { erase(); }

void Progress::update(const ProgressNumbers& numbers) {
    const auto now = std::chrono::steady_clock::now();
    if (!active_ || (shown_ > 0 && now - last_ < shortest_interval)) {
        return;
    }
    last_ = now;
    const std::string line = progress_line(numbers, terminal_width(descriptor_));
    // Blanks instead of an escape sequence: right on every terminal.
    const std::size_t leftover = shown_ > line.size() ? shown_ - line.size() : 0;
    write_all(descriptor_, "\r" + line + std::string(leftover, ' '));
    shown_ = line.size() + leftover;
}

void Progress::erase() {
    if (shown_ > 0) {
        write_all(descriptor_, "\r" + std::string(shown_, ' ') + "\r");
        shown_ = 0;
    }
}

}  // namespace dampi::scheduler
