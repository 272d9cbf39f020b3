#include "scheduler/report/call_places.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

namespace dampi::scheduler {
namespace {

using replay::CallEvent;
using replay::CallKind;

constexpr std::size_t nowhere = ~std::size_t{0};

bool meets_a_message(const CallEvent& call) {
    return (call.kind == CallKind::receive || call.kind == CallKind::probe) && call.match;
}

class Places {
public:
    explicit Places(const std::vector<CallEvent>& calls)
        : calls_(calls), places_(calls.size()), waits_(calls.size()), came_(calls.size()) {
        number_meetings();
        find_arrivals();
        number_orders();
    }

    std::vector<CallPlace> take() {
        std::vector<std::size_t> heads = first_of_ranks();
        while (!heads.empty()) {
            bool moved = false;
            for (std::size_t& head : heads) {
                while (head != nowhere && try_to_place(head)) {
                    head = next_of(head);
                    moved = true;
                }
            }
            std::erase(heads, nowhere);
            if (!moved && !heads.empty()) {
                free_one(heads);
            }
        }
        return std::move(places_);
    }

private:
    struct Meeting {
        std::vector<std::size_t> calls;
        std::size_t here = 0;     ///< so many of them could be placed
        std::uint32_t depth = 0;  ///< at least
        bool together = true;     ///< they are placed at one depth
    };

    void number_meetings() {
        std::map<std::pair<replay::Rank, replay::CommId>, std::uint64_t> entered;
        std::map<std::pair<replay::CommId, std::uint64_t>, std::uint32_t> numbers;
        for (std::size_t i = 0; i < calls_.size(); ++i) {
            const CallEvent& call = calls_[i];
            if (call.kind != CallKind::collective) {
                continue;
            }
            const std::uint64_t round = entered[{call.name.rank, call.comm}]++;
            const auto [found, is_new] =
                numbers.try_emplace({call.comm, round}, static_cast<std::uint32_t>(numbers.size() + 1));
            if (is_new) {
                meetings_.emplace_back();
            }
            Meeting& meeting = meetings_[found->second - 1];
            meeting.calls.push_back(i);
            meeting.together = meeting.together && !replay::is_nonblocking(call);
            places_[i].meeting = found->second;
        }
    }

    void find_arrivals() {
        for (std::size_t i = 0; i < calls_.size(); ++i) {
            const CallEvent& call = calls_[i];
            if (call.kind == CallKind::completion && call.issue) {
                for (const std::uint32_t request : call.completed) {
                    if (const auto begun = replay::place_of(calls_, {call.name.rank, request})) {
                        arrives_with(*begun, i);
                    }
                }
            }
        }
        for (std::size_t i = 0; i < calls_.size(); ++i) {
            if (meets_a_message(calls_[i]) && !replay::is_nonblocking(calls_[i])) {
                arrives_with(i, i);
            }
        }
    }

    void arrives_with(std::size_t begun, std::size_t done) {
        const CallEvent& call = calls_[begun];
        if (meets_a_message(call) && !places_[begun].arrives) {
            places_[begun].arrives = static_cast<std::uint32_t>(done);
            if (const auto sent = replay::place_of(calls_, *call.match)) {
                waits_[done].push_back(*sent);
            }
        }
        if (call.kind == CallKind::collective && begun != done) {
            const std::vector<std::size_t>& others = meetings_[places_[begun].meeting - 1].calls;
            waits_[done].insert(waits_[done].end(), others.begin(), others.end());
        }
    }

    void number_orders() {
        std::vector<std::size_t> order(calls_.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        const auto number = [&](const auto& key, std::uint32_t CallPlace::*place) {
            std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
            for (std::size_t i = 0; i < order.size(); ++i) {
                places_[order[i]].*place = static_cast<std::uint32_t>(i);
            }
        };
        number([&](std::size_t i) { return calls_[i].order; }, &CallPlace::by_issue);
        number([&](std::size_t i) { return std::tuple(!calls_[i].issue, calls_[i].issue, calls_[i].order); },
               &CallPlace::by_outcome);
    }

    [[nodiscard]] std::vector<std::size_t> first_of_ranks() const {
        std::vector<std::size_t> heads;
        for (std::size_t i = 0; i < calls_.size(); ++i) {
            if (i == 0 || calls_[i].name.rank != calls_[i - 1].name.rank) {
                heads.push_back(i);
            }
        }
        return heads;
    }

    [[nodiscard]] std::size_t next_of(std::size_t i) const {
        return i + 1 < calls_.size() && calls_[i + 1].name.rank == calls_[i].name.rank ? i + 1 : nowhere;
    }

    [[nodiscard]] std::uint32_t before(std::size_t i) const {
        std::uint32_t deepest = i > 0 && calls_[i - 1].name.rank == calls_[i].name.rank ? places_[i - 1].depth : 0;
        for (const std::size_t each : waits_[i]) {
            deepest = std::max(deepest, places_[each].depth);
        }
        return deepest;
    }

    /// All calls before it on its rank's line are placed.
    bool try_to_place(std::size_t i) {
        if (places_[i].depth != 0) {
            return true;  // with the others of its meeting
        }
        if (std::any_of(waits_[i].begin(), waits_[i].end(),
                        [&](std::size_t each) { return places_[each].depth == 0; })) {
            return false;
        }
        Meeting* const meeting = places_[i].meeting != 0 ? &meetings_[places_[i].meeting - 1] : nullptr;
        if (meeting == nullptr || !meeting->together) {
            places_[i].depth = before(i) + 1;
            return true;
        }
        if (!came_[i]) {
            came_[i] = true;
            ++meeting->here;
            meeting->depth = std::max(meeting->depth, before(i) + 1);
        }
        if (meeting->here < meeting->calls.size()) {
            return false;
        }
        for (const std::size_t each : meeting->calls) {
            places_[each].depth = meeting->depth;
        }
        return true;
    }

    /// Nothing can be placed: some have left a collective before others came, or what is listed is no whole run.
    void free_one(const std::vector<std::size_t>& heads) {
        const auto first = std::min_element(heads.begin(), heads.end(), [&](std::size_t a, std::size_t b) {
            return std::pair(places_[a].meeting == 0, calls_[a].order) <
                   std::pair(places_[b].meeting == 0, calls_[b].order);
        });
        Meeting* const meeting = places_[*first].meeting != 0 ? &meetings_[places_[*first].meeting - 1] : nullptr;
        if (meeting != nullptr && meeting->together) {
            meeting->together = false;
        } else {
            waits_[*first].clear();
        }
    }

    const std::vector<CallEvent>& calls_;
    std::vector<CallPlace> places_;
    std::vector<std::vector<std::size_t>> waits_;  ///< by call: what it comes after, beside those of its own rank
    std::vector<Meeting> meetings_;
    std::vector<bool> came_;  ///< by call: it is counted in its meeting
};

}  // namespace

std::vector<CallPlace> call_places(const std::vector<CallEvent>& calls) { return Places(calls).take(); }

}  // namespace dampi::scheduler
