#include "piggyback/rank/sanitizers/fibers.hpp"

#include "piggyback/rank/sanitizers/thread_runtime.hpp"

namespace dampi::piggyback::sanitizers {
namespace {

constexpr unsigned in_order = 0;  ///< who is switched to knows what was known where it comes from
constexpr unsigned no_order = 1;

/// For a moment there are so many, which may know of different later ones.
constexpr std::size_t fibers_of_moment = 2;

/// As a return address, for which ThreadSanitizer takes what it is given.
void* behind(std::uint64_t site) { return reinterpret_cast<void*>(site + 1); }

}  // namespace

Fibers::Token Fibers::take_unused(void* user, std::uint64_t later) {
    std::vector<Token>& unused = unused_[user];
    auto best = unused.end();
    for (auto each = unused.begin(); each != unused.end(); ++each) {
        if (fibers_[*each - 1].later <= later &&
            (best == unused.end() || fibers_[*best - 1].later <= fibers_[*each - 1].later)) {
            best = each;
        }
    }
    if (best == unused.end()) {
        return none;
    }
    const Token token = *best;
    unused.erase(best);
    fibers_[token - 1].later = later;
    return token;
}

Fibers::Token Fibers::take(void* user) {
    const Token token = take_unused(user);
    return token != none ? token : make(user);
}

Fibers::Token Fibers::make(void* user) {
    void* const handle = fibers_.size() < most ? thread_runtime->create_fiber(0) : nullptr;
    if (handle == nullptr) {
        return none;
    }
    fibers_.push_back({.handle = handle, .user = user});
    return static_cast<Token>(fibers_.size());
}

void* Fibers::current() { return thread_runtime->current_fiber(); }

void Fibers::enter(Token token, void* moment, void* later, const FibersCall& call) {
    void* const fiber = fibers_[token - 1].handle;
    thread_runtime->name_fiber(fiber, call.function);
    thread_runtime->switch_to_fiber(fiber, moment == nullptr ? in_order : no_order);
    if (moment != nullptr) {
        thread_runtime->acquire(moment);
    }
    if (later != nullptr) {
        thread_runtime->acquire(later);
    }
}

void Fibers::touch(const Region& region, bool writes, std::uint64_t site) {
    const auto blocks = blocks_of(region);
    const auto access = writes ? thread_runtime->write_range : thread_runtime->read_range;
    for (const Blocks& each : blocks.value_or(std::vector<Blocks>())) {
        for (std::int64_t i = 0; i < each.count; ++i) {
            access(reinterpret_cast<void*>(each.begin + i * each.stride), static_cast<std::size_t>(each.length),
                   behind(site));
        }
    }
}

void Fibers::leave(void* thread) { thread_runtime->switch_to_fiber(thread, no_order); }

void Fibers::end(Token token) {
    const Fiber& fiber = fibers_[token - 1];
    void* const thread = current();
    thread_runtime->switch_to_fiber(fiber.handle, no_order);
    thread_runtime->switch_to_fiber(thread, in_order);
    unused_[fiber.user].push_back(token);
}

void Fibers::remember(void* moment) {
    std::vector<Token>& unused = unused_[moment];
    for (const Token token : unused) {
        fibers_[token - 1].later = 0;  // that is before now
    }
    while (unused.size() < fibers_of_moment) {  // made now, they know nothing of later
        const Token token = make(moment);
        if (token == none) {
            break;
        }
        unused.push_back(token);
    }
    note(moment);
}

void Fibers::note(void* moment) { thread_runtime->release(moment); }

}  // namespace dampi::piggyback::sanitizers
