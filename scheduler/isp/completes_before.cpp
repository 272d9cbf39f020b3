#include "scheduler/isp/completes_before.hpp"

#include "scheduler/isp/call_text.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <span>
#include <tuple>
#include <utility>

namespace dampi::scheduler::isp {
namespace {

using base::any_source;
using base::any_tag;
using replay::CallEvent;
using replay::CallKind;
using replay::CallName;
using replay::CommId;

bool takes_messages(const CallEvent& call) { return call.kind == CallKind::receive || call.kind == CallKind::probe; }

/// Two halves of one MPI_Sendrecv, which are not ordered.
bool are_halves(const CallEvent& earlier, const CallEvent& later) {
    return earlier.name.index + 1 == later.name.index && earlier.function == later.function &&
           earlier.where == later.where && earlier.kind != later.kind &&
           (earlier.kind == CallKind::send || earlier.kind == CallKind::receive) &&
           (later.kind == CallKind::send || later.kind == CallKind::receive);
}

/// The calls of one rank.
class Rank {
public:
    Rank(std::span<const CallEvent> calls, bool sends_block) : calls_(calls), before_(calls.size()) {
        blocking_.reserve(calls.size());
        for (const CallEvent& call : calls) {
            blocking_.push_back(is_blocking(call, sends_block));
        }
    }

    /// Adds to each call those that come right after it.
    void order(std::span<CompletesBefore> after) {
        std::vector<std::uint32_t> open;  // nothing that blocks is known to come after these
        std::vector<std::uint32_t> reached(calls_.size(), 0);
        for (std::uint32_t later = 0; later < calls_.size(); ++later) {
            // Nearest first: what an accepted one comes after need not be said again.
            for (auto each = open.rbegin(); each != open.rend(); ++each) {
                const std::uint32_t earlier = *each;
                if (reached[earlier] != later + 1 && comes_before(earlier, later)) {
                    before_[later].push_back(earlier);
                    after[earlier].within.push_back(later);
                    mark(earlier, later + 1, open.front(), reached);
                }
            }
            if (blocking_[later]) {
                // All that follows comes after this call, and so after what it came after.
                std::erase_if(open, [&](std::uint32_t earlier) { return reached[earlier] == later + 1; });
            }
            open.push_back(later);
        }
    }

private:
    [[nodiscard]] bool comes_before(std::uint32_t earlier, std::uint32_t later) const {
        const CallEvent& f = calls_[earlier];
        const CallEvent& s = calls_[later];
        if (are_halves(f, s)) {
            return false;
        }
        if (blocking_[earlier] || s.kind == CallKind::finalize) {
            return true;
        }
        if (f.kind == CallKind::send && s.kind == CallKind::send) {
            return f.peer == s.peer && f.comm == s.comm && f.tag == s.tag;
        }
        if (takes_messages(f) && takes_messages(s)) {
            return f.comm == s.comm && (f.peer == any_source || f.peer == s.peer) &&
                   (f.tag == any_tag || f.tag == s.tag);
        }
        return std::find(s.requests.begin(), s.requests.end(), earlier) != s.requests.end();
    }

    /// Everything before this call, itself included, as far back as anybody asks.
    void mark(std::uint32_t call, std::uint32_t as, std::uint32_t back_to, std::vector<std::uint32_t>& reached) const {
        std::vector<std::uint32_t> left{call};
        while (!left.empty()) {
            const std::uint32_t next = left.back();
            left.pop_back();
            if (next < back_to || reached[next] == as) {
                continue;
            }
            reached[next] = as;
            left.insert(left.end(), before_[next].begin(), before_[next].end());
        }
    }

    std::span<const CallEvent> calls_;
    std::vector<bool> blocking_;
    std::vector<std::vector<std::uint32_t>> before_;
};

void order_partners(const std::vector<CallEvent>& calls, std::vector<CompletesBefore>& after) {
    const auto place = [&](const CallName& name) {
        return static_cast<std::size_t>(
            std::lower_bound(calls.begin(), calls.end(), name,
                             [](const CallEvent& call, const CallName& wanted) { return call.name < wanted; }) -
            calls.begin());
    };
    std::map<std::tuple<CommId, std::uint32_t>, std::vector<std::size_t>> collectives;
    std::map<std::pair<replay::Rank, CommId>, std::uint32_t> entered;
    for (std::size_t at = 0; at < calls.size(); ++at) {
        const CallEvent& call = calls[at];
        if (call.kind == CallKind::collective) {
            const std::uint32_t number = entered[{call.name.rank, call.comm}]++;
            if (call.issue) {
                collectives[{call.comm, number}].push_back(at);
            }
        } else if (takes_messages(call) && call.match) {
            after[at].across.push_back(*call.match);
            if (call.kind == CallKind::receive && call.peer != any_source) {
                after[place(*call.match)].across.push_back(call.name);
            }
        }
    }
    for (const auto& [which, members] : collectives) {
        for (const std::size_t one : members) {
            for (const std::size_t other : members) {
                if (one != other) {
                    after[one].across.push_back(calls[other].name);
                }
            }
        }
    }
}

}  // namespace

std::vector<CompletesBefore> completes_before(const std::vector<CallEvent>& calls, bool sends_block) {
    std::vector<CompletesBefore> after(calls.size());
    for (std::size_t first = 0; first < calls.size();) {
        std::size_t next = first;
        while (next < calls.size() && calls[next].name.rank == calls[first].name.rank) {
            ++next;
        }
        Rank(std::span(calls).subspan(first, next - first), sends_block)
            .order(std::span(after).subspan(first, next - first));
        first = next;
    }
    order_partners(calls, after);
    return after;
}

}  // namespace dampi::scheduler::isp
