// What a test program expects of its verification, as its first comment says:
//
//     /* DAMPI-TEST
//      *   np: 3
//      *   expect: deadlock
//      *   interleavings: 2
//      *   outcomes: {0#0<-1} {0#0<-2}
//      */
//
// The header ends with the comment, at an empty line, or at a line that is indented less than the first key;
// prose may follow. A value of `outcomes` goes on in lines that start with a brace.
// The comment is C's, C++'s line comments, Fortran's, or a script's below the line that names its interpreter. A
// parenthesised remark at a value's end is ignored.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace dampi::harness {

/// The header cannot be understood; the text says which line and why.
class HeaderError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// An interleaving's outcomes: "0#1<-2" is rank 0's epoch 1 matched with source 2, "1#0=0+2" rank 1's choice 0 that
/// reported requests 0 and 2, "1#1=none" one that reported none; "~3" behind it: after three false answers; "1#1@2=0":
/// of a stretch of polling calls the one with number 2 has answered.
using Outcome = std::string;  // canonical: "{0#0<-1 0#1<-2}", sorted by epoch

struct SourcePlace {
    std::string file;  ///< without directories
    int line = 0;
};

struct Expectation {
    int processes = 0;                              // np: 1 or more
    std::set<std::string> kinds;                    // expect: kinds of violations and doubts; empty for clean
    std::set<std::string> notes;                    // notes: kinds of notes; what is not named is not there
    bool incomplete = false;                        // expect: incomplete
    std::optional<std::uint64_t> findings;          // findings: exact number of violations, of whatever kind
    std::optional<std::uint64_t> interleavings;     // interleavings: exact number explored
    std::optional<std::set<Outcome>> outcomes;      // outcomes: the exact set
    std::vector<std::string> arguments;             // args: the program's, separated by blanks
    std::vector<std::string> options;               // options: dampi-run's, separated by blanks
    std::optional<SourcePlace> where;               // where: file.c:31, or file.c:@ for the line that ends with /*@*/
    std::set<Outcome> lamport_misses;               // lamport-misses: may be missing with --clock lamport in `options`
    std::optional<std::string> refused_by_central;  // central: refused MPI_X, the call that the refusal names
};

/// Whether a kind is a doubt of the tool's own rather than a violation of the program.
bool is_doubt(std::string_view kind);

/// Parses one outcome with its braces, in any order and spacing, into the canonical form. Throws HeaderError.
Outcome canonical_outcome(std::string_view text);

/// Parses the header of a source text. Throws HeaderError.
Expectation parse_expectation(std::string_view source);

}  // namespace dampi::harness
