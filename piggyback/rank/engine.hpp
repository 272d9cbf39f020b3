// What every rank asks of the engine that its library belongs to. Each of the two libraries defines one `engine`
// (distributed/distributed_engine.cpp, central/central_engine.cpp); nothing else of an engine is known here.
#pragma once

#include "transport/memory/memory_file.hpp"
#include "transport/words.hpp"

#include <chrono>

#include <mpi.h>

namespace dampi::transport {
class RankPort;
}

namespace dampi::piggyback {

class Call;
class Core;

struct Engine {
    /// The layer of a process that becomes a rank; it lives as long as the process. Throws dampi::Error.
    Core* (*make_layer)(transport::RankPort& port);
    /// The process is a rank, and Core::current() is set. Throws dampi::Error.
    void (*attach)();
    /// A rank that goes back to where it was forked (lifecycle/rewind.hpp): leaves what attach() has mapped. The last
    /// thing that is called there.
    void (*detach)(transport::memory::KeptMappings& kept) noexcept;
    /// Initialises the MPI library in a process that is no rank yet, as the call of `function` asks for. Whether that
    /// succeeded. Null: the engine's ranks cannot be forked behind that.
    bool (*initialise_alone)(const char* function, const void* arguments) noexcept;
    /// A modelled call of the program's begins: nothing of it has happened.
    void (*enters_call)(const Call& call) noexcept;
    /// A modelled call of the program's is about to return.
    void (*leaves_call)() noexcept;
    /// The program sleeps: returns when virtual time has come to `until` or a timer of the program's has gone off, or
    /// after a little longer than `duration` in real time, for somebody may wait for this rank outside MPI.
    void (*wait_until)(transport::VirtualTime until, std::chrono::nanoseconds duration) noexcept;
    /// The program is about to load a library whose calls may go past the layer, to MPI itself. Null: they may.
    void (*loads_past_layer)() noexcept;
    /// Somebody calls exit(). Does not return if it is to end the run in another way. Null: it never is.
    void (*exits)(int status, const void* caller) noexcept;
};

extern const Engine engine;

}  // namespace dampi::piggyback
