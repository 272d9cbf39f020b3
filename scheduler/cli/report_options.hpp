// The options of dampi-report: its command line, its completion and its man page are made from this table. After a
// change, `cmake --build build/tests --target docs-tables` writes the documents anew.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace dampi::scheduler {

/// What the user asked dampi-report for, as it was typed.
struct ReportWishes {
    std::vector<std::string> directories;
    std::string junit, sarif, code_quality, trace, html, json, index;
    bool quiet = false;
    bool verbose = false;
};

struct ReportOption {
    std::string_view words;  ///< how it is typed: "-short,--long", or only one of them
    std::string_view help;
    /// Where the name of its file goes, or that it is given: one of them is null.
    std::string ReportWishes::*file = nullptr;
    bool ReportWishes::*flag = nullptr;
};

inline constexpr std::array report_options{
    ReportOption{"--junit", "Write JUnit's XML, a suite for each sweep", &ReportWishes::junit},
    ReportOption{"--sarif", "Write SARIF 2.1.0, a run for each sweep", &ReportWishes::sarif},
    ReportOption{"--code-quality", "Write GitLab's code quality report; what several sweeps have found is in it once",
                 &ReportWishes::code_quality},
    ReportOption{"--trace", "Write the interleaving of the first finding as a trace, which Perfetto opens",
                 &ReportWishes::trace},
    ReportOption{"--html", "Write the page of the one sweep, with the lines of the source as they are now",
                 &ReportWishes::html},
    ReportOption{"--json", "Write report.json of the one sweep", &ReportWishes::json},
    ReportOption{"--index", "Write a page with the verdict of each sweep and a link to its page", &ReportWishes::index},
    ReportOption{"-q,--quiet", "Print only one line for each violation, and the verdict", nullptr,
                 &ReportWishes::quiet},
    ReportOption{"-v,--verbose", "Also print a line for each interleaving", nullptr, &ReportWishes::verbose},
};

}  // namespace dampi::scheduler
