// See exported_text.hpp.
#include "scheduler/report/exports/exported_text.hpp"

#include "scheduler/report/situation_text.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace dampi::scheduler {

std::string valid_text(std::string_view text) {
    using Json = nlohmann::json;
    constexpr std::string_view replacement = "\uFFFD";
    const std::string utf8 =
        Json::parse(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace)).get<std::string>();
    std::string valid;
    for (std::size_t i = 0; i < utf8.size(); ++i) {
        const auto byte = static_cast<unsigned char>(utf8[i]);
        const std::string_view three = std::string_view(utf8).substr(i, 3);
        if (three == "\uFFFE" || three == "\uFFFF") {
            valid += replacement;
            i += 2;
        } else if ((byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7f) {
            valid += replacement;
        } else {
            valid += utf8[i];
        }
    }
    return valid;
}

std::string finding_name(const Finding& finding) {
    constexpr std::size_t most_roles = 3;
    std::vector<std::string> roles;
    bool more = false;
    for (const replay::RankSituation& situation : finding.violation.situations) {
        const replay::CodePlace& where = situation.where;
        std::string role = situation.call.empty() ? situation.last_call : situation.call;
        if (!where.function.empty()) {
            role += (role.empty() ? "in " : " in ") + where.function;
        }
        if (!where.file.empty()) {
            role +=
                fmt::format("{}({})", role.empty() ? "" : " ", std::filesystem::path(where.file).filename().string());
        }
        if (role.empty() || std::find(roles.begin(), roles.end(), role) != roles.end()) {
            continue;
        }
        more = roles.size() == most_roles;
        if (more) {
            break;
        }
        roles.push_back(std::move(role));
    }
    return valid_text(fmt::format("{}{}{}{}", text_of(finding.violation.kind), roles.empty() ? "" : ": ",
                                  fmt::join(roles, ", "), more ? " and others" : ""));
}

const replay::CodePlace* finding_place(const Finding& finding) {
    const std::vector<replay::RankSituation>& situations = finding.violation.situations;
    const auto known = std::find_if(situations.begin(), situations.end(),
                                    [](const replay::RankSituation& each) { return !shown_place(each).file.empty(); });
    return known != situations.end() ? &shown_place(*known)
           : situations.empty()      ? nullptr
                                     : &shown_place(situations.front());
}

}  // namespace dampi::scheduler
