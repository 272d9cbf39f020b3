#include "scheduler/watch/board_eye.hpp"

#include "base/hash.hpp"
#include "launch/observe/observed_process.hpp"
#include "scheduler/watch/mpi_frames.hpp"

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstring>
#include <fstream>
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
    explicit Mappings(pid_t process) : file_("/proc/" + std::to_string(process) + "/maps") {}

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
    void read() {
        ranges_.clear();
        is_fresh_ = true;
        std::ifstream file(file_);
        for (std::string line; std::getline(file, line);) {
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
    [[nodiscard]] std::uint64_t key_of(const State& state) {
        return base::Hash().add(mappings_.place_of(state.site)).add(state.depth).add(state.function).value();
    }
    [[nodiscard]] RankLook look(bool closely) {
        RankLook seen{.rank = board.rank.load(acquire), .process = process};
        bool waits = false;
        const std::size_t used =
            std::min<std::size_t>(board.callers_used.load(relaxed), transport::watch::most_threads);
        for (std::size_t i = 0; i < used; ++i) {
            const Caller& caller = board.callers[i];
            seen.token += caller.progress.load(relaxed);
            const std::uint32_t function = caller.function.load(acquire);
            const std::uint32_t polling = caller.polling.load(relaxed);
            if (caller.in_use.load(relaxed) == 0) {
                continue;
            }
            if (function != none && !(polling != none && only_asks(name_of(function)))) {
                waits = true;
                seen.function = name_of(function);
            } else if (polling != none && !waits) {
                seen.where = Whereabouts::polling;
                seen.function = name_of(polling);
            }
        }
        const bool is_gone = closely && kill(process, 0) != 0 && errno == ESRCH;
        seen.where = board.ended.load(acquire) != 0 || is_gone ? Whereabouts::ended
                     : waits                                   ? Whereabouts::inside
                                                               : seen.where;
        const std::uint32_t state = board.callers[0].state.load(relaxed);
        if (closely && state < states()) {
            seen.place = key_of(board.state[state]);
            seen.visits = board.state[state].entries.load(relaxed);
            if (seen.function.empty()) {
                seen.function = name_of(board.state[state].function);
            }
        }
        if (closely && !is_gone) {
            const launch::ProcessState kernel = launch::state_of_process(process);
            seen.stopped = kernel.state == 'T';
            seen.traced = kernel.tracer != 0;
            if (kernel.state == 'Z' || kernel.state == 'X') {
                seen.where = Whereabouts::ended;
            }
        }
        return seen;
    }

    const Board& board;
    const pid_t process;

private:
    Mapped(const Board* at, pid_t owner) : board(*at), process(owner), mappings_(owner) {}

    Mappings mappings_;
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
    // A job script may run one job after the other.
    for (auto at = boards_.begin(); at != boards_.end();) {
        if (kill(at->first, 0) != 0 && errno == ESRCH) {
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

std::optional<RankHistory> BoardEye::history(pid_t process) {
    const auto found = boards_.find(process);
    if (found == boards_.end()) {
        return std::nullopt;
    }
    Mapped& mapped = *found->second;
    const Board& board = mapped.board;
    const std::size_t states = mapped.states();
    const std::uint32_t now = board.callers[0].state.load(relaxed);
    if (now >= states) {
        return std::nullopt;
    }
    RankHistory history{.rank = board.rank.load(relaxed), .process = process};
    history.now = now;
    history.is_after =
        board.callers[0].function.load(relaxed) == none && board.callers[0].polling.load(relaxed) == none;
    history.is_complete = board.lost.load(relaxed) == 0;
    std::size_t edges_left = transport::watch::most_edges;  // chains that were overwritten may be circles
    for (std::size_t i = 0; i < states; ++i) {
        const State& state = board.state[i];
        const std::size_t frames = std::min<std::size_t>(state.frames, transport::watch::most_frames);
        history.states.push_back({mapped.key_of(state),
                                  mapped.name_of(state.function),
                                  {state.stack.begin(), state.stack.begin() + static_cast<std::ptrdiff_t>(frames)},
                                  state.entries.load(relaxed)});
        for (std::uint32_t at = state.first_edge.load(acquire); at < transport::watch::most_edges && edges_left > 0;
             at = board.edge[at].next) {
            --edges_left;
            if (board.edge[at].to < states) {
                history.transitions.push_back({i, board.edge[at].to, board.edge[at].count.load(relaxed)});
            }
        }
    }
    return history;
}

std::vector<std::uint64_t> BoardEye::arguments(pid_t process) const {
    const auto found = boards_.find(process);
    std::vector<std::uint64_t> words;
    if (found != boards_.end()) {
        for (const auto& word : found->second->board.callers[0].arguments) {
            words.push_back(word.load(relaxed));
        }
    }
    return words;
}

}  // namespace dampi::scheduler::watch
