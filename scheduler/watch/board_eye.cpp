#include "scheduler/watch/board_eye.hpp"

#include "base/hash.hpp"
#include "launch/observe/observed_process.hpp"
#include "scheduler/watch/mpi_frames.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <csignal>
#include <cstring>
#include <fstream>
#include <set>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

namespace dampi::scheduler::watch {
namespace {

using transport::watch::Board;
using transport::watch::Caller;
using transport::watch::none;
using transport::watch::State;

constexpr auto relaxed = std::memory_order_relaxed;
constexpr auto acquire = std::memory_order_acquire;

/// Where a process has mapped what: what an address is in all processes that run the same program.
class Mappings {
public:
    explicit Mappings(pid_t process) : file_("/proc/" + std::to_string(process) + "/maps") {
        read();
        is_fresh_ = false;
    }

    /// The file and the place in it, as a number.
    std::uint64_t place_of(std::uint64_t address) {
        const Range* range = find(address);
        if (range == nullptr && !is_fresh_) {
            read();
            range = find(address);
        }
        is_fresh_ = false;
        return range == nullptr ? address
                                : base::Hash().add(range->file).add(address - range->low + range->offset).value();
    }

private:
    struct Range {
        std::uint64_t low, high, offset, file;
    };
    const Range* find(std::uint64_t address) const {
        const auto found = std::find_if(ranges_.begin(), ranges_.end(), [address](const Range& range) {
            return range.low <= address && address < range.high;
        });
        return found == ranges_.end() ? nullptr : &*found;
    }
    /// Of a process that has gone meanwhile the last ones stay.
    void read() {
        is_fresh_ = true;
        std::ifstream file(file_);
        std::string line;
        if (!std::getline(file, line)) {
            return;
        }
        ranges_.clear();
        for (bool is_line = true; is_line; is_line = static_cast<bool>(std::getline(file, line))) {
            Range range{};
            char path[4096] = "";
            char rights[8] = "";
            unsigned long low = 0;
            unsigned long high = 0;
            unsigned long offset = 0;
            if (std::sscanf(line.c_str(), "%lx-%lx %7s %lx %*s %*s %4095[^\n]", &low, &high, rights, &offset, path) >=
                    4 &&
                std::strchr(rights, 'x') != nullptr) {
                range = {low, high, offset, std::hash<std::string_view>()(path)};
                ranges_.push_back(range);
            }
        }
    }

    std::string file_;
    std::vector<Range> ranges_;
    bool is_fresh_ = false;
};

std::string doubt_of(std::uint32_t doubts) {
    namespace doubt = transport::watch::doubt;
    static constexpr std::array words{
        std::pair{doubt::not_begun, "MPI_Init has not returned"},
        std::pair{doubt::threads, "several threads may call MPI"},
        std::pair{doubt::failed_call, "a call of MPI has not succeeded"},
        std::pair{doubt::unfollowed, "it has made calls whose messages are not followed, such as MPI_Cancel"},
        std::pair{doubt::no_room, "it has too many peers, requests or communicators to follow them all"},
        std::pair{doubt::error_handlers, "it has error handlers of its own"},
        std::pair{doubt::hidden_calls, "it may call MPI from Fortran in a way that is not seen"}};
    const auto found =
        std::find_if(words.begin(), words.end(), [doubts](const auto& word) { return (doubts & word.first) != 0; });
    return found == words.end() ? std::string{} : found->second;
}

}  // namespace

/// A board, as far as what is in it makes sense.
class BoardEye::Mapped {
public:
    static std::unique_ptr<Mapped> open(const std::filesystem::path& path, pid_t process) {
        const base::UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
        struct stat what {};
        if (!file || fstat(file.get(), &what) != 0 || what.st_size < static_cast<off_t>(sizeof(Board))) {
            return nullptr;
        }
        void* memory = mmap(nullptr, sizeof(Board), PROT_READ, MAP_SHARED, file.get(), 0);
        if (memory == MAP_FAILED) {
            return nullptr;
        }
        auto mapped = std::unique_ptr<Mapped>(new Mapped(static_cast<const Board*>(memory), process));
        const Board& board = mapped->board;
        const bool is_ready = board.magic.load(acquire) == transport::watch::board_magic &&
                              board.version == transport::watch::board_version && board.process == process;
        return is_ready ? std::move(mapped) : nullptr;
    }
    ~Mapped() { munmap(const_cast<Board*>(&board), sizeof(Board)); }
    Mapped(const Mapped&) = delete;
    Mapped& operator=(const Mapped&) = delete;

    [[nodiscard]] std::string name_of(std::uint32_t function) const {
        if (function >= std::min<std::size_t>(board.functions, transport::watch::most_functions)) {
            return {};
        }
        const auto& name = board.names[function];
        return {name.data(), strnlen(name.data(), name.size())};
    }
    [[nodiscard]] std::size_t states() const {
        return std::min<std::size_t>(board.states.load(acquire), transport::watch::most_states);
    }
    [[nodiscard]] std::size_t callers_used() const {
        return std::min<std::size_t>(board.callers_used.load(relaxed), transport::watch::most_threads);
    }
    /// The same in all ranks that have come to the call by the same way.
    [[nodiscard]] std::uint64_t key_of(std::size_t index) {
        while (keys_.size() <= index) {
            const State& state = board.state[keys_.size()];
            const std::size_t frames = std::min<std::size_t>(state.frames, transport::watch::most_frames);
            base::Hash key;
            key.add(state.function).add(mappings_.place_of(state.site));
            for (std::size_t i = 1; i < frames; ++i) {
                key.add(mappings_.place_of(state.stack[i]));
            }
            // Of a deeper stack only a part is known.
            key.add(frames < transport::watch::most_frames ? 0 : state.depth);
            keys_.push_back(key.value());
        }
        return keys_[index];
    }
    [[nodiscard]] static std::vector<replay::CodePlace> stack_of(const State& state,
                                                                 launch::ObservedProcess& observed) {
        std::vector<replay::CodePlace> stack;
        const std::size_t frames = std::min<std::size_t>(state.frames, transport::watch::most_frames);
        for (std::size_t i = 0; i < frames; ++i) {
            stack.push_back(observed.place_of(state.stack[i] - 1));
        }
        return stack;
    }
    [[nodiscard]] RankLook look(bool closely) {
        RankLook seen;
        seen.rank = board.rank.load(acquire);
        seen.process = process;
        bool waits = false;
        for (std::size_t i = 0; i < callers_used(); ++i) {
            const Caller& caller = board.callers[i];
            seen.token += caller.progress.load(relaxed);
            const std::uint32_t function = caller.function.load(acquire);
            const std::uint32_t polling = caller.polling.load(relaxed);
            if (caller.in_use.load(relaxed) == 0) {
                continue;
            }
            const bool only_goes_round = polling != none || caller.again.load(relaxed) != 0;
            if (function != none && !(only_goes_round && only_asks(name_of(function)))) {
                waits = true;
                seen.function = name_of(function);
            } else if (polling != none && !waits) {
                seen.where = Whereabouts::polling;
                seen.function = name_of(polling);
            }
        }
        const bool has_gone = closely && is_gone();
        const bool is_through = board.ended.load(acquire) != 0;
        seen.died = has_gone && !is_through;
        seen.where = is_through || has_gone ? Whereabouts::ended : waits ? Whereabouts::inside : seen.where;
        const std::uint32_t state = board.callers[0].state.load(relaxed);
        if (closely && state < states()) {
            seen.place = key_of(state);
            seen.visits = board.state[state].entries.load(relaxed);
            if (seen.function.empty()) {
                seen.function = name_of(board.state[state].function);
            }
        }
        if (closely && !has_gone) {
            const launch::ProcessState kernel = launch::state_of_process(process);
            seen.stopped = kernel.state == 'T';
            seen.traced = kernel.tracer != 0;
        }
        return seen;
    }

    [[nodiscard]] std::vector<pid_t> threads_in_mpi() const {
        std::vector<pid_t> threads;
        for (std::size_t i = 0; i < callers_used(); ++i) {
            const Caller& caller = board.callers[i];
            if (caller.in_use.load(relaxed) != 0 &&
                (caller.function.load(relaxed) != none || caller.polling.load(relaxed) != none)) {
                threads.push_back(caller.thread.load(relaxed));
            }
        }
        return threads;
    }

    /// `told`: calls whose stacks another history has.
    [[nodiscard]] std::optional<RankHistory> history(std::set<std::uint64_t>& told) {
        const std::uint32_t now = board.callers[0].state.load(relaxed);
        if (now >= states()) {
            return std::nullopt;
        }
        RankHistory history;
        history.rank = board.rank.load(relaxed);
        history.process = process;
        history.now = now;
        history.is_after =
            board.callers[0].function.load(relaxed) == none && board.callers[0].polling.load(relaxed) == none;
        history.is_complete = board.lost.load(relaxed) == 0;
        launch::ObservedProcess observed(process);
        const bool has_gone = is_gone();
        std::size_t edges_left = transport::watch::most_edges;  // chains that were overwritten may be circles
        for (std::size_t i = 0; i < states(); ++i) {
            const State& state = board.state[i];
            CallState call;
            call.key = key_of(i);
            call.function = name_of(state.function);
            call.entries = state.entries.load(relaxed);
            if (!has_gone && told.insert(call.key).second) {  // else nobody knows where its modules lay
                call.stack = stack_of(state, observed);
            }
            history.states.push_back(std::move(call));
        }
        for (std::size_t i = 0; i < history.states.size(); ++i) {
            for (std::uint32_t at = board.state[i].first_edge.load(acquire);
                 at < transport::watch::most_edges && edges_left > 0; at = board.edge[at].next) {
                --edges_left;
                if (board.edge[at].to < history.states.size()) {
                    history.transitions.push_back({i, board.edge[at].to, board.edge[at].count.load(relaxed)});
                }
            }
        }
        return history;
    }
    [[nodiscard]] RankFacts facts(bool with_counts) const {
        RankFacts facts;
        facts.rank = board.rank.load(relaxed);
        facts.size = board.size.load(relaxed);
        const Caller& caller = board.callers[0];
        const transport::watch::Traffic& traffic = board.traffic;
        const std::uint32_t function = caller.function.load(acquire);
        const std::uint64_t progress = caller.progress.load(relaxed);
        facts.stamp = base::Hash().add(function).add(progress).value();
        facts.function = function == none ? std::string{} : name_of(function);
        facts.any = traffic.any.load(relaxed) != 0;
        facts.tags_lost = traffic.tags_lost.load(relaxed) != 0;
        const bool is_finalizing = facts.function == "MPI_Finalize" && traffic.callbacks.load(relaxed) == 0;
        facts.ended = is_finalizing || board.ended.load(acquire) != 0 || is_gone();
        read_needs(facts);
        facts.has_counts = with_counts;
        if (with_counts) {
            read_counts(facts);
        }
        const bool is_still = caller.function.load(acquire) == function && caller.progress.load(acquire) == progress;
        facts.blocked = is_still && function != none && !only_asks(facts.function);
        facts.doubt = doubt_of(traffic.doubts.load(relaxed));
        const bool has_others = board.callers_used.load(relaxed) > 1 || board.more_threads.load(relaxed) != 0;
        if (facts.doubt.empty() && !facts.ended && (has_others || others_may_call())) {
            facts.doubt = doubt_of(transport::watch::doubt::threads);
        }
        return facts;
    }

    const Board& board;
    const pid_t process;

private:
    Mapped(const Board* at, pid_t owner) : board(*at), process(owner), mappings_(owner) {}

    /// Also while whoever has started it has not heard of its end.
    [[nodiscard]] bool is_gone() const {
        const char state = launch::state_of_process(process).state;
        return state == 'X' || state == 'Z';
    }

    /// Whether the process has another thread, and MPI lets each call it.
    [[nodiscard]] bool others_may_call() const {
        constexpr std::uint32_t multiple = 3;  // MPI_THREAD_MULTIPLE of MPICH and Open MPI
        return board.traffic.thread_level.load(relaxed) >= multiple &&
               launch::ObservedProcess(process).threads().size() != 1;
    }

    void read_counts(RankFacts& facts) const {
        for (const transport::watch::Pair& pair : board.traffic.pair) {
            if (const std::uint64_t key = pair.key.load(acquire); key != 0) {
                facts.pairs[key] = {pair.sent.load(acquire), pair.received.load(acquire), pair.posted.load(acquire)};
            }
        }
    }

    void read_needs(RankFacts& facts) const {
        const transport::watch::Traffic& traffic = board.traffic;
        for (const transport::watch::Communicator& row : traffic.communicator) {
            if (const std::uint64_t name = row.name.load(acquire); name != 0) {
                facts.communicators.push_back({name, row.size.load(relaxed), row.own.load(relaxed),
                                               row.collectives.load(acquire), row.received.load(acquire),
                                               row.anonymous.load(acquire)});
            }
        }
        const std::size_t needs = std::min<std::size_t>(traffic.needs.load(relaxed), transport::watch::most_needs);
        for (std::size_t i = 0; i < needs; ++i) {
            const transport::watch::Need& need = traffic.need[i];
            const std::size_t row = need.communicator.load(relaxed);
            const std::uint64_t name =
                row < traffic.communicator.size() ? traffic.communicator[row].name.load(relaxed) : 0;
            facts.needs.push_back({name == 0 ? transport::watch::NeedKind::unknown : need.kind.load(relaxed), name,
                                   need.peer.load(relaxed), need.tag.load(relaxed), need.number.load(relaxed)});
        }
    }

    Mappings mappings_;
    std::vector<std::uint64_t> keys_;  ///< of the first states: what tells a state apart does not change
};

BoardEye::BoardEye(std::filesystem::path folder) : folder_(std::move(folder)) {}
BoardEye::~BoardEye() = default;

void BoardEye::find_ranks() {
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder_, error)) {
        const std::string name = entry.path().stem();
        pid_t process = 0;
        const auto [end, wrong] = std::from_chars(name.data(), name.data() + name.size(), process);
        const bool is_board = wrong == std::errc() && *end == '\0' && entry.path().extension() == ".board";
        if (is_board && !boards_.contains(process)) {
            if (auto mapped = Mapped::open(entry.path(), process)) {
                boards_.emplace(process, std::move(mapped));
            }
        }
    }
    // A job script may run one job after the other; of one that runs the others may wait for a rank that has ended.
    std::map<pid_t, bool> gone;
    std::set<int> there;
    bool is_next_job = false;
    for (const auto& [process, mapped] : boards_) {
        gone[process] = kill(process, 0) != 0 && errno == ESRCH;
        const int rank = mapped->board.rank.load(acquire);
        is_next_job = is_next_job || (rank >= 0 && !there.insert(rank).second);
    }
    const bool all_gone = std::all_of(gone.begin(), gone.end(), [](const auto& each) { return each.second; });
    for (auto at = boards_.begin(); at != boards_.end();) {
        const bool never_began = at->second->board.rank.load(acquire) < 0;
        if (gone[at->first] && (all_gone || is_next_job || never_began)) {
            std::filesystem::remove(folder_ / (std::to_string(at->first) + ".board"), error);
            at = boards_.erase(at);
        } else {
            ++at;
        }
    }
}

Look BoardEye::look(bool closely) {
    Look look;
    for (const auto& [process, mapped] : boards_) {
        if (mapped->board.rank.load(acquire) >= 0) {
            look.push_back(mapped->look(closely));
        }
    }
    std::stable_sort(look.begin(), look.end(), [](const RankLook& a, const RankLook& b) { return a.rank < b.rank; });
    return look;
}

int BoardEye::size_of_jobs() const {
    int size = 0;
    for (const auto& [process, mapped] : boards_) {
        size = std::max(size, mapped->board.size.load(relaxed));
    }
    return size;
}

std::vector<RankHistory> BoardEye::histories() const {
    std::vector<RankHistory> histories;
    std::set<std::uint64_t> told;
    for (const auto& [process, mapped] : boards_) {
        if (auto history = mapped->board.rank.load(acquire) >= 0 ? mapped->history(told) : std::nullopt) {
            histories.push_back(std::move(*history));
        }
    }
    return histories;
}

std::vector<replay::CodePlace> BoardEye::last_call(pid_t process) const {
    const auto found = boards_.find(process);
    if (found == boards_.end()) {
        return {};
    }
    const std::size_t state = found->second->board.callers[0].state.load(relaxed);
    if (state >= found->second->states()) {
        return {};
    }
    launch::ObservedProcess observed(process);
    return Mapped::stack_of(found->second->board.state[state], observed);
}

std::vector<pid_t> BoardEye::threads_in_mpi(pid_t process) const {
    const auto found = boards_.find(process);
    return found == boards_.end() ? std::vector<pid_t>{} : found->second->threads_in_mpi();
}

std::vector<RankFacts> BoardEye::facts(bool with_counts) const {
    std::vector<RankFacts> facts;
    for (const auto& [process, mapped] : boards_) {
        if (mapped->board.rank.load(acquire) >= 0) {
            facts.push_back(mapped->facts(with_counts));
        }
    }
    return facts;
}

}  // namespace dampi::scheduler::watch
