// Turns addresses of the program under test into functions, files and lines, from the debug information
// of the files on disk (elfutils' libdw). Never touches a running process. Results are cached; one thread
// at a time uses an object.
#pragma once

#include "replay/epoch.hpp"

#include <memory>
#include <vector>

namespace dampi::launch {

/// May be used by several threads at the same time.
class SourceLines {
public:
    SourceLines();
    ~SourceLines();
    SourceLines(const SourceLines&) = delete;
    SourceLines& operator=(const SourceLines&) = delete;

    /// Fills function (demangled), file and line of a place whose module and offset are set. `offset` is
    /// relative to the module's load address (address in the process minus the module's load bias).
    /// Without debug information the function comes from the symbol table; what is not known stays empty.
    void resolve(replay::CodePlace& place);

    /// The place, resolved, and behind it the functions into which its function was inlined there, innermost first,
    /// each with the place of the call: what the source calls a stack.
    [[nodiscard]] std::vector<replay::CodePlace> resolve_inlined(replay::CodePlace place);

    /// Whether the function there was compiled without optimisation, so that each statement has code of its own. False
    /// also where the debug information does not say.
    [[nodiscard]] bool is_unoptimised(const replay::CodePlace& place);

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace dampi::launch
