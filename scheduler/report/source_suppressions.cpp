// See source_suppressions.hpp.
#include "scheduler/report/source_suppressions.hpp"

#include "base/check.hpp"
#include "scheduler/report/kind_names.hpp"
#include "scheduler/report/situation_text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <set>

#include <fmt/format.h>

namespace dampi::scheduler {
namespace {

constexpr std::string_view mark = "dampi:";
constexpr std::string_view allow = "allow";
constexpr std::string_view blanks = " \t\r";
/// What a comment begins with: in C and C++, Fortran, Python.
constexpr std::array<std::string_view, 4> openers{"//", "/*", "!", "#"};

std::string_view without_end_blanks(std::string_view text) {
    return text.substr(0, text.find_last_not_of(blanks) + 1);  // npos + 1 is 0
}

std::string_view without_begin_blanks(std::string_view text) {
    return text.substr(std::min(text.find_first_not_of(blanks), text.size()));
}

/// What stands before the comment that this ends with the beginning of; nothing where it does not.
std::optional<std::string_view> before_comment(std::string_view text) {
    text = without_end_blanks(text);
    for (const std::string_view opener : openers) {
        if (text.ends_with(opener)) {
            return without_end_blanks(text.substr(0, text.size() - opener.size()));
        }
    }
    return std::nullopt;
}

}  // namespace

std::vector<SourceSuppression> suppressions_in_line(const std::string& file, int number, std::string_view text) {
    const std::size_t at = text.find(mark);
    if (at == std::string_view::npos) {
        return {};
    }
    const std::optional<std::string_view> code = before_comment(text.substr(0, at));
    std::string_view said = text.substr(at + mark.size());
    said = without_begin_blanks(said);
    if (!code || !said.starts_with(allow) ||
        (said.size() > allow.size() && blanks.find(said[allow.size()]) == std::string_view::npos)) {
        return {};
    }
    said = without_begin_blanks(without_end_blanks(said.substr(allow.size())));
    if (said.ends_with("*/")) {
        said = without_end_blanks(said.substr(0, said.size() - 2));
    }
    SourceSuppression made{.file = file, .what = {}, .line = code->empty() ? number + 1 : number, .trouble = {}};
    try {
        made.what = read_allowance(file, static_cast<std::size_t>(number), said);
    } catch (const Error& error) {
        made.what.line = static_cast<std::size_t>(number);
        made.what.text = said;
        made.trouble = std::string(error.what()).substr(fmt::format("{}:{}: ", file, number).size());
    }
    return {std::move(made)};
}

std::vector<SourceSuppression> source_suppressions(const SweepResult& result, SourceLines& sources) {
    std::set<std::string> files;
    for (const Finding& finding : result.findings) {
        for (const replay::RankSituation& situation : finding.violation.situations) {
            files.insert(shown_place(situation).file);
        }
    }
    for (const CallSite& site : result.sites.sites()) {
        files.insert(site.where.file);
    }
    files.erase("");
    std::vector<SourceSuppression> all;
    for (const std::string& file : files) {
        int number = 0;
        for (const std::string& line : sources.all(file)) {
            for (SourceSuppression& each : suppressions_in_line(file, ++number, line)) {
                all.push_back(std::move(each));
            }
        }
    }
    return all;
}

bool suppresses(const SourceSuppression& suppression, replay::ViolationKind kind,
                const replay::RankSituation& situation) {
    return suppression.trouble.empty() && names_kind(suppression.what.kind, kind) &&
           shown_place(situation).file == suppression.file && shown_place(situation).line == suppression.line;
}

}  // namespace dampi::scheduler
