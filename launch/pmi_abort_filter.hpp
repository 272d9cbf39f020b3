// Between a rank and a process manager: takes the rank's requests to abort the job out of what it says, since dampi-run
// decides what becomes of the others. All else passes unchanged and at once, in whatever protocol it is.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace dampi::launch {

class PmiAbortFilter {
public:
    /// Takes what came from the rank, in pieces of any size. Returns what is to be passed on.
    [[nodiscard]] std::string pass(std::string_view bytes);
    /// The error code of the first request so far.
    [[nodiscard]] const std::optional<int>& abort_code() const { return abort_code_; }

private:
    void take_abort(std::string_view line);

    std::string held_;  // the beginning of a line that is, or may become, such a request
    bool within_other_ = false;
    std::optional<int> abort_code_;
};

}  // namespace dampi::launch
