#include "piggyback/rank/context/pcontrol.hpp"

#include "piggyback/rank/call.hpp"
#include "piggyback/rank/code_places.hpp"
#include "piggyback/rank/layer.hpp"

#include <string>

#include <mpi.h>

namespace dampi::piggyback {
namespace {

std::string call_text(int level) { return "MPI_Pcontrol(" + std::to_string(level) + ")"; }

void note_unbalanced(Layer& layer, const std::string& message, std::uint64_t site) {
    if (layer.brackets.first_note(site)) {
        if (!is_logged_place(site)) {
            log_modules(layer);
        }
        layer.record_note(replay::ViolationKind::pcontrol_unbalanced, message, "MPI_Pcontrol", site);
    }
}

}  // namespace

void note_open_brackets(Layer& layer) {
    for (const Brackets::Bracket& bracket : layer.brackets.open()) {
        note_unbalanced(layer, "the bracket that " + call_text(bracket.level) + " opens is still open in MPI_Finalize",
                        bracket.site);
    }
}

}  // namespace dampi::piggyback

extern "C" {

/// The only function of MPI with arguments of any number and type: they cannot be handed on, and MPICH reads none of
/// them. It does not end a sequence of polling calls, as it says nothing about what the program waits for.
int MPI_Pcontrol(const int level, ...) __asm__("dampi_MPI_Pcontrol");  // NOLINT(readability-redundant-declaration)
int MPI_Pcontrol(const int level, ...) {
    using namespace dampi::piggyback;
    static constexpr Function function{"MPI_Pcontrol", nullptr, false, false, {}};
    const Call call(function, nullptr, __builtin_return_address(0));
    if (call.modelled()) {
        Layer& layer = *Layer::current();
        if (!layer.brackets.control(level, call.site())) {
            note_unbalanced(layer, call_text(level) + " closes a bracket, but none is open", call.site());
        }
    }
    return PMPI_Pcontrol(level);
}

}  // extern "C"
