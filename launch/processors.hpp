// On which processors threads and processes run. Ranks that take turns with each other and with the thread that drives
// them are fastest on one: nobody there waits until another processor has woken up. It is for speed alone, so what the
// system refuses is not done.
#pragma once

#include <vector>

#include <sys/types.h>

namespace dampi::launch {

inline constexpr int any_processor = -1;

/// Those that this process might use when this was called for the first time, by one thread.
const std::vector<int>& own_processors();

/// Keeps a process of one thread, or a thread (0: the calling one), to this processor, or gives it all of
/// own_processors().
void keep_to(pid_t thread, int processor) noexcept;

/// Keeps the calling thread there as long as this exists.
class OnProcessor {
public:
    explicit OnProcessor(int processor) : kept_(processor != any_processor) {
        if (kept_) {
            keep_to(0, processor);
        }
    }
    ~OnProcessor() { leave(); }
    OnProcessor(const OnProcessor&) = delete;
    OnProcessor& operator=(const OnProcessor&) = delete;

    /// Called by the same thread.
    void leave() {
        if (kept_) {
            kept_ = false;
            keep_to(0, any_processor);
        }
    }

private:
    bool kept_;
};

}  // namespace dampi::launch
