// explorer_bench: what a sweep costs without its runs. Explores a program of masters and workers on an engine that
// takes no time (free_engine.hpp), with or without a journal, and prints the rate, and the memory of this process while
// it goes on, as lines "name value" for tests/bench/run.
//
//     explorer_bench --interleavings N [--masters M] [--workers W] [--rounds R] [--jobs J] [--journal FILE]
//                    [--order newest|dfs|bfs|random] [--mixing-bound K]
#include "scheduler/exploration/match_relations.hpp"
#include "tests/bench/bench_program.hpp"
#include "tests/bench/free_engine.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>

namespace {

using namespace dampi;
using namespace dampi::scheduler;

/// Resident memory in KiB.
std::uint64_t resident() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("VmRSS:")) {
            return std::stoull(line.substr(6));
        }
    }
    return 0;
}

int run(int argc, char** argv) {
    std::uint64_t interleavings = 0;
    std::uint32_t masters = 1;
    std::uint32_t workers = 3;
    std::uint32_t rounds = 7;
    unsigned jobs = 1;
    std::string journal_file;
    MatchRelationsSettings exploring{.order = heuristics::Order::newest};
    CLI::App app("What a sweep costs without its runs");
    app.add_option("--interleavings", interleavings)->required();
    app.add_option("--masters", masters);
    app.add_option("--workers", workers);
    app.add_option("--rounds", rounds);
    app.add_option("--jobs", jobs);
    app.add_option("--journal", journal_file);
    const std::map<std::string, heuristics::Order> orders{{"newest", heuristics::Order::newest},
                                                          {"dfs", heuristics::Order::depth_first},
                                                          {"bfs", heuristics::Order::breadth_first},
                                                          {"random", heuristics::Order::random}};
    app.add_option("--order", exploring.order)->transform(CLI::CheckedTransformer(orders));
    app.add_option("--mixing-bound", exploring.bounds.mixing_bound);
    CLI11_PARSE(app, argc, argv);

    bench::FreeEngine engine(masters, workers, rounds);
    MatchRelations explorer(exploring);
    SweepAccount account(CountedPolls::none);
    const auto journal = bench::new_journal(journal_file, "explorer_bench");
    std::uint64_t early = 0;  // memory after a tenth
    std::uint64_t most = 0;
    std::uint64_t done = 0;
    SweepSettings settings;
    settings.jobs = jobs;
    settings.limits.max_interleavings = interleavings;
    settings.keeper = journal.get();
    settings.taken_in = [&](std::uint64_t, const SweepAccount&) {
        if (++done % (interleavings / 100 + 1) == 0) {
            most = std::max(most, resident());
            early = done <= interleavings / 10 + 1 ? most : early;
        }
    };
    const SweepResult result = run_sweep(engine, explorer, account, settings);
    std::printf("rate %.0f\nexplored %llu\nseconds %.3f\nmemory-after-a-tenth %llu\nmost-memory %llu\n",
                static_cast<double>(result.explored) / result.seconds, static_cast<unsigned long long>(result.explored),
                result.seconds, static_cast<unsigned long long>(early), static_cast<unsigned long long>(most));
    if (journal) {
        std::printf("journal %llu\n", static_cast<unsigned long long>(std::filesystem::file_size(journal_file) >> 10));
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    return dampi::bench::end_of("explorer_bench", [&] { return run(argc, argv); });
}
