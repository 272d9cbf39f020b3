// What the sanitizers that a program was built with (gcc's and clang's) have said about a rank, read from what it wrote
// to its standard error. That is text of an untrusted program: nothing is believed but that it was written.
#pragma once

#include "launch/program/openmp.hpp"
#include "launch/program/source_lines.hpp"
#include "replay/run_record.hpp"
#include "replay/violation.hpp"

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace dampi::scheduler {

/// A line of a stack that a sanitizer has printed; what it does not say is empty.
struct ReportedFrame {
    std::string function;
    std::string file;
    int line = 0;
    std::string module;  ///< ThreadSanitizer: without folders
    std::uint64_t offset = 0;
};

struct SanitizerReport {
    replay::ViolationKind kind = {};
    std::string message;  ///< "AddressSanitizer: heap-buffer-overflow"
    std::string detail;   ///< "WRITE of size 4"
    /// Innermost first. Of AddressSanitizer's where it happened; of ThreadSanitizer's those that are in conflict.
    std::vector<std::vector<ReportedFrame>> stacks;
    /// Of ThreadSanitizer's, the line above each stack: "Previous write of size 8 at 0x7fff by thread T3:".
    std::vector<std::string> headings = {};
    /// Of ThreadSanitizer's, by their number ("T3"): the operations that it takes for threads, as the layer tells it of
    /// them.
    std::map<std::string, std::string, std::less<>> operations = {};
};

[[nodiscard]] std::vector<SanitizerReport> read_sanitizer_reports(std::string_view text);

/// What the sanitizers of one rank have said.
struct SanitizersWords {
    std::vector<replay::Violation> violations;  ///< one for each place
    /// Of conflicts between threads which an OpenMP runtime may have ordered that ThreadSanitizer knows nothing of.
    replay::NotModelled doubted = {};
    /// They end it, or at its end put a status of their own in the place of the program's: all but
    /// UndefinedBehaviorSanitizer.
    bool ended_rank = false;
};

/// Leaves out leaks of the MPI library's and the layer's memory, conflicts between those two, and what an OpenMP
/// runtime itself does: the program has no part in them.
[[nodiscard]] SanitizersWords sanitizers_words(base::Rank rank, std::string_view text,
                                               const std::filesystem::path& program, launch::OpenMpOrder openmp,
                                               launch::SourceLines& lines);

/// Whether a sanitizer has ended a process that exited with this status, unless the user has chosen another.
[[nodiscard]] bool is_sanitizers_status(int status);

}  // namespace dampi::scheduler
