// The standard streams of ranks: where they read from, and how what they write gets into a file and, when it is
// shown, onto our own streams.
#pragma once

#include "replay/launch/unique_fd.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include <unistd.h>

namespace dampi::replay {

/// The same file at a number above 2: descriptors of ours must not sit where the children's standard streams go.
UniqueFd above_stdio(UniqueFd fd);

UniqueFd open_null_input();

/// Our standard input opened afresh at the position where we got it (nobody here reads it), so that each run
/// reads the same; none when it is not a regular file.
UniqueFd reopen_input();

/// Output on its way from the ranks to a file and to our own stream. Without the latter the ranks write to the file
/// themselves.
class OutputStream {
public:
    /// Creates or truncates the file (an empty path: kept nowhere). Returns what the ranks are to write to.
    [[nodiscard]] UniqueFd open(const std::filesystem::path& path, int own, bool shown);
    /// Of a pipe; negative when there is nothing to copy.
    [[nodiscard]] int source() const { return source_.get(); }
    /// Passes on what has come, but not for ever. Never waits for ranks.
    void copy();
    /// Puts something of ours between the ranks' output.
    void put(std::string_view bytes);
    void close() { source_.reset(); }
    /// All that has been written so far, by ranks that do not write now; none where it is kept nowhere.
    [[nodiscard]] std::optional<std::string> written();

private:
    std::filesystem::path path_;
    UniqueFd file_;    // none when the ranks write to it themselves, and after it could not be written to
    UniqueFd source_;  // the pipe's read end
    int own_ = -1;
    bool show_ = false;  // until writing to our own stream fails
};

}  // namespace dampi::replay
