// The standard streams of ranks: where they read from, and how what they write gets into a file and, when it is
// shown, onto our own streams.
#pragma once

#include "base/unique_fd.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <unistd.h>

namespace dampi::launch {

/// The file at a number above 2: descriptors of ours must not sit where the children's standard streams go.
base::UniqueFd above_stdio(base::UniqueFd fd);

base::UniqueFd open_null_input();

/// Our standard input opened afresh at the position where we got it (nobody here reads it), so that each run
/// reads the same; none when it is not a regular file.
base::UniqueFd reopen_input();

/// Output on its way from the ranks to a file and, when it is shown, to our own stream. The ranks write to memory, or
/// to a pipe when it is shown: that the file cannot be written is our trouble, which no rank may notice.
class OutputStream {
public:
    /// Removes the file, which is made when there is something for it (an empty path: kept nowhere). Returns what the
    /// ranks are to write to.
    [[nodiscard]] base::UniqueFd open(const std::filesystem::path& path, int own, bool shown);
    /// Of a pipe; negative when there is nothing to wait for.
    [[nodiscard]] int source() const { return source_.get(); }
    /// Passes on what has come, but not for ever. Never waits for ranks.
    void copy();
    /// Puts something of ours between the ranks' output.
    void put(std::string_view bytes);
    void close();
    /// All that has been written so far, by ranks that do not write now; none where it is kept nowhere.
    [[nodiscard]] std::optional<std::string> written();
    /// From now on the beginning of what comes is remembered.
    void remember() { remembers_ = true; }
    [[nodiscard]] const std::string& remembered() const { return remembered_; }
    /// Why not all is in the file; empty: it is.
    [[nodiscard]] const std::string& failure() const { return failure_; }

private:
    void take_from_memory();
    void keep(std::string_view bytes);
    void note_failure(int error);

    std::filesystem::path path_;
    base::UniqueFd file_;    // once there was something for it
    base::UniqueFd source_;  // the pipe's read end
    base::UniqueFd memory_;  // where the ranks write otherwise
    std::size_t taken_ = 0;  // of the memory
    int own_ = -1;
    bool show_ = false;  // until writing to our own stream fails
    bool remembers_ = false;
    std::string remembered_;
    std::string failure_;
};

/// The first of theirs.
[[nodiscard]] inline std::string failure_of(std::span<const OutputStream> streams) {
    for (const OutputStream& stream : streams) {
        if (!stream.failure().empty()) {
            return stream.failure();
        }
    }
    return {};
}

}  // namespace dampi::launch
