// What the rank's own datatypes and communicators are called in the words of a finding.
#pragma once

#include "piggyback/rank/argument_text.hpp"

#include <string>

namespace dampi::piggyback {

class Layer;

class KnownNames final : public ObjectNames {
public:
    /// Without `may_look` nothing is asked of the layer: another thread may be in it.
    KnownNames(Layer& layer, bool may_look) : layer_(layer), may_look_(may_look) {}

    std::string datatype(MPI_Datatype handle) override;
    std::string communicator(MPI_Comm handle) override;

private:
    Layer& layer_;
    bool may_look_;
};

}  // namespace dampi::piggyback
