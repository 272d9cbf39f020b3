// Which of MPI's error classes mean that a call was used wrongly, and what such a violation is called. The others
// (a file that does not exist, a name that nobody has published, memory that is used up) are conditions that a correct
// program may meet. The numbers are those of MPICH's mpi.h; where that is included, piggyback/rank/errors compares
// them.
#pragma once

#include <array>
#include <string_view>

namespace dampi::replay {

struct Misuse {
    int error_class;
    std::string_view kind;  ///< of the violation
    std::string_view what;  ///< is wrong, after "with"
};

inline constexpr std::array misuses = {
    Misuse{1, "argument/buffer", "an invalid buffer"},
    Misuse{2, "argument/count", "an invalid count"},
    Misuse{3, "argument/datatype", "an invalid datatype"},
    Misuse{4, "argument/tag", "an invalid tag"},
    Misuse{5, "argument/communicator", "an invalid communicator"},
    Misuse{6, "argument/rank", "an invalid rank"},
    Misuse{7, "argument/root", "an invalid root"},
    Misuse{8, "argument/group", "an invalid group"},
    Misuse{9, "argument/operator", "an invalid operator"},
    Misuse{10, "argument/topology", "a communicator whose topology does not fit"},
    Misuse{11, "argument/dimensions", "invalid dimensions"},
    Misuse{12, "argument/value", "an invalid argument"},
    Misuse{14, "truncation", "a buffer that is shorter than the message"},
    Misuse{19, "argument/request", "an invalid request"},
    Misuse{21, "argument/mode", "an invalid access mode"},
    Misuse{27, "argument/file", "an invalid file handle"},
    Misuse{28, "argument/info", "an invalid info object"},
    Misuse{29, "argument/info", "an invalid key of an info object"},
    Misuse{30, "argument/info", "an invalid value of an info object"},
    Misuse{35, "argument/value", "an argument that is not the same in all ranks"},
    Misuse{45, "argument/window", "an invalid window"},
    Misuse{46, "argument/base", "an invalid base"},
    Misuse{47, "argument/lock", "an invalid type of lock"},
    Misuse{48, "argument/keyval", "an invalid attribute key"},
    Misuse{49, "argument/synchronization", "accesses to a window that conflict"},
    Misuse{50, "argument/synchronization", "wrong synchronization of a window"},
    Misuse{51, "argument/size", "an invalid size"},
    Misuse{52, "argument/displacement", "an invalid displacement"},
    Misuse{53, "argument/assertion", "an invalid assertion"},
    Misuse{55, "argument/displacement", "a target outside the window"},
    Misuse{56, "argument/window", "memory that cannot be attached to the window"},
    Misuse{58, "argument/window", "a window of the wrong flavor"},
    Misuse{75, "argument/session", "an invalid session"},
};

/// Null for a class that is none.
[[nodiscard]] constexpr const Misuse* misuse(int error_class) {
    for (const Misuse& each : misuses) {
        if (each.error_class == error_class) {
            return &each;
        }
    }
    return nullptr;
}

/// Whether a violation of this kind is such a misuse.
[[nodiscard]] constexpr bool is_misuse(std::string_view kind) {
    return kind == "truncation" || kind.starts_with("argument/");
}

/// The class of one of MPICH's error codes. Those that the program has added have other classes than any of these.
[[nodiscard]] constexpr int error_class_of(int code) {
    constexpr int added_by_program = 1 << 30;
    constexpr int class_bits = 0x7f;
    return (code & added_by_program) != 0 ? -1 : code & class_bits;
}

}  // namespace dampi::replay
