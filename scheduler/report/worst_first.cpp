#include "scheduler/report/worst_first.hpp"

#include "replay/violation_kind.hpp"
#include "scheduler/report/severity.hpp"
#include "scheduler/sweep/aftermath.hpp"

#include <algorithm>
#include <tuple>

namespace dampi::scheduler {
namespace {

using replay::violation_kinds::Group;
using replay::violation_kinds::Severity;

int badness(Group group) {
    constexpr std::array order{Group::ended,  Group::stuck, Group::sanitizer, Group::collective, Group::misuse,
                               Group::buffer, Group::type,  Group::leak,      Group::otherwise,  Group::usage};
    return static_cast<int>(std::find(order.begin(), order.end(), group) - order.begin());
}

/// What may follow from other findings stands behind the last of them.
void put_behind_causes(const SweepResult& result, std::vector<FindingPlace>& order) {
    std::vector<FindingPlace> behind;
    for (const FindingPlace& place : order) {
        if (place.list == 0 && !comes_after(result.findings, result.findings[place.index]).empty()) {
            behind.push_back(place);
        }
    }
    const auto is_at = [](const FindingPlace& place, std::size_t index) {
        return place.list == 0 && place.index == index;
    };
    for (auto place = behind.rbegin(); place != behind.rend(); ++place) {
        const std::vector<std::size_t> causes = comes_after(result.findings, result.findings[place->index]);
        const auto own = std::find_if(order.begin(), order.end(),
                                      [&](const FindingPlace& each) { return is_at(each, place->index); });
        const auto last =
            std::find_if(order.rbegin(), order.rend(), [&](const FindingPlace& each) {
                return std::any_of(causes.begin(), causes.end(), [&](std::size_t cause) { return is_at(each, cause); });
            }).base();
        if (own < last) {
            std::rotate(own, own + 1, last);
        }
    }
}

}  // namespace

const std::vector<Finding>& findings_of(const SweepResult& result, std::size_t list) {
    return list == 0 ? result.findings : list == 1 ? result.doubts : result.notes;
}

std::vector<FindingPlace> worst_first(const SweepResult& result) {
    std::vector<std::tuple<std::size_t, Severity, int, bool, std::size_t>> all;
    for (std::size_t list = 0; list < finding_lists.size(); ++list) {
        const std::vector<Finding>& findings = findings_of(result, list);
        for (std::size_t i = 0; i < findings.size(); ++i) {
            const replay::ViolationKind kind = findings[i].violation.kind;
            // A rank that ends itself has often been told to by what it has found wrong, which an abort says in words.
            all.emplace_back(list, severity_of(result, findings[i]), badness(replay::violation_kinds::line(kind).group),
                             kind == replay::ViolationKind::exit, i);
        }
    }
    std::sort(all.begin(), all.end());
    std::vector<FindingPlace> order;
    for (const auto& [list, severity, bad, is_exit, index] : all) {
        order.push_back({.list = list, .index = index});
    }
    put_behind_causes(result, order);
    return order;
}

}  // namespace dampi::scheduler
