#include "scheduler/sweep/findings_apart.hpp"

#include "replay/cause.hpp"

#include <utility>

namespace dampi::scheduler {

FindingsApart::FindingsApart(std::vector<Finding>& all) : all_(all) {
    for (std::size_t i = 0; i < all.size(); ++i) {
        places_.emplace(replay::cause_of(all[i].violation), i);
    }
}

std::size_t FindingsApart::take_in(Finding finding) {
    const auto [place, is_new] = places_.try_emplace(replay::cause_of(finding.violation), all_.size());
    if (is_new) {
        finding.count = 0;
        finding.first_interleaving = 0;
        finding.reproducer.trial = true;  // none of the sweep's own, whatever its number
        all_.push_back(std::move(finding));
    } else {
        for (const replay::ViolationKind kind : finding.violation.consequences) {
            replay::add_consequence(all_[place->second].violation, kind);
        }
    }
    return place->second;
}

}  // namespace dampi::scheduler
