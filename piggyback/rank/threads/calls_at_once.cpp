#include "piggyback/rank/threads/calls_at_once.hpp"

#include "piggyback/rank/call.hpp"
#include "piggyback/rank/threads/threads.hpp"
#include "piggyback/rank/threads/two_calls.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace dampi::piggyback {
namespace {

struct Use {
    const CallsAtOnce* by;
    replay::ViolationKind kind;
    std::uint64_t what;
    const ProgramThread* thread;
    PlacedCall call;
};

/// Those of all threads. Threads may call while the program ends, so it lives for ever.
std::vector<Use>& uses() {
    static auto& all = *new std::vector<Use>;
    return all;
}

/// Whether it is the first time for these two places, which may be in a loop.
bool is_news(std::uint64_t site, std::uint64_t other) {
    static auto& told = *new std::set<std::pair<std::uint64_t, std::uint64_t>>;
    return told.insert(std::minmax(site, other)).second;
}

}  // namespace

void CallsAtOnce::add(Layer& layer, std::uint64_t what) {
    const Use own{.by = this,
                  .kind = kind_,
                  .what = what,
                  .thread = &enter_thread(layer),
                  .call = {.function = call_.function(), .site = call_.site()}};
    const auto other = std::find_if(uses().begin(), uses().end(), [&](const Use& each) {
        return each.kind == own.kind && each.what == own.what && each.thread != own.thread;
    });
    if (other != uses().end() && is_news(own.call.site, other->call.site)) {
        log_two_calls(layer, kind_, own.call,
                      std::string(own.call.function) + " was called while another thread of the rank was in " +
                          other->call.function + words_,
                      other->call, "was not over");
    }
    uses().push_back(own);
    ++uses_;
}

void CallsAtOnce::remove() {
    std::erase_if(uses(), [&](const Use& each) { return each.by == this; });
    uses_ = 0;
}

}  // namespace dampi::piggyback
