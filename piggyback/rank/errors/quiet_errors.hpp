// Calls of the layer's own of which nobody is to be told that MPI refuses them.
#pragma once

namespace dampi::piggyback {

/// While it lives, errors of MPI calls of this thread come back as codes and are handed to nobody: for calls of the
/// layer's own whose arguments nobody has checked yet. (With an MPI library that does not let us, they are handed on.)
class QuietErrors {
public:
    QuietErrors() noexcept { ++living_; }
    ~QuietErrors() { --living_; }
    QuietErrors(const QuietErrors&) = delete;
    QuietErrors& operator=(const QuietErrors&) = delete;

    /// Whether there is one in this thread.
    static bool any() noexcept { return living_ != 0; }

private:
    static __thread unsigned living_ __attribute__((tls_model("initial-exec")));
};

}  // namespace dampi::piggyback
