// See corpus.hpp.
#include "scheduler/corpus/corpus.hpp"

#include "base/atomic_file.hpp"
#include "base/check.hpp"
#include "replay/terminal_words.hpp"
#include "scheduler/sweep/findings_apart.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <sstream>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace dampi::scheduler {
namespace {

namespace fs = std::filesystem;
using State = CorpusCase::State;

std::string base_name(const std::string& program) { return fs::path(program).filename().string(); }

/// Why the file is for another sweep; empty where it is for this one.
std::string why_other(const replay::DecisionFile& file, const Options& options) {
    if (base_name(file.program) != base_name(options.program)) {
        return "it is for the program " + base_name(file.program);
    }
    if (file.processes != options.processes) {
        return fmt::format("it is for {} processes", file.processes);
    }
    if (file.arguments != options.arguments) {
        return "it is for other arguments";
    }
    return "";
}

/// What the run has come to; `findings` are for take_in_corpus() to fill.
void judge(const SweepResult& result, CorpusCase& what) {
    if (result.explored == 0) {
        what.state = State::not_run;
        what.why = result.left_out.empty() ? "" : result.left_out.front().what;
    } else if (result.divergences + result.imprecise_matches != 0) {
        what.state = State::stale;
        what.why = result.doubts.empty() ? "the program did not follow it" : result.doubts.front().violation.message;
    } else {
        what.state = result.findings.empty() ? State::passes : State::fails;
    }
}

}  // namespace

std::vector<CorpusFile> read_corpus(const fs::path& directory) {
    std::vector<CorpusFile> files;
    std::error_code error;
    for (auto each = fs::directory_iterator(directory, error); !error && each != fs::directory_iterator();
         each.increment(error)) {
        if (each->path().extension() == ".json") {
            files.push_back({.name = each->path().filename().string(), .content = {}});
        }
    }
    if (error) {
        throw Error(fmt::format("the corpus {} cannot be read ({}): make the directory, or use --corpus-add",
                                directory.string(), error.message()));
    }
    std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    for (CorpusFile& file : files) {
        file.content = replay::load_decision_file(directory / file.name);
    }
    return files;
}

CorpusReplay replay_corpus(const std::vector<CorpusFile>& files, const Options& options, const RunOfCorpusFile& run,
                           const std::function<bool()>& go_on) {
    CorpusReplay replay;
    for (const CorpusFile& file : files) {
        CorpusReplay::Each each{.what = {.file = file.name, .why = why_other(file.content, options), .findings = {}},
                                .result = {}};
        if (!each.what.why.empty()) {
            each.what.state = State::other;
        } else if (!go_on()) {
            each.what.state = State::not_run;
        } else {
            each.result = run(file);
            judge(each.result, each.what);
        }
        replay.files.push_back(std::move(each));
    }
    return replay;
}

std::vector<CorpusCase> take_in_corpus(CorpusReplay replay, SweepResult& result) {
    std::vector<CorpusCase> cases;
    FindingsApart findings(result.findings);
    FindingsApart doubts(result.doubts);
    std::uint64_t not_run = 0;
    for (CorpusReplay::Each& each : replay.files) {
        const auto take_in = [&](Finding& finding, FindingsApart& into) {
            finding.shown_by = Finding::ShownBy::corpus;
            finding.kept_in = each.what.file;
            return into.take_in(std::move(finding));
        };
        for (Finding& finding : each.result.findings) {
            each.what.findings.push_back(take_in(finding, findings));
        }
        if (each.what.state != State::stale) {
            for (Finding& doubt : each.result.doubts) {
                (void)take_in(doubt, doubts);
            }
        }
        not_run += each.what.state == State::not_run ? 1 : 0;
        cases.push_back(std::move(each.what));
    }
    if (not_run != 0) {
        result.left_out.push_back({"corpus", replay::counted(not_run, "file") + " of the corpus not replayed", "", {}});
    }
    return cases;
}

std::vector<std::string> add_to_corpus(const fs::path& directory, const std::vector<fs::path>& decision_files,
                                       const std::vector<std::string>& fingerprints) {
    std::error_code error;
    fs::create_directories(directory, error);
    if (error) {
        throw Error(fmt::format("the corpus {} cannot be made ({}): name another directory", directory.string(),
                                error.message()));
    }
    std::vector<std::string> names;
    std::map<std::string, unsigned> times;
    for (std::size_t i = 0; i < decision_files.size() && i < fingerprints.size(); ++i) {
        if (decision_files[i].empty()) {
            continue;
        }
        // "deadlock-1.json" is deadlock-0123456789abcdef.json here; of several in lines that are alike each is kept.
        const std::string stem = decision_files[i].stem().string();
        const std::string print = stem.substr(0, stem.rfind('-')) + "-" + fingerprints[i];
        const unsigned time = ++times[print];
        const std::string name = (time == 1 ? print : fmt::format("{}-{}", print, time)) + ".json";
        if (fs::exists(directory / name, error) || error) {
            continue;
        }
        std::ifstream in(decision_files[i], std::ios::binary);
        std::ostringstream text;
        text << in.rdbuf();
        if (!in) {
            throw Error(fmt::format("cannot read {}, which was to be added to the corpus", decision_files[i].string()));
        }
        base::write_file_atomically(directory / name, text.str());
        names.push_back(name);
    }
    return names;
}

}  // namespace dampi::scheduler
