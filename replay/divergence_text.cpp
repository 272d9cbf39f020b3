#include "replay/divergence_text.hpp"

namespace dampi::replay {
namespace {

const char* kind_text(EpochKind kind) {
    switch (kind) {
        case EpochKind::receive:
            return "a wildcard receive";
        case EpochKind::probe:
            return "a wildcard MPI_Probe";
        case EpochKind::matched_probe:
            return "a wildcard MPI_Mprobe";
        case EpochKind::polling_probe:
            return "an MPI_Iprobe";
        case EpochKind::polling_matched_probe:
            return "an MPI_Improbe";
        case EpochKind::wait_any:
            return "an MPI_Waitany";
        case EpochKind::wait_some:
            return "an MPI_Waitsome";
        case EpochKind::test:
            return "an MPI_Test";
        case EpochKind::test_all:
            return "an MPI_Testall";
        case EpochKind::test_any:
            return "an MPI_Testany";
        case EpochKind::test_some:
            return "an MPI_Testsome";
        case EpochKind::get_status:
            return "an MPI_Request_get_status";
        case EpochKind::cancel:
            return "an MPI_Cancel of a receive";
    }
    return "an unknown operation";
}

std::string operation_text(const EpochOperation& operation) {
    std::string text = kind_text(operation.kind);
    if (chooses_message(operation.kind)) {
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
