// See code_quality.hpp.
#include "scheduler/report/exports/code_quality.hpp"

#include "base/atomic_file.hpp"
#include "base/hash.hpp"
#include "scheduler/report/exports/exported_text.hpp"
#include "scheduler/report/fingerprint.hpp"
#include "scheduler/report/pass_criteria.hpp"
#include "scheduler/report/severity.hpp"
#include "scheduler/report/source_root.hpp"

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace dampi::scheduler {
namespace {

using Json = nlohmann::json;
using replay::violation_kinds::Severity;

class Entries {
public:
    Entries(const ReportInputs& inputs, const std::filesystem::path& root) : inputs_(inputs), root_(root) {}

    void add(const Finding& finding, const char* severity) {
        const replay::CodePlace* place = finding_place(finding);
        const bool has_line = place != nullptr && !place->file.empty();
        const std::string file = has_line ? place->file : inputs_.options.program;
        // The reader wants each only once.
        const std::string print = fingerprint(finding.violation, sources_);
        const unsigned times = ++seen_[print];
        entries_.push_back({{"description", finding_name(finding) + ": " + valid_text(finding.violation.message)},
                            {"check_name", text_of(finding.violation.kind)},
                            {"fingerprint", times == 1 ? print : fmt::format("{}-{}", print, times)},
                            {"severity", severity},
                            {"location",
                             {{"path", valid_text(path_within(root_, file).value_or(file))},
                              {"lines", {{"begin", has_line ? place->line : 1}}}}}});
    }

    [[nodiscard]] Json take() { return std::move(entries_); }

private:
    const ReportInputs& inputs_;
    const std::filesystem::path& root_;
    SourceLines sources_;
    std::map<std::string, unsigned> seen_;
    Json entries_ = Json::array();
};

Json entries_of(const ReportInputs& inputs, const std::filesystem::path& root) {
    Entries entries(inputs, root);
    for (std::size_t i = 0; i < inputs.result.findings.size(); ++i) {
        const Finding& finding = inputs.result.findings[i];
        const bool is_accepted = inputs.passing.suppressed(i) || expects(inputs.options, finding.violation.kind);
        entries.add(finding, is_accepted                                              ? "info"
                             : severity_of(inputs.result, finding) == Severity::error ? "major"
                                                                                      : "minor");
    }
    for (const Finding& doubt : inputs.result.doubts) {
        entries.add(doubt, "info");
    }
    for (const Finding& note : inputs.result.notes) {
        entries.add(note, "minor");
    }
    return entries.take();
}

/// Of the entry's severity: which of two is worse.
int weight(const Json& entry) {
    const auto& severity = entry.at("severity").get_ref<const std::string&>();
    return severity == "major" ? 2 : severity == "minor" ? 1 : 0;
}

}  // namespace

Json make_code_quality(std::span<const ReportInputs> sweeps, const std::filesystem::path& root) {
    Json all = Json::array();
    std::map<std::pair<std::string, std::string>, std::size_t> seen;  // places, by fingerprint and file
    std::set<std::string> prints;
    for (const ReportInputs& inputs : sweeps) {
        for (Json& entry : entries_of(inputs, root)) {
            const auto print = entry.at("fingerprint").get<std::string>();
            const auto path = entry.at("location").at("path").get<std::string>();
            const auto [found, is_new] = seen.emplace(std::pair(print, path), all.size());
            if (is_new && !prints.insert(print).second) {  // the same line of another file
                entry["fingerprint"] = fmt::format("{}-{:016x}", print, base::Hash().add(path).value());
            }
            if (is_new) {
                all.push_back(std::move(entry));
            } else if (weight(entry) > weight(all[found->second])) {
                all[found->second] = std::move(entry);
            }
        }
    }
    return all;
}

void write_code_quality(const std::filesystem::path& path, std::span<const ReportInputs> sweeps,
                        const std::filesystem::path& root) {
    base::write_file_atomically(path, make_code_quality(sweeps, root).dump(2) + "\n");
}

}  // namespace dampi::scheduler
