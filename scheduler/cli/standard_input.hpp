// What comes through a pipe on dampi-run's standard input, so that each run of the program reads the same: taken whole
// into memory, which then is the standard input, as if `< FILE` had been given. A pipe that the shell behind us reads
// as well (`… | while read`, scripts that come through a pipe) is that shell's, and stays as it is.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace dampi::scheduler {

class StandardInput {
public:
    /// Waits for the end of what comes through the pipe; but if nothing has come within two seconds, the program finds
    /// its standard input empty, as it does where the shell reads from the pipe: both are told by `say`. Throws
    /// dampi::Error above a GiB. Called again it finds the same.
    static StandardInput take(const std::function<void(const std::string&)>& say);

    /// Writes to `directory` what has no name, as all that came through a pipe, so that it can be given again. Throws
    /// dampi::Error.
    void keep_in(const std::filesystem::path& directory);

    /// The file with it, as it is named behind `<`; empty where there is none, or it is read from somewhere in its
    /// middle.
    [[nodiscard]] const std::filesystem::path& file() const { return file_; }

private:
    bool has_no_name_ = false;  ///< by which it could be given again
    std::filesystem::path file_;
};

/// In a sweep's directory: what keep_in() writes.
inline constexpr const char* kept_input_name = "input";

}  // namespace dampi::scheduler
