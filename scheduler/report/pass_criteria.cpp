// See pass_criteria.hpp.
#include "scheduler/report/pass_criteria.hpp"

#include "base/check.hpp"
#include "replay/terminal_words.hpp"
#include "scheduler/report/fingerprint.hpp"
#include "scheduler/report/kind_names.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace dampi::scheduler {
namespace {

using Json = nlohmann::json;

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

bool fails(const Options& options, replay::ViolationKind kind, bool known) {
    if (!options.expect.empty()) {
        return !is_expected(options, kind);
    }
    const std::vector<std::string> words = fail_words(options);
    return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
        return word == all_word || (word == new_word ? !known : names_kind(word, kind));
    });
}

std::size_t count_if(const Passing& passing, bool (*which)(const Passing::Judged&)) {
    return static_cast<std::size_t>(std::count_if(passing.findings.begin(), passing.findings.end(), which));
}

bool any_expired(const Passing& passing) {
    return std::any_of(passing.suppressions.begin(), passing.suppressions.end(),
                       [](const Passing::Applied& each) { return each.expired; });
}

/// What has become of each line of the file.
std::string suppressions_text(const Passing& passing) {
    if (!passing.suppressions_file) {
        return "";
    }
    const std::string file = replay::printable(passing.suppressions_file->string());
    std::string text = fmt::format(
        "suppressed by {}: {}\n", file,
        replay::counted(count_if(passing, [](const auto& each) { return each.suppressed_by.has_value(); }), "finding"));
    for (const Passing::Applied& each : passing.suppressions) {
        text += fmt::format("  line {}: {}: {}{}\n", each.line, replay::printable(each.what),
                            each.expired         ? "has expired: mend what it stands for, or give it another day"
                            : each.findings == 0 ? "not used: it stands for no finding of this sweep"
                                                 : replay::counted(each.findings, "finding"),
                            each.expired || each.findings == 0 ? "" : ": " + replay::printable(each.reason));
    }
    return text;
}

int status_of(const ReportInputs& inputs, const Passing& passing) {
    if (verdict_of(inputs) == Verdict::error) {
        return exit_status(Verdict::error);
    }
    if (!passing.missing.empty() || any_expired(passing) ||
        count_if(passing, [](const auto& each) { return each.fails; }) != 0) {
        return exit_status(Verdict::violations);
    }
    const bool incomplete = !everything_left_out(inputs.result).empty() && !inputs.options.incomplete_ok;
    return exit_status(incomplete ? Verdict::incomplete : Verdict::clean);
}

}  // namespace

bool is_fail_word(const std::string& word) { return word == all_word || word == new_word || names_violations(word); }

std::vector<Passing::Known> read_baseline(const std::filesystem::path& report) {
    std::error_code error;
    std::ifstream in(report, std::ios::binary);
    if (!in || std::filesystem::is_directory(report, error)) {
        throw Error("the baseline " + report.string() + " cannot be read: give the report.json of an earlier sweep");
    }
    const Json json = Json::parse(in, nullptr, false);
    std::vector<Passing::Known> known;
    try {
        if (json.at("schema").get<std::string>().rfind("dampi-report/", 0) == 0) {
            for (const Json& finding : json.at("violations")) {
                known.push_back({.fingerprint = finding.at("fingerprint").get<std::string>(),
                                 .kind = finding.at("kind").get<std::string>(),
                                 .message = finding.at("message").get<std::string>()});
            }
            return known;
        }
    } catch (const Json::exception&) {
        // no report, or one from before there were fingerprints
    }
    throw Error("the baseline " + report.string() +
                " is no report.json of this dampi's: make one with the program as it was, and dampi-run");
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
    for (const Suppression& each : suppressions) {
        passing.suppressions.push_back({.line = each.line,
                                        .what = each.text,
                                        .reason = each.reason,
                                        .findings = 0,
                                        .expired = has_expired(each, today)});
    }
    SourceLines sources;
    for (const Finding& finding : inputs.result.findings) {
        Passing::Judged judged{.fingerprint = fingerprint(finding.violation, sources)};
        if (const auto known = left.find(judged.fingerprint); known != left.end()) {
            judged.known = true;
            left.erase(known);
        }
        for (std::size_t i = 0; i < suppressions.size() && !judged.suppressed_by; ++i) {
            if (!passing.suppressions[i].expired && suppresses(suppressions[i], finding.violation)) {
                judged.suppressed_by = i;
                ++passing.suppressions[i].findings;
            }
        }
        judged.fails = !judged.suppressed_by && fails(inputs.options, finding.violation.kind, judged.known);
        passing.findings.push_back(std::move(judged));
    }
    for (const auto& [fingerprint, known] : left) {
        passing.gone.push_back(*known);
    }
    for (const std::string& word : inputs.options.expect) {
        const auto found = [&word](const Finding& finding) { return names_kind(word, finding.violation.kind); };
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
    } else if (status == exit_status(Verdict::violations) && any_expired(passing)) {
        why = "a suppression has expired";
    } else if (verdict == Verdict::violations) {
        why = status == 0 ? "no finding is one of those that fail"
                          : "no finding is one of those that fail, but something was left out";
    }
    return text + fmt::format("exit status {}: {}\n", status, why);
}

}  // namespace dampi::scheduler
