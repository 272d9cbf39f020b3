#include "scheduler/watch/stack_eye.hpp"

#include "base/hash.hpp"
#include "scheduler/watch/mpi_frames.hpp"

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <utility>

namespace dampi::scheduler::watch {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t set_size = 10;
constexpr int looks_until_swap = 30;
constexpr int looks_of_poller = 25;
constexpr std::size_t most_threads = 16;
constexpr milliseconds patience_of_look{50};

std::uint64_t place_of(const launch::ObservedFrame& frame) {
    return base::Hash().add(frame.place.module).add(frame.place.offset).value();
}

ThreadLook as_thread(pid_t process, pid_t thread, const std::vector<launch::ObservedFrame>& stack,
                     const std::string& program) {
    ThreadLook look{.thread = thread, .ticks = launch::ticks_of_thread(process, thread)};
    for (const launch::ObservedFrame& frame : stack) {
        look.stack.push_back(frame.place);
    }
    look.is_in_program = stack.front().place.module == program;
    return look;
}

std::string program_of(pid_t process) {
    std::error_code error;
    return std::filesystem::read_symlink("/proc/" + std::to_string(process) + "/exe", error).string();
}

}  // namespace

StackEye::StackEye() = default;

void StackEye::set_ranks(const std::vector<RankProcess>& ranks) {
    if (ranks == ranks_) {
        return;
    }
    ranks_ = ranks;
    std::erase_if(observed_, [&ranks](const auto& entry) {
        return std::none_of(ranks.begin(), ranks.end(),
                            [&entry](const RankProcess& rank) { return rank.process == entry.first; });
    });
    choose_set();
}

void StackEye::choose_set() {
    std::vector<std::size_t> order(ranks_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), random_);
    const auto first = static_cast<std::ptrdiff_t>(std::min(set_size, order.size()));
    const auto second = static_cast<std::ptrdiff_t>(std::min(2 * set_size, order.size()));
    chosen_.assign(order.begin(), order.begin() + first);
    others_.assign(order.begin() + first, order.begin() + second);
    std::sort(chosen_.begin(), chosen_.end());
    std::sort(others_.begin(), others_.end());
    looks_of_set_ = 0;
}

Look StackEye::look() {
    if (++looks_of_set_ > looks_until_swap && others_.size() == set_size) {
        std::swap(chosen_, others_);
        looks_of_set_ = 0;
    }
    Look look;
    bool has_seen = ranks_.empty();
    for (const std::size_t i : chosen_) {
        StackLook one = look_at(ranks_[i], patience_of_look, Depth::until_in_mpi);
        has_seen = has_seen || !one.stack.empty() || one.rank.where == Whereabouts::ended;
        look.push_back(std::move(one.rank));
    }
    can_see_ = has_seen;
    return look;
}

std::vector<StackLook> StackEye::look_at_all(milliseconds patience) {
    std::vector<StackLook> looks;
    for (const RankProcess& rank : ranks_) {
        looks.push_back(look_at(rank, patience, Depth::all_threads));
    }
    return looks;
}

StackLook StackEye::look_at(const RankProcess& rank, milliseconds patience, Depth depth) {
    StackLook seen;
    seen.rank.rank = rank.rank;
    seen.rank.process = rank.process;
    const launch::ProcessState kernel = launch::state_of_process(rank.process);
    seen.rank.stopped = kernel.state == 'T';
    seen.rank.traced = kernel.tracer != 0;
    seen.work = {kernel.state, kernel.ticks, kernel.io_bytes};
    if (kernel.state == 'X' || kernel.state == 'Z') {
        seen.rank.where = Whereabouts::ended;
        return seen;
    }
    if (seen.rank.traced) {
        return seen;
    }
    auto found = observed_.find(rank.process);
    if (found == observed_.end()) {
        found = observed_.emplace(rank.process, launch::ObservedProcess(rank.process)).first;
    }
    launch::ObservedProcess& process = found->second;
    // A rank is in MPI when any of its threads is; the first thread is asked first, and mostly the only one.
    std::vector<launch::ObservedFrame> stack;
    std::optional<MpiCall> call;
    pid_t caller = 0;
    std::size_t asked = 0;
    std::vector<pid_t> threads = process.threads();
    threads.resize(std::min(threads.size(), most_threads));
    const bool looks_at_all = depth == Depth::all_threads && threads.size() > 1;
    const std::string program = looks_at_all ? program_of(rank.process) : std::string{};
    for (const pid_t thread : threads) {
        auto of_thread = process.read_stack(thread, patience);
        auto call_of_thread = find_mpi_call(of_thread);
        if (looks_at_all && !call_of_thread &&
            std::any_of(of_thread.begin(), of_thread.end(),
                        [&program](const auto& frame) { return frame.place.module == program; })) {
            seen.threads.push_back(as_thread(rank.process, thread, of_thread, program));
        }
        if (asked++ == 0 || (call_of_thread && !call)) {
            stack = std::move(of_thread);
            call = std::move(call_of_thread);
            caller = thread;
        }
        if (call && !looks_at_all) {
            break;
        }
    }
    if (stack.empty()) {
        // It has got no processor for so long that it could not stop, or has just begun to end: nothing is known of it.
        if (const auto last = last_seen_.find(rank.process); last != last_seen_.end()) {
            const RankLook now = std::exchange(seen.rank, last->second);
            seen.rank.stopped = now.stopped;
        }
        return seen;
    }
    const std::size_t from = call ? call->caller : 0;
    for (std::size_t i = from; i < stack.size(); ++i) {
        seen.stack.push_back(stack[i].place);
    }
    if (call) {
        seen.rank.function = call->function;
        seen.rank.where = only_asks(call->function) ? Whereabouts::polling : Whereabouts::inside;
    }
    // Who asks, sleeps and asks again is mostly seen asleep.
    if (seen.rank.where == Whereabouts::polling) {
        last_poll_[rank.process] = {.thread = caller, .function = seen.rank.function};
    } else if (seen.rank.where == Whereabouts::inside) {
        last_poll_.erase(rank.process);
    } else if (const auto polled = last_poll_.find(rank.process);
               polled != last_poll_.end() && ++polled->second.looks_since < looks_of_poller) {
        seen.rank.where = Whereabouts::polling;
        seen.rank.function = polled->second.function;
        std::erase_if(seen.threads, [&](const ThreadLook& one) { return one.thread == polled->second.thread; });
    }
    if (from < stack.size()) {
        const launch::ObservedFrame& at = stack[from];
        // Who computes is somewhere else each time: what it was called from says which computation it is.
        const std::size_t known = call || from + 1 >= stack.size() ? from : from + 1;
        base::Hash place;
        place.add(seen.rank.function);
        for (std::size_t i = known; i < stack.size(); ++i) {
            place.add(place_of(stack[i]));
        }
        seen.rank.place = place.value();
        if (seen.rank.where == Whereabouts::inside) {
            seen.rank.token = base::Hash()
                                  .add(place.value())
                                  .add(at.address)
                                  .add(at.saved)
                                  .add(at.stack == 0 ? 0 : process.digest_of_stack(at.stack))
                                  .value();
        }
        std::uint64_t& last = last_place_[rank.process];
        visits_[seen.rank.place] += last == seen.rank.place ? 0 : 1;
        last = seen.rank.place;
        seen.rank.visits = visits_[seen.rank.place];
    }
    last_seen_[rank.process] = seen.rank;
    return seen;
}

}  // namespace dampi::scheduler::watch
