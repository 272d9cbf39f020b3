#include "launch/program/demangled.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <memory>
#include <string_view>

#include <cxxabi.h>

namespace dampi::launch {
namespace {

struct Freer {
    void operator()(void* memory) const { std::free(memory); }
};

/// gfortran's: "__" module "_MOD_" procedure, where it writes the program's own names in small letters.
std::string of_module(std::string_view name) {
    constexpr std::string_view middle = "_MOD_";
    const std::size_t at = name.find(middle);
    return at == std::string_view::npos || at < 3 || !name.starts_with("__")
               ? std::string(name)
               : std::string(name.substr(2, at - 2)) + "::" + std::string(name.substr(at + middle.size()));
}

}  // namespace

bool has_surroundings(const char* name) {
    const std::string_view whole = name;
    return whole.starts_with("_Z") || of_module(whole) != whole;
}

std::string demangled(const char* name) {
    const std::string_view whole = name;
    if (whole.starts_with("_Z")) {
        int status = 0;
        const std::unique_ptr<char, Freer> text(abi::__cxa_demangle(name, nullptr, nullptr, &status));
        return status == 0 && text != nullptr ? text.get() : name;
    }
    // The number tells contained procedures of the same name apart. Copies that a compiler makes have a word as well.
    const std::size_t dot = whole.find('.');
    const bool numbered = dot != std::string_view::npos && dot != 0 && dot + 1 < whole.size() &&
                          std::all_of(whole.begin() + static_cast<std::ptrdiff_t>(dot) + 1, whole.end(),
                                      [](unsigned char c) { return std::isdigit(c) != 0; });
    return of_module(numbered ? whole.substr(0, dot) : whole);
}

}  // namespace dampi::launch
