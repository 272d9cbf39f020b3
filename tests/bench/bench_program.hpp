// What the programs that measure sweeps over the free engine have in common: how they end, and their journals.
#pragma once

#include "scheduler/sweep/sweep_journal.hpp"

#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>

namespace dampi::bench {

/// What `run` returns; 2 with a line on standard error where it throws.
template <typename Run>
int end_of(const char* name, Run&& run) {
    try {
        return run();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s: %s\n", name, error.what());
        return 2;
    }
}

/// An empty one in place of what is there; null without a file.
inline std::unique_ptr<scheduler::SweepJournal> new_journal(const std::filesystem::path& file, const char* name) {
    if (file.empty()) {
        return nullptr;
    }
    std::filesystem::remove(file);
    return std::make_unique<scheduler::SweepJournal>(replay::JournalLock(file), name);
}

}  // namespace dampi::bench
