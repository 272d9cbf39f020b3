#include "piggyback/interception/argument_rules.hpp"

#include "base/check.hpp"

#include <algorithm>
#include <regex>
#include <sstream>

namespace dampi::piggyback {
namespace {

/// "MPI_Gatherv" of "MPI_Igatherv_c" and "MPI_Gatherv_init_c".
std::string without(std::string name, std::string_view ending) {
    if (name.ends_with(ending)) {
        name.resize(name.size() - ending.size());
    }
    return name;
}

/// As C++ code.
std::string in_words(const std::string& what) {
    return what.starts_with('$') ? "dampi::piggyback::arguments::" + what.substr(1) : what;
}

}  // namespace

std::vector<ArgumentRule> parse_rules(std::string_view text, const std::string& file) {
    static const std::regex rule(
        R"re(RULE\((\w+), (\w+), (\w+), (refused|noted|unusual|bounded), ("[^"]*"|\$\w+\(\)), (.*)\))re");
    std::vector<ArgumentRule> rules;
    std::istringstream lines{std::string(text)};
    std::string line;
    std::smatch match;
    for (int number = 1; std::getline(lines, line); ++number) {
        if (line.empty() || line.starts_with("//")) {
            continue;
        }
        if (!std::regex_match(line, match, rule)) {
            throw Error(file + ":" + std::to_string(number) + ": is no rule: " + line);
        }
        rules.push_back({.function = match[1],
                         .parameter = match[2],
                         .error_class = "MPI_ERR_" + match[3].str(),
                         .refused = match[4] == "refused",
                         .unusual = match[4] == "unusual",
                         .bounded = match[4] == "bounded",
                         .wrong = in_words(match[5]),
                         .condition = match[6]});
    }
    return rules;
}

bool is_rule_for(const ArgumentRule& rule, const Prototype& prototype) {
    const std::string name = without(without(prototype.name, "_c"), "_init");
    const std::string of_nonblocking =
        name.starts_with("MPI_I") && name.size() > 5
            ? "MPI_" + std::string(1, static_cast<char>(name[5] - 'a' + 'A')) + name.substr(6)
            : "";
    return (rule.function == name || rule.function == of_nonblocking) && position_of(prototype, rule.parameter) != 0;
}

std::size_t position_of(const Prototype& prototype, std::string_view parameter) {
    const auto found = std::find_if(prototype.parameters.begin(), prototype.parameters.end(),
                                    [&](const Parameter& each) { return each.name == parameter; });
    return found == prototype.parameters.end() ? 0 : static_cast<std::size_t>(found - prototype.parameters.begin()) + 1;
}

}  // namespace dampi::piggyback
