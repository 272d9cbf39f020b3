#include "piggyback/rank/lifecycle/prepare.hpp"

#include "launch/descriptor_packets.hpp"
#include "launch/guard.hpp"
#include "launch/prepare_protocol.hpp"
#include "piggyback/rank/code_places.hpp"
#include "piggyback/rank/engine.hpp"
#include "piggyback/rank/lifecycle/environment.hpp"
#include "piggyback/rank/lifecycle/main_function.hpp"
#include "piggyback/rank/lifecycle/rewind.hpp"
#include "piggyback/rank/memory/program_state.hpp"
#include "piggyback/rank/symbols.hpp"
#include "piggyback/rank/threads/only_thread.hpp"
#include "transport/memory/area.hpp"
#include "transport/requests/exchange.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <span>
#include <string_view>
#include <utility>

#include <stdio_ext.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

namespace dampi::piggyback {
namespace {

using launch::PrepareAnswer;
using launch::PrepareRequest;

bool before_ranks = true;  ///< before main, or before MPI_Init where ranks are forked behind it
bool behind_init = false;
bool in_main = false;
bool initialised = false;
int prepare_socket = -2;                        ///< -1: not to be prepared; -2: not looked
int rank_socket = -1;                           ///< PMI's; -1: the rank was executed
bool (*make_rank)(const char* path) = nullptr;  ///< from the path of the run's memory
const char* own_of_process = nullptr;           ///< what the rank has seen of it

/// Not by getenv, which is a hook of ours.
int find_socket() noexcept {
    const std::string_view name = launch::prepare_variable;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        if (std::string_view(*entry).starts_with(name) && (*entry)[name.size()] == '=') {
            behind_init = std::strstr(*entry + name.size() + 1, launch::prepare_behind_init) != nullptr;
            return std::atoi(*entry + name.size() + 1);
        }
    }
    return -1;
}

void say(int socket, const PrepareAnswer& answer) noexcept { send(socket, &answer, sizeof answer, MSG_NOSIGNAL); }

[[noreturn]] void give_up(const char* why) noexcept {
    PrepareAnswer answer;
    answer.what = PrepareAnswer::What::unfit;
    constexpr std::string_view before_main = "before main";
    const std::string_view text(why);
    const bool other = behind_init && text.ends_with(before_main);
    std::snprintf(answer.text, sizeof answer.text, "%.*s%s",
                  static_cast<int>(text.size() - (other ? before_main.size() : 0)), why,
                  other ? "before MPI_Init" : "");
    say(prepare_socket, answer);
    _exit(0);
}

bool has_posix_timers() noexcept {
    const int file = open("/proc/self/timers", O_RDONLY | O_CLOEXEC);
    char byte = 0;
    const bool any = file >= 0 && read(file, &byte, 1) > 0;
    if (file >= 0) {
        close(file);
    }
    return any;
}

bool has_interval_timers() noexcept {
    for (const auto which : {ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF}) {
        itimerval timer{};
        if (getitimer(which, &timer) != 0 || timer.it_value.tv_sec != 0 || timer.it_value.tv_usec != 0) {
            return true;
        }
    }
    return false;
}

/// What can be seen from inside; dampi-run looks at the rest from outside.
void check_process() noexcept {
    siginfo_t info{};
    rusage of_children{};  // those that have been waited for
    if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 || errno != ECHILD ||
        getrusage(RUSAGE_CHILDREN, &of_children) != 0 || of_children.ru_minflt != 0) {
        give_up("it starts other processes before main");
    }
    if (has_interval_timers() || has_posix_timers()) {
        give_up("it sets a timer before main");
    }
    if (__fpending(stdout) != 0 || __fpending(stderr) != 0) {
        give_up("it writes before main");
    }
}

// ---- forking ---------------------------------------------------------------------------------------------

/// What glibc's fork hands to the kernel: where the C library keeps the thread's number, and its list of robust locks.
struct ThreadMemory {
    int* number = nullptr;
    void* robust_locks = nullptr;
    std::size_t robust_locks_size = 0;
};

constexpr const char* no_thread_memory = "the system does not tell where the C library keeps the thread's number";

/// False: the system does not tell.
bool find_thread_memory(ThreadMemory& memory) noexcept {
    if (prctl(PR_GET_TID_ADDRESS, &memory.number) != 0 || memory.number == nullptr || *memory.number != getpid()) {
        return false;
    }
    if (syscall(SYS_get_robust_list, 0, &memory.robust_locks, &memory.robust_locks_size) != 0) {
        memory.robust_locks = nullptr;
    }
    return true;
}

/// The child is our parent's. 0 in the child.
long fork_for_parent(const ThreadMemory& memory) noexcept {
    constexpr unsigned long flags = CLONE_PARENT | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID | SIGCHLD;
#if defined(__x86_64__)
    const long child = syscall(SYS_clone, flags, nullptr, nullptr, memory.number, nullptr);
#else
    const long child = syscall(SYS_clone, flags, nullptr, nullptr, nullptr, memory.number);
#endif
    if (child == 0 && memory.robust_locks != nullptr) {
        syscall(SYS_set_robust_list, memory.robust_locks, memory.robust_locks_size);
    }
    return child;
}

/// Where the kernel believes the process' parts to be; equal in all ranks but for the heap's end. No end of the
/// arguments: it could not be found out.
prctl_mm_map find_memory_map() noexcept {
    prctl_mm_map map{};
    std::array<char, 1024> text{};
    const int file = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return map;
    }
    const ssize_t length = read(file, text.data(), text.size() - 1);
    close(file);
    const char* at = length > 0 ? std::strrchr(text.data(), ')') : nullptr;
    if (at == nullptr) {
        return map;
    }
    // Numbers of fields as in proc(5); the name that ends here is the second.
    auto field = [number = 2, &at](int wanted) mutable -> std::uint64_t {
        for (; number < wanted && at != nullptr; ++number) {
            at = std::strchr(at + 1, ' ');
        }
        return at == nullptr ? 0 : std::strtoull(at, nullptr, 10);
    };
    map.start_code = field(26);
    map.end_code = field(27);
    map.start_stack = field(28);
    map.start_data = field(45);
    map.end_data = field(46);
    map.start_brk = field(47);
    map.arg_start = field(48);
    map.arg_end = field(49);
    map.exe_fd = static_cast<std::uint32_t>(-1);
    return map;
}

/// For who reads /proc/<pid>/environ: the kernel still shows what the process was executed with. Where it does not let
/// us, that stays.
void show_environment(prctl_mm_map map) noexcept {
    std::size_t size = 0;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        size += std::strlen(*entry) + 1;
    }
    char* const kept = map.arg_end == 0 ? nullptr : static_cast<char*>(std::malloc(size));  // as long as the process
    if (kept == nullptr) {
        return;
    }
    char* end = kept;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        end = stpcpy(end, *entry) + 1;
    }
    map.brk = reinterpret_cast<std::uintptr_t>(sbrk(0));
    map.env_start = reinterpret_cast<std::uintptr_t>(kept);
    map.env_end = map.env_start + size;
    prctl(PR_SET_MM, PR_SET_MM_MAP, &map, sizeof map, 0);
}

struct Received {
    alignas(PrepareRequest) std::array<char, launch::most_request_bytes + 1> message;
    std::size_t length = 0;
    std::array<int, launch::most_packet_descriptors> descriptors{};
    std::size_t count = 0;
    [[nodiscard]] PrepareRequest& request() { return *reinterpret_cast<PrepareRequest*>(message.data()); }
};

/// False when there is nobody any more who could ask.
bool receive(int socket, Received& received) noexcept {
    const ssize_t length =
        launch::receive_packet(socket, std::span(received.message).first(received.message.size() - 1),
                               received.descriptors, received.count, 0);
    if (length < static_cast<ssize_t>(sizeof(PrepareRequest))) {
        return false;
    }
    received.length = static_cast<std::size_t>(length);
    received.message[received.length] = '\0';
    const PrepareRequest& request = received.request();
    return received.count == launch::fixed_request_descriptors + request.inherited_count + request.comes_back;
}

/// Gives the descriptors the numbers that a rank that was executed has them under. False: impossible. `socket`, the one
/// to dampi-run, gets another number.
bool arrange_descriptors(Received& received, int& socket) noexcept {
    if (rank_socket >= 0) {  // of the run that this one was copied from
        received.request().socket = rank_socket;
    }
    const PrepareRequest& request = received.request();
    const int* numbers_end = request.inherited + request.inherited_count;
    const int above = 1 + std::accumulate(request.inherited, numbers_end, std::max(request.socket, STDERR_FILENO),
                                          [](int highest, int each) { return std::max(highest, each); });
    const int before = std::exchange(socket, fcntl(socket, F_DUPFD_CLOEXEC, above));
    close(before);
    bool good = socket >= 0;
    for (std::size_t i = 0; i < launch::fixed_request_descriptors + request.inherited_count; ++i) {
        const int moved = fcntl(received.descriptors[i], F_DUPFD_CLOEXEC, above);
        close(received.descriptors[i]);
        received.descriptors[i] = moved;
        good = good && moved >= 0;
    }
    const auto put = [&](std::size_t index, int number) {
        good = good && dup2(received.descriptors[index], number) >= 0;
        close(received.descriptors[index]);
    };
    put(0, STDIN_FILENO);
    put(1, STDOUT_FILENO);
    put(2, STDERR_FILENO);
    if (rank_socket < 0 && initialised && fcntl(request.socket, F_GETFD) >= 0) {
        // The MPI library has the number. With ranks that initialise MPI alone nobody of it asks there.
        rank_socket = received.descriptors[3];
    } else {
        rank_socket = request.socket;
        put(3, request.socket);
    }
    close(received.descriptors[4]);
    for (std::size_t i = 0; i < request.inherited_count; ++i) {
        good = good && (!initialised || fcntl(request.inherited[i], F_GETFD) < 0);
        put(launch::fixed_request_descriptors + i, request.inherited[i]);
    }
    return good;
}

/// In the child, as become_program in launch/process_start.cpp.
void join_job(Received& received) noexcept {
    const PrepareRequest& request = received.request();
    PrepareAnswer answer;
    answer.process = getpid();
    if (setsid() < 0 || prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) {
        answer.error = errno;
        say(prepare_socket, answer);
        _exit(127);
    }
    if (getppid() != request.parent) {
        _exit(127);
    }
    const launch::Guard::Message message{.group = answer.process, .rank = answer.process};
    send(received.descriptors[4], &message, sizeof message, MSG_NOSIGNAL);
}

/// Gets the rank's descriptors and says, on `socket`, that it has started.
void take_place(Received& received, int socket) noexcept {
    if (!arrange_descriptors(received, socket)) {
        _exit(127);  // dampi-run sees that nobody answers
    }
    prepare_socket = -1;
    before_ranks = false;
    PrepareAnswer answer;
    answer.process = getpid();
    answer.what = PrepareAnswer::What::started;
    say(socket, answer);
    close(socket);
}

/// Calls `use(name, value)` for each of the rank's own variables.
template <typename Use>
void for_each_variable(Received& received, Use&& use) noexcept {
    const char* end = received.message.data() + received.length;
    for (char* entry = received.message.data() + sizeof(PrepareRequest); entry < end;) {
        const std::size_t length = std::strlen(entry);
        if (char* equals = std::strchr(entry, '=')) {
            *equals = '\0';
            use(entry, equals + 1);
        }
        entry += length + 1;
    }
}

/// What a rank that is executed does in constructors. `rewind`: null for one that does not come back.
void become_rank(Received& received, const prctl_mm_map& memory_map, Rewind* rewind) noexcept {
    const bool is_back = rewind != nullptr && rewind->has_come_back();
    take_place(received, is_back ? fcntl(rewind->socket(), F_DUPFD_CLOEXEC, 0) : std::exchange(prepare_socket, -1));
    for_each_variable(received, [](const char* name, const char* value) {
        if (std::string_view(name) == transport::memory::environment_variable ||
            std::string_view(name) == transport::requests::environment_variable) {
            lend_variable(name, value);
        } else if (!initialised || std::string_view(name) != "PMI_FD") {  // the library has asked there already
            setenv(name, value, 1);
        }
    });
    if (make_rank(find_variable(transport::memory::environment_variable))) {
        remove_variable(transport::memory::environment_variable);
    }
    show_environment(memory_map);
    if (rewind != nullptr) {
        rewind->expect_end(rank_socket);
    }
    errno = 0;  // as good as any other, and the same each time
}

/// In the child; returns for each run that the process is a rank of.
__attribute__((noinline)) void be_rank(Received& received, const prctl_mm_map& memory_map) noexcept {
    join_job(received);
    const int socket = received.request().comes_back != 0 ? received.descriptors[received.count - 1] : -1;
    Rewind* const rewind = socket >= 0 ? Rewind::create() : nullptr;
    if (rewind == nullptr || getcontext(&rewind->point) != 0) {
        if (socket >= 0) {
            close(socket);
        }
        become_rank(received, memory_map, nullptr);
        return;
    }
    // Here once after the fork, and again whenever it has come back.
    bool comes_back = true;
    if (!rewind->has_come_back()) {
        comes_back = rewind->keep_memory(socket);
    } else {
        PrepareAnswer answer;
        answer.what = PrepareAnswer::What::ready;
        answer.process = getpid();
        say(rewind->socket(), answer);
        if (!receive(rewind->socket(), received)) {
            _exit(0);
        }
    }
    become_rank(received, memory_map, comes_back ? rewind : nullptr);
}

/// MPI_Init looks for UCX's plug-ins and loads them, each time the same. Loaded here they are there already. Asking
/// which there are is what loads them, and does nothing else.
void load_transports() noexcept {
    using Query = int (*)(void***, unsigned*);
    using Release = void (*)(void**);
    const auto query = reinterpret_cast<Query>(dlsym(RTLD_DEFAULT, "uct_query_components"));
    const auto release = reinterpret_cast<Release>(dlsym(RTLD_DEFAULT, "uct_release_component_list"));
    void** components = nullptr;
    unsigned count = 0;
    if (query != nullptr && release != nullptr && query(&components, &count) == 0) {
        release(components);
    }
}

/// Returns in the ranks only, with the request for it.
Received& serve_requests(const ThreadMemory& memory) noexcept {
    PrepareAnswer answer;
    answer.what = PrepareAnswer::What::ready;
    answer.process = getpid();
    say(prepare_socket, answer);
    static Received received;
    while (receive(prepare_socket, received)) {
        const long child = fork_for_parent(memory);
        if (child == 0) {
            return received;
        }
        if (child < 0) {
            answer.what = PrepareAnswer::What::failed;
            answer.error = errno;
            say(prepare_socket, answer);
        }
        for (std::size_t i = 0; i < received.count; ++i) {
            close(received.descriptors[i]);
        }
    }
    _exit(0);
}

/// Returns in the ranks only.
__attribute__((noinline)) void serve() noexcept {
    prepare_modules();
    ThreadMemory memory;
    if (!find_thread_memory(memory)) {
        give_up(no_thread_memory);
    }
    const prctl_mm_map memory_map = find_memory_map();
    be_rank(serve_requests(memory), memory_map);
}

/// What dampi-run has asked of this rank for its holder: the holder's socket and the guard's.
bool receive(launch::HoldRequest& request, std::array<int, 2>& descriptors) noexcept {
    std::array<int, launch::most_packet_descriptors> received{};
    std::size_t count = 0;
    const ssize_t length = launch::receive_packet(rank_socket, {reinterpret_cast<char*>(&request), sizeof request},
                                                  received, count, MSG_DONTWAIT);
    std::copy_n(received.begin(), descriptors.size(), descriptors.begin());
    return length == static_cast<ssize_t>(sizeof request) && count == descriptors.size();
}

Main program_main = nullptr;

/// Leaves no frame behind: the program's main is called as the last thing.
int enter_main(int argc, char** argv, char** /*environment*/) {
    if (is_to_be_prepared() && !behind_init) {
        check_process();
        load_transports();
        serve();
    }
    before_ranks = is_to_be_prepared();
    in_main = true;
    note_stack_end(__builtin_dwarf_cfa());
    return program_main(argc, argv, environ);
}

}  // namespace

void make_ranks_by(bool (*attach)(const char* path)) noexcept { make_rank = attach; }

bool is_to_be_prepared() noexcept {
    if (prepare_socket == -2) {
        prepare_socket = find_socket();
        if (prepare_socket >= 0) {
            fcntl(prepare_socket, F_SETFD, FD_CLOEXEC);
            unsetenv(launch::prepare_variable);
        }
    }
    return prepare_socket >= 0;
}

Main around(Main main) noexcept {
    program_main = main;
    note_main_function(reinterpret_cast<std::uintptr_t>(main));
    return enter_main;
}

void stand_behind_init(const char* function, const void* arguments) noexcept {
    if (!ranks_may_differ() || !behind_init || !std::string_view(function).starts_with("MPI_Init") ||
        std::string_view(function) == "MPI_Initialized" || engine.initialise_alone == nullptr) {
        return;
    }
    check_process();
    PrepareAnswer answer;
    answer.what = PrepareAnswer::What::ready;
    say(prepare_socket, answer);
    char go_on = 0;
    ssize_t length = 0;
    do {
        length = recv(prepare_socket, &go_on, sizeof go_on, 0);
    } while (length < 0 && errno == EINTR);
    if (length <= 0) {
        _exit(0);
    }
    before_ranks = false;  // what the MPI library asks for now is its own affair
    if (!engine.initialise_alone(function, arguments)) {
        give_up("MPI cannot be initialised before there are ranks");
    }
    initialised = true;
    if (!is_only_thread()) {
        give_up("the MPI library has threads");
    }
    find_mpi_functions();  // the program may have loaded more
    serve();
}

bool has_been_initialised() noexcept { return initialised; }

void note_own_of_process(const char* why) noexcept { own_of_process = why; }

bool has_seen_own_of_process() noexcept { return own_of_process != nullptr; }

void hold_snapshot(const ChangeOfRun& change) noexcept {
    launch::HoldRequest request;
    std::array<int, 2> descriptors{};
    if (rank_socket < 0 || !receive(request, descriptors)) {
        return;
    }
    const auto [socket, guard] = descriptors;
    ThreadMemory memory;
    PrepareAnswer answer;
    answer.what = PrepareAnswer::What::unfit;
    const char* obstacle = own_of_process != nullptr     ? own_of_process
                           : !is_only_thread()           ? "a rank has several threads"
                           : !find_thread_memory(memory) ? no_thread_memory
                                                         : nullptr;
    if (obstacle == nullptr) {
        do_not_come_back();  // neither this one nor who is forked from its holder
    }
    const long holder = obstacle == nullptr ? fork_for_parent(memory) : -1;
    if (holder != 0) {
        if (obstacle != nullptr) {
            std::snprintf(answer.text, sizeof answer.text, "%s", obstacle);
            say(socket, answer);
        } else if (holder < 0) {
            answer.what = PrepareAnswer::What::failed;
            answer.error = errno;
            say(socket, answer);
        }
        close(socket);
        close(guard);
        return;
    }
    const pid_t self = getpid();
    if (setpgid(0, 0) != 0 || prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != request.parent) {
        _exit(127);  // dampi-run sees that nobody answers
    }
    const launch::Guard::Message message{.group = self, .rank = self};
    send(guard, &message, sizeof message, MSG_NOSIGNAL);
    close(guard);
    change.leave();
    prepare_socket = socket;
    Received& received = serve_requests(memory);
    join_job(received);
    take_place(received, std::exchange(prepare_socket, -1));
    const char* area = nullptr;
    const char* exchange = nullptr;
    for_each_variable(received, [&](std::string_view name, const char* value) {
        if (name == transport::memory::environment_variable) {
            area = value;
        } else if (name == transport::requests::environment_variable) {
            exchange = value;
        }
    });
    change.enter(area, exchange);
}

bool is_in_main_of_all() noexcept { return in_main && ranks_may_differ(); }

bool ranks_may_differ() noexcept { return before_ranks && is_to_be_prepared(); }

void not_the_same_in_ranks(const char* why) noexcept {
    if (ranks_may_differ()) {
        give_up(why);
    }
}

}  // namespace dampi::piggyback
