// See pass_criteria.hpp.
#include "scheduler/report/pass_criteria.hpp"

#include "base/check.hpp"
#include "replay/lined_file.hpp"
#include "replay/terminal_words.hpp"
#include "scheduler/report/fingerprint.hpp"
#include "scheduler/report/kind_names.hpp"
#include "scheduler/report/severity.hpp"
#include "scheduler/report/source_suppressions.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <map>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace dampi::scheduler {
namespace {

using Json = nlohmann::json;
using replay::violation_kinds::Severity;

constexpr std::array fail_severities{Severity::error, Severity::portability, Severity::warning};
constexpr std::string_view all_word = "all";
constexpr std::string_view new_word = "new";

/// One of them is enough.
std::vector<std::string> fail_words(const Options& options) {
    if (!options.fail_on.empty()) {
        return options.fail_on;
    }
    return {std::string(options.baseline ? new_word : all_word)};
}

bool is_expected(const Options& options, replay::ViolationKind kind) {
    return std::any_of(options.expect.begin(), options.expect.end(),
                       [kind](const std::string& word) { return names_kind(word, kind); });
}

/// Whether it, or something that came of it, is of a kind that the word names.
bool names(const std::string& word, const replay::Violation& violation) {
    return names_kind(word, violation.kind) ||
           std::any_of(violation.consequences.begin(), violation.consequences.end(),
                       [&word](replay::ViolationKind kind) { return names_kind(word, kind); });
}

bool fails(const Options& options, const replay::Violation& violation, Severity severity, bool known) {
    if (!options.expect.empty()) {
        return !is_expected(options, violation.kind);
    }
    const std::vector<std::string> words = fail_words(options);
    return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
        return word == all_word ||
               (word == new_word ? !known : names(word, violation) || names_severity(word, severity));
    });
}

std::size_t count_if(const Passing& passing, bool (*which)(const Passing::Judged&)) {
    return static_cast<std::size_t>(std::count_if(passing.findings.begin(), passing.findings.end(), which));
}

/// Nobody is to overlook these.
bool any_to_be_mended(const Passing& passing) {
    return std::any_of(passing.suppressions.begin(), passing.suppressions.end(),
                       [](const Passing::Applied& each) { return each.expired || !each.trouble.empty(); });
}

std::string state_text(const Passing::Applied& each) {
    if (!each.trouble.empty()) {
        return each.trouble;
    }
    if (each.expired) {
        return "has expired: mend what it stands for, or give it another day";
    }
    const std::string not_covered =
        each.not_covered.empty() ? ""
                                 : fmt::format("; not for findings that led to {}, which nothing suppresses there",
                                               kinds_text({each.not_covered.begin(), each.not_covered.end()}));
    return (each.findings != 0 || !each.not_covered.empty()
                ? replay::counted(each.findings, "finding") + ": " + replay::printable(each.reason)
                : "not used: it stands for no finding of this sweep") +
           not_covered;
}

/// What has become of each suppression, those of the file first.
std::string suppressions_text(const Passing& passing) {
    std::string text;
    for (const bool in_source : {false, true}) {
        std::string lines;
        const auto findings =
            std::count_if(passing.findings.begin(), passing.findings.end(), [&](const Passing::Judged& each) {
                return each.suppressed_by && passing.suppressions[*each.suppressed_by].in_source == in_source;
            });
        for (const Passing::Applied& each : passing.suppressions) {
            if (each.in_source == in_source) {
                lines += fmt::format("  {}{}: {}: {}\n", in_source ? replay::printable(each.file) + ":" : "line ",
                                     each.line, replay::printable(each.what), state_text(each));
            }
        }
        if (in_source ? !lines.empty() : passing.suppressions_file.has_value()) {
            text += fmt::format(
                "suppressed {}: {}\n{}",
                in_source ? "in the source" : "by " + replay::printable(passing.suppressions_file->string()),
                replay::counted(static_cast<std::size_t>(findings), "finding"), lines);
        }
    }
    return text;
}

Passing::Applied applied(const Suppression& suppression, std::string file, std::chrono::year_month_day today) {
    return {.file = std::move(file),
            .in_source = false,
            .line = suppression.line,
            .what = suppression.text,
            .reason = suppression.reason,
            .findings = 0,
            .expired = has_expired(suppression, today)};
}

/// The suppression of the finding: the first that stands for it, if there is one for all that came of it, too, so that
/// what is told in a finding is not suppressed unseen. `suppression_for`: of a violation, as if it were of another
/// kind.
template <typename SuppressionFor>
std::optional<std::size_t> suppress(Passing& passing, const replay::Violation& violation,
                                    const SuppressionFor& suppression_for) {
    const std::optional<std::size_t> first = suppression_for(violation, violation.kind);
    if (!first) {
        return std::nullopt;
    }
    std::set<std::size_t> used{*first};
    std::set<replay::ViolationKind> not_covered;
    for (const replay::ViolationKind kind : violation.consequences) {
        if (const auto other = suppression_for(violation, kind)) {
            used.insert(*other);
        } else {
            not_covered.insert(kind);
        }
    }
    if (!not_covered.empty()) {
        passing.suppressions[*first].not_covered.merge(not_covered);
        return std::nullopt;
    }
    for (const std::size_t each : used) {
        ++passing.suppressions[each].findings;
    }
    return first;
}

int status_of(const ReportInputs& inputs, const Passing& passing) {
    if (verdict_of(inputs) == Verdict::error) {
        return exit_status(Verdict::error);
    }
    if (!passing.missing.empty() || any_to_be_mended(passing) || notes_fail(inputs) ||
        count_if(passing, [](const auto& each) { return each.fails; }) != 0) {
        return exit_status(Verdict::violations);
    }
    const bool incomplete = !everything_left_out(inputs.result).empty() && !inputs.options.incomplete_ok;
    return exit_status(incomplete ? Verdict::incomplete : Verdict::clean);
}

}  // namespace

bool notes_fail(const ReportInputs& inputs) {
    const auto& words = inputs.options.fail_on;
    return !inputs.result.notes.empty() && std::any_of(words.begin(), words.end(), [](const std::string& word) {
        return names_severity(word, Severity::warning);
    });
}

bool is_fail_word(const std::string& word) {
    return word == all_word || word == new_word || names_violations(word) ||
           std::any_of(fail_severities.begin(), fail_severities.end(),
                       [&](Severity severity) { return names_severity(word, severity); });
}

std::vector<Passing::Known> read_baseline(const std::filesystem::path& report) {
    std::error_code error;
    std::ifstream in(report, std::ios::binary);
    if (!in || std::filesystem::is_directory(report, error)) {
        throw Error("the baseline " + report.string() + " cannot be read: give the report.json of an earlier sweep");
    }
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const Json json = Json::parse(text, nullptr, false);
    std::vector<Passing::Known> known;
    std::string pointer;  // to what is being read
    try {
        if (!json.is_discarded() && json.at("schema").get<std::string>().rfind("dampi-report/", 0) == 0) {
            pointer = "/violations";
            const Json& findings = json.at("violations");
            for (std::size_t i = 0; i < findings.size(); ++i) {
                pointer = fmt::format("/violations/{}", i);
                const Json& finding = findings.at(i);
                known.push_back({.fingerprint = finding.at("fingerprint").get<std::string>(),
                                 .kind = finding.at("kind").get<std::string>(),
                                 .message = finding.at("message").get<std::string>()});
            }
            return known;
        }
    } catch (const Json::exception&) {
        // no report, or one from before there were fingerprints
    }
    try {
        replay::read_lined_json(text, report.string())
            .fail(pointer,
                  "this is no report.json of this dampi's: make one with the program as it was, and dampi-run");
    } catch (const Error& error) {
        throw Error("the baseline cannot be used: " + std::string(error.what()));
    }
}

Passing judge_passing(const ReportInputs& inputs, const std::vector<Passing::Known>& baseline,
                      const std::vector<Suppression>& suppressions, std::chrono::year_month_day today) {
    std::multimap<std::string, const Passing::Known*> left;
    for (const Passing::Known& known : baseline) {
        left.emplace(known.fingerprint, &known);
    }
    Passing passing;
    passing.baseline = inputs.options.baseline;
    passing.suppressions_file = inputs.options.suppressions;
    SourceLines sources;
    const std::vector<SourceSuppression> in_source = source_suppressions(inputs.result, sources);
    for (const Suppression& each : suppressions) {
        passing.suppressions.push_back(applied(each, inputs.options.suppressions.value_or("").string(), today));
    }
    for (const SourceSuppression& each : in_source) {
        Passing::Applied& made = passing.suppressions.emplace_back(applied(each.what, each.file, today));
        made.in_source = true;
        made.trouble = each.trouble;
    }
    /// The first that stands for it, as if it were of this kind.
    const auto suppression_for = [&](replay::Violation violation,
                                     replay::ViolationKind kind) -> std::optional<std::size_t> {
        violation.kind = kind;
        for (std::size_t i = 0; i < passing.suppressions.size(); ++i) {
            const bool stands = i < suppressions.size() ? suppresses(suppressions[i], violation)
                                                        : suppresses(in_source[i - suppressions.size()], violation);
            if (stands && !passing.suppressions[i].expired) {
                return i;
            }
        }
        return std::nullopt;
    };
    for (const Finding& finding : inputs.result.findings) {
        Passing::Judged judged{.fingerprint = fingerprint(finding.violation, sources)};
        if (const auto known = left.find(judged.fingerprint); known != left.end()) {
            judged.known = true;
            left.erase(known);
        }
        judged.suppressed_by = suppress(passing, finding.violation, suppression_for);
        judged.fails = !judged.suppressed_by &&
                       fails(inputs.options, finding.violation, severity_of(inputs.result, finding), judged.known);
        passing.findings.push_back(std::move(judged));
    }
    for (const auto& [fingerprint, known] : left) {
        passing.gone.push_back(*known);
    }
    for (const std::string& word : inputs.options.expect) {
        const auto found = [&word](const Finding& finding) { return names(word, finding.violation); };
        if (std::none_of(inputs.result.findings.begin(), inputs.result.findings.end(), found)) {
            passing.missing.push_back(word);
        }
    }
    passing.exit_status = status_of(inputs, passing);
    return passing;
}

int exit_status_of(const ReportInputs& inputs) {
    return inputs.passing.exit_status.value_or(exit_status(verdict_of(inputs)));
}

std::string passing_text(const ReportInputs& inputs) {
    const Passing& passing = inputs.passing;
    std::string text;
    if (passing.baseline) {
        const std::size_t known = count_if(passing, [](const auto& each) { return each.known; });
        text +=
            fmt::format("compared with {}: {} known, {} new, {} gone\n", replay::printable(passing.baseline->string()),
                        replay::counted(known, "finding"), passing.findings.size() - known, passing.gone.size());
        for (const Passing::Known& gone : passing.gone) {
            text += fmt::format("  gone: {}: {}\n", replay::printable(gone.kind), replay::printable(gone.message));
        }
    }
    text += suppressions_text(passing);
    for (const std::string& word : passing.missing) {
        text += fmt::format("expected and not found: {}\n", word);
    }
    const Verdict verdict = verdict_of(inputs);
    const int status = exit_status_of(inputs);
    if (status == exit_status(verdict)) {
        return text;
    }
    std::string_view why = "--incomplete-ok";
    if (!passing.missing.empty()) {
        why = "what was expected was not found";
    } else if (status == exit_status(Verdict::violations) && any_to_be_mended(passing)) {
        why = "a suppression has expired, or cannot be understood";
    } else if (status == exit_status(Verdict::violations)) {
        why = "--fail-on names warnings, and there is a note";
    } else if (verdict == Verdict::violations) {
        why = status == 0 ? "no finding is one of those that fail"
                          : "no finding is one of those that fail, but something was left out";
    }
    return text + fmt::format("exit status {}: {}\n", status, why);
}

}  // namespace dampi::scheduler
