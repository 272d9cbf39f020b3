#include "tests/harness/report.hpp"

#include <fstream>
#include <stdexcept>

namespace dampi::harness {
namespace {

using Json = nlohmann::json;

std::optional<SourcePlace> read_place(const Json& place) {
    if (place.is_null() || place.at("file").is_null()) {
        return std::nullopt;
    }
    return SourcePlace{.file = std::filesystem::path(place.at("file").get<std::string>()).filename().string(),
                       .line = place.at("line").get<int>()};
}

std::vector<Finding> read_findings(const Json& findings) {
    std::vector<Finding> result;
    for (const Json& json : findings) {
        Finding finding{.kind = json.at("kind"),
                        .message = json.at("message"),
                        .count = json.at("count"),
                        .first_interleaving = json.at("first_interleaving"),
                        .by_touches = json.at("shown_by") == "touches",
                        .decisions = std::nullopt,
                        .where = read_place(json.at("where")),
                        .epochs = json.at("epochs")};
        if (!json.at("ranks").is_array()) {
            throw std::runtime_error("'ranks' is no array");
        }
        if (!json.at("decisions").is_null()) {
            finding.decisions = json.at("decisions").get<std::string>();
        }
        result.push_back(std::move(finding));
    }
    return result;
}

Report parse(const Json& json) {
    if (json.at("schema") != "dampi-report/3") {
        throw std::runtime_error("its schema is not dampi-report/3");
    }
    Report report;
    report.verdict = json.at("verdict");
    report.complete = json.at("complete");
    report.clock = json.at("clock");
    if (json.contains("mpi_library")) {
        report.patched_mpi = json["mpi_library"].at("patched");
        report.why_mpi = json["mpi_library"].at("why");
    }
    const Json& interleavings = json.at("interleavings");
    report.explored = interleavings.at("explored");
    report.pending = interleavings.at("pending");
    report.duplicates =
        interleavings.at("duplicates").is_null() ? 0 : interleavings.at("duplicates").get<std::uint64_t>();
    for (const auto& [mode, merged] : interleavings.at("merged").items()) {
        report.merged[mode] = merged.at("outcomes").is_null() ? "unknown" : merged.at("outcomes").get<std::string>();
    }
    report.imprecise_matches = interleavings.at("imprecise_matches");
    report.divergences = interleavings.at("divergences");
    report.violations = read_findings(json.at("violations"));
    report.doubts = read_findings(json.at("doubts"));
    report.notes = read_findings(json.at("notes"));
    for (const Json& left : json.at("left_out")) {
        report.left_out.push_back(left.at("reason").get<std::string>() + ": " + left.at("what").get<std::string>());
    }
    report.not_checked = json.at("not_checked").get<std::vector<std::string>>();
    if (json.contains("outcomes")) {
        report.outcomes.emplace();
        for (const Json& outcome : json.at("outcomes")) {
            report.outcomes->push_back({.number = outcome.at("number"),
                                        .outcome = canonical_outcome(outcome.at("outcomes").get<std::string>()),
                                        .verdicts = outcome.at("verdicts").get<std::set<std::string>>(),
                                        .buffering = outcome.at("buffering").get<std::string>()});
        }
    }
    return report;
}

}  // namespace

std::set<std::string> Report::kinds() const {
    std::set<std::string> result;
    for (const Finding& finding : violations) {
        result.insert(finding.kind);
    }
    for (const Finding& finding : doubts) {
        result.insert(finding.kind);
    }
    return result;
}

Report read_report(const std::filesystem::path& file) {
    std::ifstream input(file);
    if (!input) {
        throw std::runtime_error("there is no " + file.string());
    }
    try {
        return parse(Json::parse(input));
    } catch (const std::exception& error) {
        throw std::runtime_error(file.string() + " cannot be read: " + error.what());
    }
}

}  // namespace dampi::harness
