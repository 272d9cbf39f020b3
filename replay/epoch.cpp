#include "replay/epoch.hpp"

#include <algorithm>
#include <utility>

namespace dampi::replay {
namespace {

OtherPoll* find_other(Epoch& epoch, std::uint32_t poll) {
    const auto found = std::find_if(epoch.others.begin(), epoch.others.end(),
                                    [&](const OtherPoll& each) { return each.number == poll; });
    return found == epoch.others.end() ? nullptr : &*found;
}

}  // namespace

std::vector<PotentialMatch>& potential_matches_of(Epoch& epoch, std::uint32_t poll) {
    OtherPoll* const other = find_other(epoch, poll);
    return other == nullptr ? epoch.potential_matches : other->potential_matches;
}

std::vector<Completable>& completable_of(Epoch& epoch, std::uint32_t poll) {
    OtherPoll* const other = find_other(epoch, poll);
    return other == nullptr ? epoch.completable : other->completable;
}

void forget_unless_all(Epoch& epoch, std::uint32_t poll, std::size_t requests) {
    const OtherPoll* const other = find_other(epoch, poll);
    std::vector<Completable>& completable = completable_of(epoch, poll);
    if (reports_all(other == nullptr ? epoch.kind : other->kind) && completable.size() < requests) {
        completable.clear();
    }
}

bool describe_by(Epoch& epoch, std::uint32_t poll) {
    if (epoch.poll == poll) {
        return true;
    }
    OtherPoll* const found = find_other(epoch, poll);
    if (found == nullptr) {
        return false;
    }
    std::swap(epoch.poll, found->number);
    std::swap(epoch.before, found->before);
    std::swap(epoch.kind, found->kind);
    std::swap(epoch.comm, found->comm);
    std::swap(epoch.tag, found->tag);
    std::swap(epoch.potential_matches, found->potential_matches);
    std::swap(epoch.completable, found->completable);
    std::swap(epoch.call, found->call);
    std::swap(epoch.where, found->where);
    std::sort(epoch.others.begin(), epoch.others.end(),
              [](const OtherPoll& a, const OtherPoll& b) { return a.number < b.number; });
    return true;
}

}  // namespace dampi::replay
