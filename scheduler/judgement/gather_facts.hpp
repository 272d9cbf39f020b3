// Makes the facts of a finished run out of what was seen of its processes and what its ranks have left. The last look
// at the run: what is judged after it is a value.
#pragma once

#include "scheduler/judgement/record_reader.hpp"
#include "scheduler/judgement/run_facts.hpp"

namespace dampi::scheduler {

/// `reader` has read, and is of no use afterwards.
[[nodiscard]] RunFacts gather_facts(RecordReader& reader, SeenFromOutside seen);

}  // namespace dampi::scheduler
