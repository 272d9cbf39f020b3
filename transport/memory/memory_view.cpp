#include "transport/memory/memory_view.hpp"

#include "transport/memory/clock_store.hpp"
#include "transport/memory/contributions.hpp"
#include "transport/memory/envelope_queue.hpp"
#include "transport/memory/posted_receives.hpp"
#include "transport/memory/rank_group.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>

namespace dampi::transport::memory {
namespace {

/// More than that is taken for garbage.
constexpr std::uint64_t most_waits = std::uint64_t{1} << 20;

/// What a rank wrote, up to the final zero, which it may have overwritten.
template <std::size_t Size>
std::string text_of(const char (&text)[Size]) {
    return std::string(text, strnlen(text, Size));
}

/// Empty for a name that fills its room: nobody has ended it.
std::string name_of(const char (&name)[name_length]) {
    const std::string text = text_of(name);
    return text.size() < name_length ? text : "";
}

/// Threads that wait in MPI, or belong to the MPI library.
std::vector<pid_t> idle_threads(const RankHeader& header) {
    const Board::Blocked& shared = header.blocked;
    std::vector<pid_t> threads(shared.waiting,
                               shared.waiting + std::min<std::size_t>(shared.waiting_count, most_waiting_threads));
    const std::size_t made =
        std::min<std::size_t>(header.library_thread_count.load(std::memory_order_acquire), most_library_threads);
    for (std::size_t i = 0; i < made; ++i) {
        threads.push_back(header.library_threads[i].load(std::memory_order_acquire));
    }
    return threads;
}

std::vector<transport::PollingThread> polling_threads(const RankHeader& header) {
    std::vector<transport::PollingThread> threads;
    const std::size_t count =
        std::min<std::size_t>(header.polling_thread_count.load(std::memory_order_acquire), most_polling_threads);
    for (std::size_t i = 0; i < count; ++i) {
        const Board::PollingThread& thread = header.polling_threads[i];
        threads.push_back({.id = thread.id.load(std::memory_order_relaxed),
                           .false_answers = thread.false_answers.load(std::memory_order_relaxed),
                           .idle_false_answers = thread.idle_false_answers.load(std::memory_order_relaxed),
                           .repeats = thread.repeats.load(std::memory_order_acquire)});
    }
    return threads;
}

}  // namespace

Phase MemoryView::phase(base::Rank rank) const { return area_.rank(rank).phase.load(std::memory_order_acquire); }

RankProgress MemoryView::progress(base::Rank rank) const {
    const RankHeader& header = area_.rank(rank);
    return {.phase = phase(rank),
            .activity = header.blocked.activity.load(std::memory_order_acquire),
            .settled_round = header.settled_round.load(std::memory_order_acquire),
            .transport_events = header.transport_events.load(std::memory_order_relaxed),
            .calls = header.calls.load(std::memory_order_relaxed),
            .traffic = header.messages_sent.load(std::memory_order_relaxed) +
                       header.messages_received.load(std::memory_order_relaxed) +
                       header.synchronisations.load(std::memory_order_relaxed),
            .mismatch = header.mismatch.load(std::memory_order_relaxed) != 0,
            .multithreaded = header.multithreaded.load(std::memory_order_relaxed) != 0,
            .clock = header.clock.load(std::memory_order_relaxed),
            .passed = header.passed.load(std::memory_order_relaxed),
            .timer = header.timer.load(std::memory_order_relaxed),
            .polling_threads = polling_threads(header),
            .idle_threads = idle_threads(header)};
}

RankWaits MemoryView::waits(base::Rank rank) const {
    const RankHeader& header = area_.rank(rank);
    const Board::Blocked& shared = header.blocked;
    RankWaits waits;
    waits.sequence = shared.sequence.load(std::memory_order_acquire);
    if (waits.sequence % 2 != 0) {
        return waits;  // just entering or leaving a wait
    }
    waits.activity = shared.activity.load(std::memory_order_acquire);
    waits.any = shared.waits.any != 0;
    const std::uint64_t count = shared.waits.count;
    const std::uint64_t beyond = count - std::min<std::uint64_t>(count, wait_items);
    const Offset more = shared.waits.more;
    waits.items.assign(shared.waits.items, shared.waits.items + (count - beyond));
    if (beyond != 0) {
        const auto* first = area_.checked<WaitItem>(rank, more);
        if (first == nullptr || beyond > most_waits || beyond > (area_.slab_end(rank) - more) / sizeof(WaitItem)) {
            return waits;  // overwritten, or being written
        }
        waits.items.insert(waits.items.end(), first, first + beyond);
    }
    waits.call = text_of(shared.call);
    waits.site = shared.site;
    waits.idle_threads = idle_threads(header);
    std::atomic_thread_fence(std::memory_order_acquire);
    waits.sound = shared.sequence.load(std::memory_order_relaxed) == waits.sequence;
    return waits;
}

std::optional<std::vector<base::Rank>> MemoryView::group(base::Rank owner, Token token) const {
    return read_group(area_, owner, token);
}

transport::LastCall MemoryView::last_call(base::Rank rank) const {
    const Board::LastCall& last = area_.rank(rank).last_call;
    return {.name = name_of(last.name), .site = last.site, .inside = last.inside.load(std::memory_order_acquire) != 0};
}

std::optional<WrittenSituation> MemoryView::situation(base::Rank rank) const {
    const Board::Situation& written = area_.rank(rank).situation;
    if (written.written.load(std::memory_order_acquire) != 1) {
        return std::nullopt;
    }
    const std::uint32_t frames = std::min(written.frames, situation_frames);
    return WrittenSituation{.call = name_of(written.call),
                            .arguments = text_of(written.arguments),
                            .site = written.site,
                            .frames = {written.program_counters, written.program_counters + frames}};
}

std::optional<std::chrono::steady_clock::time_point> MemoryView::time_of(base::Rank rank, Moment moment) const {
    const auto& noted = area_.rank(rank).moment[static_cast<std::size_t>(moment)];
    const std::chrono::nanoseconds since_start(noted.load(std::memory_order_relaxed));
    return since_start.count() == 0 ? std::nullopt : std::optional(std::chrono::steady_clock::time_point(since_start));
}

void MemoryView::for_each_open(base::Rank source, base::Rank destination,
                               const std::function<void(const Envelope&)>& visit) const {
    for_each_open_envelope(area_, source, destination, visit);
}

void MemoryView::for_each_held(base::Rank source, base::Rank destination,
                               const std::function<void(const Envelope&)>& visit) const {
    for_each_held_envelope(area_, source, destination, visit);
}

std::optional<std::vector<PostedReceive>> MemoryView::posted(base::Rank rank, std::uint64_t most) const {
    if (posted_places(area_, rank) > most) {
        return std::nullopt;
    }
    std::vector<PostedReceive> receives;
    for_each_posted_receive(area_, rank, most, [&](const PostedReceive& receive) {
        receives.push_back(receive);
        return true;
    });
    return receives;
}

bool MemoryView::read_clock(ClockName name, clocks::Clock& clock) const {
    return read_published_clock(area_, name, clock);
}

std::vector<CollectiveProgress> MemoryView::collectives(base::Rank rank) const {
    return collective_progress(area_, rank);
}

std::optional<Contribution> MemoryView::contribution(base::Rank rank, base::CommId comm, std::uint64_t sequence) const {
    return find_contribution(area_, rank, comm, sequence);
}

RankRemains MemoryView::remains(base::Rank rank) const {
    const RankHeader& header = area_.rank(rank);
    RankRemains remains;
    remains.crash_signal = static_cast<int>(header.crash.signal.load(std::memory_order_acquire));
    remains.main_function = header.crash.main_function;
    if (const std::uint32_t status = header.crash.exit_status.load(std::memory_order_acquire); status != 0) {
        remains.exit_status = static_cast<int>((status - 1) & 0xffU);
    }
    remains.crash_stack.assign(header.crash.program_counters,
                               header.crash.program_counters + std::min(header.crash.frames, crash_frames));
    remains.failing = header.failing.load(std::memory_order_acquire);
    remains.open_sessions = header.open_sessions.load(std::memory_order_acquire);
    remains.session_site = header.session_site.load(std::memory_order_relaxed);
    remains.follow_up = header.follow_up.load(std::memory_order_relaxed);
    remains.polling_false_answers = header.polling_false_answers.load(std::memory_order_acquire);
    remains.polling_epoch = header.polling_epoch.load(std::memory_order_relaxed);
    remains.log_full = header.log_full.load(std::memory_order_acquire) != 0;
    for (const Board::NotModelled& slot : header.not_modelled) {
        if (const std::uint64_t count = slot.count.load(std::memory_order_relaxed); count != 0) {
            remains.not_modelled.push_back(
                {.name = text_of(slot.name), .count = count, .site = slot.site.load(std::memory_order_relaxed)});
        }
    }
    return remains;
}

void MemoryView::ask(std::uint32_t round) { area_.header().settle_round.store(round, std::memory_order_release); }

void MemoryView::release_poll(base::Rank rank, std::uint32_t calls) {
    RankHeader& header = area_.rank(rank);
    header.released_polls.store(calls, std::memory_order_relaxed);
    header.poll_release.fetch_add(1, std::memory_order_release);
}

VirtualTime MemoryView::passed(base::Rank rank) const {
    return area_.rank(rank).passed.load(std::memory_order_relaxed);
}

bool MemoryView::timer_is_set(base::Rank rank) const {
    return area_.rank(rank).timer.load(std::memory_order_relaxed) != 0;
}

void MemoryView::let_pass(base::Rank rank, VirtualTime until) {
    area_.rank(rank).granted.store(until, std::memory_order_release);
}

}  // namespace dampi::transport::memory
