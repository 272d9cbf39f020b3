// Probes: MPI_Probe and MPI_Iprobe see a message without taking it, MPI_Mprobe and MPI_Improbe take it for a
// later MPI_Mrecv or MPI_Imrecv. Wildcard probes are epochs; polling ones only when they answer true.

#include "piggyback/completion/completion.hpp"
#include "piggyback/decision_source.hpp"
#include "piggyback/interception/calls.hpp"
#include "piggyback/layer.hpp"
#include "piggyback/matching/matching.hpp"
#include "piggyback/point_to_point/outgoing.hpp"
#include "piggyback/progress.hpp"
#include "piggyback/waiting.hpp"

namespace dampi::piggyback::calls {
namespace {

void describe_probe(WaitDescription& description, const Posting& posting) {
    description.add({.kind = replay::area::WaitKind::probe,
                     .forced = static_cast<std::uint8_t>(posting.forced != clocks::any_source),
                     .peer = posting.forced != clocks::any_source ? posting.forced : posting.spec.source,
                     .tag = posting.spec.tag,
                     .comm = posting.spec.comm,
                     .number = 0});
}

/// The source to ask MPI for in a polling call: the decided one if the next epoch is decided.
int polled_source(const Layer& layer, const Communicator& communicator, int source, int tag, replay::EpochKind kind) {
    if (source != MPI_ANY_SOURCE || layer.diverged) {
        return source;
    }
    const auto* decision = find_decision(layer.area, layer.rank(), static_cast<std::uint32_t>(layer.clocks.epochs()));
    if (decision == nullptr || decision->kind != static_cast<std::uint32_t>(kind) ||
        decision->comm != communicator.id || decision->tag != (tag == MPI_ANY_TAG ? clocks::any_tag : tag)) {
        return source;
    }
    const int forced = communicator.rank_of(decision->source);
    return forced == MPI_UNDEFINED ? source : forced;
}

/// A polling call that finds nothing: lets others run.
void nothing_there(Layer& layer, int* flag) {
    *flag = 0;
    waiting_detail::yield(layer);
}

void follow_message(Layer& layer, const Call& call, Communicator& communicator, MPI_Message message,
                    const Posting& posting, const TakenMessage& taken, int source) {
    MatchedMessage matched;
    matched.communicator = &communicator;
    matched.spec = {.comm = communicator.id, .source = communicator.peer(source), .tag = posting.spec.tag};
    matched.taken = taken;
    matched.function = call.function();
    layer.requests.add_message(message, matched);
}

}  // namespace

int probe(Call& call, int source, int tag, MPI_Comm comm, MPI_Status* status) noexcept {
    Layer& layer = *Layer::current();
    Communicator* communicator = layer.communicators.find(comm);
    if (!followed(layer, call, communicator, comm, source)) {
        return PMPI_Probe(source, tag, comm, status);
    }
    const Posting posting = post(layer, call, *communicator, source, tag, replay::EpochKind::probe);
    MPI_Status own;
    MPI_Status* used = status == MPI_STATUS_IGNORE ? &own : status;
    Waiting waiting(layer, call, [&](WaitDescription& description) { describe_probe(description, posting); });
    for (;;) {
        int flag = 0;
        const int result = PMPI_Iprobe(posting.source, tag, comm, &flag, used);
        if (result != MPI_SUCCESS) {
            return result;
        }
        if (flag != 0) {
            resolve_probe(layer, call, *communicator, posting, used->MPI_SOURCE, used->MPI_TAG);
            return result;
        }
        waiting.pause();
    }
}

int iprobe(Call& call, int source, int tag, MPI_Comm comm, int* flag, MPI_Status* status) noexcept {
    Layer& layer = *Layer::current();
    Communicator* communicator = layer.communicators.find(comm);
    if (!followed(layer, call, communicator, comm, source)) {
        return PMPI_Iprobe(source, tag, comm, flag, status);
    }
    call.not_modelled();  // how often it answers false is not explored
    constexpr auto kind = replay::EpochKind::polling_probe;
    if (source == MPI_ANY_SOURCE && next_epoch_is_other(layer, kind)) {
        make_progress();
        nothing_there(layer, flag);
        return MPI_SUCCESS;
    }
    MPI_Status own;
    MPI_Status* used = status == MPI_STATUS_IGNORE ? &own : status;
    const int result = PMPI_Iprobe(polled_source(layer, *communicator, source, tag, kind), tag, comm, flag, used);
    if (result != MPI_SUCCESS) {
        return result;
    }
    if (*flag == 0) {
        nothing_there(layer, flag);
        return result;
    }
    const Posting posting = post(layer, call, *communicator, source, tag, kind);
    resolve_probe(layer, call, *communicator, posting, used->MPI_SOURCE, used->MPI_TAG);
    return result;
}

int mprobe(Call& call, int source, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status) noexcept {
    Layer& layer = *Layer::current();
    Communicator* communicator = layer.communicators.find(comm);
    if (!followed(layer, call, communicator, comm, source)) {
        return PMPI_Mprobe(source, tag, comm, message, status);
    }
    const Posting posting = post(layer, call, *communicator, source, tag, replay::EpochKind::matched_probe);
    MPI_Status own;
    MPI_Status* used = status == MPI_STATUS_IGNORE ? &own : status;
    Waiting waiting(layer, call, [&](WaitDescription& description) { describe_probe(description, posting); });
    for (;;) {
        int flag = 0;
        const int result = PMPI_Improbe(posting.source, tag, comm, &flag, message, used);
        if (result != MPI_SUCCESS) {
            return result;
        }
        if (flag != 0) {
            const TakenMessage taken = resolve(layer, call, *communicator, posting, used->MPI_SOURCE, used->MPI_TAG);
            learn(layer, taken);
            follow_message(layer, call, *communicator, *message, posting, taken, used->MPI_SOURCE);
            return result;
        }
        waiting.pause();
    }
}

int improbe(Call& call, int source, int tag, MPI_Comm comm, int* flag, MPI_Message* message,
            MPI_Status* status) noexcept {
    Layer& layer = *Layer::current();
    Communicator* communicator = layer.communicators.find(comm);
    if (!followed(layer, call, communicator, comm, source)) {
        return PMPI_Improbe(source, tag, comm, flag, message, status);
    }
    call.not_modelled();  // how often it answers false is not explored
    constexpr auto kind = replay::EpochKind::polling_matched_probe;
    if (source == MPI_ANY_SOURCE && next_epoch_is_other(layer, kind)) {
        make_progress();
        nothing_there(layer, flag);
        return MPI_SUCCESS;
    }
    MPI_Status own;
    MPI_Status* used = status == MPI_STATUS_IGNORE ? &own : status;
    const int result =
        PMPI_Improbe(polled_source(layer, *communicator, source, tag, kind), tag, comm, flag, message, used);
    if (result != MPI_SUCCESS) {
        return result;
    }
    if (*flag == 0) {
        nothing_there(layer, flag);
        return result;
    }
    const Posting posting = post(layer, call, *communicator, source, tag, kind);
    const TakenMessage taken = resolve(layer, call, *communicator, posting, used->MPI_SOURCE, used->MPI_TAG);
    learn(layer, taken);
    follow_message(layer, call, *communicator, *message, posting, taken, used->MPI_SOURCE);
    return result;
}

int mrecv(Call& call, void* buf, int count, MPI_Datatype datatype, MPI_Message* message, MPI_Status* status) noexcept {
    Layer& layer = *Layer::current();
    const auto matched = layer.requests.take_message(*message);
    if (!matched) {
        return PMPI_Mrecv(buf, count, datatype, message, status);
    }
    // Matched already, but the data may still be on its way.
    MPI_Request request = MPI_REQUEST_NULL;
    int result = PMPI_Imrecv(buf, count, datatype, message, &request);
    if (result != MPI_SUCCESS) {
        return result;
    }
    Waiting waiting(layer, call, [](WaitDescription& description) {
        description.add({.kind = replay::area::WaitKind::other,
                         .forced = 0,
                         .peer = clocks::any_source,
                         .tag = 0,
                         .comm = 0,
                         .number = 0});
    });
    for (;;) {
        int flag = 0;
        result = PMPI_Test(&request, &flag, status);
        if (flag != 0 || result != MPI_SUCCESS) {
            return result;
        }
        waiting.pause();
    }
}

int imrecv(Call& call, void* buf, int count, MPI_Datatype datatype, MPI_Message* message,
           MPI_Request* request) noexcept {
    Layer& layer = *Layer::current();
    const auto matched = layer.requests.take_message(*message);
    const int result = PMPI_Imrecv(buf, count, datatype, message, request);
    if (!matched || result != MPI_SUCCESS) {
        return result;
    }
    auto added = std::make_unique<Request>();
    added->kind = RequestKind::receive;
    added->communicator = matched->communicator;
    added->function = call.function();
    added->site = call.site();
    added->posting.spec = matched->spec;
    added->taken = matched->taken;
    layer.requests.add(*request, std::move(added));
    return result;
}

}  // namespace dampi::piggyback::calls
