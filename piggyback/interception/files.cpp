#include "piggyback/interception/files.hpp"

#include "base/check.hpp"

#include <fstream>
#include <sstream>
#include <utility>

namespace dampi::piggyback {

std::string read_file(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    if (!in) {
        throw Error("cannot read " + file);
    }
    return text.str();
}

void write_file(const std::filesystem::path& file, const std::string& text) {
    std::ofstream out(file, std::ios::binary);
    out << text << std::flush;
    if (!out) {
        throw Error("cannot write " + file.string());
    }
}

std::vector<TableLine> read_table(const std::string& file) { return parse_table(read_file(file), file); }

std::map<std::string, Prototype> read_prototypes(const std::vector<std::string>& headers) {
    std::map<std::string, Prototype> prototypes;
    for (const auto& header : headers) {
        for (auto& prototype : parse_prototypes(read_file(header))) {
            auto name = prototype.name;
            prototypes.emplace(std::move(name), std::move(prototype));
        }
    }
    return prototypes;
}

}  // namespace dampi::piggyback
