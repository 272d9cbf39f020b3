// One call of an MPI function by the program, from entry to return. Every generated wrapper makes one. It
// tells the program's own calls from those that the MPI library makes inside (which pass straight through),
// and knows where the program made the call.
#pragma once

#include <cstdint>

namespace dampi::piggyback {

class Call {
public:
    /// `function` is a string literal; `return_address` that of the wrapper.
    Call(const char* function, const void* return_address) noexcept;
    ~Call();
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

    /// Whether the layer handles this call: it is the program's own, between MPI_Init and MPI_Finalize.
    [[nodiscard]] bool modelled() const noexcept { return modelled_; }

    /// The same for the calls that begin and end MPI: the program's own, under dampi-run.
    [[nodiscard]] bool outermost() const noexcept { return outermost_; }

    /// Counts this call among those that the layer passes through without a model.
    void not_modelled() const noexcept;

    /// The program has turned from the polling calls that it may have made before to something else.
    void ends_polling() const noexcept;

    [[nodiscard]] const char* function() const noexcept { return function_; }

    /// Address of the call in the program, looking through MPICH's Fortran bindings. Cheap for C.
    [[nodiscard]] std::uint64_t site() const noexcept;

    /// While it lives, MPI calls are the program's own again: for calls of ours that run the program's
    /// callbacks.
    class ProgramRuns {
    public:
        ProgramRuns() noexcept;
        ~ProgramRuns();
        ProgramRuns(const ProgramRuns&) = delete;
        ProgramRuns& operator=(const ProgramRuns&) = delete;
    };

private:
    const char* function_;
    const void* return_address_;
    bool outermost_ = false;
    bool modelled_ = false;
    bool locked_ = false;
};

}  // namespace dampi::piggyback
