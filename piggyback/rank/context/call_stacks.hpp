// The call stacks from which the program issues its nondeterministic operations, if dampi-run has asked for them, and
// from which it makes objects that live long. Each is written to the log once.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

namespace dampi::piggyback {

class Core;

class CallStacks {
public:
    /// The number of the stack from which the program made the call at this place, which it is in; it is then in the
    /// log. Its innermost frame is that call itself, whatever of the layer and of MPI's bindings lies in between.
    std::uint32_t number(Core& core, std::uint64_t site);

    /// Likewise, for calls that are no epochs, of which there may be very many: from each place only the first
    /// `most_walks` calls have a stack, others EpochPostedRecord::no_stack.
    std::uint32_t number_of_few(Core& core, std::uint64_t site);
    static constexpr std::uint32_t most_walks = 64;

private:
    std::unordered_map<std::uint64_t, std::uint32_t> walks_;  ///< by place
    std::map<std::vector<std::uint64_t>, std::uint32_t> known_;
    std::vector<std::uint64_t> frames_;
};

}  // namespace dampi::piggyback
