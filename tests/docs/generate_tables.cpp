// Makes what the documents say in tables from the tables of the code: the options (scheduler/cli/options.def) in
// docs/options.md, docs/dampi-run.1 and docs/completion, those of dampi-report (scheduler/cli/report_options.hpp) in
// docs/dampi-report.1 and docs/completion, and the findings (replay/violation_kinds.def) in
// docs/findings.md and, each with its example (examples/findings), in docs/findings.
//
//   generate_tables --write|--check ROOT
//
// --check changes nothing, and fails where a document says something else than its table.
#include "replay/violation_kind.hpp"
#include "scheduler/cli/option_table.hpp"
#include "scheduler/cli/report_options.hpp"
#include "scheduler/report/explanation.hpp"
#include "scheduler/report/kind_names.hpp"
#include "scheduler/report/pass_criteria.hpp"

#include <array>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

namespace option_table = dampi::scheduler::option_table;
namespace violation_kinds = dampi::replay::violation_kinds;

std::string replaced(std::string text, std::string_view what, std::string_view by) {
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size()) {
        text.replace(at, what.size(), by);
    }
    return text;
}

/// In one cell of a table in Markdown.
std::string cell(std::string_view text) { return replaced(replaced(std::string(text), "\n", " "), "|", "\\|"); }

std::string code(std::string_view text) { return "`" + cell(text) + "`"; }

/// Calls `each` with every option of the section.
template <typename Function>
void in_section(option_table::Section section, const Function& each) {
    for (const option_table::Line& line : option_table::lines) {
        if (line.section == section) {
            each(line);
        }
    }
}

/// Calls `each` with every section, in their order.
template <typename Function>
void in_sections(const Function& each) {
    for (std::size_t number = 0; number < option_table::section_names.size(); ++number) {
        each(static_cast<option_table::Section>(number));
    }
}

std::string options_in_markdown() {
    std::ostringstream text;
    in_sections([&](option_table::Section section) {
        text << (text.str().empty() ? "### " : "\n### ") << option_table::name_of(section)
             << "\n\n| option | default | |\n|---|---|---|\n";
        in_section(section, [&](const option_table::Line& line) {
            std::string typed = replaced(std::string(line.words), ",", ", ");
            if (!line.value.empty()) {
                typed += " " + std::string(line.value);
            }
            text << "| " << code(typed) << " | " << (line.standard.empty() ? "" : code(line.standard) + " ") << "| "
                 << cell(line.help) << " |\n";
        });
    });
    return text.str();
}

std::string findings_in_markdown() {
    std::ostringstream text;
    text << "| kind | severity | what it is | what to do |\n|---|---|---|---|\n";
    using violation_kinds::Severity;
    for (const Severity severity : {Severity::error, Severity::portability, Severity::doubt, Severity::warning}) {
        for (const violation_kinds::Line& line : violation_kinds::lines) {
            if (line.severity == severity) {
                const std::string file = dampi::scheduler::file_name_of(*dampi::replay::violation_kind_of(line.text));
                text << "| [" << code(line.text) << "](findings/" << file << ".md) | " << name_of(severity) << " | "
                     << cell(line.sentence) << " | " << cell(line.remedy) << " |\n";
            }
        }
    }
    return text.str();
}

/// Text for a man page: nothing in it is a request or an escape.
std::string escaped(std::string_view text) {
    std::string result = replaced(replaced(std::string(text), "\\", "\\e"), "-", "\\-");
    return replaced(replaced(result, "“", "\\(lq"), "”", "\\(rq");
}

/// [text](target) is the text alone, and `docs/target` where that is the target itself: a man page has no links.
std::string without_links(std::string_view text) {
    static const std::regex link(R"(\[([^\]]*)\]\(([^)]*)\))");
    std::string result;
    auto at = std::cregex_iterator(text.data(), text.data() + text.size(), link);
    const char* done = text.data();
    for (; at != std::cregex_iterator(); ++at) {
        result.append(done, (*at)[0].first);
        result += (*at)[1] == (*at)[2] ? "docs/" + (*at)[1].str() : (*at)[1].str();
        done = (*at)[0].second;
    }
    return result.append(done, text.data() + text.size());
}

/// `typed` in bold, *standing for something* in italics.
std::string with_fonts(std::string_view text) {
    std::string result;
    char open = 0;
    for (const char letter : text) {
        const bool mark = letter == '`' || (letter == '*' && open != '`');
        if (!mark) {
            result += escaped(std::string_view(&letter, 1));
        } else if (open == letter) {
            result += "\\fR";
            open = 0;
        } else {
            result += letter == '`' ? "\\fB" : "\\fI";
            open = letter;
        }
    }
    if (open != 0) {
        throw std::runtime_error("a mark is not closed in: " + std::string(text));
    }
    return replaced(replaced(result, "“", "\\(lq"), "”", "\\(rq");
}

/// In lines of a width that can be read, none of which begins like a request.
std::string in_lines(const std::string& text) {
    constexpr std::size_t width = 118;
    std::istringstream words(text);
    std::string result;
    std::string line;
    for (std::string word; words >> word;) {
        if (!line.empty() && line.size() + 1 + word.size() > width) {
            result += line + "\n";
            line.clear();
        }
        if (line.empty() && (word[0] == '.' || word[0] == '\'')) {
            line += "\\&";
        }
        line += (line.empty() || line == "\\&" ? "" : " ") + word;
    }
    return result + line + "\n";
}

std::string paragraphs(std::string_view manual) {
    std::string result;
    while (true) {
        const std::size_t end = manual.find("\n\n");
        result += in_lines(with_fonts(without_links(manual.substr(0, end))));
        if (end == std::string_view::npos) {
            return result;
        }
        result += ".IP\n";
        manual.remove_prefix(end + 2);
    }
}

/// "auto|DIR": words in bold, what stands for something in italics.
std::string value_in_man(std::string_view value) {
    std::string result;
    std::istringstream words{std::string(value)};
    for (std::string word; std::getline(words, word, '|');) {
        const bool literal = word[0] >= 'a' && word[0] <= 'z';
        result += (result.empty() ? "" : "|") + std::string(literal ? "\\fB" : "\\fI") + escaped(word) + "\\fR";
    }
    return result;
}

std::string options_in_man() {
    std::ostringstream text;
    in_sections([&](option_table::Section section) {
        text << ".SS " << option_table::name_of(section) << '\n';
        if (section == option_table::Section::bounds) {
            text << "What these leave out is counted in the report, with the option that would include it, and makes "
                    "the "
                    "result incomplete.\n";
        }
        in_section(section, [&](const option_table::Line& line) {
            text << ".TP\n\\fB" << replaced(escaped(line.words), ",", "\\fR, \\fB") << "\\fR"
                 << (line.value.empty() ? "" : " ") << value_in_man(line.value) << '\n'
                 << paragraphs(line.manual);
        });
    });
    return text.str();
}

/// What stands between the separators.
std::vector<std::string> split(std::string_view words, char separator) {
    std::vector<std::string> all;
    std::istringstream stream{std::string(words)};
    for (std::string word; std::getline(stream, word, separator);) {
        all.push_back(word);
    }
    return all;
}

/// What is typed as it stands: "auto", "native" and "ssh:" of "auto|native|DIR|ssh:FILE".
std::vector<std::string> literal_values(std::string_view value) {
    std::vector<std::string> literals;
    for (const std::string& word : split(value, '|')) {
        const std::string literal = word.substr(0, word.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ"));
        if (!literal.empty()) {
            literals.push_back(literal);
        }
    }
    return literals;
}

std::string joined(const std::vector<std::string>& words, const char* separator) {
    std::string all;
    for (const std::string& word : words) {
        all += (all.empty() ? "" : separator) + word;
    }
    return all;
}

/// What a shell is to know of an option.
struct Completed {
    std::vector<std::string> words;
    std::string help;
    std::string value;  ///< what is said of it; empty: it has none
    bool may_lack_value = false;
    bool repeats = false;
    std::vector<std::string> offered = {};  ///< values
    bool is_list = false;                   ///< of such values, with commas between them
};

/// And of a command.
struct Command {
    std::string name;
    std::string source;  ///< the table that its options are from
    std::vector<Completed> options;
    std::string rest;  ///< what zsh is to know of the words that are no options
    bool has_program;  ///< from the first such word on all is the program's
};

std::vector<std::string> kinds_to_explain() {
    std::vector<std::string> all{"list", "not-checked"};
    for (const violation_kinds::Line& line : violation_kinds::lines) {
        all.emplace_back(line.text);
    }
    return all;
}

Command dampi_run() {
    Command command{.name = "dampi-run",
                    .source = "scheduler/cli/options.def",
                    .options = {},
                    .rest = "'(-):program:_files' '*::arguments:_files'",
                    .has_program = true};
    for (const option_table::Line& line : option_table::lines) {
        Completed option{.words = split(line.words, ','),
                         .help = std::string(line.help),
                         .value = std::string(line.value),
                         .may_lack_value = line.form == option_table::Form::explanation,
                         .repeats = line.form == option_table::Form::list,
                         .offered = literal_values(line.value),
                         .is_list = line.value == "WORDS" || line.value == "KINDS"};
        if (line.value == "WORDS") {
            option.offered = dampi::scheduler::all_fail_words();
        } else if (line.value == "KINDS") {
            option.offered = dampi::scheduler::kinds_of_violations();
        } else if (line.value == "KIND") {
            option.offered = kinds_to_explain();
        }
        command.options.push_back(std::move(option));
    }
    return command;
}

Command dampi_report() {
    Command command{.name = "dampi-report",
                    .source = "scheduler/cli/report_options.hpp",
                    .options = {},
                    .rest = "'*:directory:_files -/'",
                    .has_program = false};
    for (const dampi::scheduler::ReportOption& option : dampi::scheduler::report_options) {
        command.options.push_back({.words = split(option.words, ','),
                                   .help = std::string(option.help),
                                   .value = option.file != nullptr ? "FILE" : ""});
    }
    command.options.push_back({.words = {"-h", "--help"}, .help = "Show the options and exit", .value = ""});
    command.options.push_back({.words = {"--version"}, .help = "Show the version and exit", .value = ""});
    return command;
}

std::string bash_completion(const Command& command) {
    std::vector<std::string> all;
    std::vector<std::string> with_value;
    std::vector<std::string> with_value_or_not;
    std::string values;
    if (command.has_program) {
        with_value.emplace_back("-np");
    }
    for (const Completed& option : command.options) {
        all.insert(all.end(), option.words.begin(), option.words.end());
        if (!option.value.empty()) {
            std::vector<std::string>& these = option.may_lack_value ? with_value_or_not : with_value;
            these.insert(these.end(), option.words.begin(), option.words.end());
        }
        if (!option.offered.empty()) {
            values += "        " + joined(option.words, " | ") + ") values='" + joined(option.offered, " ") + "'" +
                      (option.is_list ? " list=1" : "") + " ;;\n";
        }
    }
    const std::string function = "_" + replaced(command.name, "-", "_");
    return "# Completion of " + command.name + "'s command line for bash. Made from " + command.source + ".\n" +
           function +
           "() {\n"
           "    local options='" +
           joined(all, " ") +
           "'\n"
           "    local with_value=' " +
           joined(with_value, " ") + " ' with_value_or_not=' " + joined(with_value_or_not, " ") +
           " '\n"
           "    local current=${COMP_WORDS[COMP_CWORD]} i option='' values='' list='' before=''\n"
           "    COMPREPLY=()\n"
           "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
           "        option=''\n"
           "        if [[ $with_value == *\" ${COMP_WORDS[i]} \"* ||\n"
           "              $with_value_or_not == *\" ${COMP_WORDS[i]} \"* && ${COMP_WORDS[i + 1]} != -* ]]; then\n"
           "            option=${COMP_WORDS[i]}\n"
           "            [[ ${COMP_WORDS[i + 1]} != = ]] || ((i++))\n"
           "            ((++i < COMP_CWORD)) || break\n"
           "            option=''\n" +
           (command.has_program ? "        elif [[ ${COMP_WORDS[i]} != -?* || ${COMP_WORDS[i]} == -- ]]; then\n"
                                  "            return  # what follows is the program's\n"
                                : "") +
           "        fi\n"
           "    done\n" +
           (values.empty() ? "" : "    case $option in\n" + values + "    esac\n") +
           "    if [[ -n $option ]]; then\n"
           "        [[ $current != = ]] || current=''\n"
           "        [[ -z $list || $current != *,* ]] || before=${current%,*},\n"
           "        mapfile -t COMPREPLY < <(compgen -P \"$before\" -W \"$values\" -- \"${current#\"$before\"}\")\n"
           "    elif [[ $current == -* ]]; then\n"
           "        mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$current\")\n" +
           (command.has_program ? ""
                                : "    else\n"
                                  "        mapfile -t COMPREPLY < <(compgen -d -- \"$current\")\n") +
           "    fi\n"
           "}\n"
           "complete -o default -F " +
           function + " " + command.name + "\n";
}

/// For zsh's _arguments: no quote, bracket or colon.
std::string plain(std::string_view text) {
    return replaced(replaced(replaced(replaced(replaced(std::string(text), "\n", " "), "'", ""), "[", "("), "]", ")"),
                    ":", "\\:");
}

std::string zsh_completion(const Command& command) {
    std::string text = "#compdef " + command.name + "\n# Made from " + command.source + ".\n_arguments -S \\\n";
    for (const Completed& option : command.options) {
        const std::string excluded = option.repeats ? "'*'" : "'(" + joined(option.words, " ") + ")'";
        std::string value;
        if (!option.value.empty()) {
            const std::string offered = plain(joined(option.offered, " "));
            value = std::string(option.may_lack_value ? "::" : ":") + plain(option.value) + ":" +
                    (offered.empty()  ? "_files"
                     : option.is_list ? " _sequence compadd - " + offered
                                      : "(" + offered + ")");
        }
        text += "  " + excluded +
                (option.words.size() == 1 ? option.words.front() : "{" + joined(option.words, ",") + "}") + "'[" +
                plain(option.help) + "]" + value + "' \\\n";
    }
    return text + "  " + command.rest + "\n";
}

std::string run_in_bash() { return bash_completion(dampi_run()); }
std::string run_in_zsh() { return zsh_completion(dampi_run()); }
std::string report_in_bash() { return bash_completion(dampi_report()); }
std::string report_in_zsh() { return zsh_completion(dampi_report()); }

std::string report_options_in_man() {
    std::ostringstream text;
    for (const dampi::scheduler::ReportOption& option : dampi::scheduler::report_options) {
        text << ".TP\n\\fB" << replaced(escaped(option.words), ",", "\\fR, \\fB") << "\\fR"
             << (option.file != nullptr ? " \\fIFILE\\fR" : "") << '\n'
             << in_lines(escaped(option.help) + ".");
    }
    return text.str();
}

/// A file that is made from a table as a whole.
struct Whole {
    std::string_view document;
    std::string (*make)();
};

constexpr std::array wholes{
    Whole{"docs/completion/dampi-run.bash", run_in_bash},
    Whole{"docs/completion/_dampi-run", run_in_zsh},
    Whole{"docs/completion/dampi-report.bash", report_in_bash},
    Whole{"docs/completion/_dampi-report", report_in_zsh},
};

/// A part of a document that is made from a table, between two lines that stay.
struct Part {
    std::string_view document;
    std::string_view begin;
    std::string_view end;
    std::string (*make)();
};

constexpr std::array parts{
    Part{"docs/options.md", "<!-- generated: options -->\n", "<!-- end -->\n", options_in_markdown},
    Part{"docs/findings.md", "<!-- generated: findings -->\n", "<!-- end -->\n", findings_in_markdown},
    Part{"docs/dampi-run.1", ".\\\" generated: options\n", ".\\\" end\n", options_in_man},
    Part{"docs/dampi-report.1", ".\\\" generated: options\n", ".\\\" end\n", report_options_in_man},
};

std::string content_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream content;
    if (!(content << file.rdbuf())) {
        throw std::runtime_error("cannot read " + path.string());
    }
    return content.str();
}

std::string with_part(const std::string& content, const Part& part) {
    const std::size_t begin = content.find(part.begin);
    const std::size_t end = begin == std::string::npos ? begin : content.find(part.end, begin);
    if (end == std::string::npos) {
        throw std::runtime_error(std::string(part.document) + " does not have the lines that the table stands between");
    }
    return content.substr(0, begin + part.begin.size()) + part.make() + content.substr(end);
}

/// The first line that is another one, for whoever has to find it.
std::string first_difference(const std::string& is, const std::string& ought) {
    std::istringstream is_lines(is);
    std::istringstream ought_lines(ought);
    std::string is_line;
    std::string ought_line;
    for (int number = 1;; ++number) {
        const bool more = static_cast<bool>(std::getline(is_lines, is_line));
        const bool more_wanted = static_cast<bool>(std::getline(ought_lines, ought_line));
        if (is_line != ought_line || more != more_wanted) {
            return "line " + std::to_string(number) + " is\n  " + is_line + "\nand would be\n  " + ought_line;
        }
        if (!more) {
            return "no difference";
        }
    }
}

void write(const std::filesystem::path& path, const std::string& content) {
    std::ofstream file(path, std::ios::binary);
    if (!(file << content).flush()) {
        throw std::runtime_error("cannot write " + path.string());
    }
}

/// Writes the document anew, or says what would be another thing. Whether it is, or now is, as it ought to be.
bool settle(const std::filesystem::path& root, const std::filesystem::path& document, const std::string& is,
            const std::string& ought, bool writing) {
    if (is == ought) {
        return true;
    }
    if (writing) {
        write(root / document, ought);
        std::cout << "written: " << document.string() << '\n';
        return true;
    }
    std::cerr << document.string() << " does not say what the table says: " << first_difference(is, ought)
              << "\n(the target docs-tables writes it anew)\n";
    return false;
}

/// The pages of the kinds; there are no others.
bool go_through_pages(const std::filesystem::path& root, bool writing) {
    const std::filesystem::path folder = "docs/findings";
    std::filesystem::create_directories(root / folder);
    std::set<std::filesystem::path> pages;
    bool same = true;
    for (const violation_kinds::Line& line : violation_kinds::lines) {
        const auto kind = *dampi::replay::violation_kind_of(line.text);
        const std::filesystem::path page = folder / (dampi::scheduler::file_name_of(kind) + ".md");
        pages.insert(page.filename());
        const std::string is = std::filesystem::exists(root / page) ? content_of(root / page) : "";
        same = settle(root, page, is, dampi::scheduler::explanation_in_markdown(kind), writing) && same;
    }
    for (const auto& entry : std::filesystem::directory_iterator(root / folder)) {
        if (!pages.contains(entry.path().filename())) {
            same = false;
            std::cerr << entry.path().string() << " is the page of no kind\n";
        }
    }
    return same;
}

/// Whether all documents say what the tables say, at the end.
bool go_through(const std::filesystem::path& root, bool writing) {
    bool same = true;
    for (const Part& part : parts) {
        const std::string is = content_of(root / part.document);
        same = settle(root, part.document, is, with_part(is, part), writing) && same;
    }
    for (const Whole& whole : wholes) {
        const std::string is = std::filesystem::exists(root / whole.document) ? content_of(root / whole.document) : "";
        same = settle(root, whole.document, is, whole.make(), writing) && same;
    }
    return go_through_pages(root, writing) && same;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string_view what = argc == 3 ? argv[1] : "";
    if (what != "--write" && what != "--check") {
        std::cerr << "usage: generate_tables --write|--check ROOT\n";
        return 2;
    }
    try {
        return go_through(argv[2], what == "--write") ? 0 : 1;
    } catch (const std::exception& error) {
        std::cerr << "generate_tables: " << error.what() << '\n';
        return 2;
    }
}
