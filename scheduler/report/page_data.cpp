// See page_data.hpp.
#include "scheduler/report/page_data.hpp"
#include "scheduler/report/explanation.hpp"

#include "replay/terminal_words.hpp"
#include "scheduler/report/causal_depth.hpp"
#include "scheduler/report/json_report.hpp"
#include "scheduler/report/nearest_passing.hpp"
#include "scheduler/report/severity.hpp"
#include "scheduler/report/situation_text.hpp"
#include "scheduler/report/text_report.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace dampi::scheduler {
namespace {

using Json = nlohmann::json;
using replay::violation_kinds::Group;
using replay::violation_kinds::Severity;

/// Groups of ranks in the same state that are told apart in a finding.
constexpr std::size_t most_groups = 12;
/// Frames of a stack whose lines are shown.
constexpr std::size_t most_frames = 6;

constexpr std::array lists{"violations", "doubts", "notes"};

/// What ended or stopped the program comes before what it only did wrong, and that before what it forgot.
int badness(Group group) {
    constexpr std::array worst_first{Group::ended,  Group::stuck, Group::sanitizer, Group::collective, Group::misuse,
                                     Group::buffer, Group::type,  Group::leak,      Group::otherwise,  Group::usage};
    return static_cast<int>(std::find(worst_first.begin(), worst_first.end(), group) - worst_first.begin());
}

const std::vector<Finding>& findings_of(const SweepResult& result, std::size_t list) {
    return list == 0 ? result.findings : list == 1 ? result.doubts : result.notes;
}

struct Place {
    std::size_t list = 0;
    std::size_t index = 0;
};

/// The findings of all lists that are shown, worst first.
std::vector<Place> worst_first(const SweepResult& result) {
    std::vector<std::tuple<std::size_t, Severity, int, std::size_t>> all;
    for (std::size_t list = 0; list < lists.size(); ++list) {
        const std::vector<Finding>& findings = findings_of(result, list);
        for (std::size_t i = 0; i < findings.size(); ++i) {
            all.emplace_back(list, severity_of(result, findings[i]),
                             badness(replay::violation_kinds::line(findings[i].violation.kind).group), i);
        }
    }
    std::sort(all.begin(), all.end());
    all.resize(std::min(all.size(), most_page_findings));
    std::vector<Place> order;
    for (const auto& [list, severity, bad, index] : all) {
        order.push_back({.list = list, .index = index});
    }
    return order;
}

Json order_to_json(const std::vector<Place>& order) {
    constexpr std::array words{"violation", "doubt", "note"};
    Json all = Json::array();
    for (const Place& place : order) {
        all.push_back({{"list", lists[place.list]},
                       {"index", place.index},
                       {"title", fmt::format("{} {}", words[place.list], place.index + 1)}});
    }
    return all;
}

/// Those whose operations are shown.
std::set<const Finding*> with_epochs(const SweepResult& result, const std::vector<Place>& order) {
    std::set<const Finding*> all;
    std::size_t epochs = 0;
    for (const Place& place : order) {
        const Finding& finding = findings_of(result, place.list)[place.index];
        epochs += finding.epochs.size();
        if (epochs <= most_page_epochs) {
            all.insert(&finding);
        }
    }
    return all;
}

Json kinds_to_json(const SweepResult& result) {
    Json kinds = Json::object();
    for (std::size_t list = 0; list < lists.size(); ++list) {
        for (const Finding& finding : findings_of(result, list)) {
            const auto& line = replay::violation_kinds::line(finding.violation.kind);
            kinds[std::string(line.text)] = {{"sentence", line.sentence},
                                             {"remedy", line.remedy},
                                             {"severity", replay::violation_kinds::name_of(line.severity)},
                                             {"explain", explaining_command(line.text)}};
        }
    }
    return kinds;
}

/// Ranks in the same state together.
Json groups_to_json(const replay::Violation& violation, replay::Rank ranks) {
    Json groups = Json::array();
    for (const SituationGroup& group : group_situations(violation.situations, most_groups, ranks)) {
        groups.push_back({{"ranks", group.ranks},
                          {"name", replay::rank_list(group.ranks)},
                          {"call", group.call},
                          {"detail", group.detail},
                          {"stack", group.stack}});
    }
    return groups;
}

Json places_to_json(const std::vector<replay::Epoch>& epochs) {
    Json places = Json::array();
    const std::vector<DiagramPlace> in_diagram = diagram_places(epochs);
    for (std::size_t i = 0; i < epochs.size(); ++i) {
        const DiagramPlace& place = in_diagram[i];
        places.push_back({place.depth, place.sent_after, place.by_issue, place.by_outcome, epochs[i].context.zone});
    }
    return places;
}

Json outcome_to_json(const OutcomeOfRun& outcome) {
    return {{"rank", outcome.epoch.rank},
            {"index", outcome.epoch.index},
            {"came_to", outcome.came_to},
            {"site", outcome.site ? Json(*outcome.site) : Json(nullptr)}};
}

Json outcomes_to_json(const std::vector<OutcomeOfRun>& outcomes) {
    Json all = Json::array();
    for (const OutcomeOfRun& outcome : outcomes) {
        all.push_back(outcome_to_json(outcome));
    }
    return all;
}

Json difference_to_json(const Difference& difference) {
    Json choices = Json::array();
    for (const OtherOutcome& choice : difference.choices) {
        choices.push_back({{"failing", outcome_to_json(choice.failing)},
                           {"passing", outcome_to_json(choice.passing)},
                           {"first", choice.first}});
    }
    Json ranks = Json::array();
    for (const RankDifference& each : difference.ranks) {
        ranks.push_back({{"rank", each.rank},
                         {"same", each.same},
                         {"failing", outcomes_to_json(each.failing)},
                         {"passing", outcomes_to_json(each.passing)},
                         {"failing_omitted", each.failing_omitted},
                         {"passing_omitted", each.passing_omitted}});
    }
    return {{"failing", difference.failing},
            {"passing", difference.passing},
            {"clean", difference.clean},
            {"same_buffering", difference.same_buffering},
            {"differing", difference.differing},
            {"choices", std::move(choices)},
            {"ranks", std::move(ranks)},
            {"choices_omitted", difference.choices_omitted},
            {"ranks_omitted", difference.ranks_omitted}};
}

/// Why there is nothing to compare with; empty where there is.
std::string no_difference(const SweepResult& result, const Finding& finding, std::uint64_t bytes_left) {
    if (finding.foreseen) {
        return "No run has shown it yet: that it can happen follows from others.";
    }
    if (result.outcomes_omitted) {
        return "There are so many interleavings that what each of them came to is not kept, so none can be compared.";
    }
    if (bytes_left == 0) {
        return "There are so many interleavings and findings that no more are compared.";
    }
    if (finding.count == result.explored && result.pending == 0) {
        return "Each interleaving shows it: it does not depend on which message comes first.";
    }
    return "No interleaving that was explored passes, so there is none to compare with.";
}

Json runs_to_json(const SweepResult& result) {
    Json list = Json::array();
    std::vector<std::string> modes;
    std::vector<std::string> kinds;
    const auto number_of = [](std::vector<std::string>& words, std::string_view word) {
        const auto found = std::find(words.begin(), words.end(), word);
        const auto number = found - words.begin();
        if (found == words.end()) {
            words.emplace_back(word);
        }
        return number;
    };
    std::uint64_t bytes = 0;
    std::uint64_t omitted = result.outcomes_omitted ? result.explored : 0;
    for (const InterleavingOutcome& each : result.interleavings) {
        bytes += each.outcomes.size();
        if (bytes > most_page_outcome_bytes) {
            ++omitted;
            continue;
        }
        Json verdicts = Json::array();
        for (const replay::ViolationKind verdict : each.verdicts) {
            verdicts.push_back(number_of(kinds, text_of(verdict)));
        }
        Json sites = Json::array();
        for (const std::uint32_t site : each.sites) {
            sites.push_back(site == CallSites::unknown ? Json(nullptr) : Json(site));
        }
        list.push_back(Json::array({each.number, number_of(modes, replay::buffering_name(each.buffering)),
                                    each.outcomes, std::move(verdicts), std::move(sites)}));
    }
    return {{"modes", modes}, {"kinds", kinds}, {"list", std::move(list)}, {"omitted", omitted}};
}

Json sites_to_json(const CallSites& sites) {
    Json all = Json::array();
    for (std::size_t i = 0; i < sites.sites().size(); ++i) {
        const SiteChoices& choices = sites.choices()[i];
        all.push_back({{"call", sites.sites()[i].call},
                       {"where", place_to_json(sites.sites()[i].where)},
                       {"messages", choices.messages},
                       {"taken", choices.taken},
                       {"possible", choices.possible}});
    }
    return all;
}

/// The lines around the places of the source that the page names.
class Excerpts {
public:
    explicit Excerpts(const ReadLines& read_lines) : read_lines_(read_lines) {}

    void add(const replay::CodePlace& place) {
        if (place.file.empty() || place.line <= 0 || excerpts_.size() >= most_excerpts ||
            !seen_.insert({place.file, place.line}).second) {
            return;
        }
        const int first = std::max(1, place.line - lines_around);
        const std::vector<std::string> lines = read_lines_(place.file, first, place.line + lines_around);
        if (lines.size() > static_cast<std::size_t>(place.line - first)) {
            excerpts_[fmt::format("{}:{}", place.file, place.line)] = {{"first", first}, {"lines", lines}};
        }
    }

    void add(const Finding& finding) {
        for (const replay::RankSituation& situation : finding.violation.situations) {
            add(situation.where);
            for (std::size_t i = 0; i < std::min(situation.stack.size(), most_frames); ++i) {
                add(situation.stack[i]);
            }
        }
        for (const replay::UnmatchedOperation& operation : finding.violation.unmatched) {
            add(operation.where);
        }
        for (const replay::Epoch& epoch : finding.epochs) {
            add(epoch.where);
        }
    }

    void add(const OrderEffect& effect) {
        for (const OrderEffect::Choice& choice : effect.choices) {
            add(choice.where);
        }
        for (const ChangedVariable& variable : effect.variables) {
            add(variable.declared);
        }
    }

    [[nodiscard]] Json take() { return std::move(excerpts_); }

private:
    const ReadLines& read_lines_;
    std::set<std::pair<std::string, int>> seen_;
    Json excerpts_ = Json::object();
};

/// What stands behind the word `complete` of this result.
std::string complete_means(const ReportInputs& inputs) {
    const std::vector<LeftOut> left_out = everything_left_out(inputs.result);
    if (!inputs.error.empty()) {
        return "The sweep ended before its time, so nothing is known of what it would have found.";
    }
    if (!left_out.empty()) {
        return "This result is not complete: what is listed below was left out, and a fault may be hidden there.";
    }
    std::string text = inputs.clock == "lamport"
                           ? "Complete means here: all outcomes were run that Lamport clocks can see. They order some "
                             "events that could happen in either order, so a rare alternative may have gone unseen."
                           : "Complete means here: with these arguments, this number of processes and these kinds of "
                             "buffering, every outcome that the modelled calls can have was run.";
    return text + " It says nothing of other inputs, and of what is not checked.";
}

}  // namespace

nlohmann::json make_page_data(const ReportInputs& inputs, const ReadLines& read_lines) {
    const SweepResult& result = inputs.result;
    const auto ranks = static_cast<replay::Rank>(inputs.options.processes);
    const std::vector<Place> order = worst_first(result);
    const std::set<const Finding*> drawn = with_epochs(result, order);
    Json data = make_json_summary(inputs, [&](const Finding& finding) { return drawn.contains(&finding); });
    data["verdict_line"] = verdict_line(inputs);
    data["complete_means"] = complete_means(inputs);
    data["kinds"] = kinds_to_json(result);
    data["worst_first"] = order_to_json(order);
    data["runs"] = runs_to_json(result);
    data["sites"] = sites_to_json(result.sites);
    data["sites_omitted"] = result.sites.omitted();
    Excerpts excerpts(read_lines);
    std::uint64_t bytes_left = most_compared_bytes;
    const clocks::Protocol protocol = inputs.clock == "lamport" ? clocks::Protocol::lamport : clocks::Protocol::vector;
    std::array<std::set<std::size_t>, lists.size()> shown;
    for (const auto& [list, i] : order) {
        const Finding& finding = findings_of(result, list)[i];
        shown[list].insert(i);
        Json& made = data[lists[list]][i];
        const std::filesystem::path file = list == 0   ? file_at(inputs.finding_files, i)
                                           : list == 1 ? file_at(inputs.doubt_files, i)
                                                       : std::filesystem::path{};
        made["replay"] = file.empty() ? Json(nullptr) : Json(replay_command(inputs, file));
        made["groups"] = groups_to_json(finding.violation, ranks);
        made["places"] = drawn.contains(&finding) ? places_to_json(finding.epochs) : Json::array();
        const auto difference = nearest_passing(result, finding, protocol, bytes_left);
        made["difference"] = difference ? difference_to_json(*difference) : Json(nullptr);
        made["no_difference"] = difference ? "" : no_difference(result, finding, bytes_left);
        excerpts.add(finding);
    }
    for (std::size_t list = 0; list < lists.size(); ++list) {
        Json& all = data[lists[list]];
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (!shown[list].contains(i)) {
                all[i] = nullptr;  // report.json has it
            }
        }
    }
    for (const OrderEffect& effect : inputs.order.effects) {
        excerpts.add(effect);
    }
    for (const CallSite& site : result.sites.sites()) {
        excerpts.add(site.where);
    }
    data["sources"] = excerpts.take();
    return data;
}

}  // namespace dampi::scheduler
