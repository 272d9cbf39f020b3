// make_samples FOLDER: writes pages of sweeps that nobody has run, for check_page.py: of none, one, a thousand and ten
// thousand interleavings, with 2 to 64 ranks, and with names that would do harm as markup. Each NAME.html is written as
// dampi-run writes it, and with its report.json beside it (NAME.json); prints what that took.
#include "base/check.hpp"
#include "scheduler/report/json_report.hpp"
#include "scheduler/report/page.hpp"
#include "scheduler/sweep/findings.hpp"
#include "scheduler/watch/hang_page.hpp"

#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <sys/resource.h>

namespace dampi::scheduler {
namespace {

using replay::CodePlace;
using replay::Epoch;
using replay::Rank;

clocks::Clock known(std::vector<clocks::VectorClock::Interval> intervals) {
    return {.lamport = {}, .vector = clocks::VectorClock::from_intervals(intervals)};
}

/// Receives that rank 0 and, every fifth, rank 1 make of the others in turn; those of rank 1 know all before them. With
/// `variant`, some take another message.
std::vector<Epoch> epochs_of(int ranks, std::uint32_t count, std::uint64_t variant, const CodePlace& where) {
    std::vector<Epoch> of_rank[2];
    for (std::uint32_t i = 0; i < count; ++i) {
        const Rank rank = i % 5 == 4 && ranks > 2 ? 1 : 0;
        const auto index = static_cast<std::uint32_t>(of_rank[rank].size());
        const auto first = static_cast<std::uint32_t>(of_rank[0].size());
        Epoch epoch;
        epoch.id = {rank, index};
        epoch.comm = base::world_comm;
        epoch.tag = base::any_tag;
        epoch.call = "MPI_Recv";
        epoch.where = where;
        epoch.where.line += rank;
        epoch.context.zone = i / 20;
        std::vector<clocks::VectorClock::Interval> past;
        if (first > 0) {
            past.push_back({0, 0, first});
        }
        if (rank == 1 && index > 0) {
            past.push_back({1, 0, index});
        }
        epoch.posted = known(past);
        epoch.past = known(past);
        const auto other = [&](std::uint64_t turn) {
            return ranks == 2 ? Rank{1} : static_cast<Rank>(2 + turn % static_cast<std::uint64_t>(ranks - 2));
        };
        const bool changed = (variant >> (i % 32) & 1U) != 0;
        epoch.outcome = replay::Outcome{.source = other(i + (changed ? 1 : 0)), .tag = 3, .number = i};
        epoch.forced = changed;
        if (ranks > 3) {
            epoch.potential_matches = {{other(i + (changed ? 0 : 1)), 3, i}};
        }
        of_rank[rank].push_back(std::move(epoch));
    }
    of_rank[0].insert(of_rank[0].end(), of_rank[1].begin(), of_rank[1].end());
    return of_rank[0];
}

Finding deadlock(int ranks, std::vector<Epoch> epochs, const CodePlace& where, const std::string& name) {
    Finding finding;
    replay::Violation& violation = finding.violation;
    violation.kind = replay::ViolationKind::deadlock;
    violation.message = "all ranks wait for each other" + name;
    violation.wait_for.emplace();
    violation.wait_for->shape = replay::WaitForGraph::Core::cycle;
    violation.wait_for->core = {0, 1};
    for (Rank rank = 0; rank < ranks; ++rank) {
        violation.ranks.push_back(rank);
        const bool receives = rank < 2;
        violation.situations.push_back({rank,
                                        receives ? "MPI_Recv" : "MPI_Barrier",
                                        "waits" + name,
                                        where,
                                        "comm MPI_COMM_WORLD" + name,
                                        {},
                                        {where, {"/lib" + name, 0x40, name, "", 0}}});
        violation.wait_for->nodes.push_back({rank, false, receives, {{rank == 0 ? 1 : 0, 0, "act" + name}}, 0});
        if (rank > 1) {
            violation.unmatched.push_back({true, rank, 0, 7, "MPI_COMM_WORLD" + name, 1, where});
        }
    }
    finding.count = 1;
    finding.first_interleaving = 1;
    finding.reproducer.number = 1;
    finding.buffering = {replay::Buffering::native};
    finding.epochs = std::move(epochs);
    return finding;
}

/// Of a run with these receives: rank 0 takes them later than it posts them, rank 1 at once; and a barrier of all
/// ranks.
std::vector<replay::CallEvent> calls_of(int ranks, const std::vector<Epoch>& epochs, const CodePlace& where,
                                        const std::string& suffix) {
    std::vector<std::vector<replay::CallEvent>> by_rank(static_cast<std::size_t>(ranks));
    std::uint64_t moment = 0;
    const auto add = [&](Rank rank, replay::CallKind kind, const std::string& function) -> replay::CallEvent& {
        std::vector<replay::CallEvent>& own = by_rank[static_cast<std::size_t>(rank)];
        replay::CallEvent& call = own.emplace_back();
        call.name = {rank, static_cast<std::uint32_t>(own.size() - 1)};
        call.kind = kind;
        call.function = function + suffix;
        call.where = where;
        call.comm = base::world_comm;
        call.tag = 3;
        call.order = ++moment;
        call.issue = moment;
        return call;
    };
    for (Rank rank = 0; rank < ranks; ++rank) {
        add(rank, replay::CallKind::collective, "MPI_Barrier");
    }
    for (const Epoch& epoch : epochs) {
        const Rank source = epoch.outcome->source;
        replay::CallEvent& send = add(source, replay::CallKind::send, "MPI_Send");
        const replay::CallName sent = send.name;
        send.peer = epoch.id.rank;
        replay::CallEvent& receive =
            add(epoch.id.rank, replay::CallKind::receive, epoch.id.rank == 0 ? "MPI_Irecv" : "MPI_Recv");
        const std::uint32_t posted = receive.name.index;
        receive.peer = base::any_source;
        receive.match = sent;
        receive.epoch = epoch.id.index;
        by_rank[static_cast<std::size_t>(source)][sent.index].match = receive.name;
        if (epoch.id.rank == 0) {
            add(0, replay::CallKind::completion, "MPI_Wait").completed = {posted};
        }
    }
    std::vector<replay::CallEvent> calls;
    for (const auto& own : by_rank) {
        calls.insert(calls.end(), own.begin(), own.end());
    }
    return calls;
}

OrderEffect changed_by_order(const CodePlace& where, const std::string& suffix) {
    OrderEffect effect;
    effect.rank = 1;
    effect.also = {0};
    effect.choices = {{"MPI_Recv" + suffix, where}};
    effect.taken = {{1, "1, 2" + suffix, "2, 1"}};
    effect.call = "MPI_Finalize";
    effect.where = where;
    effect.variables = {{.name = "total" + suffix,
                         .part = "total[2]" + suffix,
                         .type = "char*" + suffix,
                         .kind = "heap",
                         .function = "main" + suffix,
                         .declared = where,
                         .bytes = 8,
                         .parts = 1,
                         .one = '"' + suffix,
                         .other = "'" + suffix}};
    effect.one = 1;
    effect.other = 2;
    return effect;
}

struct Sample {
    std::string name;
    int ranks = 2;
    std::uint64_t interleavings = 0;
    std::uint32_t epochs = 0;  ///< of each
    std::string suffix = {};   ///< of all names that are the program's
    bool calls = false;        ///< all calls are known
};

/// Makes what a sweep would have kept; adds to `clocks_for_sites` the processor time (std::clock) that it takes to note
/// the call sites.
ReportInputs inputs_of(const Sample& sample, const std::filesystem::path& folder, std::clock_t& clocks_for_sites) {
    ReportInputs inputs;
    inputs.options.output = folder;
    inputs.options.processes = sample.ranks;
    inputs.options.program = "./app" + sample.suffix;
    inputs.options.arguments = {"--size", "8" + sample.suffix};
    inputs.clock = "vector";
    inputs.engine = "distributed";
    inputs.not_checked = {"loads and most stores in buffers"};
    SweepResult& result = inputs.result;
    result.explored = sample.interleavings;
    result.communicators = {{base::world_comm, "MPI_COMM_WORLD" + sample.suffix}};
    result.by_buffering[replay::Buffering::native] = {.explored = sample.interleavings, .pending = 0};
    if (sample.interleavings == 0) {
        inputs.error = "the program has vanished" + sample.suffix;
        return inputs;
    }
    std::string file = "source" + sample.suffix + ".c";
    std::erase(file, '/');
    const CodePlace where{"/home/app" + sample.suffix, 0x40, "main" + sample.suffix, (folder / file).string(), 5};
    std::ofstream source(where.file, std::ios::binary);
    for (int line = 1; line <= 12; ++line) {
        source << "line " << line << " of the source" << sample.suffix << '\n';
    }
    for (std::uint64_t i = 1; i <= sample.interleavings; ++i) {
        replay::RunRecord record;
        record.epochs = epochs_of(sample.ranks, sample.epochs, sample.interleavings == 1 ? 1 : i - 1, where);
        InterleavingOutcome outcome;
        outcome.number = i;
        outcome.outcomes = format_outcomes(record.epochs, false);
        if (i == 1 || i == 3) {
            outcome.verdicts = {replay::ViolationKind::deadlock};
        }
        const std::clock_t begin = std::clock();
        result.sites.apply(result.sites.look(sites_of(record), outcome.sites));
        clocks_for_sites += std::clock() - begin;
        if (i == 1) {
            result.findings = {deadlock(sample.ranks, record.epochs, where, sample.suffix)};
        }
        result.interleavings.push_back(std::move(outcome));
    }
    Finding leak;
    leak.violation = {
        replay::ViolationKind::leak_request, "1 request is left" + sample.suffix, {1}, {{1, "MPI_Irecv", "", where}}};
    leak.count = 1;
    leak.first_interleaving = 1;
    leak.reproducer.number = 1;
    result.findings.insert(result.findings.begin(), std::move(leak));
    if (sample.calls) {
        const std::vector<Epoch>& epochs = result.findings.back().epochs;
        inputs.calls = {{}, {.failing = calls_of(sample.ranks, epochs, where, sample.suffix), .passing = {}}};
        if (sample.interleavings > 1) {
            inputs.calls[1].passing =
                calls_of(sample.ranks, epochs_of(sample.ranks, sample.epochs, 1, where), where, sample.suffix);
            inputs.calls[1].passing_number = 2;
        }
    }
    inputs.finding_files = {"decisions/leak-1.json", "decisions/deadlock-1.json"};
    result.left_out = {
        {"mixing-bound", "alternatives left out by the mixing bound" + sample.suffix, "", {{"MPI_Recv", where, 4}}}};
    result.pending = 4;
    result.not_modelled = {{"MPI_T_init_thread" + sample.suffix, {2, {where}}}};
    inputs.order.asked = true;
    inputs.order.compared = sample.interleavings;
    if (sample.interleavings > 1) {
        inputs.order.effects = {changed_by_order(where, sample.suffix)};
    }
    return inputs;
}

void write(const Sample& sample, const std::filesystem::path& folder) {
    std::clock_t clocks_for_sites = 0;
    const ReportInputs inputs = inputs_of(sample, folder, clocks_for_sites);
    const std::clock_t begin = std::clock();
    write_json_report(folder / (sample.name + ".json"), inputs);
    write_page(folder / (sample.name + ".html"), inputs);
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const double sites = static_cast<double>(clocks_for_sites) / CLOCKS_PER_SEC;
    std::cout << fmt::format(
        "{}: {:.2f} s of processor time for both reports, {} kB the page; before that {:.4f} s for call sites; the "
        "process "
        "so far at most {} MB\n",
        sample.name, seconds, std::filesystem::file_size(folder / (sample.name + ".html")) / 1000, sites,
        usage.ru_maxrss / 1000);
}

/// Of a job that was watched: rank 1 computes, and all others wait for it; or the first two wait for each other.
void write_hang(const std::string& name, bool deadlock, const std::string& suffix,
                const std::filesystem::path& folder) {
    using watch::HangGroup;
    const replay::CodePlace place{
        .module = "/app" + suffix, .function = "solve" + suffix, .file = __FILE__, .line = 12};
    watch::HangReport report;
    report.kind = deadlock ? watch::HangKind::deadlock : watch::HangKind::computation;
    report.from_facts = deadlock;
    report.size = report.ranks_seen = 4;
    report.blamed = deadlock ? std::vector<int>{0, 1} : std::vector<int>{1};
    report.least_progressed = {1};
    for (int rank = 0; rank < 4; ++rank) {
        HangGroup group;
        group.ranks = {rank};
        group.is_outside = !deadlock && rank == 1;
        group.function = "MPI_Recv";
        group.state = (group.is_outside ? "outside MPI" : "in MPI_Recv") + suffix;
        group.stack = {place};
        group.iterations = {{place, 7}};
        group.variables = {{rank, "solve" + suffix, {{"step" + suffix, -7}}}};
        report.groups.push_back(std::move(group));
    }
    replay::WaitForGraph graph;
    graph.shape = deadlock ? replay::WaitForGraph::Core::cycle : replay::WaitForGraph::Core::end;
    graph.core = deadlock ? std::vector<base::Rank>{0, 1} : std::vector<base::Rank>{0, 2, 3};
    for (const base::Rank rank : {0, 1, 2, 3}) {
        if (deadlock || rank != 1) {
            graph.nodes.push_back(
                {.rank = rank,
                 .in_core = !deadlock || rank < 2,
                 .edges = {{.to = rank == 1 ? 0 : 1, .reason = "send a message with tag 7" + suffix}}});
        }
    }
    report.wait_for = graph;
    watch::write_hang_page(folder / (name + ".html"), report, {"mpiexec", "./app" + suffix});
}

}  // namespace
}  // namespace dampi::scheduler

int main(int argc, char** argv) {
    DAMPI_CHECK(argc == 2);
    const std::filesystem::path folder = argv[1];
    std::filesystem::create_directories(folder);
    const std::string hostile =
        "'\"><img src=x "
        "onerror=pwned=1><!--</script><script>pwned=1</"
        "script>]]>&amp;${pwned=1}\xff\xc3\x28\xed\xa0\x80\xe2\x80\xa8\x01";
    for (const dampi::scheduler::Sample& sample : std::vector<dampi::scheduler::Sample>{
             {.name = "none", .ranks = 2, .interleavings = 0},
             {.name = "one", .ranks = 2, .interleavings = 1, .epochs = 1},
             {.name = "hostile", .ranks = 5, .interleavings = 3, .epochs = 4, .suffix = hostile},
             {.name = "hostile_calls", .ranks = 5, .interleavings = 3, .epochs = 4, .suffix = hostile, .calls = true},
             {.name = "calls", .ranks = 2, .interleavings = 1, .epochs = 3, .calls = true},
             {.name = "wide_calls", .ranks = 64, .interleavings = 3, .epochs = 3'300, .calls = true},
             {.name = "thousand", .ranks = 16, .interleavings = 1000, .epochs = 20},
             {.name = "wide", .ranks = 64, .interleavings = 3, .epochs = 10'000},
             {.name = "many", .ranks = 64, .interleavings = 10'000, .epochs = 40}}) {
        dampi::scheduler::write(sample, folder);
    }
    dampi::scheduler::write_hang("hang_deadlock", true, "", folder);
    dampi::scheduler::write_hang("hang_blamed", false, hostile, folder);
    return 0;
}
