// What operations do with the program's memory while they are pending, told to ThreadSanitizer: each is a fiber, which
// begins when the operation does, knowing all that the thread that starts it knows, and of which that thread knows
// nothing until it gets to know that the operation is complete. So whatever touches the same bytes in between, in
// whatever thread of the program, is a race for it; and it says so, with both places, in its own words.
// All is for the lock of the layer's calls, and for programs with ThreadSanitizer (thread_runtime).
#pragma once

#include "piggyback/rank/buffers/region.hpp"

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace dampi::piggyback::sanitizers {

/// The call of an operation, which ThreadSanitizer's reports name.
struct FibersCall {
    const char* function = "";
    std::uint64_t site = 0;
};

class Fibers {
public:
    /// What is given out for an operation; `none` where nothing is told, for there are too many at once.
    using Token = std::uint32_t;
    static constexpr Token none = 0;

    /// An operation of this thread's begins. `accesses(access)` calls `access(region, writes)` for all memory of it,
    /// which may overlap; what of it is not known as bytes is not told.
    template <typename Accesses>
    [[nodiscard]] Token begin(const FibersCall& call, Accesses&& accesses) {
        // One that was this thread's knows what this thread knew when it ended.
        const Token token = take(current());
        act(token, nullptr, nullptr, call, accesses);
        return token;
    }
    /// A moment behind another one that was given to remember(), both for this thread; `number`: higher for those that
    /// are later, and not 0. None: nothing.
    struct Later {
        void* moment = nullptr;
        std::uint64_t number = 0;
    };
    /// One that knows no more of this process than was known at `moment`, which remember() was given, and at `later`,
    /// which note() was given. A few at once for each moment; where all of them know more, `none`.
    template <typename Accesses>
    [[nodiscard]] Token begin_knowing(void* moment, const Later& later, const FibersCall& call, Accesses&& accesses) {
        const Token token = take_unused(moment, later.number);
        act(token, moment, later.moment, call, accesses);
        return token;
    }
    /// One that has begun, unless it is `none`, does more, of what this thread knows by now.
    template <typename Accesses>
    void go_on(Token token, const FibersCall& call, Accesses&& accesses) {
        act(token, nullptr, nullptr, call, accesses);
    }
    /// It is complete, and this thread knows.
    void end(Token token);

    /// What this thread knows by now is known as `moment`, the address of anything.
    void remember(void* moment);
    /// The same of one that is only behind others.
    static void note(void* moment);

private:
    static constexpr std::size_t most = 1024;  ///< at once; of what begins then nothing is told

    struct Fiber {
        void* handle = nullptr;
        void* user = nullptr;     ///< the thread, or the moment, that it was used for: it may know of all that one knew
        std::uint64_t later = 0;  ///< and of the later one with this number
    };
    /// One of its that is unused, or a new one, which knows all that the thread knows that makes it.
    Token take(void* user);
    Token make(void* user);
    /// Of those the one that knows most, but of no moment later than that number.
    Token take_unused(void* user, std::uint64_t later = 0);
    /// It gets to know of `moment` and `later`, or of all that this thread knows if the first is null, and does this.
    template <typename Accesses>
    void act(Token token, void* moment, void* later, const FibersCall& call, Accesses& accesses) {
        if (token != none) {
            void* const thread = current();
            enter(token, moment, later, call);
            accesses([&](const Region& region, bool writes) { touch(region, writes, call.site); });
            leave(thread);
        }
    }
    static void* current();
    void enter(Token token, void* moment, void* later, const FibersCall& call);
    static void touch(const Region& region, bool writes, std::uint64_t site);
    static void leave(void* thread);

    std::vector<Fiber> fibers_;  ///< by token - 1
    std::unordered_map<void*, std::vector<Token>> unused_;
};

}  // namespace dampi::piggyback::sanitizers
