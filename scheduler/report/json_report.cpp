// See json_report.hpp.
#include "scheduler/report/json_report.hpp"

#include "base/atomic_file.hpp"
#include "base/check.hpp"
#include "replay/epoch_names.hpp"
#include "replay/other_answers.hpp"
#include "scheduler/report/pass_criteria.hpp"
#include "scheduler/report/report_schema.hpp"
#include "scheduler/report/severity.hpp"
#include "scheduler/report/situation_text.hpp"
#include "scheduler/sweep/aftermath.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace dampi::scheduler {

namespace {

using Json = nlohmann::json;

Json modes_to_json(const std::vector<replay::Buffering>& modes) {
    Json names = Json::array();
    for (const replay::Buffering mode : modes) {
        names.push_back(replay::buffering_name(mode));
    }
    return names;
}

template <typename Kinds>
Json kinds_to_json(const Kinds& kinds) {
    Json texts = Json::array();
    for (const replay::ViolationKind kind : kinds) {
        texts.push_back(text_of(kind));
    }
    return texts;
}

Json epoch_to_json(const replay::Epoch& epoch) {
    Json alternatives = Json::array();
    for (const auto& match : epoch.potential_matches) {
        alternatives.push_back({{"source", match.source}, {"tag", match.tag}, {"number", match.number}});
    }
    Json other_polls = Json::array();
    for (const replay::OtherPoll& each : epoch.others) {
        Json sources = Json::array();
        for (const auto& match : each.potential_matches) {
            sources.push_back({{"source", match.source}, {"tag", match.tag}, {"number", match.number}});
        }
        Json completions = Json::array();
        for (const auto& completable : each.completable) {
            completions.push_back(completable.position);
        }
        other_polls.push_back({{"poll", each.number},
                               {"kind", replay::epoch_kind_name(each.kind)},
                               {"call", each.call},
                               {"where", place_to_json(each.where)},
                               {"alternatives", std::move(sources)},
                               {"other_completions", std::move(completions)}});
    }
    Json matched = nullptr;
    Json completed = nullptr;
    if (epoch.outcome && !replay::chooses_message(epoch.kind)) {
        completed = epoch.outcome->completed;
    } else if (epoch.outcome && !epoch.outcome->gave_up()) {
        matched = {{"source", epoch.outcome->source}, {"tag", epoch.outcome->tag}, {"number", epoch.outcome->number}};
    }
    return {{"rank", epoch.id.rank},
            {"index", epoch.id.index},
            {"kind", replay::epoch_kind_name(epoch.kind)},
            {"call", epoch.call},
            // A string, as the keys of "communicators" are: the numbers do not fit into JavaScript's.
            {"communicator", std::to_string(epoch.comm)},
            {"tag", epoch.tag},
            {"forced", epoch.forced},
            {"outcome", epoch.outcome.has_value()},
            {"matched", std::move(matched)},
            {"alternatives", std::move(alternatives)},
            {"completed", std::move(completed)},
            {"other_completions", not_reported(epoch)},
            {"poll", epoch.poll},
            {"other_polls", std::move(other_polls)},
            {"false_answers", epoch.outcome ? epoch.outcome->false_answers : 0},
            {"where", place_to_json(epoch.where)},
            {"stack", Json::array()}};  // see violations_to_json()
}

Json stack_to_json(const std::vector<replay::CodePlace>& stack) {
    Json all = Json::array();
    for (const replay::CodePlace& place : stack) {
        all.push_back(place_to_json(place));
    }
    return all;
}

Json situation_to_json(const replay::RankSituation& situation) {
    return {{"rank", situation.rank},
            {"call", situation.call},
            {"arguments", situation.arguments},
            {"last_call", situation.last_call},
            {"detail", situation.detail},
            {"where", place_to_json(situation.where)},
            {"stack", stack_to_json(situation.stack)}};
}

std::string_view shape_name(replay::WaitForGraph::Core shape) {
    switch (shape) {
        case replay::WaitForGraph::Core::cycle:
            return "cycle";
        case replay::WaitForGraph::Core::knot:
            return "knot";
        case replay::WaitForGraph::Core::end:
            return "end";
    }
    check_failed("the shape is known", __FILE__, __LINE__);
}

/// Any rank and any tag are null.
Json unmatched_to_json(const std::vector<replay::UnmatchedOperation>& unmatched) {
    Json all = Json::array();
    for (const auto& operation : unmatched) {
        all.push_back({{"operation", operation.send ? "send" : "receive"},
                       {"rank", operation.rank},
                       {"peer", operation.peer == base::any_source ? Json(nullptr) : Json(operation.peer)},
                       {"tag", operation.tag == base::any_tag ? Json(nullptr) : Json(operation.tag)},
                       {"communicator", operation.communicator},
                       {"count", operation.count},
                       {"where", place_to_json(operation.where)}});
    }
    return all;
}

Json path_to_json(const std::filesystem::path& path) {
    return path.empty() ? Json(nullptr) : Json(path.generic_string());
}

/// Null where they were not looked for. `file`: the decision file with them alone.
Json needed_to_json(const Finding& finding, const std::filesystem::path& file) {
    if (!finding.needed) {
        return nullptr;
    }
    Json choices = Json::array();
    for (const replay::Decision& decision : finding.needed->decisions) {
        choices.push_back({{"rank", decision.epoch.rank}, {"index", decision.epoch.index}});
    }
    return {{"choices", std::move(choices)},
            {"decisions", path_to_json(file)},
            {"runs", finding.needed->runs},
            {"all_tried", finding.needed->all_tried}};
}

const char* shown_by(const Finding& finding) {
    switch (finding.shown_by) {
        case Finding::ShownBy::corpus:
            return "corpus";
        case Finding::ShownBy::touches:
            return "touches";
        case Finding::ShownBy::sweep:
            break;
    }
    return "sweep";
}

Json other_forms_to_json(const std::vector<OtherForm>& forms) {
    Json all = Json::array();
    for (const OtherForm& each : forms) {
        all.push_back({{"kind", text_of(each.kind)},
                       {"message", each.message},
                       {"where", place_to_json(each.where)},
                       {"buffering", modes_to_json(each.buffering)}});
    }
    return all;
}

Json finding_to_json(const SweepResult& result, const Finding& finding, const std::filesystem::path& file,
                     const std::filesystem::path& graph, bool with_epochs) {
    const replay::Violation& violation = finding.violation;
    Json situations = Json::array();
    for (const auto& situation : violation.situations) {
        situations.push_back(situation_to_json(situation));
    }
    Json epochs = Json::array();
    if (with_epochs) {
        for (const auto& epoch : finding.epochs) {
            epochs.push_back(epoch_to_json(epoch));
        }
    }
    Json outcomes = Json::object();
    for (const OutcomesOfFinding& each : finding.outcomes) {
        outcomes[replay::buffering_name(each.buffering)] = {{"outcomes", each.outcomes}, {"chance", each.chance}};
    }
    const std::uint64_t epochs_omitted = finding.epochs_omitted + (with_epochs ? 0 : finding.epochs.size());
    return {{"kind", text_of(violation.kind)},
            {"severity", name_of(severity_of(result, finding))},
            {"message", violation.message},
            {"ranks", violation.ranks},
            {"all_ranks", finding.all_ranks},
            {"count", finding.count},
            {"outcomes", std::move(outcomes)},
            {"foreseen", finding.foreseen},
            {"shown_by", shown_by(finding)},
            {"corpus_file", finding.kept_in.empty() ? Json(nullptr) : Json(finding.kept_in)},
            {"first_interleaving", finding.first_interleaving},
            {"buffering", modes_to_json(finding.buffering)},
            {"decisions", path_to_json(file)},
            {"graph", path_to_json(graph)},
            {"where",
             violation.situations.empty() ? Json(nullptr) : place_to_json(shown_place(violation.situations.front()))},
            {"situations", std::move(situations)},
            {"decided_after", violation.wait_for ? Json(violation.decided_after) : Json(nullptr)},
            {"wait_for", violation.wait_for ? wait_for_to_json(*violation.wait_for) : Json(nullptr)},
            {"unmatched", unmatched_to_json(violation.unmatched)},
            {"consequences", kinds_to_json(violation.consequences)},
            {"other_forms", other_forms_to_json(finding.other_forms)},
            {"comes_after", comes_after(result.findings, finding)},
            {"epochs", std::move(epochs)},
            {"epochs_omitted", epochs_omitted}};
}

/// Null where dampi-run has run the interleavings itself.
Json workers_to_json(const ReportInputs& inputs) {
    if (!inputs.workers) {
        return nullptr;
    }
    Json rows = Json::array();
    for (const WorkerRow& row : inputs.workers->rows) {
        rows.push_back({{"host", row.host},
                        {"process", row.process},
                        {"slots", row.slots},
                        {"interleavings", row.interleavings},
                        {"seconds", row.seconds},
                        {"lost", row.lost.empty() ? Json(nullptr) : Json(row.lost)}});
    }
    return {{"joined", inputs.workers->joined},
            {"lost", inputs.workers->lost},
            {"refused", inputs.workers->refused},
            {"run_again", inputs.workers->run_again},
            {"rows", std::move(rows)}};
}

/// Null without --explain-order.
Json order_to_json(const OrderAccount& order) {
    if (!order.asked) {
        return nullptr;
    }
    Json effects = Json::array();
    for (const OrderEffect& effect : order.effects) {
        Json choices = Json::array();
        for (const OrderEffect::Choice& each : effect.choices) {
            choices.push_back({{"call", each.call}, {"where", place_to_json(each.where)}});
        }
        Json taken = Json::array();
        for (const OrderEffect::Taken& each : effect.taken) {
            taken.push_back({{"rank", each.rank}, {"one", each.one}, {"other", each.other}});
        }
        Json variables = Json::array();
        for (const ChangedVariable& each : effect.variables) {
            const bool declared = each.declared.line > 0;
            variables.push_back({{"name", each.name},
                                 {"kind", each.kind},
                                 {"function", each.function.empty() ? Json(nullptr) : Json(each.function)},
                                 {"file", declared ? Json(each.declared.file) : Json(nullptr)},
                                 {"line", declared ? Json(each.declared.line) : Json(nullptr)},
                                 {"bytes", each.bytes},
                                 {"parts", each.parts},
                                 {"first", each.part},
                                 {"type", each.type.empty() ? Json(nullptr) : Json(each.type)},
                                 {"one", each.one.empty() ? Json(nullptr) : Json(each.one)},
                                 {"other", each.other.empty() ? Json(nullptr) : Json(each.other)}});
        }
        effects.push_back({{"rank", effect.rank},
                           {"also", effect.also},
                           {"choices", std::move(choices)},
                           {"taken", std::move(taken)},
                           {"call", effect.call},
                           {"where", place_to_json(effect.where)},
                           {"variables", std::move(variables)},
                           {"buffering", replay::buffering_name(effect.buffering)},
                           {"interleavings", {effect.one, effect.other}}});
    }
    return {{"why_not", order.why_not.empty() ? Json(nullptr) : Json(order.why_not)},
            {"compared", order.compared},
            {"nothing_differs", order.nothing_differs},
            {"effects", std::move(effects)}};
}

/// Null without --corpus.
Json corpus_to_json(const ReportInputs& inputs) {
    if (!inputs.options.corpus) {
        return nullptr;
    }
    Json files = Json::array();
    for (const CorpusCase& each : inputs.corpus) {
        files.push_back({{"file", each.file},
                         {"state", text_of(each.state)},
                         {"why", each.why.empty() ? Json(nullptr) : Json(each.why)},
                         {"violations", each.findings}});
    }
    return {
        {"directory", inputs.options.corpus->string()}, {"files", std::move(files)}, {"added", inputs.corpus_added}};
}

/// Null without random walks, and where more is known than they say. `explored_share`: what part of the estimated
/// number has been explored.
Json size_to_json(const SweepResult& result) {
    const std::optional<heuristics::SizeEstimate> believable = believable_size(result);
    if (!believable) {
        return nullptr;
    }
    const heuristics::SizeEstimate& size = *believable;
    const bool known = size.ended != 0 && !size.mean.is_zero();
    const auto relative = size.relative_error();
    return {
        {"walks", size.walks},
        {"ended", size.ended},
        {"abandoned", size.abandoned},
        {"runs", size.runs},
        {"interleavings", known ? Json(size.mean.value()) : Json(nullptr)},
        {"log10", known ? Json(size.mean.log10()) : Json(nullptr)},
        {"standard_error", size.standard_error ? Json(size.standard_error->value()) : Json(nullptr)},
        {"relative_error", relative ? Json(*relative) : Json(nullptr)},
        {"explored_share",
         known ? Json(heuristics::LargeNumber(static_cast<double>(result.explored)).ratio(size.mean)) : Json(nullptr)}};
}

Json findings_to_json(const SweepResult& result, const std::vector<Finding>& findings,
                      const std::vector<std::filesystem::path>& files, const std::vector<std::filesystem::path>& graphs,
                      const FindingFilter& with_epochs) {
    Json all = Json::array();
    for (std::size_t i = 0; i < findings.size(); ++i) {
        all.push_back(
            finding_to_json(result, findings[i], file_at(files, i), file_at(graphs, i), with_epochs(findings[i])));
    }
    return all;
}

/// Null where nobody wanted MPI to repeat a run.
Json confirmation_to_json(const Confirmation& confirmation) {
    using Result = Confirmation::Result;
    if (confirmation.result == Result::not_tried && confirmation.what.empty()) {
        return nullptr;
    }
    const std::string_view result = confirmation.result == Result::agreed     ? "agreed"
                                    : confirmation.result == Result::differed ? "differed"
                                    : confirmation.result == Result::no_end   ? "no end"
                                                                              : "not tried";
    return {{"result", result}, {"what", confirmation.what}};
}

/// With what makes the sweep fail.
Json violations_to_json(const ReportInputs& inputs, const FindingFilter& with_epochs) {
    Json all = findings_to_json(inputs.result, inputs.result.findings, inputs.finding_files, inputs.finding_graphs,
                                with_epochs);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Passing::Judged judged = inputs.passing.of(i);
        all[i]["fingerprint"] = judged.fingerprint;
        all[i]["repeated_by_mpi"] = confirmation_to_json(confirmation_of(inputs, i));
        all[i]["known"] = judged.known;
        all[i]["fails"] = judged.fails;
        const std::optional<std::string> why = inputs.passing.suppressed(i);
        all[i]["suppressed"] = why ? Json(*why) : Json(nullptr);
        const Finding& finding = inputs.result.findings[i];
        if (i < inputs.calls.size()) {
            const std::vector<std::vector<replay::CodePlace>>& stacks = inputs.calls[i].choice_stacks;
            for (std::size_t k = 0; k < std::min(stacks.size(), all[i]["epochs"].size()); ++k) {
                all[i]["epochs"][k]["stack"] = stack_to_json(stacks[k]);
            }
        }
        all[i]["choices_matter"] = choices_matter(inputs.result, finding);
        all[i]["needed"] = needed_to_json(finding, file_at(inputs.needed_files, i));
        all[i]["printed"] = Json::array();
        for (const std::filesystem::path& output : outputs_of(inputs, i)) {
            all[i]["printed"].push_back(output.generic_string());
        }
    }
    return all;
}

Json passing_to_json(const ReportInputs& inputs) {
    const Passing& passing = inputs.passing;
    Json gone = Json::array();
    for (const Passing::Known& known : passing.gone) {
        gone.push_back({{"fingerprint", known.fingerprint}, {"kind", known.kind}, {"message", known.message}});
    }
    Json suppressions = Json::array();
    for (const Passing::Applied& each : passing.suppressions) {
        suppressions.push_back({{"file", each.file},
                                {"in_source", each.in_source},
                                {"line", each.line},
                                {"what", each.what},
                                {"reason", each.reason},
                                {"findings", each.findings},
                                {"expired", each.expired},
                                {"trouble", each.trouble.empty() ? Json(nullptr) : Json(each.trouble)},
                                {"not_covered", kinds_to_json(each.not_covered)},
                                {"partly", each.partly}});
    }
    return {{"exit_status", exit_status_of(inputs)},
            {"suppressions_file", passing.suppressions_file ? path_to_json(*passing.suppressions_file) : Json(nullptr)},
            {"suppressions", std::move(suppressions)},
            {"baseline", passing.baseline ? path_to_json(*passing.baseline) : Json(nullptr)},
            {"gone", std::move(gone)},
            {"missing", passing.missing}};
}

/// `path` is null where it shows only at run time, or where MPI is linked in.
Json mpi_library_to_json(const launch::MpiLibrary& library) {
    return {{"path", path_to_json(library.path)},
            {"patched", library.patched},
            {"why", library.why},
            {"translated", library.translated}};
}

Json bounds_to_json(const heuristics::SearchBoundSettings& bounds) {
    const auto names = [](const std::vector<heuristics::NamePattern>& patterns) {
        Json all = Json::array();
        for (const heuristics::NamePattern& pattern : patterns) {
            all.push_back(format(pattern));
        }
        return all;
    };
    return {{"mixing_bound", bounds.mixing_bound ? Json(*bounds.mixing_bound) : Json(nullptr)},
            {"mixing_unit", heuristics::mixing_unit_name(bounds.mixing_unit)},
            {"loop_bound", bounds.loop_bound_automatic ? Json("auto")
                           : bounds.loop_bound         ? Json(*bounds.loop_bound)
                                                       : Json(nullptr)},
            {"explore", names(bounds.explore)},
            {"skip", names(bounds.skip)},
            {"brackets", bounds.brackets}};
}

}  // namespace

Json place_to_json(const replay::CodePlace& place) {
    if (place.module.empty() && place.function.empty() && place.file.empty()) {
        return nullptr;
    }
    return {{"file", place.file.empty() ? Json(nullptr) : Json(place.file)},
            {"line", place.file.empty() ? Json(nullptr) : Json(place.line)},
            {"function", place.function.empty() ? Json(nullptr) : Json(place.function)},
            {"module", place.module},
            {"offset", place.offset}};
}

Json make_json_summary(const ReportInputs& inputs, const FindingFilter& with_epochs) {
    const SweepResult& result = inputs.result;
    const std::vector<LeftOut> left_out = everything_left_out(result);
    Json left = Json::array();
    for (const auto& entry : left_out) {
        Json places = Json::array();
        for (const LeftOut::Place& place : entry.places) {
            places.push_back(
                {{"call", place.call}, {"where", place_to_json(place.where)}, {"alternatives", place.alternatives}});
        }
        const std::string how = remedy(entry);
        left.push_back({{"reason", entry.reason},
                        {"what", entry.what},
                        {"remedy", how.empty() ? Json(nullptr) : Json(how)},
                        {"places", std::move(places)}});
    }
    Json not_modelled = Json::object();
    for (const auto& [name, calls] : result.not_modelled) {
        not_modelled[name] = calls.calls;
    }
    Json communicators = Json::object();
    for (const auto& [id, name] : result.communicators) {
        communicators[std::to_string(id)] = name;
    }
    Json by_buffering = Json::object();
    for (const auto& [mode, counts] : result.by_buffering) {
        by_buffering[replay::buffering_name(mode)] = {{"explored", counts.explored}, {"pending", counts.pending}};
    }
    Json merged = Json::object();
    for (const OutcomesOfMode& each : result.outcomes) {
        merged[replay::buffering_name(each.buffering)] = {
            {"runs", each.merged},
            {"outcomes", each.outcomes ? Json(*each.outcomes) : Json(nullptr)},
            {"compared", each.compared}};
    }
    Json violations = violations_to_json(inputs, with_epochs);
    Json doubts = findings_to_json(result, result.doubts, inputs.doubt_files, {}, with_epochs);
    Json notes = findings_to_json(result, result.notes, {}, {}, with_epochs);
    Json report{{"schema", std::string(report_schemas) + std::to_string(report_schema_version)},
                {"dampi", inputs.version},
                {"program", inputs.options.program},
                {"arguments", inputs.options.arguments},
                {"processes", inputs.options.processes},
                {"clock", inputs.clock},
                {"buffering", replay::buffering_word(inputs.options.buffering)},
                {"piggyback", replay::piggyback_name(inputs.piggyback)},
                {"virtual_time", inputs.options.virtual_time.value_or(false)},
                {"time_reason", inputs.time_reason},
                {"fresh_directory", inputs.options.fresh_directory},
                {"explore_polls", inputs.options.explore_polls ? Json(*inputs.options.explore_polls) : Json(nullptr)},
                {"bounds", bounds_to_json(inputs.options.bounds)},
                {"order", heuristics::order_name(inputs.options.order)},
                {"seed", inputs.options.seed},
                {"engine", inputs.engine},
                {"handed_over", inputs.handed_over},
                {"engine_reason", inputs.engine_reason},
                {"first_run_repeated_by_mpi", confirmation_to_json(inputs.first_run)},
                {"mpi_library", mpi_library_to_json(inputs.mpi_library)},
                {"exit_ok", inputs.options.good_exits},
                {"wrappers", inputs.options.wrappers},
                {"launcher", inputs.options.launcher ? Json(*inputs.options.launcher) : Json(nullptr)},
                {"replay", inputs.options.replay ? Json(inputs.options.replay->string()) : Json(nullptr)},
                {"verdict", verdict_name(verdict_of(inputs))},
                {"complete", inputs.error.empty() && left_out.empty()},
                {"cached", inputs.cached.empty() ? Json(nullptr) : Json(inputs.cached)},
                {"error", inputs.error.empty() ? Json(nullptr) : Json(inputs.error)},
                {"interleavings",
                 {{"explored", result.explored},
                  {"pending", result.pending},
                  {"by_buffering", std::move(by_buffering)},
                  {"merged", std::move(merged)},
                  {"printed", result.printed.runs() == 0 ? Json(nullptr)
                                                         : Json{{"interleavings", result.printed.runs()},
                                                                {"different", result.printed.different()}}},
                  {"duplicates", result.duplicates ? Json(*result.duplicates) : Json(nullptr)},
                  {"unfinished", result.unfinished},
                  {"trials", result.trials},
                  {"walk_runs", result.walk_runs},
                  {"imprecise_matches", result.imprecise_matches},
                  {"divergences", result.divergences}}},
                {"size_estimate", size_to_json(result)},
                {"violations", std::move(violations)},
                {"doubts", std::move(doubts)},
                {"notes", std::move(notes)},
                {"passing", passing_to_json(inputs)},
                {"workers", workers_to_json(inputs)},
                {"corpus", corpus_to_json(inputs)},
                {"order_of_messages", order_to_json(inputs.order)},
                {"not_modelled", std::move(not_modelled)},
                {"not_checked", inputs.not_checked},
                {"left_out", std::move(left)},
                {"names_of_nothing", names_of_nothing(inputs)},
                {"communicators", std::move(communicators)},
                {"resume", resume_command(inputs).empty() ? Json(nullptr) : Json(resume_command(inputs))},
                {"outcomes_omitted", result.outcomes_omitted},
                {"seconds", result.seconds},
                {"seconds_of_runs",
                 {{"launch", result.parts.launch},
                  {"init", result.parts.init},
                  {"program", result.parts.program},
                  {"finalize", result.parts.finalize},
                  {"collection", result.parts.collection}}}};
    return report;
}

nlohmann::json wait_for_to_json(const replay::WaitForGraph& graph) {
    Json nodes = Json::array();
    for (const auto& node : graph.nodes) {
        Json edges = Json::array();
        for (const auto& edge : node.edges) {
            edges.push_back({{"to", edge.to}, {"wait", edge.wait}, {"reason", edge.reason}});
        }
        nodes.push_back({{"rank", node.rank},
                         {"any", node.any},
                         {"in_core", node.in_core},
                         {"edges", std::move(edges)},
                         {"edges_omitted", node.edges_omitted}});
    }
    return {{"shape", shape_name(graph.shape)}, {"core", graph.core}, {"nodes", std::move(nodes)}};
}

Json make_json_report(const ReportInputs& inputs) {
    const SweepResult& result = inputs.result;
    Json report = make_json_summary(inputs, [](const Finding&) { return true; });
    if (result.outcomes_omitted) {
        report["outcomes_limit"] = result.outcomes_limit;
    } else {
        Json outcomes = Json::array();
        for (const auto& outcome : result.interleavings) {
            Json verdicts = Json::array();
            for (const replay::ViolationKind verdict : outcome.verdicts) {
                verdicts.push_back(text_of(verdict));
            }
            outcomes.push_back({{"number", outcome.number},
                                {"buffering", replay::buffering_name(outcome.buffering)},
                                {"outcomes", outcome.outcomes},
                                {"verdicts", std::move(verdicts)},
                                {"merged", outcome.merged},
                                {"seconds", outcome.seconds}});
        }
        report["outcomes"] = std::move(outcomes);
    }
    return report;
}

void write_json_report(const std::filesystem::path& path, const ReportInputs& inputs) {
    const std::string text = make_json_report(inputs).dump(2, ' ', false, Json::error_handler_t::replace);
    base::write_file_atomically(path, text + "\n");
}

}  // namespace dampi::scheduler
