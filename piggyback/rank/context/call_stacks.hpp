// The call stacks from which the program issues its nondeterministic operations, or all of its calls, if dampi-run has
// asked for them, and from which it makes objects that live long. Each is written to the log once.
#pragma once

#include "transport/log.hpp"

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

namespace dampi::piggyback {

class Core;

class CallStacks {
public:
    /// The number of the stack from which the program made the call at this place, which it is in; it is then in the
    /// log. Its innermost frame is that call itself, whatever of the layer and of MPI's bindings lies in between. That
    /// of a place with a stack is known already.
    std::uint32_t number(Core& core, std::uint64_t site);

    /// Likewise, for calls that are no epochs, of which there may be very many: from each place only the first
    /// `most_walks` calls have a stack, others EpochPostedRecord::no_stack.
    std::uint32_t number_of_few(Core& core, std::uint64_t site);
    static constexpr std::uint32_t most_walks = 64;

    /// The name of the place together with the stack from which the program made the call there, which it is in
    /// (transport::stack_places).
    std::uint64_t place(Core& core, std::uint64_t site) { return transport::stack_places + number(core, site); }
    /// Of such a place, innermost first.
    [[nodiscard]] const std::vector<std::uint64_t>& frames_of(std::uint64_t place) const {
        return *by_number_[place - transport::stack_places];
    }

private:
    std::unordered_map<std::uint64_t, std::uint32_t> walks_;  ///< by place
    std::map<std::vector<std::uint64_t>, std::uint32_t> known_;
    std::vector<const std::vector<std::uint64_t>*> by_number_;  ///< in known_
    std::vector<std::uint64_t> frames_;
};

}  // namespace dampi::piggyback
