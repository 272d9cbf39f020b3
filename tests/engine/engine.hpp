// One run of a program of this folder by the engine for real programs.
#pragma once

#include "launch/program/program.hpp"
#include "scheduler/engines/distributed/distributed_engine.hpp"

#include <filesystem>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace dampi::scheduler {

struct ProgramRun {
    std::string program;
    std::vector<std::string> arguments = {};
    int processes = 2;
    bool prepare = true;
    bool record_stacks = false;
};

inline replay::RunRecord run(const ProgramRun& what, const replay::Interleaving& interleaving = {}) {
    const std::filesystem::path work = DAMPI_ENGINE_WORK;
    std::filesystem::create_directories(work);
    const std::string program = std::string(DAMPI_ENGINE_PROGRAMS) + "/" + what.program;
    LocalEngine engine({.program = launch::inspect_program(program),
                        .name = program,
                        .arguments = what.arguments,
                        .processes = what.processes,
                        .layer = DAMPI_ENGINE_LAYER,
                        .output = work,
                        .prepare = what.prepare,
                        .record_stacks = what.record_stacks});
    return engine.run(interleaving, std::stop_token());
}

}  // namespace dampi::scheduler
