// What the sweeps of a suite came to the last time, and so in which order they are run: those that failed first, then
// those that are new or have changed, then the others. It decides nothing else; without it the order is the file's.
#pragma once

#include "scheduler/suite/suite_file.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace dampi::scheduler {

/// The file, in the suite's directory.
inline constexpr const char* suite_history_name = "suite.json";

class SuiteHistory {
public:
    struct Entry {
        int status = 0;           ///< dampi-run's
        std::string fingerprint;  ///< of the program and of all words

        bool operator==(const Entry&) const = default;
    };

    /// Empty where there is no such file, or none that this dampi understands.
    [[nodiscard]] static SuiteHistory read(const std::filesystem::path& file);
    /// Atomically. Throws dampi::Error.
    void write(const std::filesystem::path& file) const;

    void set(const std::string& id, Entry entry) { entries_[id] = std::move(entry); }
    /// Forgets all others than these.
    void keep(const std::vector<SuiteSweep>& sweeps);
    /// By SuiteSweep::id.
    [[nodiscard]] const std::map<std::string, Entry>& entries() const { return entries_; }
    /// The sweeps in the order in which they are run; `fingerprints`: of each, in their order.
    [[nodiscard]] std::vector<SuiteSweep> ordered(const std::vector<SuiteSweep>& sweeps,
                                                  const std::vector<std::string>& fingerprints) const;

private:
    std::map<std::string, Entry> entries_;
};

/// Of a sweep: changes with its words and with its program.
[[nodiscard]] std::string fingerprint_of(const SuiteSweep& sweep);

}  // namespace dampi::scheduler
