#include "replay/divergence_text.hpp"

namespace dampi::replay {
namespace {

/// Also of a number that a rank wrote and that stands for no kind.
std::string_view kind_text(EpochKind kind) {
    return is_epoch_kind(static_cast<std::uint32_t>(kind)) ? epoch_kinds::line(kind).words : "an unknown operation";
}

std::string operation_text(const EpochOperation& operation) {
    std::string text(kind_text(operation.kind));
    if (is_epoch_kind(static_cast<std::uint32_t>(operation.kind)) && chooses_message(operation.kind)) {
        text += operation.tag == base::any_tag ? " with any tag" : " with tag " + std::to_string(operation.tag);
    }
    return text;
}

}  // namespace

std::string other_operation_text(EpochId epoch, const EpochOperation& decided, const EpochOperation& met) {
    return "rank " + std::to_string(epoch.rank) + " was to issue " + operation_text(decided) + " as its operation " +
           std::to_string(epoch.index) + ", but issued " + operation_text(met) +
           (decided.comm == met.comm ? "" : " on another communicator");
}

}  // namespace dampi::replay
