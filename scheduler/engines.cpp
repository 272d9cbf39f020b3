#include "scheduler/engines.hpp"

#include "clocks/check.hpp"
#include "scheduler/central/central_engine.hpp"
#include "scheduler/central/modelled.hpp"
#include "scheduler/options.hpp"
#include "scheduler/supervision/local_engine.hpp"

#include <filesystem>
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
    return {.runs = std::move(engine), .launching = std::move(launching)};
}

}  // namespace

replay::EngineKind choose_engine(std::optional<replay::EngineKind> wanted, const replay::Program& program,
                                 const std::string& name, int processes, bool other_launcher) {
    const auto obstacle = central::obstacle(program, processes);
    if (wanted == replay::EngineKind::central && obstacle) {
        throw Error("the centralized engine cannot run " + name + ": " + *obstacle + "; use --engine distributed");
    }
    if (wanted) {
        return *wanted;
    }
    const bool small = processes <= most_processes_for_central_engine && !other_launcher;
    return small && !obstacle ? replay::EngineKind::central : replay::EngineKind::distributed;
}

Engine make_engine(replay::EngineKind kind, LocalEngineSettings settings) {
    if (kind == replay::EngineKind::central) {
        settings.layer = central_layer(settings.layer);
        return made<central::CentralEngine>(std::move(settings));
    }
    return made<LocalEngine>(std::move(settings));
}

}  // namespace dampi::scheduler
