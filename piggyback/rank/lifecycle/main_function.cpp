#include "piggyback/rank/lifecycle/main_function.hpp"

namespace dampi::piggyback {
namespace {

std::uint64_t noted = 0;

}  // namespace

void note_main_function(std::uint64_t address) noexcept { noted = address; }

std::uint64_t main_function() noexcept { return noted; }

}  // namespace dampi::piggyback
