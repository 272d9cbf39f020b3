// See progress.hpp.
#include "scheduler/report/progress.hpp"

#include "replay/terminal_words.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <string_view>

#include <sys/ioctl.h>
#include <unistd.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace dampi::scheduler {

namespace {

constexpr std::chrono::milliseconds shortest_interval{100};
constexpr std::chrono::milliseconds shortest_json_interval{1000};
constexpr std::uint64_t fewest_for_an_estimate = 5;
constexpr std::uint64_t fewest_walks_for_an_estimate = 2;

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

/// Of runs in the time since the beginning; nothing without any worker.
std::optional<double> rate_of_each(const ProgressNumbers& numbers) {
    const double seconds = static_cast<double>(numbers.elapsed.count()) / 1000;
    if (numbers.workers->present == 0 || seconds <= 0) {
        return std::nullopt;
    }
    return static_cast<double>(numbers.explored - numbers.explored_before) / seconds /
           static_cast<double>(numbers.workers->present);
}

std::string workers_text(const ProgressNumbers& numbers) {
    const WorkersShown& workers = *numbers.workers;
    std::string text = workers.present == 0 ? "no worker" : replay::counted(workers.present, "worker");
    std::string more;
    if (const auto rate = rate_of_each(numbers)) {
        more = fmt::format("{:.1f}/s each", *rate);
    }
    if (workers.lost != 0) {
        more += fmt::format("{}{} lost", more.empty() ? "" : ", ", workers.lost);
    }
    return more.empty() ? text : fmt::format("{} ({})", text, more);
}

}  // namespace

std::optional<Estimate> estimate(const ProgressNumbers& numbers) {
    const std::uint64_t now = numbers.explored - numbers.explored_before;
    const double seconds = static_cast<double>(numbers.elapsed.count()) / 1000;
    const bool walks = numbers.size && numbers.size->ended >= fewest_walks_for_an_estimate;
    if (!walks && (numbers.explored < fewest_for_an_estimate || numbers.part_done <= 0)) {
        return std::nullopt;
    }
    const auto done = static_cast<double>(numbers.explored);
    const double known = done + static_cast<double>(numbers.pending + numbers.running);
    const double all = walks ? numbers.size->mean.value() : done / std::min(numbers.part_done, 1.0);
    Estimate made{.interleavings = std::max(all, known), .by_walks = walks && all >= known};
    if (now + numbers.trials != 0 && seconds > 0) {
        made.seconds_left = (made.interleavings - done) * seconds / static_cast<double>(now + numbers.trials);
    }
    return made;
}

std::string progress_line(const ProgressNumbers& numbers, std::size_t width) {
    const double seconds = static_cast<double>(numbers.elapsed.count()) / 1000;
    const std::uint64_t now = numbers.explored - numbers.explored_before;
    const std::string rate = seconds > 0 ? fmt::format(", {:.1f}/s", static_cast<double>(now) / seconds) : "";
    std::string line =
        fmt::format("{} done, {} known to be left{}, {}", replay::counted(numbers.explored, "interleaving"),
                    numbers.pending + numbers.running, rate, replay::counted(numbers.violations, "violation"));
    if (numbers.workers) {
        line += ", " + workers_text(numbers);
    }
    if (numbers.size && numbers.size->ended + numbers.size->abandoned < numbers.size->walks) {
        line +=
            fmt::format(", {} of {} random walks", numbers.size->ended + numbers.size->abandoned, numbers.size->walks);
    }
    if (const auto whole = estimate(numbers)) {
        line += whole->by_walks              ? fmt::format(", {} in all", heuristics::size_text(*numbers.size))
                : whole->interleavings < 1e9 ? fmt::format(", about {:.0f} in all", whole->interleavings)
                                             : fmt::format(", about {:.0e} in all", whole->interleavings);
        constexpr double long_time = 1000.0 * 3600;
        if (whole->seconds_left && *whole->seconds_left < long_time) {
            line += ", " + replay::duration_text(*whole->seconds_left) + " left";
        }
    }
    if (line.size() > width) {
        line.resize(width);
    }
    return line;
}

std::string progress_json(const ProgressNumbers& numbers, bool finished) {
    const double seconds = static_cast<double>(numbers.elapsed.count()) / 1000;
    const auto now = static_cast<double>(numbers.explored - numbers.explored_before);
    const auto whole = estimate(numbers);
    nlohmann::ordered_json line = {{"explored", numbers.explored},
                                   {"running", numbers.running},
                                   {"pending", numbers.pending},
                                   {"violations", numbers.violations},
                                   {"seconds", seconds},
                                   {"rate", seconds > 0 ? nlohmann::ordered_json(now / seconds) : nullptr},
                                   {"estimated_interleavings", nullptr},
                                   {"estimated_relative_error", nullptr},
                                   {"estimated_seconds_left", nullptr},
                                   {"finished", finished}};
    if (numbers.workers) {
        const auto each = rate_of_each(numbers);
        line["workers"] = {{"present", numbers.workers->present},
                           {"slots", numbers.workers->slots},
                           {"lost", numbers.workers->lost},
                           {"rate_of_each", each ? nlohmann::ordered_json(*each) : nullptr}};
    }
    if (whole) {
        line["estimated_interleavings"] = std::round(whole->interleavings);
        if (const auto error = whole->by_walks ? numbers.size->relative_error() : std::nullopt) {
            line["estimated_relative_error"] = *error;
        }
        if (whole->seconds_left) {
            line["estimated_seconds_left"] = *whole->seconds_left;
        }
    }
    return line.dump();
}

Progress::Progress(int descriptor, ProgressKind kind) : descriptor_(descriptor), kind_(kind) {
    if (kind == ProgressKind::automatic) {
        kind_ = ::isatty(descriptor) == 1 ? ProgressKind::line : ProgressKind::none;
    }
}

Progress::~Progress() { erase(); }

void Progress::update(const ProgressNumbers& numbers) {
    const auto now = std::chrono::steady_clock::now();
    const auto interval = kind_ == ProgressKind::json ? shortest_json_interval : shortest_interval;
    if (kind_ == ProgressKind::none || (last_ && now - *last_ < interval)) {
        return;
    }
    last_ = now;
    if (kind_ == ProgressKind::json) {
        write_all(descriptor_, progress_json(numbers, false) + "\n");
        return;
    }
    const std::string line = progress_line(numbers, terminal_width(descriptor_));
    // Blanks instead of an escape sequence: right on every terminal.
    const std::size_t leftover = shown_ > line.size() ? shown_ - line.size() : 0;
    write_all(descriptor_, "\r" + line + std::string(leftover, ' '));
    shown_ = line.size() + leftover;
}

void Progress::end(const ProgressNumbers& numbers) {
    if (kind_ == ProgressKind::json) {
        write_all(descriptor_, progress_json(numbers, true) + "\n");
    }
    erase();
}

void Progress::erase() {
    if (shown_ > 0) {
        write_all(descriptor_, "\r" + std::string(shown_, ' ') + "\r");
        shown_ = 0;
    }
}

}  // namespace dampi::scheduler
