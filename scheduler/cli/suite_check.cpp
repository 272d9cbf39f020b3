// See suite_check.hpp.
#include "scheduler/cli/suite_check.hpp"

#include "base/check.hpp"
#include "scheduler/cli/given_files.hpp"
#include "scheduler/cli/settled_request.hpp"

#include <map>
#include <set>
#include <string_view>

#include <fmt/format.h>

namespace dampi::scheduler {
namespace {

constexpr const char* end_of_options = "--";

/// Of an option that the command gives for each sweep: those of a sweep's own beside which it is left out.
const std::map<std::string, std::string, std::less<>> excluded_by{
    {"--baseline", "--expect"}, {"--fail-on", "--expect"}, {"--quiet", "--verbose"}, {"--verbose", "--quiet"}};

/// Why the sweep could not begin; empty: it could.
std::string trouble_with(const SuiteSweep& sweep, const std::vector<std::string>& options,
                         const std::filesystem::path& directory, const std::filesystem::path& layer) {
    try {
        // If the last option lacks its value, it takes what is to end the options for that.
        SuiteSweep probe = sweep;
        probe.program = end_of_options;
        probe.arguments = {end_of_options};
        Options given = parse_words(command_of(probe, options, directory));
        if (given.program != end_of_options) {
            return fmt::format("'{}' is no option", given.program);
        }
        if (given.arguments.empty()) {
            return "the last option lacks its value";
        }
        given.program = sweep.program;
        given.arguments = sweep.arguments;
        if (given.processes != sweep.processes || given.output != directory) {
            return "a sweep of a suite cannot have the options -n and -o";
        }
        [[maybe_unused]] const GivenFiles files = read_given_files(given);
        [[maybe_unused]] const SettledRequest request = settle(given, layer);
        return "";
    } catch (const Error& error) {
        return error.what();
    }
}

/// Whether the sweep's own options have this one, by its long name.
bool has_option(const SuiteSweep& sweep, const std::string& name, const std::filesystem::path& directory) {
    try {
        return parse_words(command_of(sweep, sweep.options, directory)).given.contains(name);
    } catch (const Error&) {  // which is said with their place
        return false;
    }
}

}  // namespace

std::vector<std::string> command_of(const SuiteSweep& sweep, const std::vector<std::string>& options,
                                    const std::filesystem::path& directory) {
    std::vector<std::string> words{"-n", std::to_string(sweep.processes), "-o", directory.string()};
    words.insert(words.end(), options.begin(), options.end());
    words.emplace_back(end_of_options);
    words.push_back(sweep.program);
    words.insert(words.end(), sweep.arguments.begin(), sweep.arguments.end());
    return words;
}

std::vector<std::string> checked_options(const SuiteSweep& sweep,
                                         const std::vector<ParsedOptions::Typed>& of_each_sweep,
                                         const std::filesystem::path& directory, const std::filesystem::path& layer) {
    std::vector<std::string> options;
    for (const ParsedOptions::Typed& each : of_each_sweep) {
        const auto excluded = excluded_by.find(each.name);
        if (excluded == excluded_by.end() || !has_option(sweep, excluded->second, directory)) {
            options.insert(options.end(), each.words.begin(), each.words.end());
        }
    }
    const auto own = static_cast<std::ptrdiff_t>(options.size());
    options.insert(options.end(), sweep.options.begin(), sweep.options.end());
    const std::string trouble = trouble_with(sweep, options, directory, layer);
    if (trouble.empty()) {
        return options;
    }
    if (sweep.place.empty()) {
        throw Error(trouble);
    }
    // The word is to blame with which it begins; without any it is the program.
    std::size_t words = 0;
    while (words < sweep.options.size() &&
           trouble_with(sweep, {options.begin(), options.begin() + own + static_cast<std::ptrdiff_t>(words)}, directory,
                        layer) != trouble) {
        ++words;
    }
    throw Error(fmt::format("{}: the sweep {} cannot be run: {}",
                            words == 0 ? sweep.place : sweep.option_places.at(words - 1), sweep.id, trouble));
}

}  // namespace dampi::scheduler
