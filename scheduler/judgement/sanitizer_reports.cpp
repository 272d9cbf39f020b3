#include "scheduler/judgement/sanitizer_reports.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>
#include <tuple>
#include <utility>

namespace dampi::scheduler {
namespace {

using replay::CodePlace;

struct Sanitizer {
    std::string_view name;
    replay::ViolationKind kind;
};
constexpr std::array sanitizers{Sanitizer{"AddressSanitizer", replay::ViolationKind::sanitizer_address},
                                Sanitizer{"LeakSanitizer", replay::ViolationKind::sanitizer_leak},
                                Sanitizer{"ThreadSanitizer", replay::ViolationKind::sanitizer_thread},
                                Sanitizer{"UndefinedBehaviorSanitizer", replay::ViolationKind::sanitizer_undefined}};

bool all_digits(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

/// The rest behind `beginning`, if the text has it.
std::optional<std::string_view> after(std::string_view text, std::string_view beginning) {
    if (!text.starts_with(beginning)) {
        return std::nullopt;
    }
    return text.substr(beginning.size());
}

std::string_view before(std::string_view text, std::string_view end) { return text.substr(0, text.find(end)); }

std::string_view without_indentation(std::string_view line) {
    line.remove_prefix(std::min(line.size(), line.find_first_not_of(' ')));
    return line;
}

/// Takes "file:12" or "file:12:3" apart.
bool read_place(std::string_view text, std::string& file, int& line) {
    std::array<std::string_view, 2> numbers;  // from the end
    for (std::string_view& number : numbers) {
        const std::size_t colon = text.rfind(':');
        if (colon == std::string_view::npos || !all_digits(text.substr(colon + 1))) {
            break;
        }
        number = text.substr(colon + 1);
        text = text.substr(0, colon);
    }
    const std::string_view number = numbers[1].empty() ? numbers[0] : numbers[1];
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), line);
    if (number.empty() || text.empty() || error != std::errc{}) {
        line = 0;
        return false;
    }
    file = text;
    return true;
}

/// Takes "(module+0x1a2b)" from the end of a frame, with what follows it.
void read_module(std::string_view& text, ReportedFrame& frame) {
    const std::size_t plus = text.rfind("+0x");
    const std::size_t open = plus == std::string_view::npos ? plus : text.rfind('(', plus);
    const std::size_t close = plus == std::string_view::npos ? plus : text.find(')', plus);
    if (open == std::string_view::npos || close == std::string_view::npos) {
        return;
    }
    const std::string_view number = text.substr(plus + 3, close - plus - 3);
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), frame.offset, 16);
    if (error != std::errc{} || end != number.data() + number.size()) {
        return;
    }
    frame.module = text.substr(open + 1, plus - open - 1);
    text = text.substr(0, open);
}

/// "    #0 0x55ee3a504411 in main /home/you/app.c:5:37", "    #1 main app.c:7 (app+0xd028a) (BuildId: ...)".
std::optional<ReportedFrame> read_frame(std::string_view line) {
    auto rest = after(without_indentation(line), "#");
    if (!rest || !all_digits(before(*rest, " "))) {
        return std::nullopt;
    }
    std::string_view text = rest->substr(std::min(rest->size(), rest->find(' ')));
    text = without_indentation(text);
    if (text.starts_with("0x")) {
        text.remove_prefix(std::min(text.size(), text.find(' ')));
        text = without_indentation(text);
        text = after(text, "in ").value_or(text);
    }
    ReportedFrame frame;
    read_module(text, frame);
    while (text.ends_with(' ')) {
        text.remove_suffix(1);
    }
    const std::size_t folder = text.find(" /");  // functions of C++ have spaces in their names
    const std::size_t space = folder != std::string_view::npos ? folder : text.rfind(' ');
    if (space != std::string_view::npos && read_place(text.substr(space + 1), frame.file, frame.line)) {
        text = text.substr(0, space);
    }
    if (!text.starts_with("<null>")) {
        frame.function = text;
    }
    return frame;
}

/// "==123==ERROR: AddressSanitizer: heap-use-after-free on address ...", "WARNING: ThreadSanitizer: data race (pid=1)".
std::optional<SanitizerReport> read_headline(std::string_view line) {
    if (const auto process = after(line, "==")) {
        const std::size_t end = process->find("==");
        if (end == std::string_view::npos || !all_digits(process->substr(0, end))) {
            return std::nullopt;
        }
        line = process->substr(end + 2);
    }
    auto said = after(line, "ERROR: ");
    said = said ? said : after(line, "WARNING: ");
    for (const Sanitizer& sanitizer : sanitizers) {
        const auto rest = said ? after(*said, sanitizer.name) : std::nullopt;
        const auto what = rest ? after(*rest, ": ") : std::nullopt;
        if (!what) {
            continue;
        }
        std::string_view short_text = *what;  // addresses and processes differ from run to run
        for (const char* const end : {" on address ", " on unknown address", " (pid=", ": 0x", " 0x"}) {
            short_text = before(short_text, end);
        }
        return SanitizerReport{.kind = sanitizer.kind,
                               .message = std::string(sanitizer.name) + ": " + std::string(short_text),
                               .detail = {},
                               .stacks = {}};
    }
    return std::nullopt;
}

/// "app.c:12:3: runtime error: signed integer overflow: ...".
std::optional<SanitizerReport> read_runtime_error(std::string_view line) {
    constexpr std::string_view mark = ": runtime error: ";
    const std::size_t at = line.find(mark);
    ReportedFrame frame;
    if (at == std::string_view::npos || !read_place(line.substr(0, at), frame.file, frame.line)) {
        return std::nullopt;
    }
    return SanitizerReport{.kind = replay::ViolationKind::sanitizer_undefined,
                           .message = "UndefinedBehaviorSanitizer: " + std::string(line.substr(at + mark.size())),
                           .detail = {},
                           .stacks = {{std::move(frame)}}};
}

/// "Direct leak of 123 byte(s) in 1 object(s) allocated from:".
std::optional<SanitizerReport> read_leak(std::string_view line) {
    auto size = after(line, "Direct leak of ");
    size = size ? size : after(line, "Indirect leak of ");
    if (!size) {
        return std::nullopt;
    }
    return SanitizerReport{
        .kind = replay::ViolationKind::sanitizer_leak,
        .message = "LeakSanitizer: " + std::string(before(*size, " allocated from")) + " were never freed",
        .detail = {},
        .stacks = {}};
}

bool is_leak_headline(const SanitizerReport& report) {
    return report.kind == replay::ViolationKind::sanitizer_leak && report.message.ends_with("detected memory leaks");
}

/// Of ThreadSanitizer's: what follows is not about the conflict itself.
bool begins_origins(std::string_view line) {
    return line.starts_with("  Thread T") || line.starts_with("  Location is ") || line.ends_with(" created at:") ||
           line.starts_with("SUMMARY:");
}

/// "  Thread T3 'MPI_Irecv' (tid=0, running) created by main thread at:", of an operation.
void read_operation(std::string_view line, SanitizerReport& report) {
    const auto number = after(line, "  Thread ");
    const auto name = number ? after(number->substr(std::min(number->size(), number->find(' '))), " '") : std::nullopt;
    if (name && name->starts_with("MPI_")) {
        report.operations.emplace(before(*number, " "), before(*name, "'"));
    }
}

/// Who has done what stands below such a heading, where that is an operation: its function; else empty.
std::string operation_of(const SanitizerReport& report, std::size_t stack) {
    constexpr std::string_view mark = " by thread ";
    const std::string_view heading = stack < report.headings.size() ? report.headings[stack] : std::string_view();
    const std::size_t at = heading.rfind(mark);
    if (at == std::string_view::npos) {
        return "";
    }
    const auto found = report.operations.find(before(before(heading.substr(at + mark.size()), ":"), " "));
    return found == report.operations.end() ? "" : found->second;
}

/// "Previous write of size 8 at ...": "write of 8 bytes".
std::string access_of(std::string_view heading) {
    heading = after(heading, "Previous ").value_or(heading);
    std::string text(before(heading, " at 0x"));
    if (!text.empty()) {
        text.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(text.front())));
    }
    constexpr std::string_view size = " of size ";
    if (const std::size_t found = text.find(size); found != std::string::npos) {
        text = text.substr(0, found) + " of " + text.substr(found + size.size()) + " bytes";
    }
    return text;
}

/// The sanitizer's own code, and what it stands in for in the C library.
bool is_runtimes(const ReportedFrame& frame) {
    static constexpr std::array<std::string_view, 10> beginnings{
        "__interceptor_", "___interceptor_", "__asan_",      "__lsan_",         "__tsan_",
        "__ubsan_",       "__sanitizer_",    "operator new", "operator delete", "__interceptor"};
    static constexpr std::array<std::string_view, 12> names{"malloc", "calloc",  "realloc",       "free",
                                                            "memcpy", "memmove", "memset",        "posix_memalign",
                                                            "strdup", "strndup", "aligned_alloc", "pthread_create"};
    return frame.file.find("libsanitizer/") != std::string::npos ||
           frame.file.find("compiler-rt/") != std::string::npos ||
           std::any_of(beginnings.begin(), beginnings.end(),
                       [&](std::string_view each) { return frame.function.starts_with(each); }) ||
           std::find(names.begin(), names.end(), frame.function) != names.end();
}

/// The MPI library with what it is made of, and the layer.
bool is_mpis(const CodePlace& place) {
    const std::string name = std::filesystem::path(place.module).filename();
    static constexpr std::array<std::string_view, 9> libraries{"libmpi",   "libucp",   "libucs", "libuct",   "libucm",
                                                               "libdampi", "libhwloc", "libpmi", "libfabric"};
    return std::any_of(libraries.begin(), libraries.end(),
                       [&](std::string_view each) { return name.starts_with(each); }) ||
           place.file.find("piggyback/") != std::string::npos;
}

/// gcc's, clang's and Intel's.
bool is_openmps(const CodePlace& place) {
    const std::string name = std::filesystem::path(place.module).filename();
    return name.starts_with("libgomp.") || name.starts_with("libomp.") || name.starts_with("libomp5.") ||
           name.starts_with("libiomp5.");
}

/// The library that tells ThreadSanitizer what clang's runtime orders says so when it begins, unless it has no need to
/// ask for this.
bool tells_of_openmp(std::string_view text) {
    return text.find(
               "TSAN_OPTIONS='ignore_noninstrumented_modules=1' to avoid false positive reports from the OpenMP") !=
           std::string_view::npos;
}

/// The frames of the program and of what it calls, resolved where the sanitizer could not.
std::vector<CodePlace> places_of(const std::vector<ReportedFrame>& stack, const std::filesystem::path& program,
                                 launch::SourceLines& lines) {
    std::vector<CodePlace> places;
    for (ReportedFrame frame : stack) {
        CodePlace place{.module = {}, .offset = 0, .function = frame.function, .file = frame.file, .line = frame.line};
        if (!frame.module.empty()) {
            place.module = frame.module == program.filename() ? program.string() : frame.module;
            place.offset = frame.offset;
        }
        if (place.line == 0 && place.module.starts_with('/')) {
            lines.resolve(place);
            if (place.function.empty()) {
                place.function = frame.function;
            }
        } else if (place.line != 0 && !place.file.starts_with('/') && place.module.starts_with('/')) {
            // As the compiler was given it; elsewhere it is said from the root.
            CodePlace resolved{.module = place.module, .offset = place.offset, .function = {}, .file = {}, .line = 0};
            lines.resolve(resolved);
            if (resolved.line == place.line && resolved.file.ends_with('/' + place.file)) {
                place.file = resolved.file;
            }
        }
        frame.function = place.function;
        frame.file = place.file;
        if (!is_runtimes(frame)) {
            places.push_back(std::move(place));
        }
    }
    return places;
}

/// The function of MPI that the program called there; empty: none. The layer's wrappers have a name in front.
std::string call_in(const std::vector<CodePlace>& places) {
    std::string call;
    for (const CodePlace& place : places) {
        for (const std::string_view prefix : {"", "dampi_", "P"}) {
            const auto name = after(place.function, prefix);
            if (name && name->starts_with("MPI_")) {
                call = *name;  // the outermost: what MPI calls itself says nothing to the program
            }
        }
    }
    return call;
}

/// Without what MPI and the layer do there, unless there is nothing else.
std::vector<CodePlace> without_mpis(std::vector<CodePlace> places) {
    if (!std::all_of(places.begin(), places.end(), is_mpis)) {
        places.erase(std::remove_if(places.begin(), places.end(), is_mpis), places.end());
    }
    return places;
}

CodePlace best_of(const std::vector<CodePlace>& places) {
    const auto with_line =
        std::find_if(places.begin(), places.end(), [](const CodePlace& place) { return place.line != 0; });
    return with_line != places.end() ? *with_line : places.empty() ? CodePlace{} : places.front();
}

bool comes_before(const CodePlace& one, const CodePlace& other) {
    return std::tie(one.file, one.line, one.module, one.offset) <
           std::tie(other.file, other.line, other.module, other.offset);
}

bool same_place(const replay::Violation& one, const replay::Violation& other) {
    return one.kind == other.kind && one.situations.front().where == other.situations.front().where;
}

}  // namespace

std::vector<SanitizerReport> read_sanitizer_reports(std::string_view text) {
    std::vector<SanitizerReport> reports;
    bool in_stack = false;
    bool complete = false;  // what comes of the last report says where memory and threads come from
    std::string_view above;
    while (!text.empty()) {
        const std::string_view line = before(text, "\n");
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        const std::string_view heading = std::exchange(above, line);
        auto report = read_headline(line);
        report = report ? std::move(report) : read_runtime_error(line);
        report = report ? std::move(report) : read_leak(line);
        if (report) {
            reports.push_back(std::move(*report));
            complete = reports.back().kind == replay::ViolationKind::sanitizer_undefined;
            in_stack = false;
            continue;
        }
        if (reports.empty()) {
            continue;
        }
        SanitizerReport& last = reports.back();
        if (last.kind == replay::ViolationKind::sanitizer_thread) {
            read_operation(line, last);
        }
        if (complete) {
            continue;
        }
        if (const auto frame = read_frame(line)) {
            if (!in_stack) {
                last.stacks.emplace_back();
                last.headings.emplace_back(without_indentation(heading));
            }
            last.stacks.back().push_back(*frame);
            in_stack = true;
            continue;
        }
        in_stack = false;
        complete = last.kind == replay::ViolationKind::sanitizer_thread ? begins_origins(line) : !last.stacks.empty();
        if (!complete && (line.starts_with("READ of size") || line.starts_with("WRITE of size"))) {
            last.detail = before(line, " at 0x");
        }
    }
    return reports;
}

SanitizersWords sanitizers_words(base::Rank rank, std::string_view text, const std::filesystem::path& program,
                                 launch::OpenMpOrder openmp, launch::SourceLines& lines) {
    SanitizersWords words;
    const bool in_doubt =
        openmp == launch::OpenMpOrder::untold || (openmp == launch::OpenMpOrder::by_runtime && !tells_of_openmp(text));
    for (const SanitizerReport& report : read_sanitizer_reports(text)) {
        words.ended_rank = words.ended_rank || report.kind != replay::ViolationKind::sanitizer_undefined;
        if (is_leak_headline(report)) {
            continue;
        }
        std::vector<std::vector<CodePlace>> stacks;
        for (const auto& stack : report.stacks) {
            stacks.push_back(places_of(stack, program, lines));
        }
        // Leaks are whose memory it is; conflicts are whose code it is.
        const bool is_leak = report.kind == replay::ViolationKind::sanitizer_leak;
        const auto is_programs = [&](std::size_t i) {
            const std::vector<CodePlace>& stack = stacks[i];
            return stack.empty() ||
                   !(is_leak ? std::all_of(stack.begin(), stack.end(), is_mpis) : is_mpis(stack.front()));
        };
        std::vector<std::string> operations;  // by stack
        for (std::size_t i = 0; i < stacks.size(); ++i) {
            operations.push_back(operation_of(report, i));
        }
        const auto first = [&](const auto& fits) {
            std::size_t i = 0;
            while (i < stacks.size() && !fits(i)) {
                ++i;
            }
            return i;
        };
        const auto is_of_thread = [&](std::size_t i) { return is_programs(i) && operations[i].empty(); };
        std::size_t telling = first(is_of_thread);
        // Of two threads, which came first is chance.
        std::optional<std::size_t> other;
        if (report.message.find("data race") != std::string::npos) {
            for (std::size_t i = telling + 1; i < stacks.size() && !other; ++i) {
                other = is_of_thread(i) && !stacks[i].empty() ? std::optional(i) : std::nullopt;
            }
            if (other && comes_before(best_of(stacks[*other]), best_of(stacks[telling]))) {
                std::swap(*other, telling);
            }
        }
        if (telling == stacks.size()) {
            telling = first(is_programs);
        }
        const bool nobody = telling == stacks.size();
        const bool of_threads = report.kind == replay::ViolationKind::sanitizer_thread;
        const bool of_openmp = of_threads && std::any_of(stacks.begin(), stacks.end(), [](const auto& stack) {
                                   return !stack.empty() && is_openmps(stack.front());
                               });
        if (((is_leak || of_threads) && !stacks.empty() && nobody) || of_openmp) {
            continue;
        }
        std::vector<CodePlace> places = !nobody          ? stacks[telling]
                                        : stacks.empty() ? std::vector<CodePlace>()
                                                         : stacks.front();
        if (of_threads && in_doubt) {
            words.doubted.add({.calls = 1, .places = {best_of(places)}});
            continue;
        }
        std::string call = call_in(places);
        places = without_mpis(std::move(places));
        replay::Violation violation{.kind = report.kind, .message = report.message, .ranks = {rank}, .situations = {}};
        violation.situations.push_back({.rank = rank,
                                        .call = std::move(call),
                                        .detail = report.detail,
                                        .where = best_of(places),
                                        .arguments = {},
                                        .last_call = {},
                                        .stack = places});
        if (other) {
            violation.situations.front().detail = access_of(report.headings[telling]);
            const std::vector<CodePlace> others = without_mpis(stacks[*other]);
            violation.situations.push_back({.rank = rank,
                                            .call = {},
                                            .detail = access_of(report.headings[*other]),
                                            .where = best_of(others),
                                            .arguments = {},
                                            .last_call = {},
                                            .stack = others});
        }
        for (std::size_t i = 0; i < stacks.size(); ++i) {
            if (operations[i].empty() || i == telling) {
                continue;
            }
            violation.message += " with a pending " + operations[i];
            violation.situations.front().detail = access_of(report.headings[telling]);
            violation.situations.push_back(
                {.rank = rank,
                 .call = operations[i],
                 .detail = "pending: " + std::string(before(access_of(report.headings[i]), " ")),
                 .where = best_of(stacks[i]),
                 .arguments = {},
                 .last_call = {},
                 .stack = stacks[i]});
        }
        if (!nobody && !operations[telling].empty()) {
            violation.situations.front().call = operations[telling];
        }
        const bool known = std::any_of(words.violations.begin(), words.violations.end(),
                                       [&](const auto& other) { return same_place(other, violation); });
        if (!known) {
            words.violations.push_back(std::move(violation));
        }
    }
    return words;
}

bool is_sanitizers_status(int status) {
    constexpr std::array statuses{1, 23, 66};  // AddressSanitizer's and UndefinedBehaviorSanitizer's, Leak-, Thread-
    return std::find(statuses.begin(), statuses.end(), status) != statuses.end();
}

}  // namespace dampi::scheduler
