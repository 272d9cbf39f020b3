// facts_check LAYER COMMAND...: a job that never hangs, preloaded with the light layer, of which it is concluded from
// facts, as often as can be, whether ranks wait for each other for ever. No time is waited before, so that each moment
// in which all wait for something counts. Fails when it is said that they do, or when nothing can be concluded most of
// the time.
#include "scheduler/watch/local_ranks.hpp"
#include "scheduler/watch/watched_job.hpp"
#include "transport/watch/watch_board.hpp"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

namespace {

using namespace dampi::scheduler::watch;
namespace fs = std::filesystem;

struct Count {
    long concluded = 0;
    long in_doubt = 0;
    long all_blocked = 0;
    long false_alarms = 0;
    std::string doubt;
};

void look(LocalRanks& ranks, Count& count) {
    const Answer first = ranks.answer({Ask::needs, {}});
    const auto facts = of_one_moment(first.facts, ranks.answer({Ask::facts, {}}).facts);
    if (facts.empty()) {
        return;
    }
    bool all_blocked = true;
    for (const RankFacts& rank : facts) {
        all_blocked = all_blocked && rank.blocked;
    }
    const Conclusion conclusion = find_deadlock(facts, Room::may_be_found);
    ++(conclusion.doubt.empty() ? count.concluded : count.in_doubt);
    count.doubt = conclusion.doubt.empty() ? count.doubt : conclusion.doubt;
    count.all_blocked += all_blocked ? 1 : 0;
    if (!conclusion.stuck.empty()) {
        ++count.false_alarms;
        for (const auto& node : conclusion.graph.nodes) {
            std::cerr << "rank " << node.rank << " in " << facts[static_cast<std::size_t>(node.rank)].function << '\n';
            for (const auto& edge : node.edges) {
                std::cerr << "  needs rank " << edge.to << " to " << edge.reason << '\n';
            }
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3) {
        return 2;
    }
    std::string folder = (fs::temp_directory_path() / "dampi-facts.XXXXXX").string();
    if (mkdtemp(folder.data()) == nullptr) {
        return 2;
    }
    const std::vector<std::string> command(argv + 2, argv + argc);
    auto job =
        WatchedJob::start(command, {{"LD_PRELOAD", argv[1]}, {dampi::transport::watch::folder_variable, folder}});
    LocalRanks ranks(folder);
    Count count;
    while (!job.has_ended()) {
        look(ranks, count);
    }
    fs::remove_all(folder);
    std::cout << count.concluded << " conclusions, " << count.all_blocked << " of moments in which all ranks wait; "
              << count.in_doubt << " in doubt";
    std::cout << (count.doubt.empty() ? "" : " (" + count.doubt + ")") << "; " << count.false_alarms
              << " false alarms\n";
    const bool is_good =
        job.status() == 0 && count.false_alarms == 0 && count.all_blocked > 100 && count.in_doubt < count.concluded;
    return is_good ? 0 : 1;
}
