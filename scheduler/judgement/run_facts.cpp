#include "scheduler/judgement/run_facts.hpp"

#include <algorithm>

namespace dampi::scheduler {

std::string communicator_name(const std::map<replay::CommId, std::string>& names, replay::CommId comm) {
    const auto found = names.find(comm);
    return found == names.end() ? "a communicator" : found->second;
}

bool SeenFromOutside::all_well() const {
    return merged || (ending.reason == RunEnding::Reason::finished && aborts.empty() &&
                      std::all_of(ends.begin(), ends.end(), [](const launch::RankEnd& end) {
                          return end.how == launch::RankEnd::How::exited && end.code == 0;
                      }));
}

std::string RunFacts::communicator_name(replay::CommId comm) const {
    return scheduler::communicator_name(communicators, comm);
}

}  // namespace dampi::scheduler
