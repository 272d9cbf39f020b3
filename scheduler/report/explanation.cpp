#include "scheduler/report/explanation.hpp"

#include "base/check.hpp"
#include "scheduler/letters_to_change.hpp"
#include "scheduler/report/finding_examples.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <sstream>
#include <vector>

#include <fmt/format.h>

namespace dampi::scheduler {
namespace {

using replay::ViolationKind;
namespace violation_kinds = replay::violation_kinds;

/// How an example is built and run, its text, and its text when it is mended.
struct Example {
    std::string build;
    std::string run;
    std::string faulty;
    std::string mended;
};

/// The lines that the preprocessor would leave, without its own. Conditions do not stand inside each other.
std::string preprocessed(std::string_view source, bool mended) {
    std::istringstream lines{std::string(source)};
    std::string text;
    bool kept = true;
    for (std::string line; std::getline(lines, line);) {
        if (line == "#ifdef MENDED") {
            kept = mended;
        } else if (line == "#ifndef MENDED") {
            kept = !mended;
        } else if (line == "#else") {
            kept = !kept;
        } else if (line == "#endif") {
            kept = true;
        } else if (kept) {
            text += line + "\n";
        }
    }
    return text;
}

/// None for the kinds that depend on more than a program.
std::optional<Example> example_of(ViolationKind kind) {
    const std::string name = file_name_of(kind);
    const std::string_view source = finding_example(name);
    if (source.empty()) {
        return std::nullopt;
    }
    // "/* dampi-run -n 2; mpicc.mpich -fsanitize=address */"
    constexpr std::string_view begin = "/* ";
    constexpr std::string_view end = " */\n";
    constexpr std::string_view compiler = "; mpicc.mpich";
    const std::size_t heading_end = source.find(end);
    DAMPI_CHECK(source.starts_with(begin) && heading_end != std::string_view::npos);
    const std::string_view heading = source.substr(begin.size(), heading_end - begin.size());
    const std::size_t flags = heading.find(compiler);
    const std::string_view program = source.substr(heading_end + end.size());
    return Example{.build = fmt::format("mpicc.mpich -g{} -o {} {}.c",
                                        flags == std::string_view::npos ? "" : heading.substr(flags + compiler.size()),
                                        name, name),
                   .run = fmt::format("{} ./{}", heading.substr(0, flags), name),
                   .faulty = preprocessed(program, false),
                   .mended = preprocessed(program, true)};
}

std::string nearest_names(std::string_view name) {
    constexpr std::size_t most = 3;
    std::vector<std::pair<std::size_t, std::string_view>> all;
    for (const violation_kinds::Line& line : violation_kinds::lines) {
        // "race" is near to rma/race, "rma" as well.
        const bool part = !name.empty() && line.text.find(name) != std::string_view::npos;
        all.emplace_back(part ? 0 : letters_to_change(name, line.text), line.text);
    }
    std::sort(all.begin(), all.end());
    std::string names;
    for (std::size_t i = 0; i < most && all[i].first <= all[0].first + 1; ++i) {
        names += (names.empty() ? "" : ", ") + std::string(all[i].second);
    }
    return names;
}

std::string indented(const std::string& text) {
    std::istringstream lines(text);
    std::string result;
    for (std::string line; std::getline(lines, line);) {
        result += line.empty() ? "\n" : "    " + line + "\n";
    }
    return result;
}

}  // namespace

std::string file_name_of(ViolationKind kind) {
    std::string name(text_of(kind));
    std::replace(name.begin(), name.end(), '/', '-');
    return name;
}

ViolationKind kind_called(const std::string& name) {
    if (const auto kind = replay::violation_kind_of(name)) {
        return *kind;
    }
    throw Error("no kind of finding is called '" + name + "'; the nearest: " + nearest_names(name) +
                "; dampi-run --explain list shows all");
}

std::string explanation(ViolationKind kind) {
    const violation_kinds::Line& line = violation_kinds::line(kind);
    std::string text = fmt::format("{} ({})\n\n{}\nWhat to do: {}\n", line.text,
                                   violation_kinds::name_of(line.severity), line.sentence, line.remedy);
    if (const auto example = example_of(kind)) {
        text += fmt::format("\nA program that has it:\n\n{}\nMended:\n\n{}\nTo see it:\n\n    {}\n    {}\n",
                            indented(example->faulty), indented(example->mended), example->build, example->run);
        text += fmt::format(
            "\n{}.c is among the examples that are installed with dampi, in examples/findings; -DMENDED makes it the "
            "mended program.\n",
            file_name_of(kind));
    }
    return text;
}

std::string list_of_kinds() {
    std::size_t width = 0;
    for (const violation_kinds::Line& line : violation_kinds::lines) {
        width = std::max(width, line.text.size());
    }
    std::string text;
    for (const violation_kinds::Line& line : violation_kinds::lines) {
        text += fmt::format("{:<{}}  {:<11}  {}\n", line.text, width, violation_kinds::name_of(line.severity),
                            line.sentence);
    }
    return text;
}

std::string explanation_in_markdown(ViolationKind kind) {
    const violation_kinds::Line& line = violation_kinds::line(kind);
    std::string text = fmt::format(
        "<!-- generated from replay/violation_kinds.def and examples/findings -->\n# {}\n\n{}\n\n- Severity: {}\n"
        "- What to do: {}\n",
        line.text, line.sentence, violation_kinds::name_of(line.severity), line.remedy);
    if (const auto example = example_of(kind)) {
        text += fmt::format(
            "\n## A program that has it\n\n```c\n{}```\n\n## Mended\n\n```c\n{}```\n\n## To see it\n\n"
            "The program is `examples/findings/{}.c`, with both; `-DMENDED` makes it the mended one.\n\n"
            "```sh\n{}\n{}\n```\n",
            example->faulty, example->mended, file_name_of(kind), example->build, example->run);
    }
    return text + "\nAll kinds: [findings.md](../findings.md)\n";
}

std::string explaining_command(std::string_view kind) { return "dampi-run --explain " + std::string(kind); }

}  // namespace dampi::scheduler
