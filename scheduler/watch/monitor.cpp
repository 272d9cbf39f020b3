#include "scheduler/watch/monitor.hpp"

#include "launch/program/source_lines.hpp"
#include "scheduler/watch/blame.hpp"
#include "scheduler/watch/facts.hpp"
#include "scheduler/watch/hang_page.hpp"
#include "scheduler/watch/local_ranks.hpp"
#include "scheduler/watch/ranks_of_job.hpp"
#include "scheduler/watch/remote_ranks.hpp"
#include "scheduler/watch/stack_eye.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <iterator>
#include <map>
#include <memory>
#include <ostream>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>

extern char** environ;  // NOLINT(readability-redundant-declaration)

namespace dampi::scheduler::watch {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr milliseconds tick{50};
constexpr milliseconds interval_of_boards{100};   ///< looking at them costs nothing
constexpr milliseconds interval_of_stacks{400};   ///< ParaStack's
constexpr milliseconds between_searches{500};     ///< for ranks that are new
constexpr seconds patience_with_size{5};          ///< until all ranks are there of whom there is talk
constexpr seconds patience_with_others{20};       ///< likewise, where other machines may have some
constexpr seconds patience_with_layer{5};         ///< until a rank that runs must have loaded it
constexpr seconds patience_with_first_call{600};  ///< of MPI, by a rank that has: much may be read before
constexpr milliseconds worth_a_closer_look{200};
constexpr milliseconds longest_own_pause{1000};  ///< this process has slept longer than it wanted: it knows nothing
constexpr int confirming_looks = 5;
constexpr seconds between_facts{1};
constexpr milliseconds patience_with_look{200};  ///< of another machine's monitor
constexpr seconds patience_with_answer{30};
constexpr seconds patience_with_signals{5};
constexpr seconds patience_with_end{3};  ///< of the job, after a monitor has gone
constexpr milliseconds between_looks{350};
constexpr milliseconds patience_with_stops{100};
constexpr std::size_t most_with_variables = 8;  ///< ranks
constexpr seconds longest_work{600};            ///< input and output count as getting on for so long

/// Whether any of them is a program with the layer, which shows itself with its first call of MPI.
bool have_layer(const std::vector<RankProcess>& ranks) {
    return std::any_of(ranks.begin(), ranks.end(),
                       [](const RankProcess& rank) { return has_loaded(rank.process, "/libdampi-watch."); });
}

class Monitor {
public:
    Monitor(WatchedJob& job, const MonitorOptions& options, const std::atomic<int>& stop, std::ostream& messages)
        : job_(job),
          options_(options),
          stop_(stop),
          messages_(messages),
          detector_(options.significance, options.boards.empty() ? interval_of_stacks : interval_of_boards,
                    options.on_hang == OnHang::kill || options.on_hang == OnHang::core ? 2 : 1),
          started_(Clock::now()) {
        if (!options.boards.empty()) {
            layer_ = std::make_unique<LocalRanks>(options.boards);
        }
    }

    WatchResult run() {
        auto last = Clock::now();
        while (!job_.has_ended() && !has_to_stop()) {
            std::this_thread::sleep_for(tick);
            const auto now = Clock::now();
            if (now - last > longest_own_pause) {
                detector_.skip(now);
            }
            look(now);
            last = Clock::now();
            if (result_.was_ended) {
                break;
            }
        }
        for (const auto& other : others()) {
            other->ask({Ask::end, {}});
        }
        return result_;
    }

private:
    /// A monitor of another machine.
    struct Lost {
        Time since;
        std::string machine;
        int ranks = 0;
        bool is_told = false;
    };

    void say(const std::string& text) { messages_ << "dampi-watch: " << text << std::flush; }

    bool has_to_stop() {
        const int number = stop_.load();
        if (number == 0) {
            return false;
        }
        if (job_.is_own() && number != SIGINT) {  // that one comes from the terminal, which has told the job, too
            job_.signal(number);
        }
        if (job_.is_own()) {
            // It ends as it wants to.
            while (!job_.has_ended()) {
                std::this_thread::sleep_for(tick);
            }
        }
        return true;
    }

    /// Whether the other monitors have the same opinion of a question as this machine's: they all are asked it. Nothing
    /// where one does not answer in time.
    std::optional<Answer> ask_all(Ask ask, milliseconds patience, std::vector<int> ranks = {}) {
        const Question question{ask, std::move(ranks)};
        std::vector<RemoteMonitor*> asked;
        bool is_complete = true;
        for (const auto& other : others()) {
            if (other->ask(question)) {
                asked.push_back(other.get());
            } else {
                is_complete = false;
            }
        }
        Answer all = layer_->answer(question);
        const auto until = Clock::now() + patience;
        for (std::size_t i = 0; i < asked.size(); ++i) {
            const auto left = std::chrono::duration_cast<milliseconds>(until - Clock::now());
            auto answer = asked[i]->answer(std::max(left, milliseconds{0}));
            is_complete = is_complete && answer;
            if (answer) {
                add_answer(all, std::move(*answer), static_cast<int>(i) + 1);
            }
        }
        forget_lost();
        if (!is_complete) {
            return std::nullopt;
        }
        const auto by_rank = [](const auto& a, const auto& b) { return a.rank < b.rank; };
        std::stable_sort(all.look.begin(), all.look.end(), by_rank);
        std::stable_sort(all.stacks.begin(), all.stacks.end(),
                         [](const StackLook& a, const StackLook& b) { return a.rank.rank < b.rank.rank; });
        return all;
    }

    static void add_answer(Answer& all, Answer more, int machine) {
        all.size = std::max(all.size, more.size);
        for (RankLook& rank : more.look) {
            rank.machine = machine;
            all.look.push_back(std::move(rank));
        }
        for (StackLook& rank : more.stacks) {
            rank.rank.machine = machine;
            all.stacks.push_back(std::move(rank));
        }
        std::move(more.facts.begin(), more.facts.end(), std::back_inserter(all.facts));
        std::move(more.histories.begin(), more.histories.end(), std::back_inserter(all.histories));
        std::move(more.variables.begin(), more.variables.end(), std::back_inserter(all.variables));
    }

    [[nodiscard]] std::vector<std::unique_ptr<RemoteMonitor>>& others() {
        static std::vector<std::unique_ptr<RemoteMonitor>> nobody;
        return options_.others != nullptr ? options_.others->all() : nobody;
    }

    /// Monitors that have gone. With the last rank of a job its monitor may go, too: that is no news.
    void forget_lost() {
        for (const auto& other : others()) {
            if (other->is_lost() && other->ranks() > 0) {
                lost_.push_back({Clock::now(), other->machine(), other->ranks()});
            }
        }
        if (std::erase_if(others(), [](const auto& other) { return other->is_lost(); }) != 0) {
            detector_.skip(Clock::now());
        }
    }

    void tell_lost(Time now) {
        for (Lost& lost : lost_) {
            if (!lost.is_told && now - lost.since > patience_with_end) {
                lost.is_told = true;
                say(
                    fmt::format("the monitor on {} is lost: what the {} rank{} there do{} is not known, so hangs are "
                                "not told any more\n",
                                lost.machine, lost.ranks, lost.ranks == 1 ? "" : "s", lost.ranks == 1 ? "es" : ""));
            }
        }
    }

    void search(Time now) {
        tell_lost(now);
        if (now - last_search_ < between_searches) {
            return;
        }
        last_search_ = now;
        if (layer_) {
            if (options_.others != nullptr && options_.others->accept()) {
                detector_.skip(now);
            }
            if (layer_->has_any() || !others().empty()) {
                return;
            }
            const auto ranks = find_ranks(job_.roots());
            if (ranks.empty()) {
                first_seen_.reset();
            } else if (!first_seen_) {
                first_seen_ = now;
            } else if (now - *first_seen_ > patience_with_first_call ||
                       (now - *first_seen_ > patience_with_layer && !have_layer(ranks))) {
                if (!options_.quiet) {
                    say("no rank has begun with the layer (MPI is linked in statically, or was not initialised yet, "
                        "or what starts the ranks sets LD_PRELOAD itself): it is watched from outside\n");
                }
                layer_.reset();
            }
            return;
        }
        auto ranks = find_ranks(job_.roots());
        if (ranks != stacks_.ranks()) {
            stacks_.set_ranks(ranks);
            detector_.skip(now);
        }
    }

    void look(Time now) {
        search(now);
        bool suspects = false;
        std::size_t seen = 0;
        if (layer_) {
            const auto answer =
                ask_all(detector_.quiet(now) > worth_a_closer_look ? Ask::look_closely : Ask::look, patience_with_look);
            if (!answer) {
                detector_.skip(now);
                return;
            }
            seen = answer->look.size();
            size_ = answer->size;
            suspects = detector_.observe(now, answer->look);
            last_ = answer->look;
        } else if (detector_.wants_sample(now) && !stacks_.ranks().empty()) {
            const Look look = stacks_.look();
            seen = look.size();
            if (!stacks_.can_see()) {
                throw Error(
                    "the processes of the job cannot be looked at: run dampi-watch as their user, with the right "
                    "to trace them (/proc/sys/kernel/yama/ptrace_scope is 0, or CAP_SYS_PTRACE)");
            }
            const auto outside =
                static_cast<double>(std::count_if(look.begin(), look.end(), [this](const RankLook& rank) {
                    const auto before = std::find_if(last_.begin(), last_.end(), [&rank](const RankLook& other) {
                        return process_of(other) == process_of(rank);
                    });
                    return rank.where == Whereabouts::outside || before == last_.end() || before->token != rank.token;
                }));
            suspects = detector_.observe(now, look, seen == 0 ? 0 : outside / static_cast<double>(seen));
            last_ = look;
        }
        tell_ranks(seen);
        if (reported_ && has_gone_on()) {
            went_on(now);
        }
        if (suspects && !reported_ && lost_.empty()) {  // those that cannot be seen may do anything
            confirm(now);
        }
        look_for_deadlock(now);
    }

    void tell_ranks(std::size_t seen) {
        if (seen == 0 || has_told_ranks_ || options_.quiet) {
            return;
        }
        const auto now = Clock::now();
        first_ranks_ = first_ranks_.value_or(now);
        const std::size_t here = layer_ ? seen : stacks_.ranks().size();
        const auto size = static_cast<std::size_t>(layer_ ? std::max(size_, 0) : 0);
        if (size <= here ||
            now - *first_ranks_ > (options_.others != nullptr ? patience_with_others : patience_with_size)) {
            has_told_ranks_ = true;
            std::string on;
            if (!others().empty()) {
                const bool is_here = layer_->has_any();
                on = fmt::format(" on {} machine{}", others().size() + (is_here ? 1 : 0),
                                 others().size() + (is_here ? 1 : 0) == 1 ? "" : "s");
            }
            say(fmt::format(
                "watches {} rank{}{} {}{}\n", here, here == 1 ? "" : "s", on,
                layer_ ? "through the light layer" : "from outside, by their stacks",
                size > here ? fmt::format("; the job has {}, the others are on other machines and not watched", size)
                            : std::string()));
        }
    }

    /// All ranks, as both eyes see them; nothing where another machine does not answer.
    std::optional<std::vector<StackLook>> look_at_all() {
        if (layer_) {
            auto answer = ask_all(Ask::stacks, patience_with_answer);
            return answer ? std::optional(std::move(answer->stacks)) : std::nullopt;
        }
        return stacks_.look_at_all(patience_with_stops);
    }

    static bool is_same_standstill(const std::vector<StackLook>& before, const std::vector<StackLook>& now) {
        return std::equal(
            before.begin(), before.end(), now.begin(), now.end(), [](const StackLook& a, const StackLook& b) {
                // That a rank that asks again and again is between two questions is no change.
                return process_of(a.rank) == process_of(b.rank) && a.rank.token == b.rank.token && !b.rank.traced &&
                       (a.rank.where == Whereabouts::ended) == (b.rank.where == Whereabouts::ended);
            });
    }

    /// Whether ranks that compute do so, or want to and get no processor, or read and write files. Both looks are at
    /// the same ranks.
    bool works_slowly(const std::vector<StackLook>& before, const std::vector<StackLook>& after, Time now) const {
        for (std::size_t i = 0; i < std::min(before.size(), after.size()); ++i) {
            const Work& then = before[i].work;
            const Work& at_end = after[i].work;
            const bool starves = at_end.state == 'R' && then.ticks == at_end.ticks;
            const bool writes = then.io_bytes != at_end.io_bytes && detector_.quiet(now) < longest_work;
            const RankLook& rank = after[i].rank;
            if (rank.where == Whereabouts::outside && !rank.stopped && (starves || writes)) {
                return true;
            }
        }
        return false;
    }

    void confirm(Time now) {
        Evidence evidence;
        for (int i = 0; i < confirming_looks; ++i) {
            if (i > 0) {
                std::this_thread::sleep_for(between_looks);
            }
            if (job_.has_ended()) {
                return;
            }
            auto looks = look_at_all();
            if (!looks) {
                detector_.skip(Clock::now());
                return;
            }
            evidence.looks.push_back(std::move(*looks));
            if (!is_same_standstill(evidence.looks.front(), evidence.looks.back())) {
                detector_.refute(Clock::now());
                return;
            }
        }
        now = Clock::now();
        if (works_slowly(evidence.looks.front(), evidence.looks.back(), now)) {
            detector_.refute(now);
            return;
        }
        report(now, std::move(evidence));
    }

    /// As of one moment; nothing where another machine does not answer.
    std::optional<std::vector<RankFacts>> read_facts(bool with_counts) {
        const auto first = ask_all(Ask::needs, patience_with_answer);
        auto second = first ? ask_all(with_counts ? Ask::facts : Ask::needs, patience_with_answer) : std::nullopt;
        return second ? std::optional(of_one_moment(first->facts, std::move(second->facts))) : std::nullopt;
    }

    /// Whether ranks surely wait for each other for ever.
    Conclusion conclude(bool with_counts) {
        const auto facts = read_facts(with_counts);
        return facts ? find_deadlock(*facts, Room::may_be_found) : Conclusion{};
    }

    /// Whether ranks wait for each other for ever, whatever the others do.
    void look_for_deadlock(Time now) {
        const bool is_due = layer_ && !reported_ && now - last_facts_ >= between_facts;
        if (!is_due) {
            return;
        }
        last_facts_ = now;
        const Look before = std::exchange(last_standing_, last_);
        const bool anybody_stands = std::any_of(last_.begin(), last_.end(), [&before](const RankLook& rank) {
            return rank.where == Whereabouts::inside &&
                   std::any_of(before.begin(), before.end(), [&rank](const RankLook& other) {
                       return process_of(other) == process_of(rank) && other.token == rank.token;
                   });
        });
        // The counts of messages are long to read: first it is seen whether they could matter.
        const auto is_one = [this](bool with_counts) { return !conclude(with_counts).stuck.empty(); };
        if (!anybody_stands || !is_one(false) || !is_one(true)) {
            return;
        }
        Evidence evidence;
        for (int i = 0; i < 2; ++i) {
            auto looks = look_at_all();
            if (!looks || job_.has_ended()) {
                return;
            }
            evidence.looks.push_back(std::move(*looks));
            std::this_thread::sleep_for(between_looks);
        }
        evidence.surely = conclude(true);
        const bool are_same = std::equal(
            evidence.looks[0].begin(), evidence.looks[0].end(), evidence.looks[1].begin(), evidence.looks[1].end(),
            [](const StackLook& a, const StackLook& b) { return process_of(a.rank) == process_of(b.rank); });
        if (!evidence.surely.stuck.empty() && are_same) {
            report(Clock::now(), std::move(evidence));
        }
    }

    void report(Time now, Evidence evidence) {
        HangReport report;
        report.quiet = detector_.quiet(now);
        report.since = std::chrono::duration_cast<milliseconds>(now - started_);
        report.samples_in_a_row = detector_.suspicion().needed() == 0 ? 0 : detector_.suspicion().in_a_row();
        report.significance = options_.significance.alpha;
        report.with_layer = layer_ != nullptr;
        report.ranks_seen = static_cast<int>(evidence.looks.back().size());
        for (const Lost& lost : lost_) {
            report.lost_machines.push_back(lost.machine);
        }
        if (layer_) {
            report.size = size_;
            auto facts = read_facts(true);
            if (facts && evidence.surely.stuck.empty()) {
                evidence.without_room = find_deadlock(*facts, Room::is_none);
                evidence.facts = std::move(*facts);
            } else if (!facts) {
                evidence.without_room.doubt = "a monitor on another machine does not answer";
            }
            if (auto answer = ask_all(Ask::histories, patience_with_answer)) {
                evidence.histories = std::move(answer->histories);
            }
        } else if (!stacks_.ranks().empty()) {
            report.size = stacks_.ranks().front().size;
        }
        assign_blame(evidence, lines_, report);
        std::vector<int> some = report.least_progressed;
        some.insert(some.end(), report.blamed.begin(), report.blamed.end());
        if (layer_ && !some.empty()) {
            some.resize(std::min(some.size(), most_with_variables));
            if (auto answer = ask_all(Ask::variables, patience_with_answer, some)) {
                for (const RankVariables& of : answer->variables) {
                    add_variables(of.rank, of.numbers, report);
                }
            }
        }
        ++result_.hangs;
        say(make_hang_text(report));
        std::filesystem::create_directories(options_.output);
        file_ = options_.output / (result_.hangs == 1 ? "hang.json" : fmt::format("hang-{}.json", result_.hangs));
        write_hang_json(file_, report, std::nullopt);
        const auto page = std::filesystem::path(file_).replace_extension(".html");
        write_hang_page(page, report, options_.job);
        say("the report is in " + file_.string() + ", and as a page in " + page.string() + "\n");
        for (const StackLook& look : evidence.looks.back()) {
            const bool is_meant = !report.from_facts || evidence.surely.stuck[static_cast<std::size_t>(look.rank.rank)];
            if (is_meant) {
                tokens_of_report_[process_of(look.rank)] = look.rank.token;
            }
        }
        reported_ = std::move(report);
        act(evidence);
    }

    void end_job() {
        if (layer_) {
            static_cast<void>(ask_all(Ask::terminate, patience_with_signals));
        }
        job_.end();
        if (layer_) {
            static_cast<void>(ask_all(Ask::kill, patience_with_signals));
        }
    }

    void act(const Evidence& evidence) {
        switch (options_.on_hang) {
            case OnHang::report:
                return;
            case OnHang::kill:
                say("ends the job\n");
                end_job();
                break;
            case OnHang::core:
                say("has the ranks dump their cores\n");
                if (layer_) {
                    static_cast<void>(ask_all(Ask::dump_core, patience_with_signals));
                } else {
                    for (const StackLook& look : evidence.looks.back()) {
                        kill(look.rank.process, SIGABRT);
                        kill(look.rank.process, SIGCONT);
                    }
                }
                std::this_thread::sleep_for(seconds{1});
                end_job();
                break;
            case OnHang::command:
                execute();
                return;
        }
        result_.was_ended = true;
    }

    void execute() {
        std::string command = options_.command;
        std::string file = file_.string();
        std::array<char*, 3> arguments{command.data(), file.data(), nullptr};
        pid_t child = 0;
        const int error = posix_spawnp(&child, arguments[0], nullptr, nullptr, arguments.data(), environ);
        if (error != 0) {
            say(fmt::format("cannot execute {}: {}\n", command, std::strerror(error)));
        }
    }

    /// Whether a rank of the standing job that is still there has got on.
    [[nodiscard]] bool has_gone_on() const {
        return std::any_of(last_.begin(), last_.end(), [this](const RankLook& rank) {
            const auto before = tokens_of_report_.find(process_of(rank));
            return rank.where != Whereabouts::ended && before != tokens_of_report_.end() && rank.token != 0 &&
                   before->second != 0 && before->second != rank.token;
        });
    }

    void went_on(Time now) {
        const auto lasted =
            std::chrono::duration_cast<milliseconds>(now - started_) - reported_->since + reported_->quiet;
        say(fmt::format("the job has gone on after {:.1f} s: it was slow, and did not hang\n",
                        static_cast<double>(lasted.count()) / 1000));
        write_hang_json(file_, *reported_, lasted);
        reported_.reset();
        tokens_of_report_.clear();
    }

    WatchedJob& job_;
    const MonitorOptions& options_;
    const std::atomic<int>& stop_;
    std::ostream& messages_;
    Detector detector_;
    std::unique_ptr<LocalRanks> layer_;  ///< null: there is none
    int size_ = 0;                       ///< of the job, as the layer says
    std::vector<Lost> lost_;
    StackEye stacks_;
    launch::SourceLines lines_;
    Look last_;
    Time started_;
    Time last_search_{};
    Time last_facts_{};
    Look last_standing_;  ///< when facts were looked at last
    std::optional<Time> first_seen_;
    bool has_told_ranks_ = false;
    std::optional<Time> first_ranks_;     ///< when some were seen first
    std::optional<HangReport> reported_;  ///< of the standstill that lasts
    std::map<std::pair<int, pid_t>, std::uint64_t> tokens_of_report_;
    std::filesystem::path file_;
    WatchResult result_;
};

}  // namespace

WatchResult watch_job(WatchedJob& job, const MonitorOptions& options, const std::atomic<int>& stop,
                      std::ostream& messages) {
    return Monitor(job, options, stop, messages).run();
}

}  // namespace dampi::scheduler::watch
