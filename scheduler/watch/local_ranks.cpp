#include "scheduler/watch/local_ranks.hpp"

#include "scheduler/watch/stack_variables.hpp"

#include <algorithm>
#include <csignal>
#include <utility>

namespace dampi::scheduler::watch {
namespace {

constexpr std::chrono::milliseconds between_searches{500};  ///< for ranks that are new
constexpr std::chrono::milliseconds patience_with_stops{100};

}  // namespace

void LocalRanks::find_ranks() {
    const auto now = std::chrono::steady_clock::now();
    if (now - last_search_ >= between_searches) {
        last_search_ = now;
        boards_.find_ranks();
    }
}

void LocalRanks::look_at_stacks(Answer& answer) {
    std::vector<RankProcess> ranks;
    for (const RankLook& rank : answer.look) {
        ranks.push_back({rank.rank, answer.size, rank.process});
    }
    stacks_.set_ranks(ranks);
    answer.stacks = stacks_.look_at_all(patience_with_stops);
    for (std::size_t i = 0; i < answer.stacks.size(); ++i) {
        answer.stacks[i].rank = answer.look[i];  // the layer knows better
        const std::vector<pid_t> in_mpi = boards_.threads_in_mpi(answer.look[i].process);
        std::erase_if(answer.stacks[i].threads, [&in_mpi](const ThreadLook& thread) {
            return std::find(in_mpi.begin(), in_mpi.end(), thread.thread) != in_mpi.end();
        });
        if (answer.stacks[i].stack.empty() && answer.look[i].where != Whereabouts::ended) {
            // As where this process may not look into others.
            answer.stacks[i].stack = boards_.last_call(answer.look[i].process);
        }
    }
}

Answer LocalRanks::answer(const Question& question) {
    const Ask ask = question.ask;
    find_ranks();
    Answer answer;
    answer.size = boards_.size_of_jobs();
    switch (ask) {
        case Ask::look:
        case Ask::look_closely:
            answer.look = boards_.look(ask == Ask::look_closely);
            break;
        case Ask::stacks:
            answer.look = boards_.look(true);
            look_at_stacks(answer);
            break;
        case Ask::needs:
        case Ask::facts:
            answer.facts = boards_.facts(ask == Ask::facts);
            break;
        case Ask::histories:
            answer.histories = boards_.histories();
            break;
        case Ask::variables:
            for (const RankLook& rank : boards_.look(false)) {
                if (std::find(question.ranks.begin(), question.ranks.end(), rank.rank) != question.ranks.end()) {
                    answer.variables.push_back({rank.rank, read_variables(rank.process)});
                }
            }
            break;
        case Ask::terminate:
            signal({SIGTERM, SIGCONT});
            break;
        case Ask::kill:
            signal({SIGKILL});
            break;
        case Ask::dump_core:
            signal({SIGABRT, SIGCONT});
            break;
        case Ask::end:
            break;
    }
    return answer;
}

void LocalRanks::signal(const std::vector<int>& numbers) {
    for (const RankLook& rank : boards_.look(false)) {
        for (const int number : numbers) {
            ::kill(rank.process, number);
        }
    }
}

}  // namespace dampi::scheduler::watch
