#include "piggyback/rank/touches/touch_findings.hpp"

#include "piggyback/rank/buffers/used_buffers.hpp"
#include "piggyback/rank/code_places.hpp"
#include "piggyback/rank/layer.hpp"
#include "piggyback/rank/programs_handlers.hpp"
#include "piggyback/rank/sanitizers/address_runtime.hpp"
#include "piggyback/rank/sanitizers/thread_runtime.hpp"
#include "piggyback/rank/threads/thread_names.hpp"
#include "piggyback/rank/touches/code_at.hpp"
#include "transport/log.hpp"
#include "transport/touch_stack.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace dampi::piggyback {
namespace {

using replay::ViolationKind;
using touches::GuardedBuffer;
using touches::Touch;

/// Of each use of a buffer so many are looked at: they may be as many as the buffer has bytes.
constexpr std::uint32_t most_touches = 64;
/// Where nobody has asked for it so often in a run, and none with more bytes: each time takes some microseconds, and
/// more for many pages. Nor may the program use what lies beside more often.
constexpr std::uint32_t most_guarded = 2'000;
constexpr std::uint32_t most_in_vain = 2'000;
constexpr std::int64_t most_bytes = std::int64_t{1} << 20;

/// Words that are put together without allocating; what does not fit is missing.
class ShortText {
public:
    ShortText& add(std::string_view text) {
        const std::size_t length = std::min(text.size(), text_.size() - length_);
        text.copy(text_.data() + length_, length);
        length_ += length;
        return *this;
    }
    ShortText& add(std::int64_t number) {
        const auto [end, error] = std::to_chars(text_.data() + length_, text_.data() + text_.size(), number);
        length_ = error == std::errc() ? static_cast<std::size_t>(end - text_.data()) : length_;
        return *this;
    }
    [[nodiscard]] std::string_view view() const { return {text_.data(), length_}; }

private:
    std::array<char, 256> text_{};
    std::size_t length_ = 0;
};

/// By what the program does, and to whose buffer, each once.
struct Known {
    std::uint64_t site;
    std::uint64_t operation;
    ViolationKind kind;

    bool operator==(const Known&) const = default;
};
constexpr std::size_t most_known = 256;
std::array<Known, most_known> known{};
std::size_t known_count = 0;

bool is_known(const Known& touch) {
    const auto* const end = known.data() + known_count;
    return std::find<const Known*>(known.data(), end, touch) != end;
}

bool is_new(const Known& touch) {
    if (is_known(touch) || known_count == most_known) {
        return false;
    }
    known[known_count++] = touch;
    return true;
}

/// Whether it has been told of in the buffer of another operation, which is pending as well.
bool is_told(Layer& layer, const PendingUse& pending, const Touch& touch, ViolationKind kind) {
    bool told = false;
    layer.pending_buffers.for_each([&](const PendingUse& other) {
        told = told || (&other != &pending && other.site != pending.site && other.touches != 0 &&
                        other.use.region.begin <= touch.byte && touch.byte < other.use.region.end &&
                        is_known({.site = touch.site, .operation = other.site, .kind = kind}));
    });
    return told;
}

/// In a signal handler: the program does this outside of MPI, so nobody uses the layer now.
bool tell(const GuardedBuffer& buffer, const Touch& touch) noexcept {
    Layer& layer = *Layer::current();
    PendingUse& pending = *static_cast<PendingUse*>(buffer.whose);
    const touches::StackBelow stack = touches::stack_below(touch.code);
    // That it is on the heap's lists, or given away anew, is how it shows that it was freed.
    const bool freed = stack.allocates;
    const bool writes = touch.writes || freed;
    const ViolationKind kind = writes ? ViolationKind::buffer_modified : ViolationKind::buffer_read;
    if (writes) {
        pending.is_summed = false;  // that it changes is said now
        if (pending.still != StillMemory::none) {
            layer.pending_buffers.still().remove(pending.still);
            pending.still = StillMemory::none;
        }
    }
    if (!is_told(layer, pending, touch, kind) &&
        is_new({.site = touch.site, .operation = pending.site, .kind = kind})) {
        const Region& region = pending.use.region;
        ShortText message;
        ShortText detail;
        ShortText other;
        message
            .add(freed    ? "the program frees the memory that a pending "
                 : writes ? "the program changes what a pending "
                          : "the program reads what a pending ")
            .add(pending.function)
            .add(pending.use.array != nullptr ? " is told by"
                 : buffer.received            ? " receives"
                                              : " sends");
        if (freed) {
            detail.add("the memory of the buffer was freed while the operation was pending: ");
        } else {
            detail.add(writes ? "store of " : "load of ")
                .add(static_cast<std::int64_t>(touch.size))
                .add(touch.size == 1 ? " byte, at byte " : " bytes, at byte ")
                .add(touch.byte - region.begin)
                .add(" of ");
        }
        detail.add(region.end - region.begin).add(freed ? " bytes" : "");
        other.add("pending: ")
            .add(pending.use.array != nullptr ? "array "
                 : buffer.received            ? "receive buffer"
                                              : "send buffer")
            .add(pending.use.array != nullptr ? pending.use.array : "")
            .add(" of ")
            .add(region.end - region.begin)
            .add(" bytes");
        transport::ViolationInPlace found{.kind = replay::number_of(kind),
                                          .message = message.view(),
                                          .call = {},
                                          .detail = detail.view(),
                                          .site = touch.site};
        found.others.front() = {.call = pending.function, .detail = other.view(), .site = pending.site};
        layer.log.append(transport::TouchStackInPlace{.frames = std::span(stack.frames).first(stack.count)});
        layer.log.append(found);
    }
    // What happens to freed memory after that comes of it.
    pending.touches = freed ? most_touches : pending.touches + 1;
    return pending.touches < most_touches;
}

const char* reason_of(touches::Unwatched why) {
    switch (why) {
        case touches::Unwatched::no_dispatch:
            return "the system cannot tell before it is called (Syscall User Dispatch, Linux 5.11)";
        case touches::Unwatched::no_decoder:
            return "the library that tells what instructions do could not be loaded (libZydis)";
        case touches::Unwatched::other_threads:
            return "the rank has several threads";
        case touches::Unwatched::blocked_signals:
            return "the program blocks signals that are needed (SIGSEGV, SIGTRAP, SIGSYS)";
        case touches::Unwatched::handlers:
            return "a handler of the program's blocks signals that are needed (SIGSEGV, SIGTRAP, SIGSYS)";
        case touches::Unwatched::small_stack:
            return "the program's stack for handlers of signals is too small, or in use";
        case touches::Unwatched::stack:
            return "they lie on the stack, which handlers of signals use";
        case touches::Unwatched::busy_pages:
            return "the program uses other data on the same pages too often";
        case touches::Unwatched::unknown_code:
            return "which memory this instruction uses is not known; until the next call nothing is seen";
        case touches::Unwatched::too_many:
            return "there are too many at once";
    }
    return "";
}

/// Once in a process.
void note(Layer& layer, const char* reason, std::uint64_t site) {
    static auto* const noted = new std::set<std::pair<std::string_view, std::uint64_t>>;  // as long as the process
    if (!layer.notes_unchecked || !noted->emplace(reason, site).second) {
        return;
    }
    if (site != 0 && !is_logged_place(site)) {
        log_modules(layer);
    }
    layer.record_note(ViolationKind::buffer_unwatched,
                      std::string("loads and stores in buffers of pending operations are not seen: ") + reason, "",
                      site);
}

bool is_sanitized() { return sanitizers::address_runtime != nullptr || sanitizers::thread_runtime != nullptr; }

}  // namespace

void start_looking_for_touches() noexcept {
    touches::start(lets_program_go_on, touches::Means::best,
                   Core::current()->notes_unchecked ? std::numeric_limits<std::uint32_t>::max() : most_in_vain);
}

void guard_pending(Layer& layer, bool others_copy, std::vector<GuardedBuffer> buffers) {
    if (watches_buffers(layer) && layer.callbacks == 0 && layer.pending_buffers.size() != 0) {
        layer.pending_buffers.for_each([&](PendingUse& pending) {
            if (pending.is_the_operations && pending.touches < most_touches) {
                buffers.push_back({.region = pending.use.region,
                                   .received = pending.use.role == BufferRole::receive,
                                   .site = pending.site,
                                   .told = tell,
                                   .whose = &pending});
            }
        });
    }
    if (!buffers.empty() && is_sanitized()) {
        note(layer, "the program is built with a sanitizer", 0);
        buffers.clear();
    }
    if (!buffers.empty() && others_copy && !touches::closes_for_one_thread()) {
        note(layer,
             "other ranks may access its memory (it may have windows, or UCX_TLS allows it), and the processor or the "
             "system has no protection keys",
             0);
        buffers.clear();
    }
    static std::uint32_t guarded = 0;
    if (!buffers.empty() && !layer.notes_unchecked) {
        std::erase_if(buffers,
                      [](const GuardedBuffer& each) { return each.region.end - each.region.begin > most_bytes; });
        if (++guarded > most_guarded) {
            buffers.clear();
        }
    }
    if (!buffers.empty()) {
        log_modules(layer);  // whose places may be told of
    }
    touches::guard(buffers, has_other_threads() ? 0 : library_threads());
    for (const touches::UnwatchedPlace& each : touches::take_reasons()) {
        note(layer, reason_of(each.why), each.site);
    }
}

}  // namespace dampi::piggyback
