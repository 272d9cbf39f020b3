// The call stacks from which the program issues its nondeterministic operations, each written to the log once. Only
// walked if dampi-run has asked for them.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace dampi::piggyback {

class Call;
class Core;

class CallStacks {
public:
    /// The number of the stack from which the program made the call, which is then in the log. Its innermost frame is
    /// that call itself, whatever of the layer and of MPI's bindings lies in between.
    std::uint32_t number(Core& core, const Call& call);

private:
    std::map<std::vector<std::uint64_t>, std::uint32_t> known_;
    std::vector<std::uint64_t> frames_;
};

}  // namespace dampi::piggyback
