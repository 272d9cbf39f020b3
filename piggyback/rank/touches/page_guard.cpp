#include "piggyback/rank/touches/page_guard.hpp"

#include "piggyback/rank/threads/only_thread.hpp"
#include "piggyback/rank/touches/code_at.hpp"
#include "piggyback/rank/touches/memory_map.hpp"
#include "piggyback/rank/touches/page_keys.hpp"
#include "piggyback/rank/touches/page_ranges.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>

#include <ucontext.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/rseq.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace dampi::piggyback::touches {
namespace {

// Of <linux/prctl.h> and <asm/siginfo.h>, which older headers lack.
constexpr int set_dispatch = 59;
constexpr int dispatch_off = 0;
constexpr int dispatch_on = 1;
constexpr char let_pass = 0;
constexpr char tell_before = 1;
constexpr int told_before_call = 2;  ///< si_code of SIGSYS
constexpr int closed_by_key = 4;     ///< si_code of SIGSEGV

constexpr greg_t stop_behind = 0x100;  ///< the flag of the processor

constexpr std::size_t most_buffers = 256;
constexpr std::size_t most_ranges = 512;
constexpr std::size_t most_opened = 8;
constexpr std::size_t most_sites = 64;
constexpr std::size_t most_reasons = 64;
/// So often the program may use what lies beside the buffers of one call: each time takes some microseconds.
constexpr std::uint32_t most_in_vain_of_call = 2000;
/// Handlers of the layer's get by with so much.
constexpr std::size_t least_stack = 32 << 10;

constexpr std::array own_signals{SIGSEGV, SIGTRAP, SIGSYS};

/// As the system knows it: nothing of the C library's is lost.
struct Action {
    std::uintptr_t handler;
    unsigned long flags;
    void (*restorer)();
    std::uint64_t mask;
};
constexpr std::uintptr_t default_action = 0;
constexpr std::uintptr_t ignored = 1;
constexpr unsigned long has_restorer = 0x0400'0000;

struct Range {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    int rights = 0;  ///< of the program's own
    bool to_reads = false;
    bool is_closed = false;
};

struct Site {
    std::uint64_t site = 0;
    std::uint32_t in_vain = 0;
};

// All for one thread, and for its handlers while the program is outside of MPI.
struct {
    bool (*is_programs_handler)(std::uintptr_t handler) noexcept = nullptr;
    std::array<GuardedBuffer, most_buffers> buffers;
    std::size_t buffer_count = 0;
    std::array<Range, most_ranges> ranges;
    std::size_t range_count = 0;

    std::uint32_t in_vain = 0;                      ///< uses of what lies beside buffers
    std::uint32_t most_in_vain = 0;                 ///< of these
    bool by_keys = false;                           ///< pages are closed by protection keys
    std::uint32_t rights_before = 0;                ///< by these, when the processor was to stop
    void* thread = nullptr;                         ///< that uses all this
    bool armed = false;                             ///< what is closed is ours to open
    std::atomic<bool> opening = false;              ///< all is being opened, on a stack that may be closed
    bool stepping = false;                          ///< the processor is to stop behind the next instruction
    bool all_open = false;                          ///< meanwhile
    std::array<std::uint64_t, most_opened> opened;  ///< else these pages
    std::size_t opened_count = 0;
    char in_program = let_pass;  ///< what `dispatch` is to be there

    bool dispatches = false;  ///< the system looks at `dispatch`
    bool cannot_dispatch = false;
    bool has_handlers = false;  ///< ours
    std::array<Action, own_signals.size()> actions;
    void (*restorer)() = nullptr;
    bool knows_handlers = false;  ///< the program has not changed any since they were looked at
    bool stack_is_used = false;   ///< by handlers
    bool handlers_block = false;

    /// Something of what was to be guarded could be used without being told of. Also in handlers of other threads.
    std::atomic<bool> has_missed = false;
    std::array<Site, most_sites> sites;
    std::size_t site_count = 0;
    std::array<UnwatchedPlace, most_reasons> reasons;
    std::size_t reason_count = 0;

    std::atomic<int> depth = 0;  ///< how often MPI was entered, and not left
} guard_state;
auto& state = guard_state;

volatile char dispatch = let_pass;

MemoryMap& memory_map() {
    static auto* const map = new MemoryMap;  // lives as long as the process
    return *map;
}

void note_missed() noexcept { state.has_missed.store(true, std::memory_order_relaxed); }

void add_reason(Unwatched why, std::uint64_t site) noexcept {
    note_missed();
    for (std::size_t i = 0; i < state.reason_count; ++i) {
        if (state.reasons[i].why == why && state.reasons[i].site == site) {
            return;
        }
    }
    if (state.reason_count < most_reasons) {
        state.reasons[state.reason_count++] = {.why = why, .site = site};
    }
}

/// Null where there is no room for another one.
Site* site_of(std::uint64_t site) noexcept {
    for (std::size_t i = 0; i < state.site_count; ++i) {
        if (state.sites[i].site == site) {
            return &state.sites[i];
        }
    }
    if (state.site_count == most_sites) {
        return nullptr;
    }
    state.sites[state.site_count] = {.site = site, .in_vain = 0};
    return &state.sites[state.site_count++];
}

bool is_busy(std::uint64_t site) noexcept {
    const Site* const found = site_of(site);
    return found == nullptr || found->in_vain >= most_in_vain_of_call || state.in_vain >= state.most_in_vain;
}

// ---- the system ------------------------------------------------------------------------------------------

bool set_action(int signal, const Action* now, Action* before) noexcept {
    return syscall(SYS_rt_sigaction, signal, now, before, sizeof(std::uint64_t)) == 0;
}

constexpr std::uint64_t bit_of(int signal) { return std::uint64_t{1} << (signal - 1); }

constexpr std::uint64_t own_bits = bit_of(SIGSEGV) | bit_of(SIGTRAP) | bit_of(SIGSYS);

bool set_rights(std::uint64_t begin, std::uint64_t end, int rights) noexcept {
    return syscall(SYS_mprotect, begin, end - begin, rights) == 0;
}

bool open_pages(std::uint64_t begin, std::uint64_t end, const Range& range) noexcept {
    return state.by_keys ? set_key(begin, end, range.rights, Key::none) : set_rights(begin, end, range.rights);
}

bool close_pages(std::uint64_t begin, std::uint64_t end, const Range& range) noexcept {
    return state.by_keys ? set_key(begin, end, range.rights, range.to_reads ? Key::all : Key::stores)
                         : set_rights(begin, end, range.to_reads ? PROT_NONE : range.rights & ~PROT_WRITE);
}

void open_all() noexcept {
    for (std::size_t i = 0; i < state.range_count; ++i) {
        Range& range = state.ranges[i];
        if (range.is_closed && open_pages(range.begin, range.end, range)) {
            range.is_closed = false;
        }
    }
}

void close_all() noexcept {
    for (std::size_t i = 0; i < state.range_count; ++i) {
        Range& range = state.ranges[i];
        // First, for the stack that this runs on may be in there.
        range.is_closed = true;
        if (!close_pages(range.begin, range.end, range)) {
            open_pages(range.begin, range.end, range);  // a part of it may be gone
            range.is_closed = false;
        }
    }
}

/// A handler of ours begins: what it looks at is open to it.
void begin_handler() noexcept {
    dispatch = let_pass;
    if (state.by_keys) {
        set_rights_by_keys(opened(rights_by_keys()));
    }
}

/// The thread goes on with one instruction, to which all is open, and stops behind it. Whether it can.
bool step(ucontext_t& context) noexcept {
    if (state.by_keys) {
        std::uint32_t* const saved = saved_rights(context);
        if (saved == nullptr) {
            return false;
        }
        state.rights_before = *saved;
        *saved = opened(*saved);
    }
    state.stepping = true;
    context.uc_mcontext.gregs[REG_EFL] |= stop_behind;
    return true;
}

void put_handlers_back() noexcept {
    if (state.has_handlers) {
        for (std::size_t i = 0; i < own_signals.size(); ++i) {
            set_action(own_signals[i], &state.actions[i], nullptr);
        }
        state.has_handlers = false;
    }
}

/// Until MPI is left for the next time nothing is closed.
void open_until_left() noexcept {
    dispatch = let_pass;
    state.in_program = let_pass;
    state.opening.store(true, std::memory_order_relaxed);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    open_all();
    std::atomic_signal_fence(std::memory_order_seq_cst);
    state.opening.store(false, std::memory_order_relaxed);
    state.armed = false;
    state.stepping = false;
    state.all_open = false;
    state.opened_count = 0;
}

/// Likewise, while the program is outside of MPI.
void leave_open() noexcept {
    note_missed();
    open_until_left();
}

/// The signal is not ours: whoever else is there gets it.
void hand_over(int signal, siginfo_t* what, bool comes_again) noexcept {
    leave_open();
    put_handlers_back();
    if (!comes_again) {
        syscall(SYS_rt_tgsigqueueinfo, getpid(), syscall(SYS_gettid), signal, what);
    }
}

class KeepErrno {
public:
    KeepErrno() = default;
    ~KeepErrno() { errno = value_; }
    KeepErrno(const KeepErrno&) = delete;
    KeepErrno& operator=(const KeepErrno&) = delete;

private:
    int value_ = errno;
};

// ---- what the program does -------------------------------------------------------------------------------

Range* range_of(std::uint64_t address) noexcept {
    Range* const first = state.ranges.data();
    Range* const last = first + state.range_count;
    Range* const found =
        std::upper_bound(first, last, address, [](std::uint64_t value, const Range& each) { return value < each.end; });
    return found != last && found->begin <= address && found->is_closed ? found : nullptr;
}

/// What is looked at may lie on closed pages; with keys all is open to handlers.
void open_to_handler() noexcept {
    if (!state.by_keys && !state.all_open) {
        open_all();
        state.all_open = true;
    }
}

/// Whether all that is read is meant: instructions may take several elements at once, of which not all are used.
enum class Reads { exactly, some_bytes, nothing_certain };

Reads reads_of(std::uint64_t code) noexcept {
    if (!is_system_code(code)) {
        return Reads::some_bytes;
    }
    open_to_handler();  // the dynamic linker's tables lie on the heap, too
    return copies_exactly(code) ? Reads::exactly : Reads::nothing_certain;
}

bool surely_reads(const Region& region, const MemoryAccess& access, Reads reads) noexcept {
    const auto begin = static_cast<std::int64_t>(access.begin);
    return reads == Reads::exactly ||
           (reads == Reads::some_bytes && covers(region, begin, begin + static_cast<std::int64_t>(access.size)));
}

/// The program's place. The stack, which it may take to find it, may be closed.
std::uint64_t place_in_program(std::uint64_t code) noexcept {
    open_to_handler();
    return place_of(code);
}

/// Tells of it, if it is one. `code`: where.
void look_at(const MemoryAccess& access, std::uint64_t code, Reads reads) noexcept {
    const auto begin = static_cast<std::int64_t>(access.begin);
    const std::int64_t end = begin + static_cast<std::int64_t>(access.size);
    for (std::size_t i = 0; i < state.buffer_count; ++i) {
        GuardedBuffer& buffer = state.buffers[i];
        if (buffer.whose == nullptr || begin >= buffer.region.end || end <= buffer.region.begin) {
            continue;
        }
        if (buffer.region.element != nullptr) {
            open_to_handler();  // the datatype's blocks are on the heap
        }
        const std::int64_t byte = first_byte_in(buffer.region, begin, end);
        if (byte < 0) {
            continue;
        }
        const bool writes = access.writes;
        if (!writes && !(buffer.received && access.reads && surely_reads(buffer.region, access, reads))) {
            if (buffer.received) {
                note_missed();
            }
            continue;
        }
        const Touch touch{.byte = byte,
                          .end = std::min(end, buffer.region.end),
                          .size = access.size,
                          .writes = writes,
                          .site = place_in_program(code),
                          .code = code};
        if (!buffer.told(buffer, touch)) {
            buffer.whose = nullptr;
            note_missed();
        }
    }
}

/// The program has used what lies beside buffers, or what is known by now, on that page. Whether that is too often.
bool count_in_vain(std::uint64_t address) noexcept {
    const std::uint64_t begin = page_of(address);
    bool too_often = ++state.in_vain >= state.most_in_vain;
    for (std::size_t i = 0; i < state.buffer_count; ++i) {
        const GuardedBuffer& buffer = state.buffers[i];
        if (static_cast<std::uint64_t>(buffer.region.begin) < begin + page &&
            begin < static_cast<std::uint64_t>(buffer.region.end)) {
            Site* const site = site_of(buffer.site);
            if (site == nullptr || ++site->in_vain >= most_in_vain_of_call) {
                add_reason(Unwatched::busy_pages, buffer.site);
                too_often = true;
            }
        }
    }
    return too_often;
}

InstructionAccesses accesses_at(const ucontext_t& context) noexcept {
    const SavedRegisters registers = registers_of(context);
    const auto code = static_cast<std::uint64_t>(registers.general[REG_RIP]);
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(code);
    constexpr std::uint64_t longest = 15;
    const std::uint64_t here = std::min(longest, page_of(code) + page - code);
    InstructionAccesses found = accesses_of(bytes, here, registers);
    if (found.is_partial && here < longest) {
        found = accesses_of(bytes, longest, registers);  // so it goes on in the next page
    }
    return found;
}

/// A library's thread has come to a closed page: it stays open until MPI is left for the next time.
void open_for_other_thread(const siginfo_t* what) noexcept {
    static std::atomic<std::uint64_t> last{0};
    const auto address = reinterpret_cast<std::uint64_t>(what->si_addr);
    for (std::size_t i = 0; i < state.range_count; ++i) {
        const Range& range = state.ranges[i];
        const bool is_closed = what->si_code == SEGV_ACCERR || what->si_code == closed_by_key;
        if (is_closed && range.begin <= address && address < range.end) {
            note_missed();
            open_pages(page_of(address), page_of(address) + page, range);
            return;
        }
    }
    // It may have been opened meanwhile; else the fault comes again.
    if (last.exchange(address) == address) {
        put_handlers_back();
    }
}

void on_fault(int signal, siginfo_t* what, void* context) noexcept {
    const KeepErrno keep;
    if (__builtin_thread_pointer() != state.thread) {
        open_for_other_thread(what);
        return;
    }
    begin_handler();
    gregset_t& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
    const auto address = reinterpret_cast<std::uint64_t>(what->si_addr);
    const auto code = static_cast<std::uint64_t>(registers[REG_RIP]);
    const int closed_code = state.by_keys ? closed_by_key : SEGV_ACCERR;
    const Range* const range = state.armed && what->si_code == closed_code ? range_of(address) : nullptr;
    const std::uint64_t begin = page_of(address);
    const auto* const opened_end = state.opened.data() + state.opened_count;
    const bool is_opened = std::find<const std::uint64_t*>(state.opened.data(), opened_end, begin) != opened_end;
    if (range == nullptr || is_opened || (state.by_keys && state.stepping)) {
        hand_over(signal, what, what->si_code > 0);
        return;
    }
    if (!state.by_keys) {  // by keys all is opened at once
        if (state.opening.load(std::memory_order_relaxed)) {
            note_missed();
            open_all();  // closed again it would be behind the back of who opens
            return;
        }
        if (state.opened_count == most_opened || !open_pages(begin, begin + page, *range)) {
            leave_open();
            return;
        }
        state.opened[state.opened_count++] = begin;
        if (state.stepping) {
            return;  // another page of the same instruction
        }
    }
    const InstructionAccesses accesses = accesses_at(*static_cast<const ucontext_t*>(context));
    for (std::size_t i = 0; i < accesses.count; ++i) {
        look_at(accesses.all[i], code, reads_of(code));
    }
    if (accesses.is_partial) {
        add_reason(Unwatched::unknown_code, place_in_program(code));
    }
    if (!accesses.steps || accesses.is_partial || count_in_vain(address) || !step(*static_cast<ucontext_t*>(context))) {
        leave_open();
    }
}

void on_step(int signal, siginfo_t* what, void* context) noexcept {
    const KeepErrno keep;
    begin_handler();
    gregset_t& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
    if (!state.stepping || what->si_code <= 0) {
        // One that we have asked for, but the program has gone elsewhere meanwhile, comes to nobody.
        const bool asked = what->si_code == TRAP_TRACE && (registers[REG_EFL] & stop_behind) != 0;
        registers[REG_EFL] &= ~stop_behind;
        if (!asked) {
            hand_over(signal, what, false);
        }
        return;
    }
    registers[REG_EFL] &= ~stop_behind;
    state.stepping = false;
    if (state.all_open) {
        state.all_open = false;
        state.opened_count = 0;
        close_all();
    }
    for (std::size_t i = 0; i < state.opened_count; ++i) {
        if (const Range* const range = range_of(state.opened[i])) {
            close_pages(state.opened[i], state.opened[i] + page, *range);
        }
    }
    state.opened_count = 0;
    if (std::uint32_t* const saved = state.by_keys ? saved_rights(*static_cast<ucontext_t*>(context)) : nullptr) {
        *saved = as_in(state.rights_before, *saved);
    }
    dispatch = state.in_program;
}

/// What the program may change by such a call is looked at when MPI is left for the next time.
bool changes_the_process(int call) noexcept {
    switch (call) {
        case SYS_rt_sigaction:
            state.knows_handlers = false;
            return true;
        case SYS_munmap:
        case SYS_mremap:
        case SYS_mprotect:
        case SYS_pkey_mprotect:
            memory_map().forget();
            return true;
        case SYS_clone:
        case SYS_clone3:
        case SYS_fork:
        case SYS_vfork:
        case SYS_execve:
        case SYS_execveat:
        case SYS_rt_sigreturn:
        case SYS_rt_sigprocmask:
        case SYS_sigaltstack:
        case SYS_prctl:
        case SYS_arch_prctl:
            return true;
        default:
            return false;
    }
}

/// What the system is asked to read for the program.
void look_at_call(int call, const gregset_t& registers) noexcept {
    if (call == SYS_write || call == SYS_pwrite64 || call == SYS_sendto) {
        const MemoryAccess access{.begin = static_cast<std::uint64_t>(registers[REG_RSI]),
                                  .size = static_cast<std::uint64_t>(registers[REG_RDX]),
                                  .reads = true};
        if (access.size != 0 && access.size <= PTRDIFF_MAX - access.begin) {
            look_at(access, static_cast<std::uint64_t>(registers[REG_RIP]), Reads::exactly);
        }
    }
}

void on_call(int signal, siginfo_t* what, void* context) noexcept {
    const KeepErrno keep;
    begin_handler();
    gregset_t& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
    if (what->si_code != told_before_call || !state.armed) {
        hand_over(signal, what, false);
        return;
    }
    constexpr greg_t length_of_call = 2;
    registers[REG_RIP] -= length_of_call;
    open_to_handler();
    look_at_call(what->si_syscall, registers);
    state.opened_count = 0;
    if (changes_the_process(what->si_syscall) || !step(*static_cast<ucontext_t*>(context))) {
        leave_open();
        put_handlers_back();
    }
}

// ---- before MPI is left ----------------------------------------------------------------------------------

void set_handlers() noexcept {
    constexpr std::array<void (*)(int, siginfo_t*, void*) noexcept, own_signals.size()> handlers{on_fault, on_step,
                                                                                                 on_call};
    for (std::size_t i = 0; i < own_signals.size(); ++i) {
        const Action ours{.handler = reinterpret_cast<std::uintptr_t>(handlers[i]),
                          .flags = SA_SIGINFO | SA_ONSTACK | has_restorer,
                          .restorer = state.restorer,
                          .mask = ~std::uint64_t{0}};
        set_action(own_signals[i], &ours, &state.actions[i]);
    }
    state.has_handlers = true;
}

/// Where the C library's handlers return to: a call of the system there need not be told of.
void find_restorer() noexcept {
    struct sigaction any {};
    struct sigaction before {};
    Action known{};
    any.sa_handler = SIG_IGN;
    if (sigaction(SIGTRAP, &any, &before) == 0 && set_action(SIGTRAP, nullptr, &known)) {
        state.restorer = known.restorer;
    }
    sigaction(SIGTRAP, &before, nullptr);
}

bool dispatch_calls(bool on) noexcept {
    constexpr unsigned long length = 16;
    const bool done = on ? syscall(SYS_prctl, set_dispatch, dispatch_on, state.restorer, length, &dispatch) == 0
                         : syscall(SYS_prctl, set_dispatch, dispatch_off, 0, 0, 0) == 0;
    state.dispatches = on && done;
    return done;
}

void look_at_handlers() noexcept {
    state.stack_is_used = false;
    state.handlers_block = false;
    for (int signal = 1; signal <= 64; ++signal) {
        Action action{};
        const bool is_libcs = signal > SIGSYS && signal < SIGRTMIN;
        if (is_libcs || (bit_of(signal) & own_bits) != 0 || !set_action(signal, nullptr, &action) ||
            action.handler == default_action || action.handler == ignored ||
            !state.is_programs_handler(action.handler)) {
            continue;
        }
        state.stack_is_used = state.stack_is_used || (action.flags & SA_ONSTACK) == 0;
        state.handlers_block = state.handlers_block || (action.mask & own_bits) != 0;
    }
    state.knows_handlers = true;
}

/// Nothing where all is as it must be.
bool find_obstacle(unsigned harmless_threads, Unwatched& why, stack_t& stack) noexcept {
    std::uint64_t blocked = 0;
    if (state.cannot_dispatch) {
        why = Unwatched::no_dispatch;
        return true;
    }
    if (!is_only_thread(harmless_threads)) {
        why = Unwatched::other_threads;
        return true;
    }
    if (syscall(SYS_rt_sigprocmask, SIG_BLOCK, nullptr, &blocked, sizeof blocked) != 0 || (blocked & own_bits) != 0) {
        why = Unwatched::blocked_signals;
        return true;
    }
    if (sigaltstack(nullptr, &stack) != 0 || (stack.ss_flags & (SS_DISABLE | SS_ONSTACK)) != 0 ||
        stack.ss_size < least_stack) {
        why = Unwatched::small_stack;
        return true;
    }
    if (!state.knows_handlers) {
        look_at_handlers();
    }
    why = Unwatched::handlers;
    return state.handlers_block;
}

/// The bytes of the buffer that may be closed, with what lies beside them on the same pages or without.
void add_bytes(const GuardedBuffer& buffer, std::vector<Closed>& bytes) {
    const auto begin = static_cast<std::uint64_t>(buffer.region.begin);
    const auto end = static_cast<std::uint64_t>(buffer.region.end);
    const Mapped* const mapped = memory_map().find(begin);
    const bool on_stack = mapped != nullptr && mapped->is_stack && state.stack_is_used;
    if (!on_stack && !is_busy(buffer.site)) {
        bytes.push_back({.begin = begin, .end = end, .to_reads = buffer.received});
        return;
    }
    if (on_stack) {
        add_reason(Unwatched::stack, buffer.site);
    }
    const std::uint64_t first = page_of(begin + page - 1);
    const std::uint64_t last = page_of(end);
    if (buffer.region.element == nullptr && first < last) {
        bytes.push_back({.begin = first, .end = last, .to_reads = buffer.received});
    }
}

/// What of it the program may read and write by rights.
void add_ranges(const Closed& pages) {
    for (std::uint64_t at = pages.begin; at < pages.end;) {
        const Mapped* const mapped = memory_map().find(at);
        if (mapped == nullptr) {
            at += page;
            continue;
        }
        const std::uint64_t end = std::min(pages.end, mapped->end);
        constexpr int both = PROT_READ | PROT_WRITE;
        if ((mapped->rights & both) == both) {
            if (state.range_count == most_ranges) {
                add_reason(Unwatched::too_many, 0);
                return;
            }
            state.ranges[state.range_count++] = {
                .begin = at, .end = end, .rights = mapped->rights, .to_reads = pages.to_reads};
        }
        at = end;
    }
}

}  // namespace

namespace page_guard_detail {

bool is_on = false;

void enter() noexcept {
    if (state.depth.fetch_add(1, std::memory_order_relaxed) != 0) {
        return;
    }
    const KeepErrno keep;
    if (state.armed || state.has_handlers) {
        open_until_left();
        put_handlers_back();
    }
    state.buffer_count = 0;
    state.range_count = 0;
}

void leave() noexcept {
    if (state.depth.fetch_sub(1, std::memory_order_relaxed) != 1 || state.range_count == 0) {
        return;
    }
    const KeepErrno keep;
    state.thread = __builtin_thread_pointer();
    set_handlers();
    if (!dispatch_calls(true)) {
        state.cannot_dispatch = true;
        add_reason(Unwatched::no_dispatch, 0);
        put_handlers_back();
        return;
    }
    state.armed = true;
    close_all();
    state.in_program = tell_before;
    dispatch = tell_before;
    if (state.by_keys) {
        set_rights_by_keys(closed(rights_by_keys()));
    }
}

void open_for_threads() noexcept {
    if (state.armed) {
        add_reason(Unwatched::other_threads, 0);
    }
    give_up();
}

}  // namespace page_guard_detail

void start(bool (*is_programs)(std::uintptr_t handler) noexcept, Means means, std::uint32_t most_in_vain) noexcept {
    state.is_programs_handler = is_programs;
    state.in_vain = 0;
    state.has_missed = false;
    state.most_in_vain = most_in_vain;
    state.by_keys = means == Means::best && have_keys();
    page_guard_detail::is_on = true;
    if (!find_decoder()) {
        add_reason(Unwatched::no_decoder, 0);
        return;
    }
    find_system_code();
    if (state.restorer == nullptr) {
        find_restorer();
    }
    static_cast<void>(memory_map());
}

void stop() noexcept {
    if (page_guard_detail::is_on) {
        give_up();
        give_keys_back();
        page_guard_detail::is_on = false;
    }
}

bool closes_for_one_thread() noexcept { return state.by_keys; }

void guard(const std::vector<GuardedBuffer>& buffers, unsigned harmless_threads) {
    state.buffer_count = 0;
    state.range_count = 0;
    if (buffers.empty()) {
        state.knows_handlers = false;
        if (state.dispatches) {
            dispatch_calls(false);
        }
        return;
    }
    Unwatched why{};
    stack_t stack{};
    if (state.restorer == nullptr || find_obstacle(harmless_threads, why, stack)) {
        add_reason(state.restorer == nullptr ? Unwatched::no_decoder : why, 0);
        return;
    }
    std::vector<Closed> bytes;
    for (const GuardedBuffer& each : buffers) {
        if (state.buffer_count == most_buffers) {
            add_reason(Unwatched::too_many, each.site);
            break;
        }
        state.buffers[state.buffer_count++] = each;
        add_bytes(each, bytes);
    }
    std::vector<Closed> pages = pages_of(bytes);
    // What the system itself writes to: of the thread, and where handlers run.
    const auto thread = reinterpret_cast<std::uint64_t>(__builtin_thread_pointer());
    const auto kernels = thread + static_cast<std::uint64_t>(__rseq_offset);
    constexpr std::uint64_t of_thread = 4096;
    leave_out(pages, page_of(std::min(thread, kernels)), page_of(std::max(thread, kernels) + of_thread + page - 1));
    const auto handlers = reinterpret_cast<std::uint64_t>(stack.ss_sp);
    leave_out(pages, page_of(handlers), page_of(handlers + stack.ss_size + page - 1));
    for (const Closed& each : pages) {
        add_ranges(each);
    }
}

std::vector<UnwatchedPlace> take_reasons() {
    std::vector<UnwatchedPlace> taken(state.reasons.begin(),
                                      state.reasons.begin() + static_cast<std::ptrdiff_t>(state.reason_count));
    state.reason_count = 0;
    return taken;
}

bool may_have_missed() noexcept { return state.has_missed.load(std::memory_order_relaxed); }

std::uint64_t given_up_sites() noexcept {
    std::uint64_t all = 0;
    for (std::size_t i = 0; i < state.site_count; ++i) {
        all += state.sites[i].in_vain >= most_in_vain_of_call ? state.sites[i].site : 0;
    }
    return all;
}

void give_up() noexcept {
    if (page_guard_detail::is_on && (state.armed || state.has_handlers)) {
        leave_open();
        put_handlers_back();
    }
}

}  // namespace dampi::piggyback::touches
