// What is known of each option of dampi-run, as options.def says.
#pragma once

#include <array>
#include <string_view>

namespace dampi::scheduler::option_table {

enum class Form { value, list, flag, explanation, help, version };
enum class Section { launching, exploration, bounds, output };

inline constexpr std::array<std::string_view, 4> section_names{"Launching", "Exploration", "Bounds", "Output"};

/// One line of the table.
struct Line {
    std::string_view name;
    Form form;
    std::string_view words;
    std::string_view value;
    std::string_view standard;
    Section section;
    std::string_view help;
    std::string_view manual;
};

inline constexpr std::array lines = {
#define OPTION(name, form, words, value, standard, section, help, manual) \
    Line{#name, Form::form, words, value, standard, Section::section, help, manual},
#include "scheduler/cli/options.def"
#undef OPTION
};

[[nodiscard]] constexpr std::string_view name_of(Section section) {
    return section_names[static_cast<std::size_t>(section)];
}

/// The long one of its words where there is one: "-n", "--jobs".
[[nodiscard]] constexpr std::string_view long_word(const Line& line) {
    return line.words.substr(line.words.rfind(',') + 1);
}

}  // namespace dampi::scheduler::option_table
