#include "scheduler/engines/engines.hpp"

#include "base/check.hpp"
#include "scheduler/engines/central/central_engine.hpp"
#include "scheduler/engines/central/modelled.hpp"
#include "scheduler/engines/distributed/distributed_engine.hpp"
#include "scheduler/request.hpp"

#include <algorithm>
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
AutomaticEngine::Part part(LocalEngineSettings settings) {
    auto engine = std::make_unique<Kind>(std::move(settings));
    auto launching = [&each = *engine] { return each.launching(); };
    return {std::move(engine), std::move(launching)};
}

Engine made(AutomaticEngine::Part part) {
    Engine made;
    made.runs = std::move(part.runs);
    made.launching = std::move(part.launching);
    return made;
}

}  // namespace

EngineChoice choose_engine(std::optional<replay::EngineKind> wanted, const launch::Program& program,
                           const std::string& name, int processes, const std::string& needs_mpi, bool counts_bytes) {
    const auto obstacle = central::obstacle(program);
    if (wanted == replay::EngineKind::central && obstacle) {
        throw Error("the centralized engine cannot run " + name + ": " + *obstacle + "; use --engine distributed");
    }
    EngineChoice choice;
    if (wanted) {
        choice.kind = *wanted;
    } else if (obstacle) {
        choice.why = *obstacle;
    } else if (!needs_mpi.empty()) {
        choice.why = needs_mpi;
    } else if (processes > most_processes_for_central_engine) {
        choice.why = "it has more than " + std::to_string(most_processes_for_central_engine) + " processes";
    } else {
        choice.kind = replay::EngineKind::central;
    }
    if (counts_bytes && choice.kind == replay::EngineKind::distributed) {
        throw Error(
            "--buffering with a number of bytes needs the centralized engine, for an MPI library does not let anybody "
            "count its buffers: " +
            (obstacle ? "it cannot run " + name + ", since " + *obstacle + "; use --buffering zero or infinite"
             : wanted
                 ? std::string("use --engine central")
                 : "--engine auto takes the distributed one here, since " + choice.why + "; use --engine central"));
    }
    return choice;
}

Engine make_automatic_engine(const LocalEngineSettings& settings, bool repeats,
                             std::function<void(const std::string&)> say) {
    LocalEngineSettings central = settings;
    central.layer = central_layer(central.layer);
    AutomaticEngine::Settings parts{.central = {},
                                    .distributed = [settings] { return part<LocalEngine>(settings); },
                                    .repeating = {},
                                    .repeats_touches = settings.checks_buffers && settings.notes_unwatched,
                                    .merge_states = settings.merge_states,
                                    .say = std::move(say)};
    if (repeats) {
        LocalEngineSettings repeating = settings;
        repeating.output /= "repeated";
        repeating.show_output = false;
        repeating.show_calls = {};
        // Only what the centralized engine, which it is compared with, looks for as well, and was asked for.
        repeating.watches_windows = false;
        repeating.checks_buffers = repeating.checks_buffers && repeating.notes_unwatched;
        // That they poll for ever is to be seen again, not to be found.
        constexpr std::chrono::milliseconds enough{1000};
        repeating.livelock_limit = std::min(repeating.livelock_limit, enough);
        parts.repeating = [repeating] {
            std::filesystem::create_directories(repeating.output);
            return part<LocalEngine>(repeating);
        };
    }
    parts.central = part<central::CentralEngine>(std::move(central));
    return make_automatic_engine(std::move(parts));
}

Engine make_automatic_engine(AutomaticEngine::Settings settings) {
    const bool repeats = settings.repeating != nullptr;
    auto engine = std::make_unique<AutomaticEngine>(std::move(settings));
    Engine made;
    made.launching = [&each = *engine] { return each.launching(); };
    made.handed_over = [&each = *engine] { return each.handed_over(); };
    made.first_run = [&each = *engine] { return each.first_run(); };
    if (repeats) {
        made.confirm = [&each = *engine](const replay::Interleaving& interleaving, const replay::Violation& violation,
                                         std::chrono::milliseconds most, const std::stop_token& stop) {
            return each.confirm(interleaving, violation, most, stop);
        };
    }
    made.runs = std::move(engine);
    return made;
}

LocalEngineSettings settings_of_central(LocalEngineSettings settings) {
    settings.layer = central_layer(settings.layer);
    settings.alone = true;
    return settings;
}

Engine make_engine(replay::EngineKind kind, LocalEngineSettings settings) {
    if (kind == replay::EngineKind::central) {
        settings.layer = central_layer(settings.layer);
        return made(part<central::CentralEngine>(std::move(settings)));
    }
    return made(part<LocalEngine>(std::move(settings)));
}

}  // namespace dampi::scheduler
