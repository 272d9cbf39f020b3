#include "scheduler/watch/hang_page.hpp"

#include "base/atomic_file.hpp"
#include "scheduler/report/excerpts.hpp"
#include "scheduler/report/json_report.hpp"
#include "scheduler/report/page.hpp"
#include "scheduler/source_lines.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace dampi::scheduler::watch {
namespace {

using Json = nlohmann::json;

constexpr std::size_t most_frames = 6;  ///< whose lines are shown

Json situations_of(const HangReport& report, Excerpts& excerpts) {
    Json situations = Json::array();
    for (const HangGroup& group : report.groups) {
        Json stack = Json::array();
        for (std::size_t i = 0; i < group.stack.size(); ++i) {
            stack.push_back(place_to_json(group.stack[i]));
            if (i < most_frames) {
                excerpts.add(group.stack[i]);
            }
        }
        for (const int rank : group.ranks) {
            situations.push_back({{"rank", rank},
                                  {"call", group.is_outside ? "" : group.function},
                                  {"arguments", ""},
                                  {"detail", group.state},
                                  {"where", group.stack.empty() ? Json(nullptr) : place_to_json(group.stack.front())},
                                  {"stack", stack}});
        }
    }
    return situations;
}

Json groups_of(const HangReport& report) {
    Json groups = Json::array();
    std::size_t situation = 0;  // as situations_of() has them
    for (const HangGroup& group : report.groups) {
        std::vector<std::string> details = details_of(group);
        std::string detail;
        for (const std::string& each : details) {
            detail += (detail.empty() ? "" : "; ") + each;
        }
        groups.push_back(
            {{"ranks", group.ranks},
             {"name", fmt::format("{} {}", group.ranks.size() == 1 ? "rank" : "ranks", rank_ranges(group.ranks))},
             {"call", group.state},
             {"detail", std::move(detail)},
             {"situation", situation}});
        situation += group.ranks.size();
    }
    return groups;
}

}  // namespace

void write_hang_page(const std::filesystem::path& file, const HangReport& report,
                     const std::vector<std::string>& command) {
    SourceLines sources;
    const ReadLines read_lines = [&sources](const std::string& name, int first, int last) {
        return sources.lines(name, first, last);
    };
    Excerpts excerpts(read_lines);
    Json finding{{"kind", name_of(report.kind)},
                 {"ranks", report.blamed},
                 {"situations", situations_of(report, excerpts)},
                 {"groups", groups_of(report)},
                 {"wait_for", report.wait_for ? wait_for_to_json(*report.wait_for) : Json(nullptr)},
                 {"waits_for_blamed", report.kind != HangKind::deadlock},
                 {"unmatched", Json::array()}};
    Json basis = Json::array({basis_of(report)});
    if (!report.least_progressed.empty()) {
        basis.push_back("Least progressed: " + rank_ranges(report.least_progressed) + ".");
    }
    const Json data{{"watched", true},
                    {"program", command.empty() ? "a job" : command.front()},
                    {"arguments", command.empty() ? std::vector<std::string>{}
                                                  : std::vector<std::string>(command.begin() + 1, command.end())},
                    {"processes", std::max(report.size, report.ranks_seen)},
                    {"verdict", "hang"},
                    {"verdict_line", headline_of(report)},
                    {"basis", std::move(basis)},
                    {"worst_first", Json::array({{{"list", "violations"}, {"index", 0}, {"title", "hang"}}})},
                    {"violations", Json::array({std::move(finding)})},
                    {"sources", excerpts.take()}};
    base::write_file_atomically(file, make_page(data));
}

}  // namespace dampi::scheduler::watch
