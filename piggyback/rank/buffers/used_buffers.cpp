#include "piggyback/rank/buffers/used_buffers.hpp"

#include "piggyback/rank/buffers/one_use.hpp"
#include "piggyback/rank/code_places.hpp"
#include "piggyback/rank/errors/errors.hpp"
#include "piggyback/rank/sanitizers/room.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

namespace dampi::piggyback {
namespace {

/// So many pairs of a call's buffers are compared whose bounds meet.
constexpr std::size_t most_pairs = 4096;

/// "byte 8 of 40"; of a byte at that address.
std::string byte_of(const Region& region, std::int64_t address) {
    return "byte " + std::to_string(address - region.begin) + " of " + std::to_string(region.end - region.begin);
}

std::string bytes_of(const BufferUse& use) {
    return (use.array != nullptr           ? std::string("array ") + use.array
            : use.role == BufferRole::send ? std::string("send buffer")
                                           : std::string("receive buffer")) +
           " of " + std::to_string(use.region.end - use.region.begin) + " bytes";
}

/// Once for each pair of places.
void record(Layer& layer, replay::ViolationKind kind, const Call& call, std::string message, std::string detail,
            const PendingUse* other) {
    if (!layer.noted_overlaps.emplace(call.site(), other == nullptr ? 0 : other->site).second) {
        return;
    }
    if (!is_logged_place(call.site()) || (other != nullptr && !is_logged_place(other->site))) {
        log_modules(layer);
    }
    transport::ViolationRecord found{.kind = replay::number_of(kind),
                                     .message = std::move(message),
                                     .call = call.function(),
                                     .detail = std::move(detail),
                                     .site = call.site(),
                                     .arguments = arguments_of(layer, {.described = &call}),
                                     .stack = layer.call_stacks.number_of_few(layer, call.site())};
    if (other != nullptr) {
        found.others.front() = {
            .call = other->function, .detail = "pending: " + bytes_of(other->use), .site = other->site};
    }
    layer.log.append(std::move(found));
}

void report_overlap(Layer& layer, const Call& call, const BufferUse& use, const PendingUse& other,
                    std::int64_t address) {
    const bool sends = use.role == BufferRole::send;
    const bool other_sends = other.use.role == BufferRole::send;
    record(layer, replay::ViolationKind::buffer_overlap, call,
           std::string(call.function()) + (sends ? " sends from" : " receives into") + " memory " +
               (other_sends ? "from" : "into") + " which a pending " + other.function +
               (other_sends ? " sends: " : " receives: ") + byte_of(use.region, address) + " here is " +
               byte_of(other.use.region, address) + " there",
           bytes_of(use), &other);
}

/// Another operation uses it as well, which is said now: it may change.
void watch_no_more(Layer& layer, PendingUse& pending) {
    pending.is_summed = false;
    pending.is_the_operations = false;
    if (pending.still != StillMemory::none) {
        layer.pending_buffers.still().remove(std::exchange(pending.still, StillMemory::none));
    }
}

/// The use is about to begin: says if a pending one forbids it, once; true if that is `said`, now or before.
bool check_pending(Layer& layer, const Call& call, const BufferUse& use, bool said) {
    layer.pending_buffers.any_meeting(use, [&](PendingUse& other) {
        const auto common = common_byte(use.region, other.use.region);
        if (common) {
            watch_no_more(layer, other);
            if (!std::exchange(said, true)) {
                report_overlap(layer, call, use, other, *common);
            }
        }
        return false;
    });
    return said;
}

/// The use is about to begin: says if AddressSanitizer knows of bytes in it that are not the program's. Whether it is
/// better not read, for that or since the program has poisoned some.
bool check_room(Layer& layer, const Call& call, const BufferUse& use) {
    const auto poisoned =
        sanitizers::address_runtime == nullptr ? std::nullopt : sanitizers::first_poisoned(use.region);
    if (!poisoned) {
        return false;
    }
    if (const auto lack = sanitizers::lacking_room(use.region, *poisoned)) {
        record(layer, replay::ViolationKind::argument_buffer, call,
               std::string(call.function()) + (use.role == BufferRole::send ? " sends " : " receives into ") +
                   std::to_string(use.region.end - use.region.begin) + " bytes: " + *lack,
               bytes_of(use), nullptr);
    }
    return true;
}

/// Where the use receives: so that a byte that was changed can be named.
void remember_contents(Request& request, const BufferUse& use) {
    const Region& region = use.region;
    if (use.role == BufferRole::receive && region.element == nullptr && region.end - region.begin <= largest_summed) {
        const auto* const bytes = reinterpret_cast<const char*>(region.begin);
        request.make_special().contents = {.begin = region.begin,
                                           .bytes = std::vector<char>(bytes, bytes + (region.end - region.begin))};
    }
}

/// ": byte 8 of 40 is another one"; empty where that is not known.
std::string changed_byte(const Request& request, const Region& region) {
    const RememberedContents& contents = request.special().contents;
    if (contents.begin != region.begin || region.element != nullptr) {
        return "";
    }
    const auto* const bytes = reinterpret_cast<const char*>(region.begin);
    const auto [was, is] = std::mismatch(contents.bytes.begin(), contents.bytes.end(), bytes);
    return was == contents.bytes.end() ? "" : ": " + byte_of(region, reinterpret_cast<std::intptr_t>(is));
}

}  // namespace

void UsedBuffers::add_any(BufferRole role, const void* buffer, MPI_Count count, MPI_Datatype datatype,
                          std::int64_t offset) {
    if (!watches_buffers(layer_)) {
        return;
    }
    std::int64_t address = 0;
    if (count <= 0 || buffer == MPI_IN_PLACE ||
        __builtin_add_overflow(reinterpret_cast<std::intptr_t>(buffer), offset, &address)) {
        return;
    }
    auto region = region_of(layer_.elements.of(datatype), address, count);
    if (!region) {
        return;
    }
    // Blocks of a collective that follow each other are one buffer.
    if (size_ > 0) {
        BufferUse& last = size_ <= few ? few_[size_ - 1] : many_.back();
        if (last.role == role && last.region.element == nullptr && region->element == nullptr &&
            last.region.end == region->begin) {
            last.region.end = region->end;
            return;
        }
    }
    append({.region = *region, .role = role});
}

void UsedBuffers::append(const BufferUse& use) {
    if (size_ < few) {
        few_[size_] = use;
    } else {
        if (size_ == few) {
            many_.assign(few_, few_ + few);
        }
        many_.push_back(use);
    }
    ++size_;
}

void UsedBuffers::add_array(const char* name, const void* array, std::size_t bytes) {
    const auto begin = reinterpret_cast<std::intptr_t>(array);
    if (lasts_ && bytes != 0 && begin >= lowest_address && watches_buffers(layer_)) {
        append({.region = {.begin = begin, .end = begin + static_cast<std::int64_t>(bytes)},
                .role = BufferRole::send,
                .array = name});
    }
}

void UsedBuffers::check_pair(const Call& call, const BufferUse& a, const BufferUse& b, bool& found) const {
    const bool both_sent = a.role == BufferRole::send && b.role == BufferRole::send;
    if (found || both_sent || (a.role != b.role && in_place_)) {
        return;
    }
    const auto common = common_byte(a.region, b.region);
    if (!common) {
        return;
    }
    found = true;
    // MPICH may refuse it, too.
    layer_.noted_errors.emplace(call.site(), transport::EpochPostedRecord::no_stack,
                                replay::ViolationKind::argument_buffer);
    if (a.role == b.role) {
        record(layer_, replay::ViolationKind::buffer_overlap, call,
               std::string(call.function()) + " receives twice into the same memory: " + byte_of(a.region, *common) +
                   " of one block is " + byte_of(b.region, *common) + " of another",
               bytes_of(a), nullptr);
        return;
    }
    const BufferUse& sent = a.role == BufferRole::send ? a : b;
    const BufferUse& received = a.role == BufferRole::send ? b : a;
    record(layer_, replay::ViolationKind::buffer_overlap, call,
           std::string(call.function()) + " receives into memory that it sends: " + byte_of(received.region, *common) +
               " of its receive buffer is " + byte_of(sent.region, *common) + " of its send buffer",
           bytes_of(received), nullptr);
}

bool UsedBuffers::check_itself(const Call& call) const {
    for (std::size_t i = 0; i < size_; ++i) {
        const Region& region = at(i).region;
        if (at(i).role == BufferRole::receive && region.element != nullptr &&
            region.element->repeats_among(region.count)) {
            record(layer_, replay::ViolationKind::buffer_overlap, call,
                   std::string(call.function()) + " receives with a datatype that has the same memory more than once",
                   bytes_of(at(i)), nullptr);
            return true;
        }
    }
    bool found = false;
    if (size_ == 2) {
        check_pair(call, at(0), at(1), found);
    }
    if (size_ <= 2) {
        return found;
    }
    std::vector<std::uint32_t> order(size_);
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return at(a).region.begin < at(b).region.begin; });
    std::size_t pairs = 0;
    for (std::size_t i = 0; i < size_ && !found; ++i) {
        const BufferUse& use = at(order[i]);
        for (std::size_t j = i + 1; j < size_ && at(order[j]).region.begin < use.region.end && pairs < most_pairs;
             ++j, ++pairs) {
            check_pair(call, use, at(order[j]), found);
        }
    }
    return found;
}

void UsedBuffers::check(const Call& call) {
    for (std::size_t i = 0; i < size_; ++i) {
        overlaps_ = check_pending(layer_, call, at(i), overlaps_);
        overlaps_ = check_room(layer_, call, at(i)) || overlaps_;
    }
    overlaps_ = check_itself(call) || overlaps_;
    is_wrong_ = overlaps_;
    overlaps_ = overlaps_ || in_place_;
}

void UsedBuffers::hold_all(const Call& call) {
    for (std::size_t i = 0; i < size_; ++i) {
        hold_buffer(layer_, held_, at(i), call.function(), call.site(), watch(at(i).role));
    }
}

void UsedBuffers::tell(const Call& call) {
    if (size_ != 0 && !is_wrong_) {
        held_.set_fiber(tell_of_buffers(layer_, call.function(), call.site(), size_,
                                        [&](std::size_t i) -> const BufferUse& { return at(i); }));
    }
}

void UsedBuffers::remember(Request& request) const {
    for (std::size_t i = 0; i < size_ && !overlaps_; ++i) {
        remember_contents(request, at(i));
    }
}

void UsedBuffers::check_and_hold(const Call& call) {
    if (!is_alone() || sanitizers::address_runtime != nullptr) {
        check(call);
    }
    if (layer_.multithreaded || layer_.pending_buffers.listener != nullptr || sanitizers::thread_runtime != nullptr) {
        overlaps_ = true;  // nobody looks whether it changes
        hold_all(call);
        tell(call);
    }
}

void UsedBuffers::keep_persistent(const Call& call, MPI_Request handle) {
    Request* const request = size_ == 0 ? nullptr : layer_.requests.find_newest(handle);
    if (request == nullptr) {
        return;
    }
    SpecialRequest& special = request->make_special();
    for (std::size_t i = 0; i < size_; ++i) {
        if (at(i).array == nullptr) {
            special.uses.push_back(at(i));
        } else {
            hold_buffer(layer_, special.arrays, at(i), call.function(), call.site(), Watch::by_sum);
        }
    }
}

namespace {

/// Whether the uses of its buffer are its partitions, from the last to the first.
bool has_partitions_apart(const Request& request) {
    return request.partitioned && request.special().uses.size() == request.special().ready.size();
}

}  // namespace

bool begin_persistent(Layer& layer, const Call& call, const Request& request) {
    if (!watches_buffers(layer)) {
        return false;
    }
    check_arrays(layer, call, request);
    bool overlaps = false;
    for (const BufferUse& use : request.special().uses) {
        overlaps = check_pending(layer, call, use, overlaps);
        overlaps = check_room(layer, call, use) || overlaps;
    }
    return overlaps;
}

bool begin_one_use(Layer& layer, const Call& call, const BufferUse& use) {
    const bool overlaps = check_pending(layer, call, use, false);
    return check_room(layer, call, use) || overlaps;
}

void keep_started(Layer& layer, Request& request, Arrival arrival, bool overlaps) {
    if (!watches_buffers(layer)) {
        return;
    }
    const std::vector<BufferUse>& uses = request.special().uses;
    const bool arrives_in_parts = request.kind == RequestKind::receive && has_partitions_apart(request);
    for (const BufferUse& use : uses) {
        // What has arrived of a partitioned transfer is the program's (hold_what_has_not_arrived()).
        const Watch watch =
            overlaps || uses.size() != 1 || request.partitioned ? Watch::not_at_all : watch_of(use.role, arrival);
        hold_buffer(layer, request.buffers, use, request.function, request.site, watch).is_the_operations =
            !overlaps && (!request.partitioned || arrives_in_parts);
        if (watch == Watch::by_sum) {
            remember_contents(request, use);
        }
    }
    if (!uses.empty() && !overlaps && !(request.partitioned && request.kind == RequestKind::receive)) {
        request.buffers.set_fiber(tell_of_buffers(layer, request.function, request.site, uses.size(),
                                                  [&](std::size_t i) -> const BufferUse& { return uses[i]; }));
    }
}

void hold_what_has_not_arrived(Layer& layer, Request& request) {
    request.buffers.release();
    if (!watches_buffers(layer) || !has_partitions_apart(request)) {
        return;
    }
    const std::vector<BufferUse>& uses = request.special().uses;
    for (std::size_t i = 0; i < uses.size(); ++i) {
        if (!request.special().ready[uses.size() - 1 - i]) {
            hold_buffer(layer, request.buffers, uses[i], request.function, request.site, Watch::not_at_all)
                .is_the_operations = true;
        }
    }
}

void forget_received(Layer& layer) {
    layer.pending_buffers.for_each(
        [](PendingUse& pending) { pending.is_summed = pending.is_summed && pending.use.role == BufferRole::send; });
}

bool check_against_pending(Layer& layer, const Call& call, const BufferUse& use) {
    bool said = false;
    if (!watches_buffers(layer)) {
        return said;
    }
    layer.pending_buffers.any_meeting(use, [&](PendingUse& other) {
        const auto common = other.of_access || said ? std::nullopt : common_byte(use.region, other.use.region);
        if (common) {
            said = true;
            watch_no_more(layer, other);
            report_overlap(layer, call, use, other, *common);
        }
        return said;
    });
    return said;
}

void report_changed(Layer& layer, const Call& call, const PendingUse& pending, std::int64_t address) {
    if (watches_buffers(layer)) {
        record(layer, replay::ViolationKind::buffer_modified, call,
               std::string(call.function()) + " finds that the " +
                   (pending.use.role == BufferRole::send ? "send" : "receive") + " buffer of a pending " +
                   pending.function + " was changed: " + byte_of(pending.use.region, address) + " is another one",
               "", &pending);
    }
}

bool find_changed_request(Layer& layer, const Call& call, StillMemory::Token token, std::int64_t address) {
    bool found = false;
    layer.pending_buffers.for_each([&](PendingUse& pending) {
        if (pending.still == token) {
            pending.still = StillMemory::none;
            found = true;
            report_changed(layer, call, pending, address);
        }
    });
    return found;
}

void note_still(Layer& layer) {
    // Libraries with a thread of their own for progress store there at any time.
    static const bool only_in_calls =
        std::getenv("MPICH_ASYNC_PROGRESS") == nullptr && std::getenv("MPIR_CVAR_ASYNC_PROGRESS") == nullptr;
    if (only_in_calls && !layer.multithreaded && layer.callbacks == 0 && watches_buffers(layer)) {
        layer.pending_buffers.still().note();
    }
}

void report_changed(Layer& layer, const Call& call, const Request* request, const PendingUse& pending) {
    if (!watches_buffers(layer)) {
        return;
    }
    const bool sends = pending.use.role == BufferRole::send;
    if (pending.use.array != nullptr) {
        record(layer, replay::ViolationKind::buffer_modified, call,
               std::string(call.function()) + " finds that the array " + pending.use.array + " of " + pending.function +
                   " was changed, which is its own until it is " +
                   (request != nullptr && request->persistent ? "freed" : "complete"),
               "", &pending);
    } else {
        record(layer, replay::ViolationKind::buffer_modified, call,
               std::string(call.function()) + " completes an " + pending.function +
                   (sends ? " whose send" : " whose receive") + " buffer was changed while it was pending" +
                   (request == nullptr ? "" : changed_byte(*request, pending.use.region)),
               "", &pending);
    }
    // One store may be in the buffers of several operations, and is told once.
    layer.pending_buffers.for_each([&](PendingUse& other) {
        other.is_summed = other.is_summed && !common_byte(pending.use.region, other.use.region);
    });
}

}  // namespace dampi::piggyback
