// The names by which people know communicators, in messages and reports.
#pragma once

#include "piggyback/communicators/communicators.hpp"
#include "piggyback/layer.hpp"

#include <string>

namespace dampi::piggyback {

[[nodiscard]] inline const std::string& name_of(const Communicator& communicator) { return communicator.name; }

/// Names a communicator, here and for dampi-run. Every member should give the same name.
void give_name(Layer& layer, Communicator& communicator, std::string name);

}  // namespace dampi::piggyback
