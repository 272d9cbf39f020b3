#include "piggyback/rank/resources/leaks.hpp"

#include "piggyback/rank/code_places.hpp"
#include "piggyback/rank/layer.hpp"
#include "piggyback/rank/resources/access_requests.hpp"
#include "piggyback/rank/resources/matched_messages.hpp"
#include "replay/violation_kind.hpp"

#include <array>
#include <string>

namespace dampi::piggyback {
namespace {

/// How a report speaks of one kind of object.
struct Wording {
    replay::ViolationKind kind;
    const char* singular;
    const char* plural;
    const char* neglected;
};

// In the order of ResourceKind; without its last, sessions: none but the one that ends MPI is left when MPI ends.
constexpr std::array<Wording, resource_kinds - 1> wordings{{
    {replay::ViolationKind::leak_group, "group", "groups", "freed"},
    {replay::ViolationKind::leak_datatype, "datatype", "datatypes", "freed"},
    {replay::ViolationKind::leak_operator, "operator", "operators", "freed"},
    {replay::ViolationKind::leak_window, "window", "windows", "freed"},
    {replay::ViolationKind::leak_errhandler, "error handler", "error handlers", "freed"},
    {replay::ViolationKind::leak_keyval, "attribute key", "attribute keys", "freed"},
    {replay::ViolationKind::leak_info, "info object", "info objects", "freed"},
    {replay::ViolationKind::leak_file, "file", "files", "closed"},
    {replay::ViolationKind::leak_memory, "piece of memory", "pieces of memory", "freed"},
}};
constexpr Wording communicators{replay::ViolationKind::leak_communicator, "communicator", "communicators", "freed"};
constexpr Wording requests{replay::ViolationKind::leak_request, "request", "requests", "completed"};
constexpr Wording messages{replay::ViolationKind::leak_message, "message", "messages", "received"};
constexpr Wording persistent_requests{replay::ViolationKind::leak_request, "persistent request", "persistent requests",
                                      "freed"};

void report(Core& layer, const Wording& wording, const HeldHandles& held, const char* made = "made") {
    held.for_each_origin([&](const Origin& origin, std::uint64_t number) {
        // The same sentence in all ranks, and how many there are in this one.
        layer.log.append(transport::ViolationRecord{
            .kind = replay::number_of(wording.kind),
            .message = std::string(wording.plural) + " " + made + " by " + origin.function + " were never " +
                       wording.neglected,
            .call = origin.function,
            .detail = std::to_string(number) + " " + (number == 1 ? wording.singular : wording.plural),
            .site = origin.site,
            .stack = origin.stack});
    });
}

}  // namespace

HeldHandles& unreceived_messages() {
    static HeldHandles held;
    return held;
}

AccessRequests& access_requests() {
    static auto& requests = *new AccessRequests;  // never gone, for what it holds of the layer may be gone before it
    return requests;
}

void report_leaks(Layer& layer) {
    log_modules(layer);

    HeldHandles left;
    layer.communicators.for_each([&](const Communicator& communicator) {
        if (communicator.site != 0) {
            left.add(static_cast<std::uint32_t>(communicator.handle),
                     {communicator.made_by, communicator.site, communicator.stack});
        }
    });
    report(layer, communicators, left);

    // An active request that the program has freed is no leak: MPI lets it go when it completes.
    HeldHandles uncompleted;
    HeldHandles unfreed;
    layer.requests.for_each([&](const Request& request) {
        if (!request.freed && !request.is_told) {
            (request.active ? uncompleted : unfreed)
                .add(static_cast<std::uint32_t>(request.handle),
                     {request.function, request.site, request.special().stack});
        }
    });
    access_requests().for_each([&](MPI_Request handle, const AccessRequest& request) {
        if (!request.is_told &&
            !layer.misses_calls.load(std::memory_order_relaxed)) {  // else one of those may have completed it
            uncompleted.add(static_cast<std::uint32_t>(handle), request.origin);
        }
    });
    report(layer, requests, uncompleted);
    report(layer, persistent_requests, unfreed);
    report(layer, messages, unreceived_messages(), "taken");

    for (std::size_t kind = 0; kind < wordings.size(); ++kind) {
        const auto resource = static_cast<ResourceKind>(kind);
        if (resource == ResourceKind::memory && layer.misses_calls.load(std::memory_order_relaxed)) {
            continue;  // one of those may have freed it
        }
        report(layer, wordings[kind], layer.resources.held(resource));
    }
}

}  // namespace dampi::piggyback
