// See lined_file.hpp.
#include "replay/lined_file.hpp"

#include "base/check.hpp"

#include <utility>

namespace dampi::replay {

LinedFile::LinedFile(std::string name, nlohmann::json value, std::map<std::string, std::size_t> lines)
    : name_(std::move(name)), value_(std::move(value)), lines_(std::move(lines)) {}

std::string LinedFile::place(const std::string& pointer) const {
    std::string near = pointer;
    while (!near.empty() && !lines_.contains(near)) {
        near.resize(near.rfind('/') == std::string::npos ? 0 : near.rfind('/'));
    }
    const auto found = lines_.find(near);
    return name_ + ":" + std::to_string(found == lines_.end() ? 1 : found->second);
}

void LinedFile::fail(const std::string& pointer, const std::string& what) const {
    throw Error(place(pointer) + ": " + what);
}

}  // namespace dampi::replay
