// How the process of a rank or of another launcher is made of a program: its environment, and vfork and exec.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sys/types.h>

namespace dampi::launch {

/// The environment of the ranks as execve wants it: ours, without what another launcher left in it.
class Environment {
public:
    explicit Environment(const std::vector<std::pair<std::string, std::string>>& additions);

    void set(const std::string& name, const std::string& value);

    /// Valid until the next set().
    [[nodiscard]] std::vector<char*> pointers();

private:
    std::vector<std::string> entries_;
};

/// All that a child needs between vfork and execve, where it may neither allocate nor lock.
struct ChildPlan {
    const char* program = nullptr;
    const char* working_directory = nullptr;  ///< null: ours
    bool in_path = false;                     ///< it is looked for in PATH, and may be a script
    bool same_addresses = false;              ///< the kernel is to put it where it puts it each time
    char* const* arguments = nullptr;
    char* const* environment = nullptr;
    int input = -1;
    int output = -1;
    int error_output = -1;
    int socket = -1;  ///< what connects it with us, if anything does
    const int* inherited = nullptr;
    std::size_t inherited_count = 0;
    pid_t parent = 0;
    bool own_session = false;  ///< as launchers start ranks; else a group of its own in our session
    int guard = -1;
    volatile int error = 0;  ///< errno of the child's failure; it runs in our memory
};

/// Starts the process; -1 with errno when that fails. With plan.error set there is a process that has failed and waits
/// to be reaped.
pid_t start_process(ChildPlan& plan);

}  // namespace dampi::launch
