#include "piggyback/rank/arguments/culprit.hpp"

#include "piggyback/rank/layer.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstring>
#include <string>

#include <mpi.h>

namespace dampi::piggyback {
namespace {

using Role = ParameterRole;

/// Whether an error of this class can be about such an argument.
bool can_be_meant(const ParameterOf& parameter, int error_class) {
    const std::string_view name = parameter.name;
    const auto is = [&](std::initializer_list<Role> roles) {
        return std::find(roles.begin(), roles.end(), parameter.role) != roles.end();
    };
    switch (error_class) {
        case MPI_ERR_BUFFER:
            return is({Role::buffer});
        case MPI_ERR_COUNT:
            return is({Role::count, Role::counts, Role::unread_counts});
        case MPI_ERR_TYPE:
            return is({Role::datatype, Role::types});
        case MPI_ERR_TAG:
            return is({Role::tag});
        case MPI_ERR_COMM:
        case MPI_ERR_TOPOLOGY:
            return is({Role::communicator}) || (name == "comm" && parameter.role == Role::pointer);
        case MPI_ERR_RANK:
            return is({Role::rank, Role::ranks}) || name == "ranges";
        case MPI_ERR_ROOT:
            return is({Role::root});
        case MPI_ERR_GROUP:
            return is({Role::group}) || (name == "group" && parameter.role == Role::pointer);
        case MPI_ERR_OP:
            return is({Role::operation}) || (name == "op" && parameter.role == Role::pointer);
        case MPI_ERR_REQUEST:
            return is({Role::request, Role::requests});
        case MPI_ERR_DIMS:
            return name == "dims";
        case MPI_ERR_AMODE:
            return name == "amode";
        case MPI_ERR_FILE:
            return is({Role::file}) || name == "fh";
        case MPI_ERR_INFO:
            return is({Role::info}) || name == "info";
        case MPI_ERR_INFO_KEY:
            return name == "key";
        case MPI_ERR_INFO_VALUE:
            return name == "value";
        case MPI_ERR_WIN:
            return is({Role::window}) || name == "win";
        case MPI_ERR_KEYVAL:
            return is({Role::keyval}) || name.ends_with("keyval");
        case MPI_ERR_LOCKTYPE:
            return name == "lock_type";
        case MPI_ERR_ASSERT:
            return name == "assert";
        case MPI_ERR_SIZE:
            return is({Role::size});
        case MPI_ERR_DISP:
            return name == "disp_unit" || name == "target_disp";
        default:
            return false;
    }
}

const ParameterOf* find(Parameters parameters, Role role) {
    const auto found =
        std::find_if(parameters.begin(), parameters.end(), [&](const ParameterOf& each) { return each.role == role; });
    return found == parameters.end() ? nullptr : &*found;
}

/// The first communicator of the call; null for one that the layer does not know.
const Communicator* communicator_of(Parameters parameters, const void* arguments) {
    const ParameterOf* parameter = find(parameters, Role::communicator);
    return parameter == nullptr
               ? nullptr
               : Layer::current()->communicators.find(static_cast<MPI_Comm>(value_of(*parameter, arguments)));
}

/// Whether MPI takes it for data; one that is not committed it refuses.
bool is_usable(MPI_Datatype datatype) {
    int size = 0;
    return PMPI_Pack_size(1, datatype, MPI_COMM_SELF, &size) == MPI_SUCCESS;
}

/// Whether the value is certainly wrong for what the argument stands for. `comm` may be null.
bool is_wrong(const ParameterOf& parameter, std::int64_t value, const Communicator* comm) {
    const auto size = [&] { return static_cast<std::int64_t>(comm->peers.size()); };
    switch (parameter.role) {
        case Role::count:
        case Role::size:
            return value < 0;
        case Role::counts: {
            const auto* counts = reinterpret_cast<const int*>(value);
            // MPI has just looked at them.
            return counts == nullptr ||
                   (comm != nullptr && std::any_of(counts, counts + size(), [](int count) { return count < 0; }));
        }
        case Role::rank:
            return (value < 0 && value != MPI_PROC_NULL && value != MPI_ANY_SOURCE) ||
                   (comm != nullptr && value >= size());
        case Role::root:
            return (value < 0 && value != MPI_ROOT && value != MPI_PROC_NULL) || (comm != nullptr && value >= size());
        case Role::tag:
            return value < 0 && value != MPI_ANY_TAG;
        case Role::communicator:
            return Layer::current()->communicators.find(static_cast<MPI_Comm>(value)) == nullptr;
        case Role::datatype: {
            const auto datatype = static_cast<MPI_Datatype>(value);
            return datatype == MPI_DATATYPE_NULL ||
                   Layer::current()->resources.is_stale(ResourceKind::datatype, static_cast<std::uint32_t>(datatype)) ||
                   !is_usable(datatype);
        }
        case Role::operation:
            return value == MPI_OP_NULL;
        case Role::group:
            return value == MPI_GROUP_NULL ||
                   Layer::current()->resources.is_stale(ResourceKind::group, static_cast<std::uint32_t>(value));
        case Role::info:
            return value == MPI_INFO_NULL;
        case Role::keyval:
            return value == MPI_KEYVAL_INVALID;
        case Role::errhandler:
            return value == MPI_ERRHANDLER_NULL;
        case Role::request:
            return value == MPI_REQUEST_NULL;
        case Role::buffer:
        case Role::pointer:
        case Role::ranks:
        case Role::unread_counts:
        case Role::requests:
        case Role::types:
            return value == 0;
        case Role::number:
        case Role::window:
        case Role::file:
            return false;
    }
    return false;
}

/// "edges" of "Null pointer in parameter edges".
std::string_view named_in(std::string_view sentence) {
    constexpr std::string_view before = "parameter ";
    const auto at = sentence.rfind(before);
    if (at == std::string_view::npos) {
        return {};
    }
    const std::string_view rest = sentence.substr(at + before.size());
    return rest.substr(0, rest.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789"));
}

bool is_word_in(std::string_view text, std::string_view word) {
    const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    for (auto at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
        const auto end = at + word.size();
        if ((at == 0 || !is_part(text[at - 1])) && (end == text.size() || !is_part(text[end]))) {
            return true;
        }
    }
    return false;
}

/// MPI's sentences that mean a parameter without naming it.
struct Meant {
    std::string_view part;
    std::string_view parameter;
};
constexpr std::array sentences{Meant{"range array", "ranges"},
                               Meant{"Zero stride", "ranges"},
                               Meant{"Cartesian coordinate", "coords"},
                               Meant{"size of the Cartesian topology", "dims"},
                               Meant{"Number of dimensions", "direction"},
                               Meant{"Number of dimensions", "maxdims"},
                               Meant{"must not be aliased", "recvbuf"},
                               Meant{"Index value for index", "indx"},
                               Meant{"Topology size", "nnodes"},
                               Meant{"Null MPI_Info", "info"},
                               Meant{"Invalid pset name", "pset_name"},
                               Meant{"Requested key", "n"},
                               Meant{"Invalid locktype", "lock_type"}};

/// The only one of those for which the predicate holds, or the first if that is enough; nothing if there is none.
template <typename Predicate>
std::optional<unsigned> one_of(Parameters parameters, bool first_is_enough, Predicate&& predicate) {
    std::optional<unsigned> found;
    for (unsigned i = 0; i < parameters.size(); ++i) {
        if (predicate(parameters[i])) {
            if (found) {
                return first_is_enough ? found : std::nullopt;
            }
            found = i;
        }
    }
    return found;
}

}  // namespace

std::int64_t value_of(const ParameterOf& parameter, const void* arguments) {
    const char* at = static_cast<const char*>(arguments) + parameter.offset;
    if (parameter.size == sizeof(std::int32_t)) {
        std::int32_t value = 0;
        std::memcpy(&value, at, sizeof value);
        return value;
    }
    std::int64_t value = 0;
    std::memcpy(&value, at, sizeof value);
    return value;
}

std::optional<unsigned> culprit(Parameters parameters, const void* arguments, int error_class,
                                std::string_view sentence) {
    if (const std::string_view name = named_in(sentence); !name.empty()) {
        if (const auto named = one_of(parameters, true, [&](const ParameterOf& each) { return each.name == name; })) {
            return named;
        }
    }
    for (const Meant& each : sentences) {
        const auto meant_by = [&](const ParameterOf& parameter) { return parameter.name == each.parameter; };
        if (sentence.find(each.part) != std::string_view::npos) {
            if (const auto found = one_of(parameters, true, meant_by)) {
                return found;
            }
        }
    }
    const Communicator* comm = communicator_of(parameters, arguments);
    const auto wrong = [&](const ParameterOf& each) { return is_wrong(each, value_of(each, arguments), comm); };
    if (error_class == MPI_ERR_ARG) {
        if (sentence.find("ull pointer") != std::string_view::npos) {
            return one_of(parameters, true, [&](const ParameterOf& each) {
                return each.size == sizeof(void*) && value_of(each, arguments) == 0 && each.role != Role::number &&
                       each.role != Role::count && each.role != Role::size;
            });
        }
        const auto is_number = [](const ParameterOf& each) {
            return each.role == Role::number || each.role == Role::count || each.role == Role::size;
        };
        const auto negative = one_of(parameters, true, [&](const ParameterOf& each) {
            return is_number(each) && value_of(each, arguments) < 0;
        });
        const auto named = one_of(parameters, true, [&](const ParameterOf& each) {
            return std::string_view(each.name).size() > 3 && is_word_in(sentence, each.name);
        });
        return negative ? negative
               : named  ? named
                        : one_of(parameters, false, [&](const ParameterOf& each) {
                             return (each.role == Role::info || each.role == Role::errhandler) && wrong(each);
                         });
    }
    const auto meant = [&](const ParameterOf& each) { return can_be_meant(each, error_class); };
    const auto certain = one_of(parameters, true, [&](const ParameterOf& each) { return meant(each) && wrong(each); });
    // Of a number it would be certain.
    return certain ? certain : one_of(parameters, false, [&](const ParameterOf& each) {
        return meant(each) && each.role != Role::count && each.role != Role::size;
    });
}

}  // namespace dampi::piggyback
