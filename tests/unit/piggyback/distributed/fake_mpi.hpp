// The MPI library that the rank under test calls (PMPI_*), as far as the layer needs one: messages come when the test
// says so, sends complete when the test says so, and nothing else happens. A function that is not here ends the test
// program with its name (missing_functions.cpp.in).
//
// Messages match receives in MPI's order: each message the first posted receive that fits, each receive the first
// message that fits. There are no data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <mpi.h>

namespace dampi::piggyback::distributed {

class FakeMpi {
public:
    FakeMpi() { current_ = this; }
    ~FakeMpi() { current_ = nullptr; }
    FakeMpi(const FakeMpi&) = delete;
    FakeMpi& operator=(const FakeMpi&) = delete;

    static FakeMpi& current();

    // ---- what happens --------------------------------------------------------------------------------------------

    /// A message comes from a rank of the communicator, with so many bytes.
    void deliver(int source, int tag, MPI_Comm comm = MPI_COMM_WORLD, int bytes = 0);
    /// From now on sends complete only by complete_sends().
    void hold_sends() { sends_complete_ = false; }
    void complete_sends();
    /// What is called by the next function of this name returns this code, without doing anything.
    void refuse(const std::string& function, int code) { refused_[function] = code; }
    /// Is called by each call of this function, before it does anything.
    void at_call(const std::string& function, std::function<void()> happens) {
        at_call_[function] = std::move(happens);
    }
    /// Is called when the rank looks for progress for the n-th time from now (from 1): what others do while it waits.
    /// A rank that looks much longer than the test has planned for ends the test program.
    void at_look(unsigned n, std::function<void()> happens) { at_look_[looks_ + n] = std::move(happens); }

    // ---- what was called -----------------------------------------------------------------------------------------

    struct Receive {
        int source = 0;
        int tag = 0;
        MPI_Comm comm = MPI_COMM_NULL;
    };
    /// The receives that MPI has been asked for.
    [[nodiscard]] const std::vector<Receive>& receives() const { return receives_; }
    struct Send {
        std::string function;
        int destination = 0;
        int tag = 0;
    };
    [[nodiscard]] const std::vector<Send>& sends() const { return sends_; }
    /// How often a function was called.
    [[nodiscard]] unsigned calls(const std::string& function) const;

    // ---- for the functions ---------------------------------------------------------------------------------------

    enum class Kind : std::uint8_t { receive, send, generalized };
    struct Message {
        int source = 0;
        int tag = 0;
        MPI_Comm comm = MPI_COMM_NULL;
        int bytes = 0;
    };
    struct Operation {
        Kind kind = Kind::send;
        Receive wanted;           ///< of a receive
        Send sent;                ///< of a send
        bool persistent = false;  ///< it stays when it has completed
        bool active = true;
        bool complete = false;
        bool cancelled = false;
        Message message;
    };

    /// The code to return, if the function is to be refused; counts the call.
    std::optional<int> enter(const char* function);
    /// The library makes progress.
    void look();

    MPI_Request start(Operation operation);
    void begin(MPI_Request request);
    int receive(MPI_Request* request, int source, int tag, MPI_Comm comm, bool persistent = false);
    int send(const char* function, MPI_Request* request, int destination, int tag, bool persistent = false);
    [[nodiscard]] Operation* find(MPI_Request request);
    /// Whether it is over; a null or inactive one is.
    bool is_over(MPI_Request request);
    /// Tells of one that is over, and forgets it or makes it inactive.
    void finish(MPI_Request* request, MPI_Status* status);
    /// Without forgetting it.
    void tell(MPI_Request request, MPI_Status* status);
    void cancel(MPI_Request request);
    void forget(MPI_Request* request) {
        operations_.erase(*request);
        *request = MPI_REQUEST_NULL;
    }

    [[nodiscard]] const Message* unexpected(int source, int tag, MPI_Comm comm) const;
    MPI_Message take(const Message* message);
    Message taken(MPI_Message* message);

private:
    static inline FakeMpi* current_ = nullptr;

    void match();

    std::deque<Message> unexpected_;
    std::map<MPI_Request, Operation> operations_;
    std::vector<MPI_Request> posted_;  ///< receives without a message, in order
    std::map<MPI_Message, Message> probed_;
    std::vector<Receive> receives_;
    std::vector<Send> sends_;
    std::map<std::string, unsigned> calls_;
    std::map<std::string, int> refused_;
    std::map<std::string, std::function<void()>> at_call_;
    std::map<unsigned, std::function<void()>> at_look_;
    unsigned looks_ = 0;
    int next_handle_ = 1;
    bool sends_complete_ = true;
};

/// A status as MPI writes it.
void write_status(MPI_Status* status, const FakeMpi::Message& message, bool cancelled);

}  // namespace dampi::piggyback::distributed
