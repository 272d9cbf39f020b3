// workers_bench: how many cores one dampi-run feeds. A sweep with a journal and real connections to workers, which run
// nothing: each interleaving takes them a fixed time of waiting, and what came of it is that of free_engine.hpp. They
// are processes of their own, so the CPU time that is printed is that of the sweep alone. Prints lines "name value" for
// tests/bench/run.
//
//     workers_bench --interleavings N [--workers W] [--slots S] [--milliseconds T] [--journal FILE]
#include "scheduler/exploration/match_relations.hpp"
#include "scheduler/workers/pool.hpp"
#include "scheduler/workers/worker.hpp"
#include "tests/bench/bench_program.hpp"
#include "tests/bench/free_engine.hpp"
#include "transport/network/link.hpp"
#include "transport/network/secret.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <exception>
#include <functional>
#include <queue>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using namespace dampi;
using namespace dampi::scheduler;
using namespace dampi::scheduler::workers;
using namespace dampi::transport::network;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr std::uint32_t senders = 3;
constexpr std::uint32_t rounds = 8;

/// One connection with so many slots, in each of which an interleaving takes `lasts`.
void wait_as_worker(const Address& address, const std::string& secret, std::uint32_t slots, Clock::duration lasts) {
    Link link(address, secret, joining_worker(), 60s);
    (void)introduce(link, {.build = "bench", .host = "waiting", .process = 1}, 60s);
    link.send(encode_ready(slots));
    bench::FreeEngine engine(1, senders, rounds);
    std::priority_queue<Clock::time_point, std::vector<Clock::time_point>, std::greater<>> free_at;
    for (std::uint32_t i = 0; i < slots; ++i) {
        free_at.push(Clock::now());
    }
    std::queue<std::pair<Clock::time_point, std::string>> due;  // in the order in which slots became free
    auto alive = Clock::now();
    for (;;) {
        const auto now = Clock::now();
        std::string out;
        for (; !due.empty() && due.front().first <= now; due.pop()) {
            out += due.front().second;
        }
        if (now - alive > 2s) {
            alive = now;
            out += encode(Kind::alive);
        }
        if (!out.empty() && !link.send(out)) {
            return;
        }
        const auto heard = link.receive(due.empty() ? Clock::duration(1s) : due.front().first - Clock::now());
        if (heard == Link::Heard::gone ||
            (heard == Link::Heard::message && kind_of(link.message()) == Kind::farewell)) {
            return;
        }
        if (heard != Link::Heard::message || kind_of(link.message()) != Kind::leases) {
            continue;
        }
        for (const Lease& lease : decode_leases(link.message().bytes)) {
            const auto over = std::max(Clock::now(), free_at.top()) + lasts;
            free_at.pop();
            free_at.push(over);
            Result result;
            result.lease = lease.id;
            result.record = engine.run(lease.interleaving, {});
            due.emplace(over, encode(result));
        }
    }
}

double cpu_seconds() {
    timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

int run(int argc, char** argv) {
    std::uint64_t interleavings = 0;
    std::uint32_t workers = 16;
    std::uint32_t slots = 64;
    double milliseconds = 19;
    std::string journal_file;
    CLI::App app("How many cores one dampi-run feeds");
    app.add_option("--interleavings", interleavings)->required();
    app.add_option("--workers", workers);
    app.add_option("--slots", slots);
    app.add_option("--milliseconds", milliseconds);
    app.add_option("--journal", journal_file);
    CLI11_PARSE(app, argc, argv);
    const auto lasts =
        std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double, std::milli>(milliseconds));

    // The process of the workers is made before there are threads, and told the port later.
    const std::string secret = make_secret();
    int told[2] = {-1, -1};
    if (::pipe(told) != 0) {
        return 2;
    }
    const pid_t child = ::fork();
    if (child == 0) {
        std::uint16_t port = 0;
        if (::read(told[0], &port, sizeof port) == sizeof port) {
            std::vector<std::jthread> all;
            for (std::uint32_t i = 0; i < workers; ++i) {
                all.emplace_back([=] {
                    try {
                        wait_as_worker({{"127.0.0.1"}, std::to_string(port)}, secret, slots, lasts);
                    } catch (const std::exception& error) {
                        std::fprintf(stderr, "workers_bench: %s\n", error.what());
                    }
                });
            }
        }
        std::_Exit(0);
    }
    SweepResult result;
    double cpu = 0;
    {
        Pool pool({.secret = secret, .build = "bench", .processes = senders + 1, .here = true});
        const std::uint16_t port = pool.port();
        if (::write(told[1], &port, sizeof port) != sizeof port) {
            return 2;
        }
        while (pool.account().present < workers) {
            std::this_thread::sleep_for(1ms);
        }
        WorkersEngine engine(pool, Purpose::central);
        MatchRelations explorer;
        SweepAccount account(CountedPolls::none);
        const auto journal = bench::new_journal(journal_file, "workers_bench");
        SweepSettings settings;
        settings.limits.max_interleavings = interleavings;
        settings.keeper = journal.get();
        const double before = cpu_seconds();
        result = run_sweep(engine, explorer, account, settings);
        cpu = cpu_seconds() - before;
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    const auto explored = static_cast<double>(result.explored);
    const double rate = explored / result.seconds;
    std::printf("rate %.0f\nexplored %.0f\ncores-fed %.0f\ncores-there %u\ncpu-us-of-an-interleaving %.2f\n", rate,
                explored, rate * milliseconds / 1000, workers * slots, cpu / explored * 1e6);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    return dampi::bench::end_of("workers_bench", [&] { return run(argc, argv); });
}
