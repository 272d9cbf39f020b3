// See lined_file.hpp.
#include "scheduler/suite/lined_file.hpp"

#include "base/check.hpp"

#include <utility>

#include <fmt/format.h>

namespace dampi::scheduler {

LinedFile::LinedFile(std::string name, nlohmann::json value, std::map<std::string, std::size_t> lines)
    : name_(std::move(name)), value_(std::move(value)), lines_(std::move(lines)) {}

void LinedFile::fail(const std::string& pointer, const std::string& what) const {
    const auto found = lines_.find(pointer);
    throw Error(fmt::format("{}:{}: {}", name_, found == lines_.end() ? 1 : found->second, what));
}

}  // namespace dampi::scheduler
