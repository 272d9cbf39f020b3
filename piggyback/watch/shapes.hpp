// Where in the arguments of MPI's functions stands what the light layer follows: messages, requests, collectives and
// communicators. By the functions' names; what is not named here is not followed, and a rank that waits in it is taken
// for one that may go on at any time.
#pragma once

#include "transport/watch/watch_board.hpp"

#include <cstdint>
#include <string_view>

namespace dampi::piggyback::watch {

enum class Part : std::uint8_t {
    none,
    send,
    receive,
    exchange,  ///< both
    probe,
    matched_probe,
    collective,
    make_communicator,  ///< likewise, and a communicator comes of it
    free_communicator,
    start,         ///< of persistent requests
    complete_one,  ///< of requests
    complete_all,
    complete_any,
    complete_some,
    free_request,
    create_callback,
    create_error_handler,
    not_followed,
};

enum class Sends : std::uint8_t { standard, synchronous, buffered };

/// Positions of arguments; -1: there is none.
struct Shape {
    Part part = Part::none;
    Sends sends = Sends::standard;
    bool persistent = false;
    bool large = false;  ///< counts have 64 bits
    std::int8_t peer = -1;
    std::int8_t tag = -1;
    std::int8_t second_peer = -1;  ///< of an exchange: the source
    std::int8_t second_tag = -1;
    std::int8_t communicator = -1;
    std::int8_t status = -1;
    std::int8_t request = -1;  ///< or the first of them, or a communicator that is freed
    std::int8_t count = -1;    ///< of requests; of data: where it is 0 nobody has to wait
    std::int8_t index = -1;    ///< what has completed: its place, or those of all
    std::int8_t outcount = -1;
    std::int8_t root = -1;
    std::int8_t made = -1;  ///< a new communicator
    transport::watch::NeedKind needs = transport::watch::NeedKind::unknown;
};

namespace shapes {

using transport::watch::NeedKind;

struct Collective {
    std::string_view name;
    std::int8_t communicator;
    NeedKind needs = NeedKind::unknown;
    std::int8_t count = -1;
    std::int8_t root = -1;
};

/// With `peer_enters` the root is waited for by the others, with `all_enter` and a root the others by the root.
inline constexpr Collective collectives[] = {
    {"Barrier", 0, NeedKind::all_enter},
    {"Bcast", 4, NeedKind::peer_enters, 1, 3},
    {"Scatter", 7, NeedKind::peer_enters, 4, 6},
    {"Scatterv", 8},
    {"Gather", 7, NeedKind::all_enter, 4, 6},
    {"Gatherv", 8},
    {"Reduce", 6, NeedKind::all_enter, 2, 5},
    {"Allreduce", 5, NeedKind::all_enter, 2},
    {"Allgather", 6, NeedKind::all_enter, 4},
    {"Allgatherv", 7},
    {"Alltoall", 6, NeedKind::all_enter, 4},
    {"Alltoallv", 8},
    {"Alltoallw", 8},
    {"Scan", 5, NeedKind::lower_enter, 2},
    {"Exscan", 5, NeedKind::lower_enter, 2},
    {"Reduce_scatter", 5},
    {"Reduce_scatter_block", 5, NeedKind::all_enter, 2},
    {"Neighbor_allgather", 6},
    {"Neighbor_allgatherv", 7},
    {"Neighbor_alltoall", 6},
    {"Neighbor_alltoallv", 8},
    {"Neighbor_alltoallw", 8},
};

struct Maker {
    std::string_view name;
    std::int8_t made;
    NeedKind needs = NeedKind::unknown;
};

/// Collective on their first argument.
inline constexpr Maker makers[] = {{"Comm_dup", 1, NeedKind::all_enter},
                                   {"Comm_dup_with_info", 2, NeedKind::all_enter},
                                   {"Comm_idup", -1},
                                   {"Comm_idup_with_info", -1},
                                   {"Comm_create", 2},
                                   {"Comm_split", 3, NeedKind::all_enter},
                                   {"Comm_split_type", 4, NeedKind::all_enter},
                                   {"Cart_create", 5},
                                   {"Cart_sub", 2},
                                   {"Graph_create", 5},
                                   {"Dist_graph_create", 8},
                                   {"Dist_graph_create_adjacent", 9}};

constexpr bool ends_with_and_drops(std::string_view& name, std::string_view ending) {
    const bool does = name.ends_with(ending);
    name.remove_suffix(does ? ending.size() : 0);
    return does;
}

/// "Barrier" of "Ibarrier".
constexpr bool is_nonblocking_of(std::string_view name, std::string_view blocking) {
    return name.size() == blocking.size() + 1 && name[0] == 'I' && name[1] == blocking[0] - 'A' + 'a' &&
           name.substr(2) == blocking.substr(1);
}

constexpr Shape shape_of_collective(std::string_view name) {
    for (const Collective& each : collectives) {
        const bool nonblocking = is_nonblocking_of(name, each.name);
        if (name == each.name || nonblocking) {
            Shape shape{
                .part = Part::collective, .communicator = each.communicator, .count = each.count, .root = each.root};
            shape.request = static_cast<std::int8_t>(nonblocking ? each.communicator + 1 : -1);
            shape.needs = each.needs;
            return shape;
        }
    }
    for (const Maker& each : makers) {
        if (name == each.name) {
            return {.part = Part::make_communicator, .communicator = 0, .made = each.made, .needs = each.needs};
        }
    }
    return {};
}

constexpr Shape shape_of_message(std::string_view name) {
    struct Kind {
        std::string_view name, nonblocking;
        Sends sends;
    };
    constexpr Kind sends[] = {{"Send", "Isend", Sends::standard},
                              {"Ssend", "Issend", Sends::synchronous},
                              {"Rsend", "Irsend", Sends::standard},
                              {"Bsend", "Ibsend", Sends::buffered}};
    const bool persistent = ends_with_and_drops(name, "_init");
    for (const Kind& kind : sends) {
        if (name == kind.name || name == kind.nonblocking) {
            const bool blocking = name == kind.name && !persistent;
            return {.part = Part::send,
                    .sends = kind.sends,
                    .persistent = persistent,
                    .peer = 3,
                    .tag = 4,
                    .communicator = 5,
                    .request = static_cast<std::int8_t>(blocking ? -1 : 6)};
        }
    }
    if (name == "Recv" && !persistent) {
        return {.part = Part::receive, .peer = 3, .tag = 4, .communicator = 5, .status = 6};
    }
    if (name == "Irecv" || name == "Recv") {
        return {.part = Part::receive, .persistent = persistent, .peer = 3, .tag = 4, .communicator = 5, .request = 6};
    }
    if (name == "Sendrecv") {
        return {.part = Part::exchange,
                .peer = 3,
                .tag = 4,
                .second_peer = 8,
                .second_tag = 9,
                .communicator = 10,
                .status = 11};
    }
    if (name == "Sendrecv_replace") {
        return {.part = Part::exchange,
                .peer = 3,
                .tag = 4,
                .second_peer = 5,
                .second_tag = 6,
                .communicator = 7,
                .status = 8};
    }
    if (name == "Probe") {
        return {.part = Part::probe, .peer = 0, .tag = 1, .communicator = 2};
    }
    if (name == "Mprobe" || name == "Improbe") {
        const std::int8_t status = name == "Mprobe" ? 4 : 5;
        return {.part = Part::matched_probe, .peer = 0, .tag = 1, .communicator = 2, .status = status};
    }
    return {};
}

constexpr Shape shape_of_request(std::string_view name) {
    if (name == "Wait") {
        return {.part = Part::complete_one, .status = 1, .request = 0};
    }
    if (name == "Test") {
        return {.part = Part::complete_one, .status = 2, .request = 0};
    }
    if (name == "Waitall") {
        return {.part = Part::complete_all, .status = 2, .request = 1, .count = 0};
    }
    if (name == "Testall") {
        return {.part = Part::complete_all, .status = 3, .request = 1, .count = 0};
    }
    if (name == "Waitany") {
        return {.part = Part::complete_any, .status = 3, .request = 1, .count = 0, .index = 2};
    }
    if (name == "Testany") {
        return {.part = Part::complete_any, .status = 4, .request = 1, .count = 0, .index = 2};
    }
    if (name == "Waitsome" || name == "Testsome") {
        return {.part = Part::complete_some, .status = 4, .request = 1, .count = 0, .index = 3, .outcount = 2};
    }
    if (name == "Start") {
        return {.part = Part::start, .request = 0};
    }
    if (name == "Startall") {
        return {.part = Part::start, .request = 1, .count = 0};
    }
    if (name == "Request_free") {
        return {.part = Part::free_request, .request = 0};
    }
    if (name == "Cancel" || name == "Isendrecv" || name == "Isendrecv_replace") {
        return {.part = Part::not_followed};
    }
    return {};
}

}  // namespace shapes

/// "MPI_Recv"
constexpr Shape shape_of(std::string_view name) {
    name.remove_prefix(std::string_view("MPI_").size());
    const bool large = shapes::ends_with_and_drops(name, "_c");
    Shape shape = shapes::shape_of_message(name);
    if (shape.part == Part::none) {
        shape = shapes::shape_of_collective(name);
    }
    if (shape.part == Part::none) {
        shape = shapes::shape_of_request(name);
    }
    if (name == "Comm_free" || name == "Comm_disconnect") {
        shape = {.part = Part::free_communicator, .request = 0};
    }
    if (name == "Comm_create_keyval" || name == "Keyval_create") {
        shape.part = Part::create_callback;
    }
    if (name == "Comm_create_errhandler" || name == "Errhandler_create") {
        shape.part = Part::create_error_handler;
    }
    shape.large = large;
    return shape;
}

}  // namespace dampi::piggyback::watch
