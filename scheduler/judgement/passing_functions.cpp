#include "scheduler/judgement/passing_functions.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string_view>

namespace dampi::scheduler {
namespace {

using replay::CodePlace;
using replay::SourcePlace;

/// Where a function calls, and from where it is called.
struct Uses {
    std::set<SourcePlace> calls;
    std::set<SourcePlace> callers;
};

/// The pattern that stands for this name alone: those of C++ functions have their parameters in them, with asterisks.
std::string pattern_of(const std::string& name) {
    std::string pattern;
    for (const char each : name) {
        if (std::string_view("*?[\\").find(each) != std::string_view::npos) {
            pattern += '\\';
        }
        pattern += each;
    }
    return pattern;
}

}  // namespace

std::vector<std::string> functions_that_pass_on(const std::vector<std::vector<CodePlace>>& stacks) {
    std::set<std::string> found;
    for (bool more = true; more;) {
        std::map<std::string, Uses> uses;
        for (const std::vector<CodePlace>& stack : stacks) {
            const auto own = std::find_if(stack.begin(), stack.end(),
                                          [&](const CodePlace& frame) { return !found.contains(frame.function); });
            if (own == stack.end() || own->function.empty()) {
                continue;
            }
            Uses& of = uses[own->function];
            of.calls.insert(replay::source_place(*own));
            if (const auto caller = own + 1; caller != stack.end() && caller->function != own->function) {
                of.callers.insert(replay::source_place(*caller));
            }
        }
        more = false;
        for (const auto& [function, of] : uses) {
            if (of.calls.size() == 1 && of.callers.size() > 1) {
                found.insert(function);
                more = true;
            }
        }
    }
    std::vector<std::string> patterns;
    std::transform(found.begin(), found.end(), std::back_inserter(patterns), pattern_of);
    return patterns;
}

}  // namespace dampi::scheduler
