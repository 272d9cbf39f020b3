// What the program calls the bytes at an address of its memory: by the debug information of its modules on disk
// (elfutils' libdw), where it is there. Variables of files, namespaces and modules, those of functions on the stack,
// and blocks of the heap that one of these points to. Where it does not know for sure, it has no name. Never touches a
// running process. One thread at a time.
#pragma once

#include "replay/epoch.hpp"
#include "replay/members.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dampi::launch {

/// A module in a process.
struct LoadedModule {
    std::string path;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;   ///< behind its last byte
    std::uint64_t bias = 0;  ///< address in the process minus address in the file
};

/// LoadedModule::bias of a file whose first bytes lie there; 0 where it cannot be read.
[[nodiscard]] std::uint64_t load_bias(const std::string& path, std::uint64_t begin);

/// A function that has called another one, or MPI.
struct StackFrame {
    std::uint64_t pc = 0;   ///< to where the call returns
    std::uint64_t sp = 0;   ///< the stack pointer when it has
    std::uint64_t rbp = 0;  ///< likewise
    std::uint64_t cfa = 0;  ///< the stack pointer of its caller when it will have returned itself
};

/// The general registers of a function on the stack, by their numbers in DWARF; nothing where a value is not known.
using FrameRegisters = std::array<std::optional<std::uint64_t>, 16>;

/// A variable of a function on the stack that is an integer, and its value.
struct LocalNumber {
    std::string name;
    std::string function;
    std::int64_t value = 0;
    bool operator==(const LocalNumber&) const = default;
    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        replay::members(archive, name, function, value);
    }
};

/// An elementary part of a variable.
struct NamedBytes {
    enum class Where : std::uint8_t { global, local, heap };
    enum class Kind : std::uint8_t {
        integer,
        natural,   ///< without a sign
        floating,  ///< of four or eight bytes, or the ten of x87
        boolean,
        character,
        bytes,    ///< that are not known any better
        address,  ///< a pointer
        handle,   ///< of one of MPI's own types
    };

    std::string name;            ///< "total", "sums[2]", "first->next->value"
    std::string variable;        ///< of which it is a part, or which points there: "sums"
    std::string function;        ///< whose variable it is; empty: no function's
    std::string type;            ///< "double"; empty: it has no name
    replay::CodePlace declared;  ///< file and line of the variable, as far as they are known
    Where where = Where::global;
    Kind kind = Kind::bytes;
    std::uint64_t address = 0;
    std::uint64_t size = 0;
};

class ProgramVariables {
public:
    explicit ProgramVariables(std::vector<LoadedModule> modules);
    ~ProgramVariables();
    ProgramVariables(const ProgramVariables&) = delete;
    ProgramVariables& operator=(const ProgramVariables&) = delete;

    /// What is in memory there; false if that is not known. Only for what lies in it is followed.
    using Read = std::function<bool(std::uint64_t address, void* to, std::size_t size)>;
    /// Whether blocks of a heap lie there.
    using IsHeap = std::function<bool(std::uint64_t address)>;
    /// What find() is about from now on: memory of a process that stands in these functions, the innermost first.
    void look_at(const std::vector<StackFrame>& frames, const Read& read, const IsHeap& is_heap);

    /// The part of a variable to which the byte belongs; nothing if that is none, or not known.
    [[nodiscard]] std::optional<NamedBytes> find(std::uint64_t address) const;

    /// The integers among the variables and parameters of the function that stands there, as far as the debug
    /// information says where they are at that place: in memory, or in a register. Those of inner scopes come first.
    [[nodiscard]] std::vector<LocalNumber> local_numbers(const StackFrame& frame, const FrameRegisters& registers,
                                                         const Read& read) const;

    /// Where no debug information says more: the symbol of the byte, or its section (".bss+0x20"), as `name`. Nothing
    /// where the module has debug information, or the byte is in none.
    [[nodiscard]] std::optional<NamedBytes> find_symbol(std::uint64_t address) const;

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace dampi::launch
