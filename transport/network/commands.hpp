// Commands that start a program of ours, here or by a remote shell, and what they are told on standard input: a secret
// never stands among arguments.
#pragma once

#include "base/unique_fd.hpp"

#include <string>
#include <vector>

#include <sys/types.h>

namespace dampi::transport::network {

/// The command that starts `program` on a host: by `shell`, which is split at blanks (empty: ssh). Throws dampi::Error
/// where a word cannot be told to a shell there.
[[nodiscard]] std::vector<std::string> on_host(const std::string& shell, const std::string& host,
                                               const std::string& program);

struct Pipe {
    base::UniqueFd reading;
    base::UniqueFd writing;

    /// Throws dampi::Error.
    Pipe();
};

/// Starts a command, in a process group of its own: an interrupt from the terminal is ours to deal with. `output`: -1
/// is nowhere. Throws dampi::Error.
[[nodiscard]] pid_t spawn(const std::vector<std::string>& words, int input, int output);

/// What is small enough is in the pipe at once, whoever reads it. Throws dampi::Error.
void write_small(const base::UniqueFd& pipe, const std::string& text);

/// Starts a command that finds this on its standard input.
[[nodiscard]] pid_t start_told(const std::vector<std::string>& words, const std::string& text);

/// Runs a command with this input to its end; what it prints. Throws dampi::Error where it fails, or takes too long.
[[nodiscard]] std::string output_of(const std::vector<std::string>& words, const std::string& input);

}  // namespace dampi::transport::network
