// See page_data.hpp.
#include "scheduler/report/page_data.hpp"
#include "scheduler/report/explanation.hpp"

#include "replay/terminal_words.hpp"
#include "scheduler/report/call_difference.hpp"
#include "scheduler/report/call_places.hpp"
#include "scheduler/report/causal_depth.hpp"
#include "scheduler/report/json_report.hpp"
#include "scheduler/report/nearest_passing.hpp"
#include "scheduler/report/severity.hpp"
#include "scheduler/report/situation_text.hpp"
#include "scheduler/report/taken_messages.hpp"
#include "scheduler/report/text_report.hpp"
#include "scheduler/report/worst_first.hpp"
#include "scheduler/sweep/outcome_words.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace dampi::scheduler {
namespace {

using Json = nlohmann::json;

/// Groups of ranks in the same state that are told apart in a finding.
constexpr std::size_t most_groups = 12;
/// Frames of a stack whose lines are shown.
constexpr std::size_t most_frames = 6;

Json order_to_json(const std::vector<FindingPlace>& order) {
    constexpr std::array words{"violation", "doubt", "note"};
    Json all = Json::array();
    for (const FindingPlace& place : order) {
        all.push_back({{"list", finding_lists[place.list]},
                       {"index", place.index},
                       {"title", fmt::format("{} {}", words[place.list], place.index + 1)}});
    }
    return all;
}

/// Those whose operations are shown.
std::set<const Finding*> with_epochs(const SweepResult& result, const std::vector<FindingPlace>& order) {
    std::set<const Finding*> all;
    std::size_t epochs = 0;
    for (const FindingPlace& place : order) {
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
    for (std::size_t list = 0; list < finding_lists.size(); ++list) {
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
                          {"stack", group.stack},
                          {"situation", group.first}});
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

/// "MPI_Iprobe with tag 1": one call of a stretch of polls.
std::string poll_words(const std::string& call, replay::EpochKind kind, replay::Tag tag) {
    if (!replay::chooses_message(kind)) {
        return call;
    }
    return call + (tag == base::any_tag ? " with any tag" : fmt::format(" with tag {}", tag));
}

/// Says of each stretch of polls in `made`, epochs as report.json has them, what was asked.
void add_poll_words(const std::vector<replay::Epoch>& epochs, Json& made) {
    for (std::size_t i = 0; i < std::min(epochs.size(), made.size()); ++i) {
        const replay::Epoch& epoch = epochs[i];
        std::map<std::uint32_t, std::string> words{{epoch.poll, poll_words(epoch.call, epoch.kind, epoch.tag)}};
        for (std::size_t other = 0; other < epoch.others.size(); ++other) {
            const replay::OtherPoll& poll = epoch.others[other];
            words[poll.number] = poll_words(poll.call, poll.kind, poll.tag);
            made[i]["other_polls"][other]["words"] = words[poll.number];
        }
        const std::uint32_t answers = epoch.outcome ? epoch.outcome->false_answers : 0;
        std::set<std::string> asked;
        for (std::size_t poll = 0; poll < std::min<std::size_t>(answers, epoch.polled.size()); ++poll) {
            asked.insert(words[epoch.polled[poll]]);
        }
        if (answers > 0 && epoch.polled.empty()) {
            asked.insert(words[epoch.poll]);
        }
        made[i]["false_polls"] = asked;
    }
}

/// The calls of a run, each a row, with the words that many have in tables of their own. `epochs`: the finding's.
Json calls_to_json(const std::vector<replay::CallEvent>& calls, const std::vector<replay::Epoch>& epochs) {
    if (calls.empty()) {
        return nullptr;
    }
    std::map<replay::EpochId, std::size_t> epoch_places;
    for (std::size_t i = 0; i < epochs.size(); ++i) {
        epoch_places.emplace(epochs[i].id, i);
    }
    std::map<std::string, std::size_t> functions;
    std::map<replay::CodePlace, std::size_t> wheres;
    Json function_names = Json::array();
    Json places = Json::array();
    Json communicators = Json::array();
    std::map<replay::CommId, std::size_t> comms;
    const auto number = [](auto& numbers, const auto& key, Json& table, const auto& to_json) {
        const auto [found, is_new] = numbers.try_emplace(key, numbers.size());
        if (is_new) {
            table.push_back(to_json(key));
        }
        return found->second;
    };
    const auto or_null = [](const auto& value) { return value ? Json(*value) : Json(nullptr); };
    const auto epoch_place = [&](const replay::EpochId& id) {
        const auto found = epoch_places.find(id);
        return found == epoch_places.end() ? Json(nullptr) : Json(found->second);
    };
    const std::vector<CallPlace> in_diagram = call_places(calls);
    Json list = Json::array();
    for (std::size_t i = 0; i < calls.size(); ++i) {
        const replay::CallEvent& call = calls[i];
        const CallPlace& place = in_diagram[i];
        const auto own_calls = [&](const std::vector<std::uint32_t>& indices) {
            Json all = Json::array();
            for (const std::uint32_t index : indices) {
                all.push_back(or_null(replay::place_of(calls, {call.name.rank, index})));
            }
            return all;
        };
        list.push_back(Json::array(
            {call.name.rank, static_cast<int>(call.kind),
             number(functions, call.function, function_names, [](const std::string& name) { return Json(name); }),
             number(wheres, call.where, places, place_to_json), call.peer, call.tag,
             number(comms, call.comm, communicators, [](replay::CommId comm) { return Json(std::to_string(comm)); }),
             call.match ? or_null(replay::place_of(calls, *call.match)) : Json(nullptr),
             call.epoch ? epoch_place({call.name.rank, *call.epoch}) : Json(nullptr), call.issue.has_value(),
             place.depth, or_null(place.arrives), place.by_issue, place.by_outcome, place.meeting,
             own_calls(call.requests), own_calls(call.completed)}));
    }
    return {{"functions", std::move(function_names)},
            {"wheres", std::move(places)},
            {"communicators", std::move(communicators)},
            {"list", std::move(list)}};
}

Json call_differences_to_json(const ListedCalls& calls) {
    Json all = Json::array();
    for (const CallDifference& each : call_differences(calls.failing, calls.passing)) {
        all.push_back({{"rank", each.rank},
                       {"same", each.same},
                       {"failing", each.failing},
                       {"passing", each.passing},
                       {"failing_omitted", each.failing_omitted},
                       {"passing_omitted", each.passing_omitted}});
    }
    return all;
}

/// What outcomes of the two runs that are compared were about.
class Compared {
public:
    /// `passing`: the calls of the run that passes, or empty.
    Compared(const Finding& finding, const Difference& difference, const ListedCalls* calls,
             const std::vector<replay::CallEvent>& passing)
        : finding_(finding), calls_(calls), passing_(passing) {
        for (const OtherOutcome& choice : difference.choices) {
            if (choice.first) {
                first_.insert(choice.passing.epoch);
            }
        }
    }

    [[nodiscard]] std::vector<TakenMessage> failing(const OutcomeOfRun& outcome) const {
        const replay::Epoch* const epoch = find(outcome.epoch);
        std::vector<TakenMessage> taken = epoch != nullptr ? taken_messages(*epoch) : std::vector<TakenMessage>{};
        return taken.empty() && calls_ != nullptr ? taken_messages(calls_->failing, outcome.epoch) : taken;
    }

    /// Where its calls are not known: up to the first choices both runs are the same, so these had the same messages.
    [[nodiscard]] std::vector<TakenMessage> passing(const OutcomeOfRun& outcome) const {
        if (!passing_.empty()) {
            return taken_messages(passing_, outcome.epoch);
        }
        const replay::Epoch* const epoch = find(outcome.epoch);
        const auto other = epoch != nullptr && epoch->outcome && first_.contains(outcome.epoch)
                               ? with_outcome(*epoch, without_false_answers(outcome.came_to))
                               : std::nullopt;
        return other ? taken_messages(*other) : std::vector<TakenMessage>{};
    }

private:
    [[nodiscard]] const replay::Epoch* find(const replay::EpochId& id) const {
        const auto found = std::find_if(finding_.epochs.begin(), finding_.epochs.end(),
                                        [&](const replay::Epoch& each) { return each.id == id; });
        return found == finding_.epochs.end() ? nullptr : &*found;
    }

    const Finding& finding_;
    const ListedCalls* calls_;
    const std::vector<replay::CallEvent>& passing_;
    std::set<replay::EpochId> first_;
};

Json outcome_to_json(const OutcomeOfRun& outcome, const std::vector<TakenMessage>& taken) {
    Json messages = Json::array();
    for (const TakenMessage& each : taken) {
        messages.push_back(Json::array({each.request ? Json(*each.request) : Json(nullptr), each.source, each.tag}));
    }
    return {{"rank", outcome.epoch.rank},
            {"index", outcome.epoch.index},
            {"came_to", outcome.came_to},
            {"messages", std::move(messages)},
            {"site", outcome.site ? Json(*outcome.site) : Json(nullptr)}};
}

Json difference_to_json(const Difference& difference, const Compared& compared) {
    const auto failing = [&](const OutcomeOfRun& each) { return outcome_to_json(each, compared.failing(each)); };
    const auto passing = [&](const OutcomeOfRun& each) { return outcome_to_json(each, compared.passing(each)); };
    const auto all_of = [](const std::vector<OutcomeOfRun>& outcomes, const auto& to_json) {
        Json all = Json::array();
        for (const OutcomeOfRun& outcome : outcomes) {
            all.push_back(to_json(outcome));
        }
        return all;
    };
    Json choices = Json::array();
    for (const OtherOutcome& choice : difference.choices) {
        choices.push_back(
            {{"failing", failing(choice.failing)}, {"passing", passing(choice.passing)}, {"first", choice.first}});
    }
    Json ranks = Json::array();
    for (const RankDifference& each : difference.ranks) {
        ranks.push_back({{"rank", each.rank},
                         {"same", each.same},
                         {"failing", all_of(each.failing, failing)},
                         {"passing", all_of(each.passing, passing)},
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
    if (finding.shown_by == Finding::ShownBy::touches) {
        return "Only a few runs, beside the sweep's own, have looked for loads and stores; with --check-buffers all "
               "do.";
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

void add_places(Excerpts& excerpts, const Finding& finding) {
    for (const replay::RankSituation& situation : finding.violation.situations) {
        excerpts.add(situation.where);
        for (std::size_t i = 0; i < std::min(situation.stack.size(), most_frames); ++i) {
            excerpts.add(situation.stack[i]);
        }
    }
    for (const replay::UnmatchedOperation& operation : finding.violation.unmatched) {
        excerpts.add(operation.where);
    }
    for (const replay::Epoch& epoch : finding.epochs) {
        excerpts.add(epoch.where);
    }
}

void add_places(Excerpts& excerpts, const ListedCalls& listed) {
    for (const std::vector<replay::CodePlace>& stack : listed.choice_stacks) {
        for (std::size_t i = 0; i < std::min(stack.size(), most_frames); ++i) {
            excerpts.add(stack[i]);
        }
    }
}

void add_places(Excerpts& excerpts, const std::vector<replay::CallEvent>& calls) {
    for (const replay::CallEvent& call : calls) {
        excerpts.add(call.where);
    }
}

void add_places(Excerpts& excerpts, const OrderEffect& effect) {
    for (const OrderEffect::Choice& choice : effect.choices) {
        excerpts.add(choice.where);
    }
    for (const ChangedVariable& variable : effect.variables) {
        excerpts.add(variable.declared);
    }
}

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
    std::vector<FindingPlace> order = worst_first(result);
    order.resize(std::min(order.size(), most_page_findings));
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
    std::array<std::set<std::size_t>, finding_lists.size()> shown;
    for (const auto& [list, i] : order) {
        const Finding& finding = findings_of(result, list)[i];
        shown[list].insert(i);
        Json& made = data[finding_lists[list]][i];
        const std::filesystem::path file = list == 0   ? file_at(inputs.finding_files, i)
                                           : list == 1 ? file_at(inputs.doubt_files, i)
                                                       : std::filesystem::path{};
        made["replay"] = file.empty() ? Json(nullptr) : Json(replay_command(inputs, file));
        made["groups"] = groups_to_json(finding.violation, ranks);
        made["places"] = drawn.contains(&finding) ? places_to_json(finding.epochs) : Json::array();
        if (drawn.contains(&finding)) {
            add_poll_words(finding.epochs, made["epochs"]);
        }
        const auto difference = nearest_passing(result, finding, protocol, bytes_left);
        made["no_difference"] = difference ? "" : no_difference(result, finding, bytes_left);
        const ListedCalls* const calls = list == 0 && i < inputs.calls.size() ? &inputs.calls[i] : nullptr;
        const bool both =
            calls != nullptr && difference && !calls->passing.empty() && calls->passing_number == difference->passing;
        const std::vector<replay::CallEvent> none;
        made["difference"] =
            difference
                ? difference_to_json(*difference, Compared(finding, *difference, calls, both ? calls->passing : none))
                : Json(nullptr);
        made["why_no_calls"] = calls != nullptr ? calls->why_not : "";
        made["calls"] = calls != nullptr ? calls_to_json(calls->failing, finding.epochs) : Json(nullptr);
        made["passing_calls"] = both ? calls_to_json(calls->passing, {}) : Json(nullptr);
        made["call_differences"] = both ? call_differences_to_json(*calls) : Json(nullptr);
        add_places(excerpts, finding);
    }
    for (std::size_t list = 0; list < finding_lists.size(); ++list) {
        Json& all = data[finding_lists[list]];
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (!shown[list].contains(i)) {
                all[i] = nullptr;  // report.json has it
            }
        }
    }
    for (const ListedCalls& calls : inputs.calls) {
        add_places(excerpts, calls);
        add_places(excerpts, calls.failing);
        add_places(excerpts, calls.passing);
    }
    for (const OrderEffect& effect : inputs.order.effects) {
        add_places(excerpts, effect);
    }
    for (const CallSite& site : result.sites.sites()) {
        excerpts.add(site.where);
    }
    data["sources"] = excerpts.take();
    return data;
}

}  // namespace dampi::scheduler
