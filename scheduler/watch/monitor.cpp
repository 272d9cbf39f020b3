#include "scheduler/watch/monitor.hpp"

#include "launch/program/source_lines.hpp"
#include "scheduler/watch/blame.hpp"
#include "scheduler/watch/board_eye.hpp"
#include "scheduler/watch/ranks_of_job.hpp"
#include "scheduler/watch/stack_eye.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <map>
#include <memory>
#include <ostream>
#include <thread>

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
constexpr milliseconds interval_of_boards{100};  ///< looking at them costs nothing
constexpr milliseconds interval_of_stacks{400};  ///< ParaStack's
constexpr milliseconds between_searches{500};    ///< for ranks that are new
constexpr seconds patience_with_layer{5};        ///< until a rank that runs must have said so
constexpr milliseconds worth_a_closer_look{200};
constexpr milliseconds longest_own_pause{1000};  ///< this process has slept longer than it wanted: it knows nothing
constexpr int confirming_looks = 5;
constexpr milliseconds between_looks{350};
constexpr milliseconds patience_with_stops{100};
constexpr seconds longest_work{600};  ///< input and output count as getting on for so long

/// A rank's own work outside MPI, as the kernel counts it.
struct Work {
    char state = 'X';
    std::uint64_t ticks = 0;
    std::uint64_t io_bytes = 0;
};

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
            boards_ = std::make_unique<BoardEye>(options.boards);
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
        return result_;
    }

private:
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

    void search(Time now) {
        if (now - last_search_ < between_searches) {
            return;
        }
        last_search_ = now;
        if (boards_) {
            boards_->find_ranks();
            if (boards_->size_of_jobs() > 0) {
                return;
            }
            const auto ranks = find_ranks(job_.roots());
            if (ranks.empty()) {
                first_seen_.reset();
            } else if (!first_seen_) {
                first_seen_ = now;
            } else if (now - *first_seen_ > patience_with_layer) {
                if (!options_.quiet) {
                    say("no rank has loaded the layer (MPI is linked in statically, or was not initialised yet): it is "
                        "watched from outside\n");
                }
                boards_.reset();
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
        if (boards_) {
            const Look look = boards_->look(detector_.quiet(now) > worth_a_closer_look);
            seen = look.size();
            suspects = detector_.observe(now, look);
            last_ = look;
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
                        return other.process == rank.process;
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
        if (suspects && !reported_) {
            confirm(now);
        }
    }

    void tell_ranks(std::size_t seen) {
        if (seen == 0 || has_told_ranks_ || options_.quiet) {
            return;
        }
        const std::size_t here = boards_ ? seen : stacks_.ranks().size();
        const int size = boards_ ? boards_->size_of_jobs() : 0;
        if (static_cast<std::size_t>(std::max(size, 0)) <= here || Clock::now() - started_ > seconds{5}) {
            has_told_ranks_ = true;
            say(fmt::format(
                "watches {} rank{} {}{}\n", here, here == 1 ? "" : "s",
                boards_ ? "through the light layer" : "from outside, by their stacks",
                static_cast<std::size_t>(std::max(size, 0)) > here
                    ? fmt::format("; the job has {}, the others are on other machines and not watched", size)
                    : std::string()));
        }
    }

    static std::map<pid_t, Work> work_of(const std::vector<StackLook>& looks) {
        std::map<pid_t, Work> work;
        for (const StackLook& look : looks) {
            const auto kernel = launch::state_of_process(look.rank.process);
            work[look.rank.process] = {kernel.state, kernel.ticks, kernel.io_bytes};
        }
        return work;
    }

    /// All ranks, as both eyes see them.
    std::vector<StackLook> look_at_all() {
        if (boards_) {
            boards_->find_ranks();
            const Look seen = boards_->look(true);
            std::vector<RankProcess> ranks;
            for (const RankLook& rank : seen) {
                ranks.push_back({rank.rank, boards_->size_of_jobs(), rank.process});
            }
            stacks_.set_ranks(ranks);
            std::vector<StackLook> looks = stacks_.look_at_all(patience_with_stops);
            for (std::size_t i = 0; i < looks.size(); ++i) {
                looks[i].rank = seen[i];  // the layer knows better
            }
            return looks;
        }
        return stacks_.look_at_all(patience_with_stops);
    }

    static bool is_same_standstill(const std::vector<StackLook>& before, const std::vector<StackLook>& now) {
        return std::equal(
            before.begin(), before.end(), now.begin(), now.end(), [](const StackLook& a, const StackLook& b) {
                // That a rank that asks again and again is between two questions is no change.
                return a.rank.process == b.rank.process && a.rank.token == b.rank.token && !b.rank.traced &&
                       (a.rank.where == Whereabouts::ended) == (b.rank.where == Whereabouts::ended);
            });
    }

    /// Whether ranks that compute do so, or want to and get no processor, or read and write files.
    bool works_slowly(const std::vector<StackLook>& looks, const std::map<pid_t, Work>& before, Time now) const {
        const auto after = work_of(looks);
        return std::any_of(looks.begin(), looks.end(), [&](const StackLook& look) {
            if (look.rank.where != Whereabouts::outside || look.rank.stopped || !before.contains(look.rank.process)) {
                return false;
            }
            const Work& then = before.at(look.rank.process);
            const Work& at_end = after.at(look.rank.process);
            const bool starves = at_end.state == 'R' && then.ticks == at_end.ticks;
            const bool writes = then.io_bytes != at_end.io_bytes && detector_.quiet(now) < longest_work;
            return starves || writes;
        });
    }

    void confirm(Time now) {
        Evidence evidence;
        evidence.looks.push_back(look_at_all());
        const auto work = work_of(evidence.looks.front());
        for (int i = 1; i < confirming_looks; ++i) {
            std::this_thread::sleep_for(between_looks);
            if (job_.has_ended()) {
                return;
            }
            evidence.looks.push_back(look_at_all());
            if (!is_same_standstill(evidence.looks.front(), evidence.looks.back())) {
                detector_.refute(Clock::now());
                return;
            }
        }
        now = Clock::now();
        if (works_slowly(evidence.looks.back(), work, now)) {
            detector_.refute(now);
            return;
        }
        report(now, std::move(evidence));
    }

    void report(Time now, Evidence evidence) {
        HangReport report;
        report.quiet = detector_.quiet(now);
        report.since = std::chrono::duration_cast<milliseconds>(now - started_);
        report.samples_in_a_row = detector_.suspicion().needed() == 0 ? 0 : detector_.suspicion().in_a_row();
        report.significance = options_.significance.alpha;
        report.with_layer = boards_ != nullptr;
        report.ranks_seen = static_cast<int>(evidence.looks.back().size());
        std::map<pid_t, launch::ObservedProcess> processes;
        if (boards_) {
            report.size = boards_->size_of_jobs();
            for (const StackLook& look : evidence.looks.back()) {
                if (auto history = boards_->history(look.rank.process)) {
                    evidence.histories.push_back(std::move(*history));
                }
                evidence.arguments[look.rank.rank] = boards_->arguments(look.rank.process);
            }
        } else if (!stacks_.ranks().empty()) {
            report.size = stacks_.ranks().front().size;
        }
        evidence.place_of = [&processes](pid_t process, std::uint64_t address) {
            auto found = processes.find(process);
            if (found == processes.end()) {
                found = processes.emplace(process, launch::ObservedProcess(process)).first;
            }
            return found->second.place_of(address);
        };
        assign_blame(evidence, lines_, report);
        ++result_.hangs;
        say(make_hang_text(report));
        std::filesystem::create_directories(options_.output);
        file_ = options_.output / (result_.hangs == 1 ? "hang.json" : fmt::format("hang-{}.json", result_.hangs));
        write_hang_json(file_, report, std::nullopt);
        say("the report is in " + file_.string() + "\n");
        reported_ = std::move(report);
        for (const StackLook& look : evidence.looks.back()) {
            tokens_of_report_[look.rank.process] = look.rank.token;
        }
        act(evidence);
    }

    void act(const Evidence& evidence) {
        switch (options_.on_hang) {
            case OnHang::report:
                return;
            case OnHang::kill:
                say("ends the job\n");
                job_.end();
                break;
            case OnHang::core:
                say("has the ranks dump their cores\n");
                for (const StackLook& look : evidence.looks.back()) {
                    kill(look.rank.process, SIGABRT);
                    kill(look.rank.process, SIGCONT);
                }
                std::this_thread::sleep_for(seconds{1});
                job_.end();
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
            const auto before = tokens_of_report_.find(rank.process);
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
    std::unique_ptr<BoardEye> boards_;
    StackEye stacks_;
    launch::SourceLines lines_;
    Look last_;
    Time started_;
    Time last_search_{};
    std::optional<Time> first_seen_;
    bool has_told_ranks_ = false;
    std::optional<HangReport> reported_;  ///< of the standstill that lasts
    std::map<pid_t, std::uint64_t> tokens_of_report_;
    std::filesystem::path file_;
    WatchResult result_;
};

}  // namespace

WatchResult watch_job(WatchedJob& job, const MonitorOptions& options, const std::atomic<int>& stop,
                      std::ostream& messages) {
    return Monitor(job, options, stop, messages).run();
}

}  // namespace dampi::scheduler::watch
