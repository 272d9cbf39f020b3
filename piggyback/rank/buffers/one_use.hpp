// A single buffer of an operation that begins to use its buffers one after the other.
#pragma once

#include "piggyback/rank/buffers/pending.hpp"
#include "piggyback/rank/call.hpp"
#include "piggyback/rank/layer.hpp"

namespace dampi::piggyback {

/// The use is about to begin: says if it may not. Whether its bytes are then better not read.
bool begin_one_use(Layer& layer, const Call& call, const BufferUse& use);

}  // namespace dampi::piggyback
