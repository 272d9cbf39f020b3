#include "piggyback/rank/lifecycle/environment.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <unistd.h>

namespace dampi::piggyback {
namespace {

/// The variable's place in environ; null without it.
char** find_entry(const char* name) noexcept {
    const std::size_t length = std::strlen(name);
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        if (std::strncmp(*entry, name, length) == 0 && (*entry)[length] == '=') {
            return entry;
        }
    }
    return nullptr;
}

struct Lent {
    const char* name = nullptr;
    const char* value = nullptr;
};
std::array<Lent, 2> lent;

Lent* find_lent(const char* name) noexcept {
    for (Lent& each : lent) {
        if (each.name != nullptr && std::strcmp(each.name, name) == 0) {
            return &each;
        }
    }
    return nullptr;
}

}  // namespace

void lend_variable(const char* name, const char* value) noexcept {
    for (Lent& each : lent) {
        if (each.name == nullptr) {
            each = {.name = name, .value = value};
            return;
        }
    }
}

const char* find_variable(const char* name) noexcept {
    if (const Lent* const found = find_lent(name)) {
        return found->value;
    }
    char** const entry = find_entry(name);
    return entry == nullptr ? nullptr : *entry + std::strlen(name) + 1;
}

void remove_variable(const char* name) noexcept {
    if (Lent* const found = find_lent(name)) {
        *found = {};
    }
    while (char** entry = find_entry(name)) {
        for (; *entry != nullptr; ++entry) {
            entry[0] = entry[1];
        }
    }
}

void replace_variable(const char* name, const char* value) noexcept {
    char** const entry = find_entry(name);
    if (entry == nullptr) {
        return;
    }
    const std::size_t length = std::strlen(name);
    const std::size_t size = std::strlen(value) + 1;
    // For the rest of the process' life, as the C library's own.
    if (char* text = static_cast<char*>(std::malloc(length + 1 + size))) {
        std::snprintf(text, length + 1 + size, "%s=%s", name, value);
        *entry = text;
    }
}

}  // namespace dampi::piggyback
