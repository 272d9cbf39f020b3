#include "piggyback/rank/context/brackets.hpp"

#include <algorithm>

namespace dampi::piggyback {
namespace {

constexpr int closing = 0;
constexpr int self_run_only = 1;
constexpr int first_mixing_bound = 2;

}  // namespace

bool Brackets::control(int level, std::uint64_t site) {
    if (level == closing) {
        if (open_.empty()) {
            return false;
        }
        open_.pop_back();
        return true;
    }
    if (level < 0) {
        return true;
    }
    Bracket bracket = innermost();
    bracket.level = level;
    bracket.site = site;
    if (level == self_run_only) {
        bracket.self_run_only = true;
    } else {
        const auto bound = static_cast<std::uint32_t>(level - first_mixing_bound);
        bracket.mixing_bound = std::min(bound, bracket.mixing_bound.value_or(bound));
    }
    open_.push_back(bracket);
    return true;
}

}  // namespace dampi::piggyback
