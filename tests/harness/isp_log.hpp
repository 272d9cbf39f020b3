// ISP's log as GEM's parser takes it, and what that parser needs to make sense of it. The grammar is that of GEM's
// regular expressions.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace dampi::harness {

struct IspCall {
    int interleaving = 0;
    int rank = 0;
    int index = 0;
    int order = 0;
    int issue = 0;
    std::string function;  ///< without "MPI_"
    std::vector<std::string> arguments;
    std::vector<int> within;
    std::vector<std::pair<int, int>> across;
    int match_rank = -1;
    int match_index = -1;
    std::string file;
    int line = 0;
};

struct IspLeak {
    int interleaving = 0;
    int rank = 0;
    std::string resource;
    std::string file;
    int line = 0;
};

struct IspAssertion {
    int interleaving = 0;
    int rank = 0;
    std::string message;
    std::string function;
    std::string file;
    int line = 0;
};

struct IspLog {
    int processes = 0;
    int interleavings = 0;
    std::vector<IspCall> calls;
    std::vector<IspLeak> leaks;
    std::vector<IspAssertion> assertions;
    std::vector<int> deadlocks;  ///< interleavings

    /// Those of one interleaving and rank, with this name.
    [[nodiscard]] std::vector<IspCall> find(int interleaving, int rank, const std::string& function) const;
};

/// Throws std::runtime_error, with the line, for what GEM would not take.
IspLog read_isp_log(const std::filesystem::path& file);

/// What does not fit together in it: numbers with gaps or twice, matches that are not mutual, calls that do not exist,
/// an order of calls that goes in circles within a rank. One sentence each.
std::vector<std::string> contradictions(const IspLog& log);

}  // namespace dampi::harness
