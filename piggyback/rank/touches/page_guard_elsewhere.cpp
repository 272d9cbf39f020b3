// For processors whose instructions nobody here can tell apart (instruction.hpp is for x86-64): no buffer is guarded,
// and whoever asks is told so.
#include "piggyback/rank/touches/page_guard.hpp"

#include <utility>

namespace dampi::piggyback::touches {
namespace {

bool is_to_be_told = false;
bool has_missed = false;

}  // namespace

void start(bool (* /*is_programs*/)(std::uintptr_t handler) noexcept, Means /*means*/,
           std::uint32_t /*most_in_vain*/) noexcept {
    has_missed = false;
}

void stop() noexcept {}

bool closes_for_one_thread() noexcept { return true; }

void guard(const std::vector<GuardedBuffer>& buffers, unsigned /*harmless_threads*/) {
    is_to_be_told = is_to_be_told || (!buffers.empty() && !has_missed);
    has_missed = has_missed || !buffers.empty();
}

std::vector<UnwatchedPlace> take_reasons() {
    return std::exchange(is_to_be_told, false) ? std::vector<UnwatchedPlace>{{.why = Unwatched::no_decoder}}
                                               : std::vector<UnwatchedPlace>{};
}

bool may_have_missed() noexcept { return has_missed; }

std::uint64_t given_up_sites() noexcept { return 0; }

void give_up() noexcept {}

namespace page_guard_detail {
bool is_on = false;
void enter() noexcept {}
void leave() noexcept {}
void open_for_threads() noexcept {}
}  // namespace page_guard_detail

}  // namespace dampi::piggyback::touches
