// One call of an MPI function by the program, from entry to return. Every generated wrapper makes one. It
// tells the program's own calls from those that the MPI library makes inside (which pass straight through),
// and knows where the program made the call.
#pragma once

#include "base/digest.hpp"
#include "piggyback/rank/arguments/parameters.hpp"
#include "piggyback/rank/threads/watched_call.hpp"
#include "transport/board.hpp"

#include <cstdint>
#include <string_view>

namespace dampi::piggyback {

class ArgumentText;

/// What a wrapper knows of its function.
struct Function {
    char name[transport::name_length];
    /// Puts the arguments of a call into words; null for a function whose arguments say nothing.
    void (*describe)(const void* arguments, ArgumentText& text);
    /// Whether it would have to be modelled if a callback called it from inside of MPI.
    bool communicates;
    bool any_thread;        ///< may call it, whatever the thread level
    bool makes_objects;     ///< it makes, changes or frees objects that the layer knows of
    Parameters parameters;  ///< in order
};

class Call {
public:
    /// A call of the program's (or of the MPI library's, from the inside). `arguments` is what `function.describe`
    /// reads and lives as long as the call; `return_address` is that of the wrapper.
    Call(const Function& function, const void* arguments, const void* return_address) noexcept;
    /// The layer's own, which belongs to no wrapper. `function` is a string literal.
    explicit Call(const char* function) noexcept;
    ~Call();
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

    /// Whether the layer handles this call: it is the program's own, between MPI_Init and MPI_Finalize.
    [[nodiscard]] bool modelled() const noexcept { return modelled_; }

    /// Whether this is the program's own call, under dampi-run: for the calls that begin and end MPI.
    [[nodiscard]] bool outermost() const noexcept { return outermost_; }

    /// Counts this call among those that the layer passes through without a model.
    void not_modelled() const noexcept;

    [[nodiscard]] const char* function() const noexcept { return function_; }

    /// The arguments in words. Nothing of it happens unless somebody asks.
    void describe_arguments(ArgumentText& text) const {
        if (wrapped_ != nullptr && wrapped_->describe != nullptr) {
            wrapped_->describe(arguments_, text);
        }
    }

    /// What the wrapper knows of the function, and the arguments as it keeps them; null for the layer's own calls.
    [[nodiscard]] const Function* wrapped() const noexcept { return wrapped_; }
    [[nodiscard]] const void* arguments() const noexcept { return arguments_; }
    /// What the call is and what it is given: function, place, and arguments without what lies behind addresses.
    [[nodiscard]] base::Digest digest() const;

    /// The call that this thread of the program is in; null outside MPI.
    [[nodiscard]] static const Call* current() noexcept;

    /// The calls of this thread are noted there, each when it begins.
    static void note_in(transport::Board::LastCall& last_call) noexcept;

    /// The thread is in this call of the program's, for which there is no Call; empty: in none any more.
    static void note_last(std::string_view function, std::uint64_t site) noexcept;

    /// From now on site() of the program's calls is what this makes of their address, with the lock.
    static void name_sites(std::uint64_t (*name)(std::uint64_t site)) noexcept;

    /// Where the wrapper returns to; null for the layer's own calls.
    [[nodiscard]] const void* return_address() const noexcept { return return_address_; }

    /// Address of the call in the program, looking through MPICH's Fortran bindings.
    [[nodiscard]] std::uint64_t site() const noexcept { return site_; }

    /// While it lives, MPI calls are the program's own again: for calls of ours that run the program's callbacks for
    /// attributes, which may free what hangs on a communicator, or duplicate it. What other callbacks call (error
    /// handlers, operators) is inside of MPI's call and passes through, counted as not modelled.
    class ProgramRuns {
    public:
        explicit ProgramRuns(const Call& call) noexcept;
        ~ProgramRuns();
        ProgramRuns(const ProgramRuns&) = delete;
        ProgramRuns& operator=(const ProgramRuns&) = delete;

    private:
        const Call& call_;
        bool unlocked_;  ///< by this object; an OthersEnter may have done it before
    };

    /// While it lives, other threads of the program may enter the layer: for calls of the MPI library's that may block
    /// until another thread has done something. What the layer knows may change meanwhile.
    class OthersEnter {
    public:
        OthersEnter() noexcept;
        ~OthersEnter();
        OthersEnter(const OthersEnter&) = delete;
        OthersEnter& operator=(const OthersEnter&) = delete;

    private:
        bool unlocked_;  ///< by this object
    };

    /// Calls a function of the MPI library's like that.
    template <typename Native>
    static decltype(auto) unlocked(Native&& native) {
        const OthersEnter others;
        return native();
    }

    /// From now on a call in a process that is no rank does this first: it may become one. With the call's function and
    /// arguments.
    static void without_rank(void (*what)(const char* function, const void* arguments) noexcept) noexcept;

private:
    void begin() noexcept;
    /// Tells outside that the program is in this call.
    void note() const noexcept;

    WatchedCall watched_;  ///< first: from before the lock is taken until after it is let go
    const char* function_;
    const Function* wrapped_ = nullptr;  ///< null for the layer's own calls
    const void* arguments_ = nullptr;
    const void* return_address_ = nullptr;
    std::uint64_t site_ = ~std::uint64_t{0};  ///< of the program's own calls
    const Call* around_ = nullptr;            ///< the program's call whose callback made this one
    bool outermost_ = false;
    bool modelled_ = false;
    bool locked_ = false;
};

}  // namespace dampi::piggyback
