// The names by which people know communicators, in messages and reports.
#pragma once

#include "piggyback/rank/communicators/communicators.hpp"
#include "piggyback/rank/layer.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace dampi::piggyback {

[[nodiscard]] inline const std::string& name_of(const Communicator& communicator) { return communicator.name; }

/// A stand-in for `communicator`, with the same members, for the starts of the persistent collective that was its
/// collective `number`: they match only each other, in whatever order the ranks start several.
[[nodiscard]] std::shared_ptr<Communicator> stand_apart(Layer& layer, const Communicator& communicator,
                                                        const char* function, std::uint64_t number);

/// Names a communicator, here and for dampi-run. Every member should give the same name.
void give_name(Layer& layer, Communicator& communicator, std::string name);

/// MPI_Comm_set_name. Returns MPI's code.
int set_name(Layer& layer, MPI_Comm comm, const char* name) noexcept;

}  // namespace dampi::piggyback
