#include "piggyback/openmpi/entries.hpp"

#include <exception>
#include <iostream>

namespace dampi::piggyback::openmpi {

std::string labels(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) {
        text += "    .globl " + name + "\n    .type " + name + ",@function\n" + name + ":\n";
    }
    return text;
}

int run_generator(
    const std::string& name, const std::string& output, const std::vector<std::string>& words,
    const std::function<void(const std::string& output, const std::vector<std::string>& headers)>& generate) {
    if (words.size() < 2) {
        std::cerr << "usage: " << name << ' ' << output << " HEADER...\n";
        return 2;
    }
    try {
        generate(words.front(), {words.begin() + 1, words.end()});
    } catch (const std::exception& error) {
        std::cerr << name << ": " << error.what() << '\n';
        return 1;
    }
    return 0;
}

}  // namespace dampi::piggyback::openmpi
