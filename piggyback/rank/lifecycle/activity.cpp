#include "piggyback/rank/lifecycle/activity.hpp"

#include "piggyback/rank/code_places.hpp"
#include "piggyback/rank/lifecycle/crash.hpp"
#include "piggyback/rank/lifecycle/rewind.hpp"
#include "piggyback/rank/lifecycle/way_out_of_main.hpp"
#include "piggyback/rank/resources/leaks.hpp"
#include "piggyback/rank/sanitizers/main_program.hpp"
#include "piggyback/rank/threads/thread_names.hpp"
#include "replay/violation_kind.hpp"

#include <string>

namespace dampi::piggyback {
namespace {

using transport::Moment;
using transport::Phase;

/// Where nobody has called MPI_Init there are no such attributes, and nothing of the program runs in there.
int on_finalize(MPI_Comm /*comm*/, int /*keyval*/, void* /*value*/, void* /*state*/) {
    Layer& layer = *Layer::current();
    if (layer.active()) {
        const Call call("MPI_Finalize");
        end_activity(layer);
    }
    return MPI_SUCCESS;
}

}  // namespace

void begin_activity(Layer& layer) {
    log_modules(layer);
    install_crash_handlers();
    note_exit_early();
    if (follow_main(layer)) {
        do_not_come_back();
    }
    layer.board().phase.store(Phase::running, std::memory_order_release);
    layer.set_active(true);
    layer.note(Moment::init_left);
}

void note_threads(Layer& layer) {
    int level = MPI_THREAD_SINGLE;
    PMPI_Query_thread(&level);
    if (level == MPI_THREAD_MULTIPLE && !layer.calls_at_once) {
        threads_may_call(layer);
    }
}

void call_when_finalizing(MPI_Comm_delete_attr_function* callback) {
    int keyval = MPI_KEYVAL_INVALID;
    PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, callback, &keyval, nullptr);
    PMPI_Comm_set_attr(MPI_COMM_SELF, keyval, nullptr);
    PMPI_Comm_free_keyval(&keyval);  // goes with the attribute
}

void watch_finalization() { call_when_finalizing(on_finalize); }

void end_activity(Layer& layer) {
    sanitizers::keep_main_programs_memory();
    report_leaks(layer);
    layer.communicators.end();
    layer.set_active(false);
}

void note_abort(Layer& layer, const Call& call, int errorcode) {
    const std::uint32_t stack = layer.call_stacks.number(layer, call.site());
    layer.log.append(
        transport::ViolationRecord{.kind = replay::number_of(replay::ViolationKind::abort),
                                   .message = "MPI_Abort was called with error code " + std::to_string(errorcode),
                                   .call = call.function(),
                                   .detail = "error code " + std::to_string(errorcode),
                                   .site = call.site(),
                                   .stack = stack});
}

}  // namespace dampi::piggyback
