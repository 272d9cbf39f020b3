// Who has started a process.
#pragma once

#include "base/content_of.hpp"

#include <charconv>
#include <string>

#include <sys/types.h>

namespace dampi::base {

/// 0 where that is not known.
[[nodiscard]] inline pid_t parent_of(pid_t process) {
    const std::string stat = content_of("/proc/" + std::to_string(process) + "/stat");
    const auto name_ends = stat.rfind(')');  // the name may contain anything
    if (name_ends == std::string::npos || name_ends + 4 >= stat.size()) {
        return 0;
    }
    pid_t parent = 0;
    std::from_chars(stat.data() + name_ends + 4, stat.data() + stat.size(), parent);
    return parent;
}

}  // namespace dampi::base
