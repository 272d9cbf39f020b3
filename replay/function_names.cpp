// See function_names.hpp.
#include "replay/function_names.hpp"

#include <string_view>

#include <fnmatch.h>

namespace dampi::replay {

bool names_function(const std::string& pattern, const CodePlace& place) {
    const std::string_view whole = place.function;
    if (whole.empty()) {
        return false;
    }
    const auto fits = [&pattern](std::string_view name) {
        return fnmatch(pattern.c_str(), std::string(name).c_str(), 0) == 0;
    };
    const std::string_view name = whole.substr(0, whole.find('('));
    // "int send<int>(int)" is demangled so: what a template returns is part of its name.
    const std::string_view bare = name.substr(0, name.find('<'));
    return fits(whole) || fits(name) || fits(bare) || fits(bare.substr(bare.rfind(' ') + 1));
}

}  // namespace dampi::replay
