// Turns the facts of one finished run into its record: which violations they amount to, and which of the
// facts are only consequences of another one.
#pragma once

#include "replay/run_record.hpp"
#include "scheduler/judgement/run_facts.hpp"

namespace dampi::scheduler {

/// Throws dampi::InternalError when the layer itself failed in a rank, and dampi::Error when the program turns out to
/// be one that cannot be verified.
replay::RunRecord judge(RunFacts facts);

}  // namespace dampi::scheduler
