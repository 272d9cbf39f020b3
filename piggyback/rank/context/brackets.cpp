#include "piggyback/rank/context/brackets.hpp"

#include "piggyback/rank/call.hpp"
#include "piggyback/rank/rank.hpp"

#include <algorithm>
#include <string>

#include <mpi.h>

namespace dampi::piggyback {
namespace {

constexpr const char* unbalanced = "pcontrol/unbalanced";
constexpr int closing = 0;
constexpr int self_run_only = 1;
constexpr int first_mixing_bound = 2;

std::string call_text(int level) { return "MPI_Pcontrol(" + std::to_string(level) + ")"; }

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

void note_open_brackets(Layer& layer) {
    for (const Brackets::Bracket& bracket : layer.brackets.open()) {
        if (layer.brackets.first_note(bracket.site)) {
            layer.record_note(unbalanced,
                              "the bracket that " + call_text(bracket.level) + " opens is still open in MPI_Finalize",
                              "MPI_Pcontrol", bracket.site);
        }
    }
}

}  // namespace dampi::piggyback

extern "C" {

/// The only function of MPI with arguments of any number and type: they cannot be handed on, and MPICH reads none of
/// them. It does not end a sequence of polling calls, as it says nothing about what the program waits for.
int MPI_Pcontrol(const int level, ...) __asm__("dampi_MPI_Pcontrol");  // NOLINT(readability-redundant-declaration)
int MPI_Pcontrol(const int level, ...) {
    using namespace dampi::piggyback;
    static constexpr Function function{"MPI_Pcontrol", nullptr, false};
    const Call call(function, nullptr, __builtin_return_address(0));
    if (call.modelled()) {
        Layer& layer = *Layer::current();
        if (!layer.brackets.control(level, call.site()) && layer.brackets.first_note(call.site())) {
            layer.record_note(unbalanced, call_text(level) + " closes a bracket, but none is open", call.function(),
                              call.site());
        }
    }
    return PMPI_Pcontrol(level);
}

}  // extern "C"
