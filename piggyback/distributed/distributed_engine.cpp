// The distributed engine's library as every rank's parts see it, and what its waiting ranks do meanwhile.
#include "piggyback/distributed/epilogue.hpp"
#include "piggyback/distributed/layer.hpp"
#include "piggyback/distributed/matching/matching.hpp"
#include "piggyback/distributed/meanwhile.hpp"
#include "piggyback/distributed/one_sided/origin_buffers.hpp"
#include "piggyback/distributed/one_sided/own_touches.hpp"
#include "piggyback/distributed/one_sided/told_accesses.hpp"
#include "piggyback/distributed/sleeping.hpp"
#include "piggyback/rank/buffers/used_buffers.hpp"
#include "piggyback/rank/engine.hpp"
#include "piggyback/rank/library_values.hpp"
#include "piggyback/rank/sanitizers/thread_runtime.hpp"
#include "piggyback/rank/touches/touch_findings.hpp"

#include <cstdlib>
#include <string_view>

namespace dampi::piggyback::distributed {
namespace {

Core* make_layer(transport::RankPort& port) {
    return new DistributedLayer(port);  // lives until the process ends
}

void attach() {}

void detach(transport::memory::KeptMappings& /*kept*/) noexcept {}

void enters_call(const Call& call) noexcept {
    DistributedLayer& layer = *DistributedLayer::current();
    if (call.wrapped() != nullptr) {
        layer.freed_receives.enters_call(layer.pending_buffers, call.wrapped()->name);
    }
    if (!layer.pending_buffers.still().empty()) {
        find_changed(layer, call, [&](StillMemory::Token token, std::int64_t address) {
            find_changed_origin(layer, call, token, address);
        });
    }
    if (sanitizers::thread_runtime != nullptr) [[unlikely]] {
        note_entry(layer);
    }
    if (layer.checks_buffers) [[unlikely]] {
        note_own_touches(layer);
    }
    if (layer.locks_calls && !layer.windows.empty()) [[unlikely]] {
        note_entry_of_threads(layer);
    }
}

/// Directly out of this rank's memory, or into it: as MPICH's transports do that dampi-run leaves out where they must
/// not.
bool others_may_copy() noexcept {
    static const bool may = [] {
        const char* const transports = std::getenv("UCX_TLS");
        const std::string_view text = transports == nullptr ? "" : transports;
        return text != "self,sysv" && !(text.starts_with('^') && text.find("cma") != std::string_view::npos);
    }();
    return may;
}

void leaves_call() noexcept {
    DistributedLayer& layer = *DistributedLayer::current();
    notice_matches(layer);
    if (sanitizers::thread_runtime != nullptr) [[unlikely]] {
        tell_what_is_over(layer);
    }
    if (!layer.pending_buffers.still().empty()) {
        note_still(layer);
    }
    if (layer.locks_calls) [[unlikely]] {
        note_leaving_with_threads();
    }
    if (layer.checks_buffers) [[unlikely]] {
        guard_pending(layer, others_may_copy(), windows_to_guard(layer));
    }
}

void tell_senders(DistributedLayer& layer) { library_values_used() ? resolve_told(layer) : resolve_completed(layer); }

}  // namespace

const Meanwhile meanwhile{
    .tell_senders = tell_senders, .resolve_completed = resolve_completed, .write_epilogue = write_epilogue};

}  // namespace dampi::piggyback::distributed

namespace dampi::piggyback {

using namespace distributed;

const Engine engine{.make_layer = make_layer,
                    .attach = attach,
                    .detach = detach,
                    .initialise_alone = nullptr,
                    .enters_call = enters_call,
                    .leaves_call = leaves_call,
                    .wait_until = wait_until,
                    .loads_past_layer = nullptr,
                    .exits = nullptr};

}  // namespace dampi::piggyback
