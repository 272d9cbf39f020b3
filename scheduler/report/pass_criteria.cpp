// See pass_criteria.hpp.
#include "scheduler/report/pass_criteria.hpp"

#include "base/check.hpp"
#include "replay/lined_file.hpp"
#include "replay/terminal_words.hpp"
#include "scheduler/report/fingerprint.hpp"
#include "scheduler/report/kind_names.hpp"
#include "scheduler/report/report_schema.hpp"
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

/// Whether it, or something that came of it, is of a kind that the word names.
bool names(const std::string& word, const replay::Violation& violation) {
    return names_kind(word, violation.kind) ||
           std::any_of(violation.consequences.begin(), violation.consequences.end(),
                       [&word](replay::ViolationKind kind) { return names_kind(word, kind); });
}

bool fails(const Options& options, const replay::Violation& violation, Severity severity, bool known) {
    if (!options.expect.empty()) {
        return !expects(options, violation.kind);
    }
    const std::vector<std::string> words = fail_words(options);
    const auto given = [&words](std::string_view word) {
        return std::find(words.begin(), words.end(), word) != words.end();
    };
    if (known && !given(all_word) && !given(new_word)) {
        return false;  // the others choose among what is new, and beside these two add to them
    }
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
    return std::any_of(passing.suppressions.begin(), passing.suppressions.end(), is_to_be_mended);
}

/// What has become of each suppression, those of the file first.
std::string suppressions_text(const Passing& passing) {
    std::string text;
    for (const bool in_source : {false, true}) {
        std::string lines;
        const auto findings =
            std::count_if(passing.findings.begin(), passing.findings.end(), [&](const Passing::Judged& each) {
                return std::any_of(each.suppressed_by.begin(), each.suppressed_by.end(),
                                   [&](std::size_t by) { return passing.suppressions[by].in_source == in_source; });
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

/// The suppressions, as places in Passing::suppressions, that stand for what ranks did.
struct Cover {
    std::set<std::size_t> by;
    bool whole = false;  ///< for all that must be suppressed
};

/// Of the violation as if it were of this kind. What is each rank's own is covered by several together, each of which
/// is for some of the ranks; of what ranks do together one is enough. `stands`: whether a suppression is for what a
/// rank did.
template <typename Stands>
Cover cover_of(const replay::Violation& violation, replay::ViolationKind kind, std::size_t suppressions,
               const Stands& stands) {
    const std::vector<replay::RankSituation>& situations = violation.situations;
    if (is_each_ranks_own(kind)) {
        Cover cover{.by = {}, .whole = !situations.empty()};
        for (const replay::RankSituation& situation : situations) {
            std::size_t first = 0;
            while (first < suppressions && !stands(first, kind, situation)) {
                ++first;
            }
            if (first < suppressions) {
                cover.by.insert(first);
            }
            cover.whole = cover.whole && first < suppressions;
        }
        return cover;
    }
    for (std::size_t i = 0; i < suppressions; ++i) {
        if (std::any_of(situations.begin(), situations.end(),
                        [&](const replay::RankSituation& each) { return stands(i, kind, each); })) {
            return {.by = {i}, .whole = true};
        }
    }
    return {};
}

/// Places in `passing.suppressions`: those that suppress the finding, if all that came of it is suppressed, too, so
/// that what is told in a finding is not suppressed unseen.
template <typename Stands>
std::vector<std::size_t> suppress(Passing& passing, const replay::Violation& violation, const Stands& stands) {
    const Cover own = cover_of(violation, violation.kind, passing.suppressions.size(), stands);
    if (!own.whole) {
        for (const std::size_t each : own.by) {
            ++passing.suppressions[each].partly;
        }
        return {};
    }
    std::set<std::size_t> used = own.by;
    std::set<replay::ViolationKind> not_covered;
    for (const replay::ViolationKind kind : violation.consequences) {
        if (Cover other = cover_of(violation, kind, passing.suppressions.size(), stands); other.whole) {
            used.merge(other.by);
        } else {
            not_covered.insert(kind);
        }
    }
    if (!not_covered.empty()) {
        for (const std::size_t each : own.by) {
            passing.suppressions[each].not_covered.insert(not_covered.begin(), not_covered.end());
        }
        return {};
    }
    for (const std::size_t each : used) {
        ++passing.suppressions[each].findings;
    }
    return {own.by.begin(), own.by.end()};
}

bool is_known_schema(const std::string& schema) {
    for (int version = 1; version <= report_schema_version; ++version) {
        if (schema == fmt::format("{}{}", report_schemas, version)) {
            return true;
        }
    }
    return false;
}

int status_of(const ReportInputs& inputs, const Passing& passing) {
    if (verdict_of(inputs) == Verdict::error) {
        return exit_status(Verdict::error);
    }
    if (!passing.missing.empty() || any_to_be_mended(passing) || notes_fail(inputs) ||
        count_if(passing, [](const auto& each) { return each.fails; }) != 0) {
        return exit_status(Verdict::violations);
    }
    const bool is_ok = inputs.options.incomplete_ok && inputs.result.explored != 0;  // else nothing has passed
    const bool incomplete = !everything_left_out(inputs.result).empty() && !is_ok;
    return exit_status(incomplete ? Verdict::incomplete : Verdict::clean);
}

}  // namespace

bool expects(const Options& options, replay::ViolationKind kind) {
    return std::any_of(options.expect.begin(), options.expect.end(),
                       [kind](const std::string& word) { return names_kind(word, kind); });
}

bool is_to_be_mended(const Passing::Applied& suppression) {
    return suppression.expired || !suppression.trouble.empty();
}

std::string state_text(const Passing::Applied& suppression) {
    if (!suppression.trouble.empty()) {
        return suppression.trouble;
    }
    if (suppression.expired) {
        return "has expired: mend what it stands for, or give it another day";
    }
    const std::string not_covered =
        suppression.not_covered.empty()
            ? ""
            : fmt::format("; not for findings that led to {}, which nothing suppresses there",
                          kinds_text({suppression.not_covered.begin(), suppression.not_covered.end()}));
    const std::string partly =
        suppression.partly == 0
            ? ""
            : fmt::format("; not for {}, since nothing suppresses other places of {}",
                          replay::counted(suppression.partly, "finding"), suppression.partly == 1 ? "it" : "them");
    return (suppression.findings != 0 || !suppression.not_covered.empty() || suppression.partly != 0
                ? replay::counted(suppression.findings, "finding") + ": " + replay::printable(suppression.reason)
                : "not used: it stands for no finding of this sweep") +
           not_covered + partly;
}

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

std::vector<std::string> all_fail_words() {
    std::vector<std::string> all{std::string(all_word), std::string(new_word)};
    for (const Severity severity : fail_severities) {
        all.emplace_back(name_of(severity));
    }
    const std::vector<std::string> kinds = kinds_of_violations();
    all.insert(all.end(), kinds.begin(), kinds.end());
    return all;
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
    std::string what = "this is no report.json of this dampi's";
    try {
        const std::string schema = json.is_discarded() ? "" : json.at("schema").get<std::string>();
        if (schema.starts_with(report_schemas) && !is_known_schema(schema)) {
            pointer = "/schema";
            what = fmt::format("this report.json has the schema '{}', and this dampi knows those up to {}{}",
                               replay::printable(schema), report_schemas, report_schema_version);
        } else if (is_known_schema(schema)) {
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
            .fail(pointer, what + ": make one with the program as it was, and this dampi-run");
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
    const auto stands = [&](std::size_t i, replay::ViolationKind kind, const replay::RankSituation& situation) {
        return !passing.suppressions[i].expired &&
               (i < suppressions.size() ? suppresses(suppressions[i], kind, situation)
                                        : suppresses(in_source[i - suppressions.size()], kind, situation));
    };
    for (const Finding& finding : inputs.result.findings) {
        Passing::Judged judged{.fingerprint = fingerprint(finding.violation, sources)};
        if (const auto known = left.find(judged.fingerprint); known != left.end()) {
            judged.known = true;
            left.erase(known);
        }
        judged.suppressed_by = suppress(passing, finding.violation, stands);
        judged.fails = judged.suppressed_by.empty() &&
                       fails(inputs.options, finding.violation, severity_of(inputs.result, finding), judged.known);
        passing.findings.push_back(std::move(judged));
    }
    const bool all_was_looked_at = everything_left_out(inputs.result).empty();
    for (const auto& [fingerprint, known] : left) {
        if (all_was_looked_at) {  // else it may just not have been reached
            passing.gone.push_back(*known);
        }
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
        text += fmt::format("compared with {}: {} known, {} new, {}\n", replay::printable(passing.baseline->string()),
                            replay::counted(known, "finding"), passing.findings.size() - known,
                            everything_left_out(inputs.result).empty()
                                ? fmt::format("{} gone", passing.gone.size())
                                : "not known which are gone, since something was left out");
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
