#include "piggyback/rank/sanitizers/fibers.hpp"

#include "piggyback/rank/sanitizers/thread_runtime.hpp"

namespace dampi::piggyback::sanitizers {
namespace {

constexpr unsigned in_order = 0;  ///< who is switched to knows what was known where it comes from
constexpr unsigned no_order = 1;

/// As a return address, for which ThreadSanitizer takes what it is given.
void* behind(std::uint64_t site) { return reinterpret_cast<void*>(site + 1); }

}  // namespace

Fibers::Token Fibers::take_unused(void* user) {
    std::vector<Token>& unused = unused_[user];
    if (unused.empty()) {
        return none;
    }
    const Token token = unused.back();
    unused.pop_back();
    return token;
}

Fibers::Token Fibers::take(void* user) {
    if (const Token token = take_unused(user); token != none) {
        return token;
    }
    void* const handle = fibers_.size() < most ? thread_runtime->create_fiber(0) : nullptr;
    if (handle == nullptr) {
        return none;
    }
    fibers_.push_back({.handle = handle, .user = user});
    return static_cast<Token>(fibers_.size());
}

void* Fibers::current() { return thread_runtime->current_fiber(); }

void Fibers::enter(Token token, void* moment, const FibersCall& call) {
    void* const fiber = fibers_[token - 1].handle;
    thread_runtime->name_fiber(fiber, call.function);
    thread_runtime->switch_to_fiber(fiber, moment == nullptr ? in_order : no_order);
    if (moment != nullptr) {
        thread_runtime->acquire(moment);
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
    if (const Token token = take(moment); token != none) {  // made now, it knows nothing of later
        unused_[moment].push_back(token);
    }
    thread_runtime->release(moment);
}

}  // namespace dampi::piggyback::sanitizers
