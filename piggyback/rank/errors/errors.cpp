#include "piggyback/rank/errors/errors.hpp"

#include "piggyback/rank/argument_text.hpp"
#include "piggyback/rank/arguments/culprit.hpp"
#include "piggyback/rank/code_places.hpp"
#include "piggyback/rank/communicators/past_communicators.hpp"
#include "piggyback/rank/errors/held_error.hpp"
#include "piggyback/rank/errors/meaning.hpp"
#include "piggyback/rank/object_names.hpp"
#include "piggyback/rank/python_places.hpp"
#include "piggyback/rank/resources/access_requests.hpp"
#include "piggyback/rank/resources/held_datatype.hpp"
#include "piggyback/rank/thread_lock.hpp"
#include "replay/misuse.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <optional>
#include <string>

namespace dampi::piggyback {
namespace {

using replay::error_class_of;
using replay::Misuse;
using replay::misuse;

// The numbers of replay/misuse.hpp are the library's.
static_assert(misuse(MPI_ERR_BUFFER)->kind == replay::ViolationKind::argument_buffer &&
              misuse(MPI_ERR_COUNT)->kind == replay::ViolationKind::argument_count &&
              misuse(MPI_ERR_TYPE)->kind == replay::ViolationKind::argument_datatype &&
              misuse(MPI_ERR_TAG)->kind == replay::ViolationKind::argument_tag &&
              misuse(MPI_ERR_COMM)->kind == replay::ViolationKind::argument_communicator &&
              misuse(MPI_ERR_RANK)->kind == replay::ViolationKind::argument_rank &&
              misuse(MPI_ERR_ROOT)->kind == replay::ViolationKind::argument_root &&
              misuse(MPI_ERR_GROUP)->kind == replay::ViolationKind::argument_group &&
              misuse(MPI_ERR_OP)->kind == replay::ViolationKind::argument_operator &&
              misuse(MPI_ERR_TOPOLOGY)->kind == replay::ViolationKind::argument_topology &&
              misuse(MPI_ERR_DIMS)->kind == replay::ViolationKind::argument_dimensions &&
              misuse(MPI_ERR_ARG)->kind == replay::ViolationKind::argument_value &&
              misuse(MPI_ERR_TRUNCATE)->kind == replay::ViolationKind::truncation &&
              misuse(MPI_ERR_REQUEST)->kind == replay::ViolationKind::argument_request &&
              misuse(MPI_ERR_AMODE)->kind == replay::ViolationKind::argument_mode &&
              misuse(MPI_ERR_FILE)->kind == replay::ViolationKind::argument_file &&
              misuse(MPI_ERR_INFO)->kind == replay::ViolationKind::argument_info &&
              misuse(MPI_ERR_INFO_KEY)->kind == replay::ViolationKind::argument_info &&
              misuse(MPI_ERR_INFO_VALUE)->kind == replay::ViolationKind::argument_info &&
              misuse(MPI_ERR_INFO_NOKEY)->kind == replay::ViolationKind::argument_info &&
              misuse(MPI_ERR_NOT_SAME)->kind == replay::ViolationKind::argument_value &&
              misuse(MPI_ERR_WIN)->kind == replay::ViolationKind::argument_window &&
              misuse(MPI_ERR_BASE)->kind == replay::ViolationKind::argument_base &&
              misuse(MPI_ERR_LOCKTYPE)->kind == replay::ViolationKind::argument_lock &&
              misuse(MPI_ERR_KEYVAL)->kind == replay::ViolationKind::argument_keyval &&
              misuse(MPI_ERR_RMA_CONFLICT)->kind == replay::ViolationKind::argument_synchronization &&
              misuse(MPI_ERR_RMA_SYNC)->kind == replay::ViolationKind::argument_synchronization &&
              misuse(MPI_ERR_SIZE)->kind == replay::ViolationKind::argument_size &&
              misuse(MPI_ERR_DISP)->kind == replay::ViolationKind::argument_displacement &&
              misuse(MPI_ERR_ASSERT)->kind == replay::ViolationKind::argument_assertion &&
              misuse(MPI_ERR_RMA_RANGE)->kind == replay::ViolationKind::argument_displacement &&
              misuse(MPI_ERR_RMA_ATTACH)->kind == replay::ViolationKind::argument_window &&
              misuse(MPI_ERR_RMA_FLAVOR)->kind == replay::ViolationKind::argument_window &&
              misuse(MPI_ERR_SESSION)->kind == replay::ViolationKind::argument_session);
static_assert(MPI_ERR_IN_STATUS == replay::error_in_statuses);
static_assert(misuse(MPI_ERR_OTHER) == nullptr && misuse(MPI_ERR_NO_SUCH_FILE) == nullptr &&
              misuse(MPI_ERR_NAME) == nullptr && misuse(MPI_ERR_IN_STATUS) == nullptr &&
              misuse(MPI_ERR_PENDING) == nullptr);

/// MPI's innermost sentence about the error; the others name functions inside of it.
std::string sentence_of(int code) {
    char text[8192] = "";  // MPICH does not always keep to MPI_MAX_ERROR_STRING
    int length = 0;
    const QuietErrors quiet;
    if (PMPI_Error_string(code, text, &length) != MPI_SUCCESS) {
        return {};
    }
    std::string all(text, static_cast<std::size_t>(length));
    while (!all.empty() && all.back() == '\n') {
        all.pop_back();
    }
    const std::size_t line = all.rfind('\n');
    if (line == std::string::npos) {
        return all;
    }
    // "internal_Send(78).: Invalid rank has value 99 but must be nonnegative and less than 2"
    const std::size_t colon = all.find(": ", line);
    return all.substr(colon == std::string::npos ? line + 1 : colon + 2);
}

}  // namespace

std::string arguments_of(Layer& layer, const FailedCall& failed) {
    const QuietErrors quiet;  // what they are called is asked of MPI
    KnownNames names(layer, true);
    ArgumentText text(names);
    if (failed.described != nullptr) {
        failed.described->describe_arguments(text);
    } else if (failed.wrapped != nullptr && failed.wrapped->describe != nullptr) {
        failed.wrapped->describe(failed.arguments, text);
    }
    return text.text();
}

namespace {

/// The function of a call, where a wrapper knows it, and its arguments.
struct KnownCall {
    const Function* function = nullptr;
    const void* arguments = nullptr;
};

KnownCall known(const FailedCall& failed) {
    return failed.described != nullptr ? KnownCall{failed.described->wrapped(), failed.described->arguments()}
                                       : KnownCall{failed.wrapped, failed.arguments};
}

std::optional<Blame> blame_for(const FailedCall& failed, int error_class, std::string_view sentence) {
    const KnownCall call = known(failed);
    if (call.function == nullptr) {
        return std::nullopt;
    }
    const QuietErrors quiet;
    const auto position = culprit(call.function->parameters, call.arguments, error_class, sentence);
    return position ? std::optional(Blame{*position, ""}) : std::nullopt;
}

/// ": the handle of a window" where the argument is to be of another class. In MPICH's ABI four bits of a handle say of
/// which class it is, also of null handles; a handle of no class says nothing.
std::string other_class(const ParameterOf& parameter, const void* arguments) {
    struct Class {
        ParameterRole role;
        std::uint32_t null;
        const char* name;
    };
    using Role = ParameterRole;
    constexpr std::array classes{Class{Role::communicator, MPI_COMM_NULL, "a communicator"},
                                 Class{Role::group, MPI_GROUP_NULL, "a group"},
                                 Class{Role::datatype, MPI_DATATYPE_NULL, "a datatype"},
                                 Class{Role::errhandler, MPI_ERRHANDLER_NULL, "an error handler"},
                                 Class{Role::operation, MPI_OP_NULL, "an operator"},
                                 Class{Role::info, MPI_INFO_NULL, "an info object"},
                                 Class{Role::window, MPI_WIN_NULL, "a window"},
                                 Class{Role::request, MPI_REQUEST_NULL, "a request"}};
    const auto class_bits = [](std::uint32_t handle) { return (handle >> 26) & 0xf; };
    const auto expected =
        std::find_if(classes.begin(), classes.end(), [&](const Class& each) { return each.role == parameter.role; });
    if (expected == classes.end()) {
        return "";
    }
    const auto handle = static_cast<std::uint32_t>(value_of(parameter, arguments));
    const auto found = std::find_if(classes.begin(), classes.end(), [&](const Class& each) {
        return class_bits(handle) == class_bits(each.null) && handle >> 30 != 0;
    });
    return found == classes.end() || found == expected ? "" : std::string(": the handle of ") + found->name;
}

/// " (argument 5, recvcounts: a null pointer)".
std::string blaming_text(const FailedCall& failed, const std::optional<Blame>& blame) {
    const KnownCall call = known(failed);
    if (!blame || call.function == nullptr) {
        return "";
    }
    return " (argument " + std::to_string(blame->position + 1) + ", " +
           call.function->parameters[blame->position].name +
           (blame->wrong.empty() ? other_class(call.function->parameters[blame->position], call.arguments)
                                 : ": " + std::string(blame->wrong)) +
           ")";
}

/// Of the argument that is to blame, if it is a handle that the program has freed; null otherwise.
const Past* past_of(Layer& layer, const FailedCall& failed, const std::optional<Blame>& blame) {
    const KnownCall call = known(failed);
    if (!blame || call.function == nullptr) {
        return nullptr;
    }
    const ParameterOf& parameter = call.function->parameters[blame->position];
    std::int64_t handle = value_of(parameter, call.arguments);
    const std::string_view function = failed.function;
    const bool is_place = function.ends_with("_free") || function.ends_with("_free_keyval") ||
                          function == "MPI_Type_commit" || function == "MPI_File_close" ||
                          function == "MPI_Session_finalize" || function == "MPI_Comm_disconnect";
    const bool is_file = parameter.role == ParameterRole::file || function == "MPI_File_close";
    if (is_place && handle != 0) {
        handle =
            is_file ? *reinterpret_cast<const std::int64_t*>(handle) : *reinterpret_cast<const std::int32_t*>(handle);
    }
    const auto past = [&](ResourceKind kind) {
        const auto key = static_cast<std::uint64_t>(handle);
        return layer.resources.held(kind).past(is_file ? key : static_cast<std::uint32_t>(key));
    };
    const auto past_comm = [&]() -> const Past* {
        const auto comm = static_cast<MPI_Comm>(handle);
        return layer.communicators.look_up(comm) == nullptr ? past_communicator(comm) : nullptr;
    };
    const std::string_view name = parameter.name;
    using Role = ParameterRole;
    const auto is = [&](Role role, std::string_view freed) {
        return parameter.role == role || (is_place && name.ends_with(freed));
    };
    return is(Role::datatype, "type")           ? past(ResourceKind::datatype)
           : is(Role::operation, "op")          ? past(ResourceKind::operation)
           : is(Role::group, "group")           ? past(ResourceKind::group)
           : is(Role::info, "info")             ? past(ResourceKind::info)
           : is(Role::errhandler, "errhandler") ? past(ResourceKind::errhandler)
           : is(Role::keyval, "keyval")         ? past(ResourceKind::keyval)
           : is(Role::window, "win")            ? past(ResourceKind::window)
           : is(Role::file, "fh")               ? past(ResourceKind::file)
           : is(Role::communicator, "comm")     ? past_comm()
           : name == "session"                  ? past(ResourceKind::session)
                                                : nullptr;
}

void record(Layer& layer, const FailedCall& failed, replay::ViolationKind kind, std::string_view what,
            const std::string& detail, const std::optional<Blame>& blame,
            const transport::OtherCallFields& other = {}) {
    constexpr std::uint32_t no_stack = transport::EpochPostedRecord::no_stack;
    const std::uint32_t stack = layer.call_stacks.number_of_few(layer, failed.site);
    // Without a stack: what the layer has said of the call in words of its own.
    if (layer.noted_errors.contains({failed.site, no_stack, kind}) ||
        !layer.noted_errors.emplace(failed.site, stack, kind).second) {
        return;
    }
    if (!is_logged_place(failed.site)) {
        log_modules(layer);
    }
    transport::ViolationRecord record{
        .kind = replay::number_of(kind),
        .message = std::string(failed.function) + " was called with " + std::string(what) + blaming_text(failed, blame),
        .call = failed.function,
        .detail = detail,
        .site = failed.site,
        .arguments = arguments_of(layer, failed),
        .stack = stack};
    if (const Past* past = past_of(layer, failed, blame)) {
        if (!is_logged_place(past->made.site) || !is_logged_place(past->freed.site)) {
            log_modules(layer);
        }
        record.others = {{{.call = past->made.function, .detail = "made the handle", .site = past->made.site},
                          {.call = past->freed.function, .detail = "freed it", .site = past->freed.site}}};
    }
    if (!other.call.empty()) {
        if (!is_logged_place(other.site)) {
            log_modules(layer);
        }
        record.others.front() = other;
    }
    if (replay::violation_kinds::line(kind).severity == replay::violation_kinds::Severity::warning) {
        layer.log.append(transport::NoteRecord{record});
    } else {
        layer.log.append(record);
    }
}

/// What an argument is that has a class of errors of its own, where MPICH speaks of an invalid argument only.
const Misuse* by_argument(const Misuse* found, const FailedCall& failed, const std::optional<Blame>& blame) {
    struct Own {
        std::string_view parameter;
        int error_class;
    };
    static constexpr std::array owns{Own{"lock_type", MPI_ERR_LOCKTYPE},  Own{"assert", MPI_ERR_ASSERT},
                                     Own{"dims", MPI_ERR_DIMS},           Own{"origin_addr", MPI_ERR_BUFFER},
                                     Own{"compare_addr", MPI_ERR_BUFFER}, Own{"result_addr", MPI_ERR_BUFFER}};
    const Function* const function = known(failed).function;
    if (found->error_class != MPI_ERR_ARG || !blame || function == nullptr) {
        return found;
    }
    const std::string_view name = function->parameters[blame->position].name;
    if (name == "dims" && value_of(function->parameters[blame->position], known(failed).arguments) == 0) {
        return found;  // it is null
    }
    const auto own = std::find_if(owns.begin(), owns.end(), [&](const Own& each) { return each.parameter == name; });
    return own == owns.end() ? found : misuse(own->error_class);
}

}  // namespace

int meant_by(int code) {
    if (error_class_of(code) != MPI_ERR_OTHER) {
        return code;
    }
    // "… are not identical in size; 8 bytes received but receive buffer size is 16", of a partitioned transfer, where
    // MPICH has the two numbers the other way around
    constexpr std::string_view before_first = "are not identical in size; ";
    constexpr std::string_view before_second = "receive buffer size is ";
    const std::string sentence = sentence_of(code);
    const auto first = sentence.find(before_first);
    const auto second = sentence.find(before_second);
    if (first == std::string::npos || second == std::string::npos) {
        return code;
    }
    const auto number_at = [&](std::size_t at) { return std::strtoll(&sentence[at], nullptr, 10); };
    const bool too_much = number_at(first + before_first.size()) < number_at(second + before_second.size());
    return too_much ? MPI_ERR_TRUNCATE : MPI_ERR_COUNT;
}

namespace {

/// No operator is defined for MPI_DATATYPE_NULL, which stands for freed ones as well, and that is all that MPICH says
/// of it.
bool lacks_datatype(const FailedCall& failed) {
    const KnownCall call = known(failed);
    if (call.function == nullptr) {
        return false;
    }
    const Parameters& parameters = call.function->parameters;
    return std::any_of(parameters.begin(), parameters.end(), [&](const ParameterOf& each) {
        return each.role == ParameterRole::datatype &&
               held_datatype(static_cast<MPI_Datatype>(value_of(each, call.arguments))) == MPI_DATATYPE_NULL;
    });
}

}  // namespace

void note_error(Layer& layer, const FailedCall& failed, int code) {
    if (const Misuse* found = misuse(error_class_of(meant_by(code)))) {
        if (found->error_class == MPI_ERR_OP && lacks_datatype(failed)) {
            found = misuse(MPI_ERR_TYPE);
        }
        const std::string sentence = sentence_of(code);
        const auto blame = blame_for(failed, found->error_class, sentence);
        const Misuse* const meant = by_argument(found, failed, blame);
        record(layer, failed, meant->kind, meant->what, sentence, blame);
    }
}

void note_error(const Call& call, int code) noexcept {
    note_error(*Layer::current(), {.function = call.function(), .site = call.site(), .described = &call}, code);
}

void note_returned_error(const Call& call, int code) noexcept {
    if (call.modelled()) {
        note_error(call, code);
    }
    hand_over_kept_error(code);
}

void note_misuse(const Call& call, replay::ViolationKind kind, std::string_view what,
                 const transport::OtherCallFields& other) noexcept {
    record(*Layer::current(), {.function = call.function(), .site = call.site(), .described = &call}, kind, what, "",
           std::nullopt, other);
}

void note_unusual(Layer& layer, const FailedCall& failed, const Blame& blame) {
    record(layer, failed, replay::ViolationKind::unusual, "an unusual argument", "", blame);
}

void note_wrong(Layer& layer, const FailedCall& failed, int error_class, const Blame& blame) {
    const Misuse* found = misuse(error_class);
    DAMPI_CHECK(found != nullptr);
    record(layer, failed, found->kind, found->what, "", blame);
}

std::string no_room_text(std::uint64_t needed, std::uint64_t attached, std::uint64_t taken, std::size_t messages) {
    return "a message that needs " + std::to_string(needed) + " of the " + std::to_string(attached) +
           " bytes attached, though " + std::to_string(taken) + " may be taken by " +
           (messages == 1 ? "an earlier one that is not" : std::to_string(messages) + " earlier ones that are not") +
           " known to have been received";
}

void note_used_up(Layer& layer, MPI_Request handle) noexcept {
    const Call* call = Call::current();
    if (handle != MPI_REQUEST_NULL && call != nullptr && layer.requests.is_used_up(handle) &&
        !access_requests().has(handle)) {
        note_misuse(*call, replay::ViolationKind::argument_request, "a request that has completed or was freed before");
        layer.requests.used_again(handle);
    }
}

namespace {

void note_failed(const Function& function, const void* arguments, int code, const void* return_address) {
    Layer* layer = Layer::current();
    if (layer == nullptr || !layer->active() || misuse(error_class_of(code)) == nullptr) {
        return;
    }
    // Inside another call the MPI library asks, or a callback of the program, which has the lock.
    const bool outermost = Call::current() == nullptr;
    if (!outermost || is_library_place(return_address)) {
        return;
    }
    const std::uint64_t script = python_site_if_any();  // before the lock
    const std::uint64_t site = script != 0 ? script : program_site(return_address);
    if (layer->locks_calls) {
        lock_threads();
    }
    log_python_places(*layer);
    note_error(*layer, {.function = function.name, .site = site, .wrapped = &function, .arguments = arguments}, code);
    if (layer->locks_calls) {
        unlock_threads();
    }
}

}  // namespace

void note_failed_passing(const Function& function, const void* arguments, int code,
                         const void* return_address) noexcept {
    note_failed(function, arguments, code, return_address);
    hand_over_kept_error(code);
}

void note_passed_request(MPI_Request request) noexcept {
    Layer* layer = Layer::current();
    if (layer == nullptr || !layer->active() || Call::current() != nullptr) {
        return;
    }
    if (layer->locks_calls) {
        lock_threads();
    }
    layer->requests.handed_out(request);
    if (layer->locks_calls) {
        unlock_threads();
    }
}

bool is_committed(MPI_Comm comm, MPI_Datatype datatype) noexcept {
    const QuietErrors quiet;
    int size = 0;
    const int code = PMPI_Pack_size(1, datatype, comm, &size);
    return code == MPI_SUCCESS || error_class_of(code) != MPI_ERR_TYPE;
}

}  // namespace dampi::piggyback
