#include "scheduler/scale/measuring.hpp"

#include "base/check.hpp"
#include "base/content_of.hpp"
#include "scheduler/scale/quiet_command.hpp"
#include "scheduler/watch/watched_job.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include <fmt/format.h>

namespace dampi::scheduler::scale {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr std::int64_t most_of_int = std::numeric_limits<int>::max();
/// Below this nothing is seen to fail, and few numbers are enough.
constexpr std::int64_t few = std::int64_t{1} << 8;
/// In so many steps what lies between is looked at (f of Algorithm 4.1).
constexpr std::int64_t steps_between = 16;
/// Each number may take so many times what the last one took, and some seconds, but not more than the first.
constexpr int most_times = 10;
constexpr milliseconds at_least(10'000);
constexpr milliseconds between_looks(20);

/// What one run of the probe has come to.
struct Seen {
    std::vector<std::int64_t> passed;
    std::optional<std::int64_t> failed;
    std::string why;
    std::string library;
    bool stopped = false;  ///< nobody wants to know any more
};

/// What the probe has written so far. Lines that are not complete yet are left out.
class Progress {
public:
    explicit Progress(const std::string& text) {
        std::istringstream lines(text.substr(0, text.rfind('\n') + 1));
        for (std::string line; std::getline(lines, line);) {
            take(line);
        }
    }

    std::vector<std::pair<std::int64_t, double>> passed;  ///< with the seconds
    std::optional<std::pair<std::int64_t, int>> wrong;    ///< with the rank
    std::string library;
    bool has_ended = false;

private:
    void take(const std::string& line) {
        constexpr std::string_view of_library = "library ";
        std::istringstream words(line);
        std::int64_t number = 0;
        std::string word;
        if (line.starts_with(of_library)) {
            library = line.substr(of_library.size());
        } else if (line == "end") {
            has_ended = true;
        } else if (words >> number >> word) {
            if (int rank = 0; word == "wrong" && words >> rank) {
                wrong = {number, rank};
            } else {
                passed.emplace_back(number, std::atof(word.c_str()));
            }
        }
    }
};

std::string end_of(const std::string& text) {
    constexpr std::size_t most = 400;
    return text.size() <= most ? text : "..." + text.substr(text.size() - most);
}

Seen run(const MeasuringSettings& settings, const std::string& collective, int processes, std::int64_t element,
         const std::vector<std::int64_t>& numbers) {
    const std::filesystem::path told = settings.folder / "progress";
    const std::filesystem::path printed = settings.folder / "printed";
    std::error_code ignored;
    std::filesystem::remove(told, ignored);
    std::vector<std::string> command = settings.launcher;
    command.insert(command.end(), {"-n", std::to_string(processes), settings.probe.string(), told.string(), collective,
                                   std::to_string(element)});
    for (const std::int64_t number : numbers) {
        command.push_back(std::to_string(number));
    }
    watch::WatchedJob job = watch::WatchedJob::start(quiet_command(printed, command), {});
    Seen seen;
    milliseconds limit = settings.first_limit;
    for (Clock::time_point since = Clock::now(); !job.has_ended();) {
        std::this_thread::sleep_for(between_looks);
        const Progress now(base::content_of(told));
        if (now.passed.size() != seen.passed.size()) {
            seen.passed.resize(now.passed.size());
            since = Clock::now();
            const auto& [number, seconds] = now.passed.back();
            limit = std::min(at_least, settings.first_limit) +
                    most_times * milliseconds(static_cast<std::int64_t>(1000 * seconds));
            settings.say(fmt::format("{} with {} elements of {} bytes, {} processes: {:.3f} s", collective, number,
                                     element, processes, seconds));
        }
        seen.stopped = !settings.go_on();
        if (seen.stopped || (!now.has_ended && Clock::now() - since > limit)) {
            break;
        }
    }
    const bool hangs = !job.has_ended();
    job.end();
    const Progress all(base::content_of(told));
    seen.library = all.library;
    seen.passed.clear();
    for (const auto& [number, seconds] : all.passed) {
        seen.passed.push_back(number);
    }
    if (seen.library.empty() && !seen.stopped) {
        throw Error(fmt::format("the probe of dampi-scale could not be run with '{}' (status {}): {}",
                                fmt::join(settings.launcher, " "), job.status(), end_of(base::content_of(printed))));
    }
    if (all.wrong) {
        seen.failed = all.wrong->first;
        seen.why = fmt::format("rank {} got wrong data", all.wrong->second);
    } else if (seen.passed.size() < numbers.size() && !seen.stopped) {
        seen.failed = numbers[seen.passed.size()];
        seen.why = hangs ? fmt::format("it was not over after {} s", limit.count() / 1000)
                         : fmt::format("it ended with status {}", job.status());
    }
    return seen;
}

std::int64_t most_elements(const std::string& collective, int processes, std::int64_t element, std::int64_t memory) {
    const std::int64_t of_one = memory_of(collective, processes, element, 1).value_or(0);
    DAMPI_CHECK(of_one > 0);
    const bool reduces = collective.find("educe") != std::string::npos;
    const bool irregular = collective.ends_with('v') && processes > 1;
    std::int64_t most = std::min(memory / of_one, most_of_int);
    most = reduces ? std::min(most, most_of_int / element) : most;
    return irregular ? std::min(most, most_of_int / (processes - 1)) : most;
}

}  // namespace

std::vector<std::int64_t> numbers_to_try(const std::string& collective, int processes, std::int64_t element,
                                         std::int64_t memory) {
    const std::int64_t most = most_elements(collective, processes, element, memory);
    std::vector<std::int64_t> numbers;
    for (std::int64_t number = 1; number < most; number *= number < few ? 16 : 2) {
        numbers.push_back(number);
    }
    if (most > 0) {
        numbers.push_back(most);
    }
    return numbers;
}

std::vector<std::int64_t> numbers_between(std::int64_t passes, std::int64_t fails) {
    const std::int64_t step = std::max<std::int64_t>((fails - passes) / steps_between, 1);
    std::vector<std::int64_t> numbers;
    for (std::int64_t number = passes + step; number < fails; number += step) {
        numbers.push_back(number);
    }
    return numbers;
}

Measured measure(const MeasuringSettings& settings, const std::string& collective, int processes, std::int64_t element,
                 std::string& library) {
    Measured found{.collective = collective, .processes = processes, .element = element, .why = ""};
    const std::vector<std::int64_t> numbers = numbers_to_try(collective, processes, element, settings.memory);
    const auto take = [&](const Seen& seen) {
        library = seen.library.empty() ? library : seen.library;
        if (!seen.passed.empty()) {
            found.passes = seen.passed.back();
        }
        if (seen.failed) {
            found.fails = seen.failed;
            found.why = seen.why;
            settings.say(fmt::format("{} with {} elements of {} bytes, {} processes: {}", collective, *seen.failed,
                                     element, processes, seen.why));
        } else if (seen.stopped) {
            found.why = "nobody wanted to know more";
        }
    };
    if (numbers.empty()) {
        found.why = "there is no memory for one element";
        return found;
    }
    take(run(settings, collective, processes, element, numbers));
    if (!found.fails && found.why.empty()) {
        const std::int64_t by_memory = settings.memory / memory_of(collective, processes, element, 1).value_or(1);
        found.why = numbers.back() == by_memory ? "there is no memory for more" : "an int cannot say more";
    }
    if (found.fails && settings.go_on()) {
        const std::vector<std::int64_t> between = numbers_between(found.passes, *found.fails);
        if (!between.empty()) {
            take(run(settings, collective, processes, element, between));
        }
    }
    return found;
}

void measure_all(const MeasuringSettings& settings, const std::string& collective, int processes, std::int64_t element,
                 ScaleBounds& bounds) {
    const auto measured = [&](int with_processes, std::int64_t with_element) {
        bounds.measured.push_back(measure(settings, collective, with_processes, with_element, bounds.library));
        return bounds.measured.back();
    };
    const Measured base = measured(processes, element);
    if (base.fails && settings.go_on()) {
        const Measured twice_processes = measured(2 * processes, element);
        const Measured twice_element = measured(processes, 2 * element);
        bounds.bounds.push_back(bound_of(base, twice_processes, twice_element));
    }
}

}  // namespace dampi::scheduler::scale
