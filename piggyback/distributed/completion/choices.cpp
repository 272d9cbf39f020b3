// Calls that report some of several requests, or that may answer "nothing yet": which ones they report is an epoch.

#include "piggyback/distributed/completion/finishing.hpp"
#include "piggyback/distributed/completion/polling_call.hpp"
#include "piggyback/distributed/completion/request_array.hpp"
#include "piggyback/distributed/completion/settling.hpp"
#include "piggyback/distributed/divergence.hpp"
#include "piggyback/distributed/matching/matching.hpp"
#include "piggyback/distributed/one_sided/conflicts.hpp"
#include "piggyback/distributed/waiting.hpp"
#include "piggyback/interception/calls.hpp"
#include "piggyback/rank/buffers/used_buffers.hpp"
#include "piggyback/rank/errors/errors.hpp"
#include "piggyback/rank/errors/held_error.hpp"
#include "piggyback/rank/resources/access_requests.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace dampi::piggyback::distributed {
namespace {

using replay::EpochKind;
using transport::RankDecision;

/// The positions that a decision names; none when nothing is decided.
using Decided = std::optional<std::span<const std::uint32_t>>;

/// What one look at the requests has found.
struct Look {
    int result = MPI_SUCCESS;
    bool over = false;                    ///< the call returns
    std::vector<Completion> completed{};  ///< ascending; their native requests are gone (or inactive)
};

Look look_at_any(RequestArray& array, const Decided& decided, int* index, MPI_Status* status) {
    Look look;
    int flag = 0;
    if (decided) {
        const std::uint32_t position = decided->front();
        look.result = PMPI_Test(&array.native()[position], &flag, status);
        if (flag != 0) {
            *index = static_cast<int>(position);
        }
    } else {
        look.result = PMPI_Testany(array.count(), array.native(), index, &flag, status);
    }
    look.over = flag != 0 || look.result != MPI_SUCCESS;
    if (flag != 0 && *index != MPI_UNDEFINED) {
        look.completed = {{.position = static_cast<std::uint32_t>(*index), .status = status}};
    }
    return look;
}

/// `statuses` as long as the array.
Look look_at_some(RequestArray& array, const Decided& decided, int* count, int* indices, MPI_Status* statuses) {
    Look look;
    if (!decided) {
        look.result = PMPI_Testsome(array.count(), array.native(), count, indices, statuses);
        look.over = look.result != MPI_SUCCESS || *count != 0;
        for (int i = 0; *count != MPI_UNDEFINED && i < *count; ++i) {
            look.completed.push_back({.position = static_cast<std::uint32_t>(indices[i]), .status = &statuses[i]});
        }
        return look;
    }
    std::vector<MPI_Request> before;
    for (const std::uint32_t position : *decided) {
        before.push_back(array.native()[position]);
    }
    int flag = 0;
    look.result = array.test_all(*decided, &flag, statuses);
    look.over = flag != 0 || look.result != MPI_SUCCESS;
    *count = 0;
    for (std::size_t i = 0; look.over && i < before.size(); ++i) {
        if (flag != 0 || array.native()[(*decided)[i]] != before[i]) {
            statuses[*count] = statuses[i];
            indices[*count] = static_cast<int>((*decided)[i]);
            look.completed.push_back({.position = (*decided)[i], .status = &statuses[*count]});
            ++*count;
        }
    }
    return look;
}

Look look_at_all(RequestArray& array, int* flag, MPI_Status* statuses) {
    Look look;
    look.result = array.test_all(flag, statuses);
    look.over = *flag != 0 || look.result != MPI_SUCCESS;
    if (look.over) {
        look.completed = look.result == MPI_SUCCESS ? array.all(statuses) : array.gone(statuses);
    }
    return look;
}

/// Whether the call can report what is decided.
bool makes_sense(EpochKind kind, const RequestArray& array, std::span<const std::uint32_t> decided) {
    return replay::may_report(kind, decided.size(), array.active()) &&
           std::all_of(decided.begin(), decided.end(),
                       [&](std::uint32_t position) { return position < array.size() && array.is_active(position); });
}

void diverge_on_requests(DistributedLayer& layer, const Call& call, const Choice& choice) {
    diverge(layer, call, choice.index,
            "rank " + std::to_string(layer.rank()) + " was to be told by " + call.function() +
                " of requests that are not active there");
}

/// Settles and forgets what the call reports. `choice`: the epoch, null if nothing could be chosen.
std::optional<clocks::Match> report(DistributedLayer& layer, const Call& call, RequestArray& array,
                                    const Choice* choice, const Look& look) {
    note_failed(call, look.result, look.completed);
    if (choice == nullptr) {
        array.finish_and_learn(call, look.completed);
        return std::nullopt;
    }
    const std::vector<clocks::Snapshot> known = array.finish(call, look.completed);
    std::vector<std::uint32_t> positions;
    for (const Completion& each : look.completed) {
        positions.push_back(each.position);
    }
    return choose(layer, *choice, positions, known);
}

/// Likewise of a polling call; `polling`: the stretch that it ends.
void report_poll(DistributedLayer& layer, const Call& call, RequestArray& array, const PollingStretch* polling,
                 const Look& look) {
    if (polling == nullptr) {
        report(layer, call, array, nullptr, look);
        return;
    }
    const PollingStretch ended = *polling;  // another call may begin one meanwhile
    const std::optional<clocks::Match> match = report(layer, call, array, &ended.choice, look);
    note_unanswered(layer, ended, &*match);
}

/// What the call returns when its requests are finished.
int result_of(EpochKind kind, const RequestArray& array, const Look& look) {
    return replay::reports_one(kind) ? array.result(look.result) : array.result(look.result, look.completed);
}

/// A call that waits for some of its requests. `look(decided)` looks once.
template <typename LookOnce>
int wait_for_some(DistributedLayer& layer, const Call& call, EpochKind kind, RequestArray& array, LookOnce&& look) {
    HeldError error;
    std::optional<Choice> choice;
    Decided decided;
    if (array.active() >= 2 && array.foreign() != 0) {
        call.not_modelled();
    } else if (array.active() >= 2) {
        choice = post_choice(layer, call, kind);
        array.record_candidates(call, choice->index);
        if (choice->decision != nullptr) {
            decided = choice->decision->completed;
            if (!makes_sense(kind, array, *decided)) {
                diverge_on_requests(layer, call, *choice);
                decided.reset();
            }
        }
    }
    Waiting waiting(
        layer, call,
        [&](WaitDescription& description) {
            if (decided) {
                array.describe(description, *decided);
            } else {
                description.any();
                array.describe(description);
            }
        },
        Ends::by_mpi);
    for (;;) {
        const Look found = look(decided);
        if (found.over) {
            report(layer, call, array, choice ? &*choice : nullptr, found);
            return error.hand_over(result_of(kind, array, found));
        }
        waiting.pause();
    }
}

/// `look` of a call that waits, which ends if something was found: others may get those handles then.
Look last_look(Look look, OneWaits& waits) {
    if (look.over) {
        waits.end();
    }
    return look;
}

/// A call that may answer "nothing yet"; `over` says whether it does not. `look(decided)` looks once, `report(stretch,
/// look)` settles what it has found, with null where nothing could be chosen.
template <typename LookOnce, typename Report>
int poll(DistributedLayer& layer, const Call& call, EpochKind kind, RequestArray& array, bool& over, LookOnce&& look,
         Report&& report) {
    HeldError error;
    if (array.active() == 0 || array.foreign() != 0 || array.all_told() ||
        (replay::reports_all(kind) && array.all_sure())) {
        if (array.foreign() != 0) {
            end_open_polling(call);
            call.not_modelled();
        }
        const Look found = look(std::nullopt);
        over = found.over;
        if (over) {
            report(nullptr, found);
        } else {
            waiting_detail::yield(layer);
        }
        return error.hand_over(result_of(kind, array, found));
    }
    PollingKey key{.kind = kind, .requests = array.handles()};
    const PollingStretch& polling = thread_state().polling;
    if (const PollingTurn turn = continues_polling(layer, call, key); turn != PollingTurn::again) {
        if (turn == PollingTurn::first) {
            const Choice choice = post_choice(layer, call, kind);
            begin_polling({.key = std::move(key)}, choice);
        } else {
            add_poll(layer, call, {.key = std::move(key)});
        }
        array.record_candidates(call, polling.choice.index, polling.current);
        if (replay::reports_all(kind)) {
            layer.log.append(transport::AsksForAllRecord{.index = polling.choice.index,
                                                         .poll = polling.current,
                                                         .requests = static_cast<std::uint32_t>(array.active())});
        }
        const RankDecision* decision = polling.choice.decision;
        if (decision != nullptr && !decision->open && decision->poll == polling.current &&
            !decision->completed.empty() && !makes_sense(kind, array, decision->completed)) {
            diverge_on_requests(layer, call, polling.choice);
        }
    }
    const std::uint32_t index = polling.choice.index;
    const auto decided = [&](const RankDecision* decision) {
        return decision == nullptr ? Decided() : Decided(decision->completed);
    };
    Look found;
    over = look_or_nothing_yet(
        layer, call,
        [&](const RankDecision* decision) {
            found = look(decided(decision));
            return found.over;
        },
        [&](WaitDescription& description, const RankDecision* decision) {
            if (decision != nullptr) {
                array.describe(description, *decided(decision));
                return;
            }
            if (!replay::reports_all(kind)) {
                description.any();
            }
            array.describe(description);
        });
    if (!over) {
        return MPI_SUCCESS;
    }
    if (PollingStretch* stretch = end_polling(layer, index)) {
        record_answer(layer, *stretch);
        report(stretch, found);
    } else {
        report(nullptr, found);
    }
    return error.hand_over(result_of(kind, array, found));
}

}  // namespace
}  // namespace dampi::piggyback::distributed

namespace dampi::piggyback::distributed::calls {

int waitany(Call& call, int count, MPI_Request* requests, int* index, MPI_Status* status) noexcept {
    DistributedLayer& layer = *DistributedLayer::current();
    RequestArray array(layer, count, requests);
    MPI_Status own;
    MPI_Status* used = status == MPI_STATUS_IGNORE ? &own : status;
    OneWaits only(layer, call, array);
    return wait_for_some(layer, call, EpochKind::wait_any, array, [&](const Decided& decided) {
        return last_look(look_at_any(array, decided, index, used), only);
    });
}

int waitsome(Call& call, int incount, MPI_Request* requests, int* outcount, int* indices,
             MPI_Status* statuses) noexcept {
    DistributedLayer& layer = *DistributedLayer::current();
    RequestArray array(layer, incount, requests);
    StatusArray used(incount, statuses);
    OneWaits only(layer, call, array);
    return wait_for_some(layer, call, EpochKind::wait_some, array, [&](const Decided& decided) {
        return last_look(look_at_some(array, decided, outcount, indices, used.data()), only);
    });
}

int test(Call& call, MPI_Request* request, int* flag, MPI_Status* status) noexcept {
    DistributedLayer& layer = *DistributedLayer::current();
    RequestArray array(layer, 1, request);
    MPI_Status own;
    MPI_Status* used = status == MPI_STATUS_IGNORE ? &own : status;
    *flag = 0;
    bool over = false;
    return poll(
        layer, call, EpochKind::test, array, over,
        [&](const Decided& /*decided*/) {
            const bool active = array.active() != 0;
            Look look;
            look.result = PMPI_Test(array.native(), flag, used);
            look.over = *flag != 0 || look.result != MPI_SUCCESS;
            if (active && (*flag != 0 || *array.native() == MPI_REQUEST_NULL)) {
                look.completed = {{.position = 0, .status = used}};
            }
            return look;
        },
        [&](const PollingStretch* polling, const Look& look) { report_poll(layer, call, array, polling, look); });
}

int testall(Call& call, int count, MPI_Request* requests, int* flag, MPI_Status* statuses) noexcept {
    DistributedLayer& layer = *DistributedLayer::current();
    RequestArray array(layer, count, requests);
    StatusArray used(count, statuses);
    *flag = 0;
    bool over = false;
    return poll(
        layer, call, EpochKind::test_all, array, over,
        [&](const Decided& /*decided*/) { return look_at_all(array, flag, used.data()); },
        [&](const PollingStretch* polling, const Look& look) { report_poll(layer, call, array, polling, look); });
}

int testany(Call& call, int count, MPI_Request* requests, int* index, int* flag, MPI_Status* status) noexcept {
    DistributedLayer& layer = *DistributedLayer::current();
    RequestArray array(layer, count, requests);
    MPI_Status own;
    MPI_Status* used = status == MPI_STATUS_IGNORE ? &own : status;
    *index = MPI_UNDEFINED;
    *flag = 0;
    if (array.any_sure() && array.foreign() == 0) {  // it cannot answer "nothing yet"
        end_open_polling(call);
        const int result = wait_for_some(layer, call, EpochKind::wait_any, array, [&](const Decided& decided) {
            return look_at_any(array, decided, index, used);
        });
        *flag = result == MPI_SUCCESS || *index != MPI_UNDEFINED ? 1 : 0;
        return result;
    }
    bool over = false;
    const int result = poll(
        layer, call, EpochKind::test_any, array, over,
        [&](const Decided& decided) { return look_at_any(array, decided, index, used); },
        [&](const PollingStretch* polling, const Look& look) { report_poll(layer, call, array, polling, look); });
    *flag = over && (result == MPI_SUCCESS || *index != MPI_UNDEFINED) ? 1 : 0;
    return result;
}

int testsome(Call& call, int incount, MPI_Request* requests, int* outcount, int* indices,
             MPI_Status* statuses) noexcept {
    DistributedLayer& layer = *DistributedLayer::current();
    RequestArray array(layer, incount, requests);
    StatusArray used(incount, statuses);
    *outcount = 0;
    if (array.any_sure() && array.foreign() == 0) {  // it cannot answer "nothing yet"
        end_open_polling(call);
        return wait_for_some(layer, call, EpochKind::wait_some, array, [&](const Decided& decided) {
            return look_at_some(array, decided, outcount, indices, used.data());
        });
    }
    bool over = false;
    return poll(
        layer, call, EpochKind::test_some, array, over,
        [&](const Decided& decided) { return look_at_some(array, decided, outcount, indices, used.data()); },
        [&](const PollingStretch* polling, const Look& look) { report_poll(layer, call, array, polling, look); });
}

namespace {

/// Asks whether an active request is complete, which the program has not been told; `look(native, status, flag)` asks
/// MPI.
template <typename Ask>
int get_status(const Call& call, MPI_Request handle, int* flag, MPI_Status* status, Ask&& ask) {
    DistributedLayer& layer = *DistributedLayer::current();
    RequestArray array(layer, 1, &handle);
    *flag = 0;
    bool over = false;
    return poll(
        layer, call, EpochKind::get_status, array, over,
        [&](const Decided& /*decided*/) {
            Look look;
            look.result = ask(*array.native());
            look.over = *flag != 0 || look.result != MPI_SUCCESS;
            if (*flag != 0) {
                look.completed = {{.position = 0, .status = status}};
            }
            return look;
        },
        [&](const PollingStretch* polling, const Look& look) {
            const auto chosen = [&](const std::vector<std::uint32_t>& positions,
                                    const std::vector<clocks::Snapshot>& known) {
                const clocks::Match match = choose(layer, polling->choice, positions, known);
                note_unanswered(layer, *polling, &match);
            };
            if (look.completed.empty()) {
                if (polling != nullptr) {
                    chosen({}, {});
                }
                return;
            }
            Request& told = *layer.requests.find(handle);
            correct_status(told, *status);
            const clocks::Snapshot known = conclude(layer, call, told, *status);
            told.told = true;
            if (polling != nullptr) {
                chosen({0}, {known});
            } else {
                layer.clocks.learn(known);
            }
        });
}

/// Whether there are buffers of it that the program must not use.
bool holds_any(const Request& request) {
    bool any = false;
    request.buffers.for_each([&](const PendingUse& /*pending*/) { any = true; });
    return any;
}

}  // namespace

int request_get_status(Call& call, MPI_Request handle, int* flag, MPI_Status* status) noexcept {
    DistributedLayer& layer = *DistributedLayer::current();
    Request* request = layer.requests.find(handle);
    if (request == nullptr) {
        note_used_up(layer, handle);
    }
    if (request == nullptr || !request->active || request->told) {
        const int result = PMPI_Request_get_status(request == nullptr ? handle : request->native(), flag, status);
        if (request != nullptr && request->active && result == MPI_SUCCESS && status != MPI_STATUS_IGNORE) {
            correct_status(*request, *status);
        }
        if (request == nullptr && result == MPI_SUCCESS && *flag != 0) {
            end_waited_read(layer, handle);
            access_requests().release_buffers(handle);
        }
        return result;
    }
    MPI_Status own;
    MPI_Status* used = status == MPI_STATUS_IGNORE ? &own : status;
    return get_status(call, handle, flag, used,
                      [&](MPI_Request native) { return PMPI_Request_get_status(native, flag, used); });
}

/// In MPICH a partition has arrived when all of its round have: the same question as MPI_Request_get_status, whatever
/// the partition. But the program knows of this one only.
int parrived(Call& call, MPI_Request handle, int partition, int* flag) noexcept {
    DistributedLayer& layer = *DistributedLayer::current();
    const Request* const request = layer.requests.find(handle);
    if (request == nullptr || !request->partitioned || !request->active) {
        return PMPI_Parrived(handle, partition, flag);
    }
    // By MPI_Request_get_status it knows of all.
    const bool knows_of_all = request->told && !holds_any(*request);
    MPI_Status empty{};
    const int result = request->told ? PMPI_Parrived(handle, partition, flag)
                                     : get_status(call, handle, flag, &empty, [&](MPI_Request native) {
                                           return PMPI_Parrived(native, partition, flag);
                                       });
    Request* const asked = layer.requests.find(handle);
    const auto number = static_cast<std::size_t>(partition);
    if (result == MPI_SUCCESS && *flag != 0 && !knows_of_all && asked != nullptr && asked->active &&
        asked->kind == RequestKind::receive && number < asked->special().ready.size()) {
        asked->make_special().ready[number] = true;
        hold_what_has_not_arrived(layer, *asked);
    }
    return result;
}

}  // namespace dampi::piggyback::distributed::calls
