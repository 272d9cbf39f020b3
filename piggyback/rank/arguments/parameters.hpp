// What a wrapper knows of the parameters of its function, so that a finding can say which argument is wrong.
#pragma once

#include <cstdint>
#include <span>

namespace dampi::piggyback {

/// What an argument stands for.
enum class ParameterRole : std::uint8_t {
    number,
    count,
    size,
    rank,
    root,
    tag,
    keyval,
    communicator,
    datatype,
    operation,
    group,
    info,
    errhandler,
    window,
    file,
    request,
    counts,         ///< an array of int, one for each rank of the call's communicator, or for each of something else
    unread_counts,  ///< another array
    ranks,          ///< an array
    requests,       ///< an array, or where a request is
    types,          ///< an array
    buffer,
    pointer,  ///< anything else that must be somewhere
};

struct ParameterOf {
    const char* name;
    ParameterRole role;
    std::uint8_t size;     ///< of the argument in bytes: 4 or 8
    std::uint16_t offset;  ///< of the argument among the arguments as the wrapper keeps them
};

using Parameters = std::span<const ParameterOf>;

}  // namespace dampi::piggyback
