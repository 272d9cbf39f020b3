#include "scheduler/engines/engines.hpp"

#include "base/check.hpp"
#include "scheduler/engines/central/central_engine.hpp"
#include "scheduler/engines/central/modelled.hpp"
#include "scheduler/engines/central/refused.hpp"
#include "scheduler/engines/distributed/distributed_engine.hpp"
#include "scheduler/request.hpp"

#include <atomic>
#include <filesystem>
#include <mutex>
#include <utility>

namespace dampi::scheduler {
namespace {

/// The library for the centralized engine lies beside the layer.
std::filesystem::path central_layer(const std::filesystem::path& layer) {
    std::filesystem::path library = layer.parent_path() / "libdampi-central.so";
    if (!std::filesystem::exists(library)) {
        throw Error("libdampi-central.so is not where it belongs, in " + layer.parent_path().string() +
                    ": install dampi again");
    }
    return library;
}

template <typename Kind>
Engine made(LocalEngineSettings settings) {
    auto engine = std::make_unique<Kind>(std::move(settings));
    auto launching = [&each = *engine] { return each.launching(); };
    Engine made;
    made.runs = std::move(engine);
    made.launching = std::move(launching);
    return made;
}

}  // namespace

replay::EngineKind choose_engine(std::optional<replay::EngineKind> wanted, const launch::Program& program,
                                 const std::string& name, int processes, bool other_launcher, bool counts_bytes) {
    const auto obstacle = central::obstacle(program, processes);
    if (wanted == replay::EngineKind::central && obstacle) {
        throw Error("the centralized engine cannot run " + name + ": " + *obstacle + "; use --engine distributed");
    }
    const bool small = processes <= most_processes_for_central_engine && !other_launcher;
    const auto kind =
        wanted.value_or(small && !obstacle ? replay::EngineKind::central : replay::EngineKind::distributed);
    if (counts_bytes && kind == replay::EngineKind::distributed) {
        throw Error(
            "--buffering with a number of bytes needs the centralized engine, for an MPI library does not let anybody "
            "count its buffers: " +
            (obstacle ? "it cannot run " + name + ", since " + *obstacle + "; use --buffering zero or infinite"
             : wanted ? std::string("use --engine central")
             : !small ? std::string("--engine auto takes the distributed one here, use --engine central")
                      : std::string("use --engine central")));
    }
    return kind;
}

namespace {

class HandingOver final : public ExecutionEngine {
public:
    HandingOver(LocalEngineSettings settings, std::function<void(const std::string&)> say)
        : settings_(std::move(settings)), say_(std::move(say)), first_(central_settings(settings_)) {}

    replay::RunRecord run(const replay::Interleaving& interleaving, std::stop_token stop) override {
        if (!handed_over()) {
            try {
                return first_.run(interleaving, stop);
            } catch (const central::Refused& refused) {
                if (interleaving.buffering.counts_bytes()) {
                    throw Error(refused.fact() + "; use --buffering zero or infinite");
                }
                hand_over(refused.fact(), interleaving.number);
            }
        }
        return second_->run(interleaving, stop);
    }

    [[nodiscard]] bool handed_over() const { return handed_over_.load(std::memory_order_acquire); }
    [[nodiscard]] std::vector<std::string> launching() const {
        std::vector<std::string> lines = first_.launching();
        if (handed_over()) {
            const std::vector<std::string> more = second_->launching();
            lines.insert(lines.end(), more.begin(), more.end());
        }
        return lines;
    }

private:
    static LocalEngineSettings central_settings(LocalEngineSettings settings) {
        settings.layer = central_layer(settings.layer);
        return settings;
    }

    void hand_over(const std::string& fact, std::uint64_t number) {
        const std::lock_guard lock(mutex_);
        if (handed_over()) {
            return;
        }
        say_(fact + ", in interleaving " + std::to_string(number) +
             ": from here on the distributed engine runs the program; what was explored stays");
        second_ = std::make_unique<LocalEngine>(settings_);
        handed_over_.store(true, std::memory_order_release);
    }

    LocalEngineSettings settings_;
    std::function<void(const std::string&)> say_;
    central::CentralEngine first_;
    std::unique_ptr<LocalEngine> second_;
    std::atomic<bool> handed_over_ = false;
    std::mutex mutex_;
};

}  // namespace

Engine make_handing_over_engine(LocalEngineSettings settings, std::function<void(const std::string&)> say) {
    auto engine = std::make_unique<HandingOver>(std::move(settings), std::move(say));
    auto launching = [&each = *engine] { return each.launching(); };
    auto handed_over = [&each = *engine] { return each.handed_over(); };
    return {.runs = std::move(engine), .launching = std::move(launching), .handed_over = std::move(handed_over)};
}

Engine make_engine(replay::EngineKind kind, LocalEngineSettings settings) {
    if (kind == replay::EngineKind::central) {
        settings.layer = central_layer(settings.layer);
        return made<central::CentralEngine>(std::move(settings));
    }
    return made<LocalEngine>(std::move(settings));
}

}  // namespace dampi::scheduler
