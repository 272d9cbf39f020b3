// The table arguments.def in memory: what wrappers look at in the arguments of a call before they make it. Build-time
// code: it is no part of libdampi.so.
#pragma once

#include "piggyback/interception/prototypes.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace dampi::piggyback {

struct ArgumentRule {
    std::string function;     ///< "MPI_Gatherv"
    std::string parameter;    ///< "recvcounts"
    std::string error_class;  ///< "MPI_ERR_ARG"
    bool refused = false;     ///< the call fails before MPI sees it
    bool unusual = false;     ///< it is no error
    bool bounded = false;     ///< nor is it that: it is more than a bound
    std::string wrong;        ///< in words: C++ for a text
    std::string condition;    ///< in C++
};

/// The rules in order. Throws dampi::Error, naming `file` and the line, for a line that is neither a rule nor a
/// comment.
[[nodiscard]] std::vector<ArgumentRule> parse_rules(std::string_view text, const std::string& file);

/// Whether the rule is one for this function: for itself or for a variant of its function that has the parameter.
[[nodiscard]] bool is_rule_for(const ArgumentRule& rule, const Prototype& prototype);

/// The parameter's position among the arguments, from 1; 0 if there is none of that name.
[[nodiscard]] std::size_t position_of(const Prototype& prototype, std::string_view parameter);

}  // namespace dampi::piggyback
