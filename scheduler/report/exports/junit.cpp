// See junit.hpp.
#include "scheduler/report/exports/junit.hpp"

#include "base/atomic_file.hpp"
#include "scheduler/report/exports/exported_text.hpp"
#include "scheduler/report/exports/sweep_names.hpp"
#include "scheduler/report/pass_criteria.hpp"
#include "scheduler/report/source_root.hpp"
#include "scheduler/report/text_report.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pugixml.hpp>

namespace dampi::scheduler {
namespace {

void set(pugi::xml_node node, const char* name, const std::string& value) {
    node.append_attribute(name).set_value(valid_text(value).c_str());
}

void add_text(pugi::xml_node node, const std::string& text) {
    node.append_child(pugi::node_pcdata).set_value(valid_text(text).c_str());
}

/// What is counted of the cases.
struct Counts {
    std::size_t tests = 0;
    std::size_t failures = 0;
    std::size_t errors = 0;
    std::size_t skipped = 0;
};

class Suite {
public:
    Suite(pugi::xml_node node, const ReportInputs& inputs, const std::filesystem::path& root, std::string class_name)
        : node_(node), inputs_(inputs), root_(root), class_(std::move(class_name)) {}

    void add_exploration() {
        pugi::xml_node test = add("every interleaving", inputs_.result.seconds);
        std::string left_out;
        for (const LeftOut& left : everything_left_out(inputs_.result)) {
            const std::string how = remedy(left);
            left_out += left.what + (how.empty() ? "" : " (" + how + ")") + "\n";
        }
        if (!inputs_.error.empty()) {
            ++counts_.errors;
            pugi::xml_node error = test.append_child("error");
            set(error, "message", inputs_.error);
            set(error, "type", "error");
        } else if (verdict_of(inputs_) == Verdict::violations) {
            // Those that are known, suppressed or expected are no reason to pass either.
            const bool fails = exit_status_of(inputs_) == exit_status(Verdict::violations);
            ++(fails ? counts_.failures : counts_.skipped);
            pugi::xml_node outcome = test.append_child(fails ? "failure" : "skipped");
            set(outcome, "message", verdict_line(inputs_));
            if (fails) {
                set(outcome, "type", std::string(verdict_name(Verdict::violations)));
            }
            add_text(outcome, left_out);
        } else if (!left_out.empty()) {
            ++counts_.skipped;
            pugi::xml_node skipped = test.append_child("skipped");
            set(skipped, "message", verdict_line(inputs_));
            add_text(skipped, left_out);
        }
        add_text(test.append_child("system-out"), verdict_line(inputs_));
    }

    void add_finding(std::size_t i) {
        const Finding& finding = inputs_.result.findings[i];
        pugi::xml_node test = add(finding_name(finding), 0);
        if (const replay::CodePlace* place = finding_place(finding); place != nullptr && !place->file.empty()) {
            set_place(test, place->file, std::to_string(place->line));
        }
        const bool fails = inputs_.passing.of(i).fails;
        ++(fails ? counts_.failures : counts_.skipped);
        pugi::xml_node outcome = test.append_child(fails ? "failure" : "skipped");
        const std::optional<std::string> suppressed = inputs_.passing.suppressed(i);
        const std::string known = suppressed                    ? "suppressed (" + *suppressed + "): "
                                  : inputs_.passing.of(i).known ? "known: "
                                  : fails                       ? ""
                                                                : "does not fail: ";
        set(outcome, "message", known + finding.violation.message);
        if (fails) {
            set(outcome, "type", std::string(text_of(finding.violation.kind)));
        }
        add_text(outcome, finding_text(inputs_, i));
    }

    void add_corpus_file(const CorpusCase& file) {
        pugi::xml_node test = add("corpus: " + file.file, 0);
        const bool fails = std::any_of(file.findings.begin(), file.findings.end(),
                                       [this](std::size_t i) { return inputs_.passing.of(i).fails; });
        std::string kinds;
        for (const std::size_t i : file.findings) {
            kinds += (kinds.empty() ? "" : ", ") + finding_name(inputs_.result.findings.at(i));
        }
        if (fails) {
            ++counts_.failures;
            pugi::xml_node failure = test.append_child("failure");
            set(failure, "message", kinds);
            set(failure, "type", std::string(text_of(inputs_.result.findings[file.findings.front()].violation.kind)));
        } else if (file.state != CorpusCase::State::passes) {
            ++counts_.skipped;
            set(test.append_child("skipped"), "message",
                std::string(text_of(file.state)) + (file.why.empty() ? "" : ": " + file.why) +
                    (kinds.empty() ? "" : ": " + kinds));
        }
    }

    void add_missing(const std::string& kind) {
        ++counts_.failures;
        pugi::xml_node failure = add("expected: " + kind, 0).append_child("failure");
        set(failure, "message", "not found");
        set(failure, "type", kind);
    }

    /// Of a suppression that makes the sweep fail.
    void add_suppression(const Passing::Applied& applied) {
        const std::string file = within_project(applied.file);
        pugi::xml_node test = add(fmt::format("suppression: {}: {}", file, applied.what), 0);
        set_place(test, applied.file, std::to_string(applied.line));
        ++counts_.failures;
        pugi::xml_node failure = test.append_child("failure");
        set(failure, "message", state_text(applied));
        set(failure, "type", "suppression");
        add_text(failure, fmt::format("{}:{}: {}: {}", file, applied.line, applied.what, state_text(applied)));
    }

    void add_failing_note(const Finding& note) {
        ++counts_.failures;
        pugi::xml_node failure = add("note: " + finding_name(note), 0).append_child("failure");
        set(failure, "message", note.violation.message);
        set(failure, "type", std::string(text_of(note.violation.kind)));
    }

    [[nodiscard]] const Counts& counts() const { return counts_; }

private:
    /// Of several with the same name the second has a number, and so on.
    pugi::xml_node add(const std::string& name, double seconds) {
        ++counts_.tests;
        pugi::xml_node test = node_.append_child("testcase");
        const unsigned times = ++names_[name];
        set(test, "classname", class_);
        set(test, "name", name + (times == 1 ? "" : fmt::format(" [{}]", times)));
        set(test, "time", fmt::format("{:.3f}", seconds));
        return test;
    }

    [[nodiscard]] std::string within_project(const std::string& file) const {
        return path_within(root_, file).value_or(file);
    }

    void set_place(pugi::xml_node test, const std::string& file, const std::string& line) const {
        set(test, "file", within_project(file));
        set(test, "line", line);
    }

    pugi::xml_node node_;
    const ReportInputs& inputs_;
    const std::filesystem::path& root_;
    std::string class_;
    Counts counts_;
    std::map<std::string, unsigned> names_;
};

void set_counts(pugi::xml_node node, const Counts& counts, double seconds) {
    for (const auto& [name, count] : {std::pair("tests", counts.tests), std::pair("failures", counts.failures),
                                      std::pair("errors", counts.errors), std::pair("skipped", counts.skipped)}) {
        set(node, name, std::to_string(count));
    }
    set(node, "time", fmt::format("{:.3f}", seconds));
}

/// Adds the cases of one sweep. `class_name`: what they are told by from those of others.
Counts add_sweep(pugi::xml_node suites, const ReportInputs& inputs, const std::filesystem::path& root,
                 const std::string& class_name) {
    pugi::xml_node node = suites.append_child("testsuite");
    const Options& options = inputs.options;
    set(node, "name",
        fmt::format("dampi-run -n {} {}{}{}", options.processes, options.program, options.arguments.empty() ? "" : " ",
                    fmt::join(options.arguments, " ")));
    pugi::xml_node properties = node.append_child("properties");
    for (const auto& [name, value] :
         std::map<std::string, std::string>{{"dampi.version", inputs.version},
                                            {"dampi.verdict", std::string(verdict_name(verdict_of(inputs)))},
                                            {"dampi.cached", inputs.cached.empty() ? "no" : inputs.cached},
                                            {"dampi.interleavings", std::to_string(inputs.result.explored)},
                                            {"dampi.report", (options.output / "report.json").string()}}) {
        pugi::xml_node property = properties.append_child("property");
        set(property, "name", name);
        set(property, "value", value);
    }
    Suite suite(node, inputs, root, class_name);
    suite.add_exploration();
    for (std::size_t i = 0; i < inputs.result.findings.size(); ++i) {
        suite.add_finding(i);
    }
    for (const CorpusCase& file : inputs.corpus) {
        suite.add_corpus_file(file);
    }
    for (const Finding& note : inputs.result.notes) {
        if (notes_fail(inputs)) {
            suite.add_failing_note(note);
        }
    }
    for (const std::string& kind : inputs.passing.missing) {
        suite.add_missing(kind);
    }
    for (const Passing::Applied& applied : inputs.passing.suppressions) {
        if (is_to_be_mended(applied)) {
            suite.add_suppression(applied);
        }
    }
    set_counts(node, suite.counts(), inputs.result.seconds);
    return suite.counts();
}

/// Jenkins groups cases by this up to its last dot, and then by the rest; GitLab takes cases of the same class and name
/// for one, also of several files: so what has been run is in it.
std::string class_name(const ReportInputs& inputs, const std::string& sweep, bool is_alone) {
    std::string name = sweep;
    for (const std::string& argument : inputs.options.arguments) {
        name += is_alone ? " " + argument : "";
    }
    std::replace(name.begin(), name.end(), '.', '_');
    return "dampi." + name;
}

}  // namespace

std::string make_junit(std::span<const ReportInputs> sweeps, const std::filesystem::path& root) {
    pugi::xml_document document;
    pugi::xml_node suites = document.append_child("testsuites");
    set(suites, "name", "dampi");
    Counts sum;
    double seconds = 0;
    const std::vector<std::string> names = sweep_names(sweeps);
    for (std::size_t i = 0; i < sweeps.size(); ++i) {
        const ReportInputs& inputs = sweeps[i];
        const Counts counts = add_sweep(suites, inputs, root, class_name(inputs, names[i], sweeps.size() == 1));
        sum.tests += counts.tests;
        sum.failures += counts.failures;
        sum.errors += counts.errors;
        sum.skipped += counts.skipped;
        seconds += inputs.result.seconds;
    }
    set_counts(suites, sum, seconds);
    std::ostringstream out;
    document.save(out, "  ", pugi::format_indent, pugi::encoding_utf8);
    return out.str();
}

void write_junit(const std::filesystem::path& path, std::span<const ReportInputs> sweeps,
                 const std::filesystem::path& root) {
    base::write_file_atomically(path, make_junit(sweeps, root));
}

}  // namespace dampi::scheduler
