#include "tests/harness/isp_log.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <tuple>

namespace dampi::harness {
namespace {

const std::regex call_line(
    R"(^([0-9]+)\s+([0-9]+)\s+([0-9]+)\s+([0-9]+)\s+([-0-9]+)\s+(\S+)(?:\s+([^\s{]+))?(?:\s+([^\s{]+))?(?:\s+([^\s{]+))?)"
    R"(\s+\{\s+([^}]*)\}\s+\{\s+([^}]*)\}\s+Match:\s+(-?[0-9]+)\s+(-?[0-9]+)\s+File:\s+[0-9]+ (.+?) (-?[0-9]+)$)");
const std::regex leak_line(R"(^([0-9]+)\s+([0-9]+)\s+Leak\s+(.+?)\s+\{\s+\}\s+\{\s+\}\s+Match:\s+-1\s+-1\s)"
                           R"(File: +[0-9]+ (.+?) (-?[0-9]+)$)");
const std::regex assertion_line(R"(^([0-9]+)\s+([0-9]+)\s+ASSERT +Message: +[0-9]+ (.+?)Function: +[0-9]+ (.+?) )"
                                R"(File: +[0-9]+ (.+?) (-?[0-9]+)$)");
const std::regex communicator_word(R"(^[0-9]{1,9}_([0-9]+:)*$)");
const std::regex within_words(R"(^([0-9]+\s+)*$)");
const std::regex across_words(R"(^(\[\s+[0-9]+\s+[0-9]+\s+\]\s+)*$)");

[[noreturn]] void refuse(const std::string& line) { throw std::runtime_error("GEM would not take: " + line); }

IspCall call_of(const std::smatch& found, const std::string& line) {
    IspCall call{.interleaving = std::stoi(found[1]),
                 .rank = std::stoi(found[2]),
                 .index = std::stoi(found[3]),
                 .order = std::stoi(found[4]),
                 .issue = std::stoi(found[5]),
                 .function = found[6],
                 .match_rank = std::stoi(found[12]),
                 .match_index = std::stoi(found[13]),
                 .file = found[14],
                 .line = std::stoi(found[15])};
    for (int i = 7; i <= 9; ++i) {
        if (found[i].matched) {
            call.arguments.push_back(found[i]);
        }
    }
    // One word is a communicator, three are peer, tag and communicator.
    const bool sensible = call.arguments.empty() || call.arguments.size() == 1 || call.arguments.size() == 3;
    const std::string within = found[10];
    const std::string across = found[11];
    if (!sensible || (!call.arguments.empty() && !std::regex_match(call.arguments.back(), communicator_word)) ||
        !std::regex_match(within, within_words) || !std::regex_match(across, across_words)) {
        refuse(line);
    }
    std::istringstream successors(within);
    for (int index = 0; successors >> index;) {
        call.within.push_back(index);
    }
    std::istringstream others(across);
    std::string bracket;
    for (int rank = 0, index = 0; others >> bracket >> rank >> index >> bracket;) {
        call.across.emplace_back(rank, index);
    }
    return call;
}

}  // namespace

std::vector<IspCall> IspLog::find(int interleaving, int rank, const std::string& function) const {
    std::vector<IspCall> found;
    std::copy_if(calls.begin(), calls.end(), std::back_inserter(found), [&](const IspCall& call) {
        return call.interleaving == interleaving && call.rank == rank && call.function == function;
    });
    return found;
}

IspLog read_isp_log(const std::filesystem::path& file) {
    std::ifstream input(file);
    IspLog log;
    std::string line;
    if (!std::getline(input, line)) {
        throw std::runtime_error(file.string() + " is empty");
    }
    log.processes = std::stoi(line);
    int interleaving = 0;
    while (std::getline(input, line)) {
        std::smatch found;
        if (line.ends_with("DEADLOCK")) {
            log.deadlocks.push_back(std::stoi(line));
        } else if (std::regex_match(line, found, call_line)) {
            log.calls.push_back(call_of(found, line));
            interleaving = log.calls.back().interleaving;
        } else if (std::regex_match(line, found, leak_line)) {
            log.leaks.push_back({.interleaving = std::stoi(found[1]),
                                 .rank = std::stoi(found[2]),
                                 .resource = found[3],
                                 .file = found[4],
                                 .line = std::stoi(found[5])});
        } else if (std::regex_match(line, found, assertion_line)) {
            log.assertions.push_back({.interleaving = std::stoi(found[1]),
                                      .rank = std::stoi(found[2]),
                                      .message = found[3],
                                      .function = found[4],
                                      .file = found[5],
                                      .line = std::stoi(found[6])});
        } else {
            refuse(line);
        }
        // GEM adds an interleaving for each change of the number, at the place that the number says.
        if (interleaving != log.interleavings) {
            if (interleaving != log.interleavings + 1) {
                refuse(line);
            }
            log.interleavings = interleaving;
        }
    }
    return log;
}

std::vector<std::string> contradictions(const IspLog& log) {
    std::vector<std::string> found;
    const auto say = [&](const IspCall& call, const std::string& what) {
        found.push_back("interleaving " + std::to_string(call.interleaving) + ", rank " + std::to_string(call.rank) +
                        ", call " + std::to_string(call.index) + " (" + call.function + ") " + what);
    };
    std::map<std::tuple<int, int, int>, const IspCall*> by_name;
    std::map<std::pair<int, int>, int> next;
    std::set<int> orders;
    std::set<int> issues;
    for (const IspCall& call : log.calls) {
        by_name[{call.interleaving, call.rank, call.index}] = &call;
        if (call.rank >= log.processes) {
            say(call, "is of a rank that does not exist");
        }
        if (call.index != next[{call.interleaving, call.rank}]++) {
            say(call, "leaves a gap");
        }
        if (!orders.insert(call.order).second) {
            say(call, "has the order of another");
        }
        if (call.issue != -1 && !issues.insert(call.issue).second) {
            say(call, "has the issue of another");
        }
    }
    for (const IspCall& call : log.calls) {
        for (const int after : call.within) {
            if (after <= call.index || !by_name.contains({call.interleaving, call.rank, after})) {
                say(call, "comes before one that is not after it");
            }
        }
        for (const auto& [rank, index] : call.across) {
            if (rank == call.rank || !by_name.contains({call.interleaving, rank, index})) {
                say(call, "is ordered with a call that does not exist");
            }
        }
        if (call.match_rank == -1) {
            continue;
        }
        const auto partner = by_name.find({call.interleaving, call.match_rank, call.match_index});
        const bool probes = call.function == "Probe" || call.function == "Iprobe";
        if (partner == by_name.end()) {
            say(call, "has met a call that does not exist");
        } else if (!probes &&
                   (partner->second->match_rank != call.rank || partner->second->match_index != call.index)) {
            say(call, "has met one that has met another");
        }
    }
    return found;
}

}  // namespace dampi::harness
