// Probes: MPI_Probe and MPI_Iprobe see a message without taking it, MPI_Mprobe and MPI_Improbe take it for a
// later MPI_Mrecv or MPI_Imrecv. Wildcard probes are epochs; so are sequences of polling ones, whatever their source.

#include "piggyback/distributed/completion/polling_call.hpp"
#include "piggyback/distributed/divergence.hpp"
#include "piggyback/distributed/layer.hpp"
#include "piggyback/distributed/matching/matching.hpp"
#include "piggyback/distributed/matching/outgoing.hpp"
#include "piggyback/distributed/waiting.hpp"
#include "piggyback/interception/calls.hpp"
#include "piggyback/rank/errors/errors.hpp"
#include "piggyback/rank/resources/matched_messages.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace dampi::piggyback::distributed::calls {
namespace {

void describe_probe(WaitDescription& description, const Posting& posting) {
    description.add({.kind = transport::WaitKind::probe,
                     .forced = static_cast<std::uint8_t>(posting.forced != base::any_source),
                     .peer = posting.forced != base::any_source ? posting.forced : posting.posted.spec.source,
                     .tag = posting.posted.spec.tag,
                     .comm = posting.posted.spec.comm,
                     .number = 0});
}

void follow_message(DistributedLayer& layer, const Call& call, Communicator& communicator, MPI_Message message,
                    const Posting& posting, const TakenMessage& taken, int source) {
    MatchedMessage matched;
    matched.communicator = &communicator;
    matched.spec = {.comm = communicator.id, .source = communicator.peer(source), .tag = posting.posted.spec.tag};
    matched.taken = taken;
    matched.function = call.function();
    layer.requests.add_message(message, matched);
    took_message(call, message);
}

/// A polling probe that has seen a message.
struct Answered {
    Posting posting;
    std::optional<PollingStretch> stretch{};  ///< that it has ended

    /// It is resolved now.
    void note_others(DistributedLayer& layer) const {
        if (stretch) {
            note_unanswered(layer, *stretch, nullptr);
        }
    }
};

/// A polling probe; `look(source)` looks once for a message from that rank of the communicator and returns MPI's
/// code, the status being in `status`. Returns the answering probe if one was found.
template <typename LookFor>
std::optional<Answered> poll(DistributedLayer& layer, const Call& call, Communicator& communicator, MPI_Comm comm,
                             int source, int tag, replay::EpochKind kind, int* flag, int& result, LookFor&& look) {
    PollingKey key{.kind = kind,
                   .spec = {.comm = communicator.id,
                            .source = source == MPI_ANY_SOURCE ? base::any_source : communicator.peer(source),
                            .tag = tag == MPI_ANY_TAG ? base::any_tag : tag}};
    const PollingStretch& polling = thread_state().polling;
    if (const PollingTurn turn = continues_polling(layer, call, key); turn != PollingTurn::again) {
        Poll made{.key = key, .comm = comm, .source = source, .tag = tag};
        if (turn == PollingTurn::first) {
            const Choice choice = post_polling_probe(layer, call, communicator, source, tag, kind);
            made.probe = choice.probe;
            begin_polling(std::move(made), choice);
        } else {
            add_poll(layer, call, std::move(made));
        }
        const auto* decision = polling.choice.decision;
        if (decision != nullptr && !decision->open && decision->poll == polling.current &&
            decision->source != base::any_source &&
            (communicator.rank_of(decision->source) == MPI_UNDEFINED ||
             (source != MPI_ANY_SOURCE && decision->source != key.spec.source))) {
            diverge(layer, call, polling.choice.index,
                    "rank " + std::to_string(layer.rank()) + " was to see a message from rank " +
                        std::to_string(decision->source) + " in its operation " + std::to_string(polling.choice.index) +
                        ", which does not ask for one");
        }
    }
    const std::uint32_t index = polling.choice.index;
    *flag = 0;
    const bool over = look_or_nothing_yet(
        layer, call,
        [&](const transport::RankDecision* decision) {
            result = look(decision == nullptr ? source : communicator.rank_of(decision->source));
            return *flag != 0 || result != MPI_SUCCESS;
        },
        [&](WaitDescription& description, const transport::RankDecision* decision) {
            description.add({.kind = transport::WaitKind::probe,
                             .forced = decision != nullptr,
                             .peer = decision != nullptr ? decision->source : key.spec.source,
                             .tag = key.spec.tag,
                             .comm = key.spec.comm,
                             .number = 0});
        });
    if (!over) {
        return std::nullopt;
    }
    if (*flag == 0) {  // MPI refuses the call
        end_open_polling(call);
        return std::nullopt;
    }
    LibraryValues values;
    values.take_probed();
    Answered answered;
    if (const PollingStretch* stretch = end_polling(layer, index)) {
        answered.posting = post_answer(layer, *stretch);
        answered.stretch = *stretch;
    } else {
        answered.posting = {.posted = layer.clocks.post(key.spec, false), .source = source};
    }
    answered.posting.values = values;
    return answered;
}

/// One look of a blocking probe. MPI does not say that it refuses it: it says so in the name of the program's call,
/// which is made then, and which it refuses for the same reason.
template <typename Look>
int look_quietly(Look&& look) {
    const QuietErrors quiet;
    return look();
}

}  // namespace

int probe(Call& call, int source, int tag, MPI_Comm comm, MPI_Status* status) noexcept {
    DistributedLayer& layer = *DistributedLayer::current();
    Communicator* communicator = layer.communicators.find(comm);
    if (!followed(layer, call, communicator, comm, source)) {
        return Call::unlocked([&] { return PMPI_Probe(source, tag, comm, status); });
    }
    Posting posting = post(layer, call, *communicator, source, tag, replay::EpochKind::probe);
    MPI_Status own;
    MPI_Status* used = status == MPI_STATUS_IGNORE ? &own : status;
    Waiting waiting(
        layer, call, [&](WaitDescription& description) { describe_probe(description, posting); }, Ends::by_mpi);
    for (;;) {
        int flag = 0;
        const int result = look_quietly([&] { return PMPI_Iprobe(posting.source, tag, comm, &flag, used); });
        if (result != MPI_SUCCESS) {
            drop(layer, posting.posted);
            return Call::unlocked([&] { return PMPI_Probe(source, tag, comm, status); });
        }
        if (flag != 0) {
            posting.values.take_probed();
            resolve_probe(layer, call, *communicator, posting, used->MPI_SOURCE, used->MPI_TAG);
            return result;
        }
        waiting.pause();
    }
}

int iprobe(Call& call, int source, int tag, MPI_Comm comm, int* flag, MPI_Status* status) noexcept {
    DistributedLayer& layer = *DistributedLayer::current();
    Communicator* communicator = layer.communicators.find(comm);
    if (!followed(layer, call, communicator, comm, source)) {
        return PMPI_Iprobe(source, tag, comm, flag, status);
    }
    MPI_Status own;
    MPI_Status* used = status == MPI_STATUS_IGNORE ? &own : status;
    int result = MPI_SUCCESS;
    const auto answered = poll(layer, call, *communicator, comm, source, tag, replay::EpochKind::polling_probe, flag,
                               result, [&](int wanted) { return PMPI_Iprobe(wanted, tag, comm, flag, used); });
    if (answered) {
        resolve_probe(layer, call, *communicator, answered->posting, used->MPI_SOURCE, used->MPI_TAG);
        answered->note_others(layer);
    }
    return result;
}

int mprobe(Call& call, int source, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status) noexcept {
    DistributedLayer& layer = *DistributedLayer::current();
    Communicator* communicator = layer.communicators.find(comm);
    if (!followed(layer, call, communicator, comm, source)) {
        return Call::unlocked([&] { return PMPI_Mprobe(source, tag, comm, message, status); });
    }
    Posting posting = post(layer, call, *communicator, source, tag, replay::EpochKind::matched_probe);
    MPI_Status own;
    MPI_Status* used = status == MPI_STATUS_IGNORE ? &own : status;
    Waiting waiting(
        layer, call, [&](WaitDescription& description) { describe_probe(description, posting); }, Ends::by_mpi);
    for (;;) {
        int flag = 0;
        const int result = look_quietly([&] { return PMPI_Improbe(posting.source, tag, comm, &flag, message, used); });
        if (result != MPI_SUCCESS) {
            drop(layer, posting.posted);
            return Call::unlocked([&] { return PMPI_Mprobe(source, tag, comm, message, status); });
        }
        if (flag != 0) {
            posting.values.take_probed();
            const TakenMessage taken =
                resolve_matched_probe(layer, call, *communicator, posting, used->MPI_SOURCE, used->MPI_TAG);
            learn(layer, taken);
            note_source(layer, *communicator, posting, used->MPI_SOURCE);
            follow_message(layer, call, *communicator, *message, posting, taken, used->MPI_SOURCE);
            return result;
        }
        waiting.pause();
    }
}

int improbe(Call& call, int source, int tag, MPI_Comm comm, int* flag, MPI_Message* message,
            MPI_Status* status) noexcept {
    DistributedLayer& layer = *DistributedLayer::current();
    Communicator* communicator = layer.communicators.find(comm);
    if (!followed(layer, call, communicator, comm, source)) {
        return PMPI_Improbe(source, tag, comm, flag, message, status);
    }
    MPI_Status own;
    MPI_Status* used = status == MPI_STATUS_IGNORE ? &own : status;
    int result = MPI_SUCCESS;
    const auto answered =
        poll(layer, call, *communicator, comm, source, tag, replay::EpochKind::polling_matched_probe, flag, result,
             [&](int wanted) { return PMPI_Improbe(wanted, tag, comm, flag, message, used); });
    if (answered) {
        const Posting& posting = answered->posting;
        const TakenMessage taken =
            resolve_matched_probe(layer, call, *communicator, posting, used->MPI_SOURCE, used->MPI_TAG);
        learn(layer, taken);
        answered->note_others(layer);
        note_source(layer, *communicator, posting, used->MPI_SOURCE);
        follow_message(layer, call, *communicator, *message, posting, taken, used->MPI_SOURCE);
    }
    return result;
}

namespace {

int receive_matched(Call& call, void* buf, Count count, MPI_Datatype datatype, MPI_Message* message,
                    MPI_Status* status) {
    DistributedLayer& layer = *DistributedLayer::current();
    const auto matched = layer.requests.take_message(*message);
    if (!matched) {
        return BothWidths{PMPI_Mrecv, PMPI_Mrecv_c}(buf, count, datatype, message, status);
    }
    receives_message(*message);
    layer.follow_up.communicates(layer, call, matched->spec.source);
    // Matched already, but the data may still be on its way.
    MPI_Request request = MPI_REQUEST_NULL;
    int result = BothWidths{PMPI_Imrecv, PMPI_Imrecv_c}(buf, count, datatype, message, &request);
    if (result != MPI_SUCCESS) {
        return result;
    }
    release_held(layer, matched->taken,
                 {.data = layer.types.data(count.value, datatype), .site = call.site(), .at = layer.port.passed()});
    Waiting waiting(
        layer, call, [](WaitDescription& description) { description.add_coming_data(); }, Ends::by_mpi);
    for (;;) {
        int flag = 0;
        result = PMPI_Test(&request, &flag, status);
        if (flag != 0 || result != MPI_SUCCESS) {
            return result;
        }
        waiting.pause();
    }
}

int receive_matched_nonblocking(Call& call, void* buf, Count count, MPI_Datatype datatype, MPI_Message* message,
                                MPI_Request* request) {
    DistributedLayer& layer = *DistributedLayer::current();
    const auto matched = layer.requests.take_message(*message);
    if (matched) {
        receives_message(*message);
    }
    const bool from_nowhere = *message == MPI_MESSAGE_NO_PROC;
    const int result = BothWidths{PMPI_Imrecv, PMPI_Imrecv_c}(buf, count, datatype, message, request);
    if (result == MPI_SUCCESS && from_nowhere) {
        follow_null_request(layer, call, *layer.communicators.find(MPI_COMM_WORLD), *request, false, true);
        return result;
    }
    if (!matched || result != MPI_SUCCESS) {
        return result;
    }
    release_held(layer, matched->taken,
                 {.data = layer.types.data(count.value, datatype), .site = call.site(), .at = layer.port.passed()});
    layer.follow_up.communicates(layer, call, matched->spec.source);
    auto added = Requests::make();
    added->kind = RequestKind::receive;
    added->communicator = matched->communicator;
    added->function = call.function();
    added->site = call.site();
    added->posting.posted.spec = matched->spec;
    added->taken = matched->taken;
    layer.requests.add(*request, std::move(added));
    return result;
}

}  // namespace

int mrecv(Call& call, void* buf, int count, MPI_Datatype datatype, MPI_Message* message, MPI_Status* status) noexcept {
    return receive_matched(call, buf, count, datatype, message, status);
}

int mrecv_c(Call& call, void* buf, MPI_Count count, MPI_Datatype datatype, MPI_Message* message,
            MPI_Status* status) noexcept {
    return receive_matched(call, buf, count, datatype, message, status);
}

int imrecv(Call& call, void* buf, int count, MPI_Datatype datatype, MPI_Message* message,
           MPI_Request* request) noexcept {
    return receive_matched_nonblocking(call, buf, count, datatype, message, request);
}

int imrecv_c(Call& call, void* buf, MPI_Count count, MPI_Datatype datatype, MPI_Message* message,
             MPI_Request* request) noexcept {
    return receive_matched_nonblocking(call, buf, count, datatype, message, request);
}

}  // namespace dampi::piggyback::distributed::calls
