// dampi-worker: runs interleavings for a dampi-run that may be on another machine. Joins its sweep, checks that it
// would run the same program in the same way, and works until it is sent away or the sweep is gone.

#include "base/check.hpp"
#include "scheduler/cli/command.hpp"
#include "scheduler/cli/engine_settings.hpp"
#include "scheduler/cli/joining.hpp"
#include "scheduler/cli/system_limits.hpp"
#include "scheduler/cli/worker_order.hpp"
#include "scheduler/engines/engines.hpp"
#include "scheduler/engines/printed.hpp"
#include "scheduler/outside_end.hpp"
#include "scheduler/workers/exit_status.hpp"
#include "scheduler/workers/worker.hpp"
#include "transport/network/link.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

namespace {

using namespace dampi;
using namespace dampi::scheduler;
namespace fs = std::filesystem;

constexpr const char* secret_variable = "DAMPI_WORKER_SECRET";
constexpr std::chrono::seconds patience{30};                 ///< until the sweep has said how much it has
constexpr std::size_t most_printed = std::size_t{1} << 20U;  ///< bytes that are kept, of either stream

/// The engines of a worker, each made when it is first needed.
class Engines {
public:
    /// `ending`: this worker is to end.
    Engines(SettledRequest request, const fs::path& folder, fs::path layer, const std::atomic<bool>& ending)
        : request_(std::move(request)), folder_(folder), layer_(std::move(layer)), ending_(ending) {}

    workers::Result run(const workers::Lease& lease, const std::stop_token& stop) {
        const auto place = static_cast<std::size_t>(lease.purpose);
        const Engine& engine = of(lease.purpose);
        workers::Result result;
        result.record = engine.runs->run(lease.interleaving, stop);
        if (may_be_ended_from_outside(result.record)) {
            wait_whether_this_ends(stop);
        }
        const std::string number = fmt::format("{:06}", lease.interleaving.number);
        result.printed = take_printed(output_of(lease.purpose) / (number + ".out"), most_printed, "dampi-worker");
        result.printed_errors =
            take_printed(output_of(lease.purpose) / (number + ".err"), most_printed, "dampi-worker");
        if (lease.purpose != workers::Purpose::repeating) {
            const std::lock_guard lock(mutex_);
            if (!std::exchange(told_.at(place), true)) {
                result.launching = engine.launching();
            }
        }
        return result;
    }

private:
    /// Whoever ends all processes of a task, as Slurm does where its time is over, ends ranks and worker alike, and
    /// that is nothing of the program's. So what may come of it is told only if the worker is there a while later; what
    /// is recalled because it ends is never told.
    void wait_whether_this_ends(const std::stop_token& stop) const {
        constexpr std::chrono::seconds soon{1};
        constexpr std::chrono::seconds end{10};  // of a worker that was told to
        const auto begin = std::chrono::steady_clock::now();
        while (!stop.stop_requested() && std::chrono::steady_clock::now() - begin < (ending_ ? end : soon)) {
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
    }

    [[nodiscard]] fs::path output_of(workers::Purpose purpose) const {
        return folder_ / (purpose == workers::Purpose::repeating ? "repeated" : "output");
    }

    const Engine& of(workers::Purpose purpose) {
        const std::lock_guard lock(mutex_);
        std::optional<Engine>& engine = engines_.at(static_cast<std::size_t>(purpose));
        if (!engine) {
            fs::create_directories(output_of(purpose));
            const bool central = purpose == workers::Purpose::central;
            LocalEngineSettings settings = engine_settings(request_, output_of(purpose), folder_ / "fresh", layer_);
            settings.watches_windows = purpose != workers::Purpose::repeating;
            engine = make_engine(central ? replay::EngineKind::central : replay::EngineKind::distributed,
                                 std::move(settings));
        }
        return *engine;
    }

    const SettledRequest request_;
    const fs::path folder_;
    const fs::path layer_;
    const std::atomic<bool>& ending_;
    std::mutex mutex_;
    std::array<std::optional<Engine>, 3> engines_;
    std::array<bool, 3> told_{};
};

int work(const std::string& join, const std::string& secret_file, std::optional<std::uint32_t> slots) {
    const transport::network::Address address = transport::network::parse_address(join);
    const std::string secret = secret_of_join(secret_file, secret_variable);
    const std::atomic<bool>& interrupted = catch_interrupts();
    const fs::path layer = find_part("libdampi.so", {DAMPI_LAYER_FROM_BUILT_RUN, DAMPI_LAYER_FROM_INSTALLED_RUN});
    const fs::path run = find_part("dampi-run", {"dampi-run"});
    std::optional<transport::network::Link> link;
    std::string order;
    try {
        link.emplace(address, secret, workers::joining_worker(), patience);
    } catch (const Error& error) {
        std::cerr << "dampi-worker: " << error.what() << '\n';
        return workers::exit_gone;
    }
    std::optional<SettledRequest> request;
    std::uint32_t own_slots = 0;
    try {
        order = workers::introduce(*link,
                                   {.build = worker_build("/proc/self/exe", layer),
                                    .host = own_host(),
                                    .process = static_cast<std::uint64_t>(::getpid())},
                                   patience);
        request = follow_order(order, run, layer);
        own_slots =
            runs_within_limits(*request, slots.value_or(default_jobs(request->options.processes)), !slots.has_value());
    } catch (const workers::SweepIsGone& gone) {
        std::cerr << "dampi-worker: " << gone.what() << '\n';
        return workers::exit_gone;
    } catch (const Error& error) {
        link->send(workers::encode(workers::Kind::refusal, error.what()));
        std::cerr << "dampi-worker: " << error.what() << '\n';
        return workers::exit_refused;
    }
    const std::chrono::milliseconds own_patience = request->options.worker_patience;
    const OwnFolder folder("dampi-worker.");
    Engines engines(std::move(*request), folder.path(), layer, interrupted);
    const workers::WorkerEnd end = workers::serve(
        *link,
        {.slots = own_slots,
         .run = [&](const workers::Lease& lease, const std::stop_token& stop) { return engines.run(lease, stop); },
         .patience = own_patience},
        interrupted);
    if (end == workers::WorkerEnd::gone) {
        std::cerr << "dampi-worker: the sweep is gone\n";
        return workers::exit_gone;
    }
    return workers::exit_sent_away;
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{
        "Runs interleavings of a sweep for the dampi-run of it, which may be on another machine.\n"
        "That dampi-run was given --workers, and says where it is and what the secret is, in\n"
        "workers/address and workers/secret of its directory.\n"};
    app.name("dampi-worker");
    std::string join;
    std::string secret_file;
    std::optional<std::uint32_t> slots;
    app.add_option("--join", join, "Where the sweep is")->type_name("HOST[,HOST...]:PORT")->required();
    app.add_option("--secret-file", secret_file,
                   fmt::format("Its secret; - is standard input (default: ${})", secret_variable))
        ->type_name("FILE");
    app.add_option("--slots", slots, "Run up to N interleavings side by side (default: by the machine's cores)")
        ->type_name("N")
        ->check(CLI::Range(1U, 4096U));
    app.set_version_flag("--version", "dampi-worker " DAMPI_VERSION);
    return run_command(app, argc, argv, [&] { return work(join, secret_file, slots); });
}
