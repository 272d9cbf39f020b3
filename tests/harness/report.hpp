// What the harness reads of a report.json. Strict: a field that is missing or of another type is an error,
// so that the report's schema cannot drift unnoticed.
#pragma once

#include "tests/harness/expectation.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace dampi::harness {

struct Finding {
    std::string kind;
    std::string message;
    std::uint64_t count = 0;
    std::uint64_t first_interleaving = 0;
    bool by_touches = false;               ///< no interleaving of the sweep's own shows it
    std::optional<std::string> decisions;  ///< path relative to the sweep's directory
    std::optional<SourcePlace> where;      ///< without directories
    nlohmann::json epochs;
};

struct ReportedOutcome {
    std::uint64_t number = 0;
    Outcome outcome;
    std::set<std::string> verdicts;
    std::string buffering = {};
};

struct Report {
    std::string verdict;
    bool complete = false;
    std::string clock;
    bool patched_mpi = false;  ///< the ranks had the patched MPI library; false where the report does not say
    std::string why_mpi;       ///< they had that library
    std::uint64_t explored = 0;
    std::uint64_t pending = 0;
    std::uint64_t duplicates = 0;
    std::map<std::string, std::string> merged;  ///< by buffering: the number of outcomes that runs stand for
    std::uint64_t imprecise_matches = 0;
    std::uint64_t divergences = 0;
    std::vector<Finding> violations;
    std::vector<Finding> doubts;
    std::vector<Finding> notes;
    std::vector<std::string> left_out;                     ///< the reasons, in words
    std::vector<std::string> not_checked;                  ///< what the verdict does not speak of
    std::optional<std::vector<ReportedOutcome>> outcomes;  ///< none when the report left them out

    /// Kinds of the violations and the doubts.
    [[nodiscard]] std::set<std::string> kinds() const;
};

/// Throws std::runtime_error that says what is wrong: no such file, not JSON, another schema, a bad field.
Report read_report(const std::filesystem::path& file);

}  // namespace dampi::harness
