// Verifies one test program with dampi-run and compares what report.json and the exit status say with the
// expectation in the program's source (expectation.hpp). Never reads log text. Checks that
//   - kinds of findings, exit status, number of interleavings and set of outcomes are as expected,
//   - no outcome was run twice and nothing was left out unless that is expected,
//   - each decision file replayed alone shows its violation again, with the same verdicts as in the sweep,
//   - replaying the same decisions twice records the same outcomes and epochs,
//   - every run ends in time and leaves no process behind,
//   - with --engine central, a program whose header says so is refused, because of the call that the header names.
// Exit status: 0 all as expected, 1 not, 2 cannot be checked (usage, header), 77 skipped (--mpi auto, what it needs).
#include "tests/harness/expectation.hpp"
#include "tests/harness/report.hpp"
#include "tests/harness/supervised_run.hpp"

#include <algorithm>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <optional>
#include <sstream>

namespace dampi::harness {
namespace {

namespace fs = std::filesystem;

/// The exit status that CTest takes for a test that was skipped.
constexpr int skipped = 77;

struct Arguments {
    fs::path dampi_run;
    fs::path program;
    fs::path source;
    fs::path work;
    std::string launcher;        // --launcher for every run; empty: none
    std::string mpi = "native";  // --mpi for every run; with auto, programs that do not get the patched one are skipped
    std::string engine = "distributed";  // --engine for every sweep
    std::string snapshots;               // --snapshots for every run; empty: the default
};

template <typename Range>
std::string joined(const Range& items) {
    std::string result;
    for (const auto& item : items) {
        result += (result.empty() ? "" : ", ") + std::string(item);
    }
    return result.empty() ? "(nothing)" : result;
}

class Checker {
public:
    Checker(Arguments arguments, Expectation expectation)
        : arguments_(std::move(arguments)), expectation_(std::move(expectation)) {}

    /// Returns whether everything is as expected; prints what is not.
    bool check() {
        fs::remove_all(arguments_.work);
        fs::create_directories(arguments_.work);
        if (arguments_.engine == "central" && expectation_.refused_by_central) {
            check_refusal(*expectation_.refused_by_central);
            return !failed_;
        }
        const auto sweep = run("sweep", {"--jobs", "1"});
        if (sweep && arguments_.mpi == "auto" && !sweep->report.patched_mpi) {
            if (!failed_) {
                skipped_ = sweep->report.why_mpi;
            }
        } else if (sweep) {
            check_status(*sweep);
            check_counts(sweep->report);
            check_outcomes(sweep->report);
            check_place(sweep->report);
            check_side_by_side(sweep->report);
            check_merged(sweep->report);
            check_replays(sweep->report);
        }
        return !failed_;
    }

    /// Why the program keeps its own MPI library, with which it is checked elsewhere; nothing if it does not.
    [[nodiscard]] const std::optional<std::string>& skipped() const { return skipped_; }

private:
    struct Run {
        std::string name;
        CommandResult result;
        Report report;
    };

    void fail(const std::string& what) {
        failed_ = true;
        std::cout << "FAILED: " << what << "\n";
    }

    void expect_equal(const std::string& what, const std::string& expected, const std::string& found) {
        if (expected == found) {
            return;
        }
        fail(what + "\n    expected: " + expected + "\n    found:    " + found);
    }

    /// dampi-run's command line, which writes into the folder `name`.
    [[nodiscard]] Command command_of(const std::string& name, const std::vector<std::string>& options) const {
        Command command{
            .words = {arguments_.dampi_run, "-n", std::to_string(expectation_.processes), "-o", arguments_.work / name},
            .stdout_file = arguments_.work / (name + ".stdout"),
            .stderr_file = arguments_.work / (name + ".stderr")};
        auto& words = command.words;
        words.insert(words.end(), {"--mpi", arguments_.mpi});
        if (!arguments_.launcher.empty()) {
            words.insert(words.end(), {"--launcher", arguments_.launcher});
        }
        if (!arguments_.snapshots.empty()) {
            words.insert(words.end(), {"--snapshots", arguments_.snapshots});
        }
        // A decision file says which engine.
        if (options.front() != "--replay") {
            words.insert(words.end(), {"--engine", arguments_.engine});
        }
        // All outcomes are to be seen.
        const bool all_seen = std::find(options.begin(), options.end(), "--merge-states") == options.end();
        if (arguments_.engine == "central" && options.front() != "--replay" && all_seen) {
            words.insert(words.end(), {"--merge-states", "never"});
        }
        words.insert(words.end(), options.begin(), options.end());
        // Expectations that do not say otherwise are of what the MPI library does.
        if (!names_buffering_ && options.front() != "--replay") {
            words.insert(words.end(), {"--buffering", "native"});
        }
        // A replay is a single run: bounds are for the sweep. What counts as a violation is the same.
        for (const std::string& option : expectation_.options) {
            if (options.front() != "--replay" || option == "--no-message-leaks") {
                words.push_back(option);
            }
        }
        words.push_back(arguments_.program);
        words.insert(words.end(), expectation_.arguments.begin(), expectation_.arguments.end());
        return command;
    }

    /// Runs the command, and fails if it leaves a process behind.
    CommandResult execute(const std::string& name, const Command& command) {
        std::string line;
        for (const std::string& word : command.words) {
            line += (line.empty() ? "" : " ") + word;
        }
        std::cout << "$ " << line << "\n" << std::flush;

        CommandResult result = run_supervised(command);
        if (!result.left_behind.empty()) {
            fail(name + " left processes behind: " + joined(result.left_behind));
        }
        return result;
    }

    /// Runs dampi-run into the folder `name` and reads its report; reports and returns nothing on failure.
    std::optional<Run> run(const std::string& name, const std::vector<std::string>& options) {
        const Command command = command_of(name, options);
        Run run{.name = name, .result = execute(name, command), .report = {}};
        try {
            if (run.result.timed_out || run.result.signal != 0) {
                throw std::runtime_error(name + " ended with " + describe(run.result));
            }
            run.report = read_report(arguments_.work / name / "report.json");
            return run;
        } catch (const std::exception& error) {
            fail(std::string(error.what()) + " (" + describe(run.result) + ")");
            std::cout << "--- end of its standard output:\n"
                      << tail_of(command.stdout_file, 20) << "--- end of its standard error:\n"
                      << tail_of(command.stderr_file, 20) << "---\n";
            return std::nullopt;
        }
    }

    /// The centralized engine refuses the program before it has explored anything, and names this call.
    void check_refusal(const std::string& function) {
        const Command command = command_of("sweep", {"--jobs", "1"});
        const CommandResult result = execute("sweep", command);
        if (result.timed_out || result.signal != 0 || result.status != 2) {
            fail("the centralized engine does not refuse the program: it ended with " + describe(result));
        }
        if (fs::exists(arguments_.work / "sweep" / "report.json")) {
            fail("the refused program has a report");
        }
        const std::string said = tail_of(command.stderr_file, 1);
        if (!names_in_refusal(said, function)) {
            expect_equal("the call that is refused", function, said);
        }
    }

    /// The rest of the sentence after one of these phrases begins with the function, and not with a longer name.
    static bool names_in_refusal(const std::string& said, const std::string& function) {
        for (const std::string phrase : {"the centralized engine does not model ", ": it uses "}) {
            const auto at = said.find(phrase);
            if (at == std::string::npos) {
                continue;
            }
            const std::string named = said.substr(at + phrase.size());
            return named.substr(0, named.find_first_of(" ,;")) == function;
        }
        return false;
    }

    [[nodiscard]] bool expects_violations() const {
        return std::any_of(expectation_.kinds.begin(), expectation_.kinds.end(),
                           [](const std::string& kind) { return !is_doubt(kind); });
    }

    [[nodiscard]] bool expects_doubts() const {
        return std::any_of(expectation_.kinds.begin(), expectation_.kinds.end(),
                           [](const std::string& kind) { return is_doubt(kind); });
    }

    void check_status(const Run& sweep) {
        const Report& report = sweep.report;
        expect_equal("kinds of findings", joined(expectation_.kinds), joined(report.kinds()));
        const std::uint64_t number = report.violations.size();
        expect_equal("findings", std::to_string(expectation_.findings.value_or(number)), std::to_string(number));
        if (report.kinds() != expectation_.kinds || number != expectation_.findings.value_or(number)) {
            for (const auto* findings : {&report.violations, &report.doubts}) {
                for (const Finding& finding : *findings) {
                    std::cout << "    " << finding.kind << ", in " << finding.count
                              << " interleavings: " << finding.message << "\n";
                }
            }
        }
        std::set<std::string> notes;
        for (const Finding& note : report.notes) {
            notes.insert(note.kind);
        }
        const auto& options = expectation_.options;
        if (!expectation_.notes.contains("leak/message") &&
            std::find(options.begin(), options.end(), "--no-message-leaks") != options.end()) {
            notes.erase("leak/message");  // those that the program is allowed to leave
        }
        expect_equal("kinds of notes", joined(expectation_.notes), joined(notes));
        const bool incomplete = expectation_.incomplete || expects_doubts();
        const int status = expects_violations() ? 1 : incomplete ? 3 : 0;
        const std::map<int, std::string> verdicts = {{0, "clean"}, {1, "violations"}, {3, "incomplete"}};
        expect_equal("exit status", std::to_string(status), std::to_string(sweep.result.status));
        expect_equal("verdict", verdicts.at(status), report.verdict);
        expect_equal("complete", incomplete ? "no" : "yes", report.complete ? "yes" : "no");
        if (report.complete == incomplete) {
            std::cout << "    left out: " << joined(report.left_out) << "\n";
        }
    }

    void check_counts(const Report& report) {
        if (expectation_.interleavings && (report.clock != "lamport" || expectation_.lamport_misses.empty())) {
            expect_equal("interleavings explored", std::to_string(*expectation_.interleavings),
                         std::to_string(report.explored));
        }
        expect_equal("interleavings that were run before", "0", std::to_string(report.duplicates));
        if (!expects_doubts()) {
            expect_equal("imprecise matches", "0", std::to_string(report.imprecise_matches));
            expect_equal("divergences", "0", std::to_string(report.divergences));
        }
        if (report.complete) {
            expect_equal("pending interleavings", "0", std::to_string(report.pending));
        }
        if (report.outcomes) {
            expect_equal("listed outcomes", std::to_string(report.explored), std::to_string(report.outcomes->size()));
        }
    }

    void check_outcomes(const Report& report) {
        if (!report.outcomes) {
            if (expectation_.outcomes) {
                fail("the report left the outcomes out");
            }
            return;
        }
        std::map<Outcome, std::vector<std::uint64_t>> found;
        std::map<std::pair<std::string, Outcome>, std::uint64_t> seen;  // under this mode of buffering
        for (const ReportedOutcome& outcome : *report.outcomes) {
            // A run that did not follow its decisions may come to anything.
            const bool doubted = std::any_of(outcome.verdicts.begin(), outcome.verdicts.end(),
                                             [](const std::string& kind) { return is_doubt(kind); });
            if (doubted) {
                continue;
            }
            found[outcome.outcome].push_back(outcome.number);
            const auto [first, is_new] = seen.try_emplace({outcome.buffering, outcome.outcome}, outcome.number);
            if (!is_new) {
                fail("outcome " + outcome.outcome + " was run twice, as number " + std::to_string(first->second) +
                     " and as number " + std::to_string(outcome.number));
            }
        }
        if (!expectation_.outcomes) {
            return;
        }
        std::ostringstream difference;
        for (const Outcome& outcome : *expectation_.outcomes) {
            const bool may_miss = report.clock == "lamport" && expectation_.lamport_misses.contains(outcome);
            if (!found.contains(outcome) && !may_miss) {
                difference << "\n    missing:    " << outcome;
            }
        }
        for (const auto& [outcome, numbers] : found) {
            if (!expectation_.outcomes->contains(outcome)) {
                difference << "\n    unexpected: " << outcome << " (number " << numbers[0] << ")";
            }
        }
        if (!difference.str().empty()) {
            fail("set of outcomes" + difference.str());
        }
    }

    void check_place(const Report& report) {
        if (!expectation_.where) {
            return;
        }
        std::set<std::string> places;
        for (const auto* findings : {&report.violations, &report.doubts, &report.notes}) {
            for (const Finding& finding : *findings) {
                if (finding.where) {
                    places.insert(finding.where->file + ":" + std::to_string(finding.where->line));
                }
            }
        }
        const std::string expected = expectation_.where->file + ":" + std::to_string(expectation_.where->line);
        if (!places.contains(expected)) {
            expect_equal("place of a finding", expected, joined(places));
        }
    }

    /// Where runs end in states of others the same is found, and they stand for as many outcomes as there are.
    void check_merged(const Report& alone) {
        if (arguments_.engine != "central" || alone.explored < 2 || alone.pending != 0 || !alone.outcomes ||
            alone.clock == "lamport" || expects_doubts()) {
            return;
        }
        const auto merged = run("merged", {"--jobs", "2", "--merge-states", "auto"});
        if (!merged) {
            return;
        }
        check_status(*merged);
        for (const auto& [buffering, outcomes] : merged->report.merged) {
            const auto count =
                std::count_if(alone.outcomes->begin(), alone.outcomes->end(),
                              [&, &mode = buffering](const ReportedOutcome& each) { return each.buffering == mode; });
            expect_equal("outcomes that runs stand for with " + buffering + " buffering", std::to_string(count),
                         outcomes);
        }
        constexpr std::uint64_t few = 30;
        if (merged->report.merged.empty() || merged->report.explored > few) {
            return;
        }
        // And what follows behind states in which runs have met.
        if (const auto checked = run("checked", {"--jobs", "1", "--merge-states", "check"})) {
            check_status(*checked);
        }
    }

    /// Runs side by side come to the same as one after the other. With Lamport clocks what is missed depends on the
    /// order; with bounds of the search the outcomes depend on how free runs go, and only their number does not. Where
    /// only some of the stretches that can be given up are, both depend on that.
    void check_side_by_side(const Report& alone) {
        if (alone.explored < 2 || alone.pending != 0 || !alone.outcomes || alone.clock == "lamport" ||
            expects_doubts()) {
            return;
        }
        const auto beside = run("side-by-side", {"--jobs", "3"});
        if (!beside) {
            return;
        }
        check_status(*beside);
        check_counts(beside->report);
        check_outcomes(beside->report);
        const auto outcomes_of = [](const Report& report) {
            std::set<std::string> all;
            for (const ReportedOutcome& outcome : report.outcomes.value_or(std::vector<ReportedOutcome>{})) {
                all.insert(outcome.buffering + " " + outcome.outcome + " " + joined(outcome.verdicts));
            }
            return all;
        };
        const auto findings_of = [](const Report& report) {
            std::set<std::string> all;
            for (const Finding& finding : report.violations) {
                all.insert(
                    finding.kind +
                    (finding.where ? " " + finding.where->file + ":" + std::to_string(finding.where->line) : "") +
                    " in " + std::to_string(finding.count));
            }
            return all;
        };
        if (gives_up_only_some(alone)) {
            return;
        }
        expect_equal("interleavings of runs side by side", std::to_string(alone.explored),
                     std::to_string(beside->report.explored));
        if (is_bounded(alone) ||
            !alone.merged.empty()) {  // which run ends in a state of which other is a matter of time
            return;
        }
        expect_equal("outcomes of runs side by side", joined(outcomes_of(alone)), joined(outcomes_of(beside->report)));
        expect_equal("findings of runs side by side", joined(findings_of(alone)), joined(findings_of(beside->report)));
    }

    /// By what leaves out alternatives on purpose, or because threads came in one order and not in another.
    static bool is_bounded(const Report& report) {
        return std::any_of(report.left_out.begin(), report.left_out.end(), [](const std::string& left) {
            return left.starts_with("names:") || left.starts_with("brackets:") || left.starts_with("loop-bound:") ||
                   left.starts_with("mixing-bound:") || left.find("other orders of threads") != std::string::npos;
        });
    }

    static bool gives_up_only_some(const Report& report) {
        return std::any_of(report.left_out.begin(), report.left_out.end(), [](const std::string& left) {
            return left.find("of one stretch of such calls in a run") != std::string::npos;
        });
    }

    void check_replays(const Report& sweep) {
        std::set<std::string> done;
        for (const Finding& finding : sweep.violations) {
            if (!finding.decisions) {
                fail("the finding " + finding.kind + " has no decision file");
            } else {
                const bool first = done.insert(*finding.decisions).second;
                check_replay(sweep, finding, "replay-" + std::to_string(done.size()), first);
            }
        }
    }

    void check_replay(const Report& sweep, const Finding& finding, const std::string& name, bool twice) {
        const fs::path file = arguments_.work / "sweep" / *finding.decisions;
        const auto first = run(name, {"--replay", file});
        if (!first) {
            return;
        }
        expect_equal("exit status of " + name, "1", std::to_string(first->result.status));
        expect_equal("interleavings run by " + name, "1", std::to_string(first->report.explored));
        const auto kinds = first->report.kinds();
        if (!kinds.contains(finding.kind)) {
            expect_equal(name + " of " + *finding.decisions, finding.kind, joined(kinds));
        }
        if (!first->report.outcomes || first->report.outcomes->size() != 1) {
            fail(name + " does not list its outcome");
            return;
        }
        const ReportedOutcome& outcome = first->report.outcomes->front();
        if (sweep.outcomes && sweep.complete) {
            const auto same = std::find_if(sweep.outcomes->begin(), sweep.outcomes->end(), [&](const auto& other) {
                return other.outcome == outcome.outcome && other.buffering == outcome.buffering;
            });
            if (same == sweep.outcomes->end()) {
                fail(name + " came to " + outcome.outcome + ", which the sweep never did");
            } else {
                std::set<std::string> verdicts = same->verdicts;
                if (finding.by_touches) {
                    verdicts.insert(finding.kind);
                }
                expect_equal("verdicts of " + outcome.outcome + " in " + name, joined(verdicts),
                             joined(outcome.verdicts));
            }
        }
        if (!twice) {
            return;
        }
        const auto second = run(name + "-again", {"--replay", file});
        if (second) {
            check_repetition(*first, *second);
        }
    }

    void check_repetition(const Run& first, const Run& second) {
        const std::string what = " of " + second.name + " against " + first.name;
        if (!second.report.outcomes || second.report.outcomes->size() != 1) {
            fail(second.name + " does not list its outcome");
            return;
        }
        expect_equal("outcome" + what, first.report.outcomes->front().outcome, second.report.outcomes->front().outcome);
        expect_equal("kinds" + what, joined(first.report.kinds()), joined(second.report.kinds()));
        const auto epochs_of = [](const Run& run) {
            return run.report.violations.empty() ? nlohmann::json() : run.report.violations.front().epochs;
        };
        // Which alternatives a run *sees* may depend on timing where messages are still under way; what was executed,
        // what it came to and how often a polling call answered false may not.
        nlohmann::json one = epochs_of(first);
        nlohmann::json other = epochs_of(second);
        for (nlohmann::json* epochs : {&one, &other}) {
            for (nlohmann::json& epoch : *epochs) {
                for (const char* field : {"outcome", "kind", "matched", "completed", "false_answers"}) {
                    if (!epoch.contains(field)) {
                        fail("an epoch" + what + " has no field " + field);
                    }
                }
                epoch.erase("alternatives");
                epoch.erase("other_completions");
                epoch.erase("stack");  // known where there was time for another run
            }
        }
        if (one != other) {
            fail("epochs" + what + "\n    " + nlohmann::json::diff(one, other).dump());
        }
    }

    Arguments arguments_;
    Expectation expectation_;
    bool failed_ = false;
    std::optional<std::string> skipped_;
    const bool names_buffering_ = std::any_of(expectation_.options.begin(), expectation_.options.end(),
                                              [](const auto& option) { return option.starts_with("--buffering"); });
};

Arguments parse_arguments(const std::vector<std::string>& words) {
    Arguments result;
    const std::map<std::string, fs::path*> known = {{"--dampi-run", &result.dampi_run},
                                                    {"--program", &result.program},
                                                    {"--source", &result.source},
                                                    {"--work", &result.work}};
    std::set<std::string> seen;
    for (std::size_t i = 0; i < words.size(); i += 2) {
        if (words[i] == "--launcher" && i + 1 < words.size()) {
            result.launcher = words[i + 1];
            continue;
        }
        if (words[i] == "--engine" && i + 1 < words.size()) {
            result.engine = words[i + 1];
            continue;
        }
        if (words[i] == "--snapshots" && i + 1 < words.size()) {
            result.snapshots = words[i + 1];
            continue;
        }
        if (words[i] == "--mpi" && i + 1 < words.size()) {
            result.mpi = words[i + 1];
            continue;
        }
        const auto option = known.find(words[i]);
        if (option == known.end() || i + 1 == words.size()) {
            throw std::runtime_error("bad argument " + words[i]);
        }
        *option->second = words[i + 1];
        seen.insert(words[i]);
    }
    if (seen.size() != known.size()) {
        throw std::runtime_error(
            "usage: check_program --dampi-run PATH --program EXE --source FILE --work DIR "
            "[--launcher COMMAND] [--engine KIND] [--snapshots KIND] [--mpi auto|native|DIR]");
    }
    return result;
}

int check_program(const std::vector<std::string>& words) {
    const Arguments arguments = parse_arguments(words);
    std::ifstream input(arguments.source);
    if (!input) {
        throw std::runtime_error("there is no " + arguments.source.string());
    }
    const std::string source(std::istreambuf_iterator<char>(input), {});
    try {
        const Expectation expectation = parse_expectation(source);
        Checker checker(arguments, expectation);
        const bool passed = checker.check();
        if (checker.skipped()) {
            std::cout << "skipped: the program keeps its own MPI library: " << *checker.skipped() << "\n";
            return skipped;
        }
        std::cout << (passed ? "as expected" : "NOT as expected: " + arguments.source.string()) << "\n";
        return passed ? 0 : 1;
    } catch (const HeaderError& error) {
        throw std::runtime_error(arguments.source.string() + ": " + error.what());
    }
}

}  // namespace
}  // namespace dampi::harness

int main(int argc, char** argv) {
    try {
        return dampi::harness::check_program({argv + 1, argv + argc});
    } catch (const std::exception& error) {
        std::cerr << "check_program: " << error.what() << "\n";
        return 2;
    }
}
