#include "piggyback/central/work.hpp"

#include "piggyback/rank/requests.hpp"

#include <utility>

namespace dampi::piggyback::central {

void make_status(MPI_Status& status, int source, int tag, std::uint64_t bytes) {
    PMPI_Status_set_elements_x(&status, MPI_BYTE, static_cast<MPI_Count>(bytes));
    PMPI_Status_set_cancelled(&status, 0);
    status.MPI_SOURCE = source;
    status.MPI_TAG = tag;
}

void make_empty(MPI_Status& status) { make_status(status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0); }

void NothingToDo::start(const Call& /*call*/) {
    RankSide::current()->tell(transport::requests::ImmediateCall{.operation = begin()});
}

int NothingToDo::receive(const Call& /*call*/, const Completion& /*completion*/, MPI_Status& status) {
    if (receives_) {
        make_status(status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
    } else {
        make_empty(status);
    }
    return MPI_SUCCESS;
}

int await(const Call& call, Work& work, MPI_Status& status) {
    RankSide& side = *RankSide::current();
    transport::requests::WaitCall wait;
    wait.operations = {work.operation()};
    wait.situation = side.place_of(call);
    const Answer answer = side.ask(call, std::move(wait));
    DAMPI_CHECK(answer.completions.size() == 1);
    return work.complete(call, answer.completions.front(), status);
}

void make_request(const Call& call, std::shared_ptr<Work> work, RequestKind kind, bool persistent,
                  MPI_Request* request) {
    auto made = Requests::make();
    made->kind = kind;
    made->persistent = persistent;
    made->active = !persistent;
    made->communicator = &work->communicator();
    made->function = call.function();
    made->site = call.site();
    SpecialRequest& special = made->make_special();
    if (RankSide::current()->exchange.header().compares_states != 0) {
        special.made = call.digest();
    }
    if (persistent) {
        work->made(call);
        Layer& layer = *Layer::current();
        special.stack = layer.call_stacks.number_of_few(layer, call.site());
    }
    special.work = std::move(work);
    *request = RankSide::current()->request_handles.take();
    Layer::current()->requests.add(*request, std::move(made));
}

}  // namespace dampi::piggyback::central
