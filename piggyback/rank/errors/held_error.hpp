// Errors of calls that complete receives, kept until what they have completed is known: a message that is too long for
// its buffer is taken all the same, and MPI tells of it by the same call by which it tells who sent the message.
#pragma once

#include <utility>

namespace dampi::piggyback {

/// While it lives, an error that MPI's calls of this thread have is held back: a handler may end the program, and what
/// the call has completed must be known before. For calls that complete receives. (With an MPI library that does not
/// let us, errors are handed on at once.)
class HeldError {
public:
    HeldError() noexcept : around_(std::exchange(innermost_, this)) {}
    ~HeldError() {
        if (innermost_ == this) {
            innermost_ = around_;
        }
    }
    HeldError(const HeldError&) = delete;
    HeldError& operator=(const HeldError&) = delete;

    /// The program's call is about to return `code`: the first error held, if there is one and `code` says that the
    /// call has failed, is handed to its handler, as MPI would have done. Nothing is held any more. Returns `code`.
    int hand_over(int code) noexcept {
        innermost_ = around_;
        if (deliver_ != nullptr) [[unlikely]] {
            deliver(code);
        }
        return code;
    }

private:
    friend bool hold_error(int (*deliver)(void* object, const char* function, int code), void* object,
                           const char* function, int code) noexcept;

    void deliver(int code) noexcept;

    static __thread HeldError* innermost_ __attribute__((tls_model("initial-exec")));

    HeldError* around_;
    int (*deliver_)(void* object, const char* function, int code) = nullptr;  ///< null: nothing has failed
    void* object_ = nullptr;
    const char* function_ = nullptr;
    int code_ = 0;
};

/// With MPI_THREAD_MULTIPLE the library has an error handled while it holds its lock: it would abort if it were asked
/// anything then, be it by us or by the program's handler. So the wrapper hands the error over when MPI has returned.
/// Whether it will: not for what the library calls itself.
bool keep_error(int (*deliver)(void* object, const char* function, int code), void* object, const char* function,
                int code) noexcept;

/// The program's call is about to return `code`. If that is of an error that is kept, it goes to its handler.
void hand_over_kept_error(int code) noexcept;

/// Whether a HeldError has taken what would have been handed over by `deliver`.
bool hold_error(int (*deliver)(void* object, const char* function, int code), void* object, const char* function,
                int code) noexcept;

}  // namespace dampi::piggyback
