// Which of MPI's error classes mean that a call was used wrongly, and what such a violation is called. The others
// (a file that does not exist, a name that nobody has published, memory that is used up) are conditions that a correct
// program may meet. The numbers are those of MPICH's mpi.h; where that is included, piggyback/rank/errors compares
// them.
#pragma once

#include "replay/violation_kind.hpp"

#include <array>
#include <string_view>

namespace dampi::replay {

struct Misuse {
    int error_class;
    ViolationKind kind;     ///< of the violation
    std::string_view what;  ///< is wrong, after "with"
};

inline constexpr std::array misuses = {
    Misuse{1, ViolationKind::argument_buffer, "an invalid buffer"},
    Misuse{2, ViolationKind::argument_count, "an invalid count"},
    Misuse{3, ViolationKind::argument_datatype, "an invalid datatype"},
    Misuse{4, ViolationKind::argument_tag, "an invalid tag"},
    Misuse{5, ViolationKind::argument_communicator, "an invalid communicator"},
    Misuse{6, ViolationKind::argument_rank, "an invalid rank"},
    Misuse{7, ViolationKind::argument_root, "an invalid root"},
    Misuse{8, ViolationKind::argument_group, "an invalid group"},
    Misuse{9, ViolationKind::argument_operator, "an invalid operator"},
    Misuse{10, ViolationKind::argument_topology, "a communicator whose topology does not fit"},
    Misuse{11, ViolationKind::argument_dimensions, "invalid dimensions"},
    Misuse{12, ViolationKind::argument_value, "an invalid argument"},
    Misuse{14, ViolationKind::truncation, "a buffer that is shorter than the message"},
    Misuse{19, ViolationKind::argument_request, "an invalid request"},
    Misuse{21, ViolationKind::argument_mode, "an invalid access mode"},
    Misuse{27, ViolationKind::argument_file, "an invalid file handle"},
    Misuse{28, ViolationKind::argument_info, "an invalid info object"},
    Misuse{29, ViolationKind::argument_info, "an invalid key of an info object"},
    Misuse{30, ViolationKind::argument_info, "an invalid value of an info object"},
    Misuse{31, ViolationKind::argument_info, "a key that the info object does not have"},
    Misuse{35, ViolationKind::argument_value, "an argument that is not the same in all ranks"},
    Misuse{45, ViolationKind::argument_window, "an invalid window"},
    Misuse{46, ViolationKind::argument_base, "an invalid base"},
    Misuse{47, ViolationKind::argument_lock, "an invalid type of lock"},
    Misuse{48, ViolationKind::argument_keyval, "an invalid attribute key"},
    Misuse{49, ViolationKind::argument_synchronization, "accesses to a window that conflict"},
    Misuse{50, ViolationKind::argument_synchronization, "wrong synchronization of a window"},
    Misuse{51, ViolationKind::argument_size, "an invalid size"},
    Misuse{52, ViolationKind::argument_displacement, "an invalid displacement"},
    Misuse{53, ViolationKind::argument_assertion, "an invalid assertion"},
    Misuse{55, ViolationKind::argument_displacement, "a target outside the window"},
    Misuse{56, ViolationKind::argument_window, "memory that cannot be attached to the window"},
    Misuse{58, ViolationKind::argument_window, "a window of the wrong flavor"},
    Misuse{75, ViolationKind::argument_session, "an invalid session"},
};

/// What a call for several requests returns where some of them have failed: their statuses say with what.
inline constexpr int error_in_statuses = 17;

/// Null for an error class that does not mean misuse.
[[nodiscard]] constexpr const Misuse* misuse(int error_class) {
    for (const Misuse& each : misuses) {
        if (each.error_class == error_class) {
            return &each;
        }
    }
    return nullptr;
}

/// The class of one of MPICH's error codes. Those that the program has added have other classes than any of these.
[[nodiscard]] constexpr int error_class_of(int code) {
    constexpr int added_by_program = 1 << 30;
    constexpr int class_bits = 0x7f;
    return (code & added_by_program) != 0 ? -1 : code & class_bits;
}

}  // namespace dampi::replay
