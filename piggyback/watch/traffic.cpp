#include "piggyback/watch/traffic.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace dampi::piggyback::watch {
namespace {

namespace doubt = transport::watch::doubt;
using transport::watch::anything;
using transport::watch::most_communicators;
using transport::watch::most_pairs;
using transport::watch::Need;
using transport::watch::NeedKind;
using transport::watch::Pair;
using transport::watch::Traffic;
using Row = transport::watch::Communicator;
using Word = std::uint64_t;

constexpr auto relaxed = std::memory_order_relaxed;
constexpr std::size_t most_requests = 16384;  ///< a power of two
constexpr std::size_t most_in_call = 16384;
constexpr int nobody = -2;  ///< MPI_PROC_NULL, or a number that makes no sense

enum class Kind : std::uint8_t { none, send, receive, collective };

/// A communication of the program's.
struct Operation {
    Kind kind = Kind::none;
    NeedKind needs = NeedKind::unknown;
    bool is_persistent = false;
    bool is_active = false;
    std::uint32_t row = 0;
    std::int32_t peer = anything;
    std::int32_t tag = anything;
    std::uint64_t number = 0;
    Pair* all = nullptr;  ///< with all tags; null: there is no room, or it has no peer
    Pair* one = nullptr;  ///< with this peer and this tag, also where either is any; likewise
};

struct Request {
    Word handle = 0;  ///< 0: an empty slot
    Operation operation;
};

struct Known {
    Word handle = 0;
    int* members = nullptr;  ///< ranks in MPI_COMM_WORLD; null: it is that
    int size = 0;
};

Traffic* traffic = nullptr;
Library library;
int own_rank = -1;
std::array<Known, most_communicators> known;
std::uint32_t communicators_used = 0;
std::uint32_t last_row = 0;
std::array<Request, most_requests> requests;
std::size_t requests_used = 0;
Word always_complete = 0;  ///< a request that many messages have; 0: not known
std::size_t pairs_used = 0;
/// Of the call that the thread is in.
std::array<Operation, 2> now;
std::array<Word, most_in_call> handles;
std::size_t handles_used = 0;
std::uint32_t needs_used = 0;

/// The reader takes a count only with what was written before it: whoever sees a count of the end of a call has seen
/// that the call has ended.
template <typename T>
void add(std::atomic<T>& counter, T more) {
    counter.store(counter.load(relaxed) + more, std::memory_order_release);
}

int as_int(Word word) { return static_cast<int>(static_cast<std::uint32_t>(word)); }

/// Handles of MPICH's kin are numbers, the upper half of whose register means nothing.
Word as_handle(Word word) { return library.is_open_mpi ? word : word & 0xffffffff; }

Word handle_at(Word address, std::size_t index) {
    if (address == 0) {
        return 0;
    }
    if (library.is_open_mpi) {
        return reinterpret_cast<const Word*>(address)[index];
    }
    return reinterpret_cast<const std::uint32_t*>(address)[index];
}

/// Where a status says who sent a message, and its tag; null where the program has not asked.
const int* sender_in(Word status, std::size_t index) {
    constexpr std::size_t ints_of_mpich = 5;
    constexpr std::size_t ints_of_open_mpi = 6;
    constexpr std::size_t sender_of_mpich = 2;
    if (library.is_open_mpi) {
        return status == 0 ? nullptr : reinterpret_cast<const int*>(status) + index * ints_of_open_mpi;
    }
    return status <= 1 ? nullptr : reinterpret_cast<const int*>(status) + index * ints_of_mpich + sender_of_mpich;
}

// ---- communicators ----

/// Its place; as many as there are: not known.
std::uint32_t row_of(Word handle) {
    if (known[last_row].handle == handle) {
        return last_row;
    }
    for (std::uint32_t i = 0; i < communicators_used; ++i) {
        if (known[i].handle == handle) {
            return last_row = i;
        }
    }
    return most_communicators;
}

int peer_of(std::uint32_t row, int number) {
    const bool is_any = number == (library.is_open_mpi ? -1 : -2);
    if (is_any) {
        return anything;
    }
    if (number < 0 || number >= known[row].size) {
        return nobody;
    }
    return known[row].members == nullptr ? number : known[row].members[number];
}

void add_communicator(Word handle, std::uint64_t name, int* members, int size, int own) {
    std::uint32_t at = 0;
    while (at < communicators_used && known[at].handle != 0) {
        ++at;
    }
    if (at == most_communicators) {
        std::free(members);
        return;  // it is not known, then
    }
    communicators_used = std::max(communicators_used, at + 1);
    known[at] = {handle, members, size};
    Row& row = traffic->communicator[at];
    row.size.store(size, relaxed);
    row.own.store(own, relaxed);
    row.collectives.store(0, relaxed);
    row.received.store(0, relaxed);
    row.anonymous.store(0, relaxed);
    row.name.store(name, std::memory_order_release);
}

void forget_communicator(Word handle) {
    const std::uint32_t at = row_of(handle);
    if (at < 2 || at == most_communicators) {
        return;
    }
    if (requests_used != 0 && std::any_of(requests.begin(), requests.end(), [at](const Request& request) {
            return request.handle != 0 && request.operation.row == at;
        })) {
        doubt_traffic(doubt::unfollowed);  // it lives on until they are complete
        return;
    }
    traffic->communicator[at].name.store(0, std::memory_order_release);
    std::free(known[at].members);
    known[at] = {};
}

/// The communicator that a collective call on `parent` has made. All that take part in the call are at the same number
/// of collectives there, and of what is made by one call each has another first member.
void learn_communicator(Word made, std::uint32_t parent, std::uint64_t number) {
    const Word handle = handle_at(made, 0);
    if (handle == 0 || handle == library.no_communicator || row_of(handle) != most_communicators) {
        return;
    }
    int inter = 1;
    int size = 0;
    if (library.is_inter(handle, reinterpret_cast<Word>(&inter), 0, 0, 0) != 0 || inter != 0 ||
        library.size_of(handle, reinterpret_cast<Word>(&size), 0, 0, 0) != 0 || size <= 0) {
        return;
    }
    auto* members = static_cast<int*>(std::malloc(static_cast<std::size_t>(size) * 2 * sizeof(int)));
    if (members == nullptr) {
        return;
    }
    int* numbers = members + size;
    for (int i = 0; i < size; ++i) {
        numbers[i] = i;
    }
    Word group = 0;
    Word world = 0;
    const bool is_told = library.group_of(handle, reinterpret_cast<Word>(&group), 0, 0, 0) == 0 &&
                         library.group_of(library.world, reinterpret_cast<Word>(&world), 0, 0, 0) == 0 &&
                         library.translate(group, static_cast<Word>(size), reinterpret_cast<Word>(numbers), world,
                                           reinterpret_cast<Word>(members)) == 0;
    library.free_group(reinterpret_cast<Word>(&group), 0, 0, 0, 0);
    library.free_group(reinterpret_cast<Word>(&world), 0, 0, 0, 0);
    const int* own = std::find(members, members + size, own_rank);
    const bool makes_sense = is_told && own != members + size && *std::min_element(members, members + size) >= 0;
    if (!makes_sense) {
        std::free(members);
        return;
    }
    const std::uint64_t name =
        transport::watch::key_of_pair(traffic->communicator[parent].name.load(relaxed) + number, members[0], anything);
    add_communicator(handle, name, members, size, static_cast<int>(own - members));
}

// ---- counts ----

/// Its place for this key; null where there is no room.
Pair* pair_of(std::uint64_t key, std::size_t room) {
    for (std::size_t i = key & (most_pairs - 1);; i = (i + 1) & (most_pairs - 1)) {
        Pair& pair = traffic->pair[i];
        const std::uint64_t there = pair.key.load(relaxed);
        if (there == key) {
            return &pair;
        }
        if (there == 0) {
            if (pairs_used >= room) {
                return nullptr;
            }
            ++pairs_used;
            pair.key.store(key, std::memory_order_release);
            return &pair;
        }
    }
}

/// What was found last for some peers and tags.
struct Found {
    std::uint64_t name = 0;
    std::int32_t peer = 0;
    std::int32_t tag = 0;
    Pair* all = nullptr;
    Pair* one = nullptr;
};
std::array<Found, 256> found_last;

/// The slot of all tags must be there; that of one tag is worth having.
const Found& find_pairs(std::uint32_t row, int peer, int tag) {
    const std::uint64_t name = traffic->communicator[row].name.load(relaxed);
    const auto mixed = static_cast<std::uint32_t>(peer) * 31 + static_cast<std::uint32_t>(tag) + row * 7;
    Found& found = found_last[mixed % found_last.size()];
    if (found.name == name && found.peer == peer && found.tag == tag) {
        return found;
    }
    const auto key_of = [name](int of, int with) { return transport::watch::key_of_pair(name, of, with); };
    Pair* all = nullptr;
    if (peer != anything) {
        all = pair_of(key_of(peer, anything), most_pairs / 4 * 3);
        if (all == nullptr) {
            doubt_traffic(doubt::no_room);
        }
    }
    Pair* one = peer != anything && tag == anything ? all : pair_of(key_of(peer, tag), most_pairs / 2);
    if (one == nullptr) {
        traffic->tags_lost.store(1, relaxed);
    }
    return found = {name, peer, tag, all, one};
}

void begin_operation(Operation& operation) {
    operation.is_active = true;
    if (operation.kind == Kind::send) {
        if (operation.all != nullptr) {
            add(operation.all->sent, std::uint64_t{1});
        }
        operation.number = 0;
        if (operation.one != nullptr) {
            add(operation.one->sent, std::uint64_t{1});
            operation.number = operation.one->sent.load(relaxed);
        }
    } else if (operation.kind == Kind::receive && operation.one != nullptr) {
        add(operation.one->posted, std::uint64_t{1});
    }
}

void count_received(const Operation& operation, const int* sender) {
    Row& row = traffic->communicator[operation.row];
    add(row.received, std::uint64_t{1});
    Pair* all = operation.all;
    Pair* one = operation.one;
    if (operation.peer == anything || operation.tag == anything) {
        const int peer = operation.peer != anything ? operation.peer
                         : sender == nullptr        ? nobody
                                                    : peer_of(operation.row, sender[0]);
        if (peer < 0 || sender == nullptr) {
            add(row.anonymous, std::uint64_t{1});
            return;
        }
        const Found& found = find_pairs(operation.row, peer, sender[1]);
        all = found.all;
        one = found.one;
    }
    if (all != nullptr) {
        add(all->received, std::uint64_t{1});
    }
    if (one != nullptr && one != all) {
        add(one->received, std::uint64_t{1});
    }
}

void end_operation(Operation& operation, const int* sender) {
    if (!operation.is_active) {
        return;
    }
    operation.is_active = false;
    if (operation.kind == Kind::receive) {
        if (operation.one != nullptr) {
            add(operation.one->posted, ~std::uint64_t{0});
        }
        count_received(operation, sender);
    }
}

void need(const Operation& operation) {
    // Of very many the first say enough where all are needed, and else that not all are known.
    const bool is_last = needs_used + 1 >= transport::watch::most_needs;
    Need& need = traffic->need[needs_used];
    need.kind.store(is_last ? NeedKind::unknown : operation.needs, relaxed);
    need.communicator.store(operation.row, relaxed);
    need.peer.store(operation.peer, relaxed);
    need.tag.store(operation.tag, relaxed);
    need.number.store(operation.number, relaxed);
    needs_used += is_last ? 0 : 1;
    traffic->needs.store(needs_used + (is_last ? 1 : 0), relaxed);
}

// ---- requests ----

std::size_t place_of(Word handle) { return (handle * 0x9e3779b97f4a7c15) >> 50U & (most_requests - 1); }

Request* find_request(Word handle) {
    if (handle == 0) {
        return nullptr;
    }
    for (std::size_t i = place_of(handle);; i = (i + 1) & (most_requests - 1)) {
        if (requests[i].handle == handle) {
            return &requests[i];
        }
        if (requests[i].handle == 0) {
            return nullptr;
        }
    }
}

void forget_request(Request* request) {
    auto hole = static_cast<std::size_t>(request - requests.data());
    --requests_used;
    for (std::size_t i = (hole + 1) & (most_requests - 1); requests[i].handle != 0; i = (i + 1) & (most_requests - 1)) {
        const std::size_t home = place_of(requests[i].handle);
        if (((i - home) & (most_requests - 1)) >= ((i - hole) & (most_requests - 1))) {
            requests[hole] = requests[i];
            hole = i;
        }
    }
    requests[hole].handle = 0;
}

void keep_request(Word handle, const Operation& operation) {
    if (handle == 0 || handle == library.no_request || operation.kind == Kind::none) {
        return;
    }
    if (handle == always_complete) {
        return;
    }
    if (Request* old = find_request(handle)) {
        if (old->operation.kind == Kind::send && operation.kind == Kind::send && !operation.is_persistent) {
            // MPICH has one handle for all messages that were gone at once.
            always_complete = handle;
            forget_request(old);
        } else {
            doubt_traffic(doubt::unfollowed);  // what has become of the old one has gone unseen
        }
        return;
    }
    if (requests_used >= most_requests / 4 * 3) {
        doubt_traffic(doubt::no_room);
        return;
    }
    std::size_t i = place_of(handle);
    while (requests[i].handle != 0) {
        i = (i + 1) & (most_requests - 1);
    }
    requests[i] = {handle, operation};
    ++requests_used;
}

void complete(Word handle, const int* sender) {
    Request* request = find_request(handle);
    if (request == nullptr) {
        return;
    }
    end_operation(request->operation, sender);
    if (!request->operation.is_persistent) {
        forget_request(request);
    }
}

/// Remembers the requests of a call, which are others when it has ended.
void take_handles(const Shape& shape, const Word* words) {
    const int count = shape.count < 0 ? 1 : as_int(words[shape.count]);
    if (count < 0 || static_cast<std::size_t>(count) > most_in_call) {
        doubt_traffic(doubt::no_room);
        return;
    }
    handles_used = static_cast<std::size_t>(count);
    for (std::size_t i = 0; i < handles_used; ++i) {
        handles[i] = handle_at(words[shape.request], i);
    }
}

void need_requests(bool any) {
    traffic->any.store(any ? 1 : 0, relaxed);
    for (std::size_t i = 0; i < handles_used; ++i) {
        if (handles[i] == library.no_request || handles[i] == always_complete) {
            continue;
        }
        const Request* request = find_request(handles[i]);
        if (request == nullptr) {
            need(Operation{});
        } else if (request->operation.is_active) {
            need(request->operation);
        }
    }
}

void complete_requests(const Shape& shape, const Word* words) {
    const auto complete_at = [&](int index, std::size_t status) {
        if (index >= 0 && static_cast<std::size_t>(index) < handles_used) {
            complete(handles[static_cast<std::size_t>(index)], sender_in(words[shape.status], status));
        }
    };
    switch (shape.part) {
        case Part::complete_any:
            complete_at(*reinterpret_cast<const int*>(words[shape.index]), 0);
            return;
        case Part::complete_some: {
            const int count = *reinterpret_cast<const int*>(words[shape.outcount]);
            for (int i = 0; i < count; ++i) {
                complete_at(reinterpret_cast<const int*>(words[shape.index])[i], static_cast<std::size_t>(i));
            }
            return;
        }
        default:
            for (std::size_t i = 0; i < handles_used; ++i) {
                complete_at(static_cast<int>(i), i);
            }
    }
}

// ---- calls ----

void read_message(const Shape& shape, const Word* words, Kind kind, int peer, int tag, Operation& operation) {
    operation.kind = Kind::none;
    const std::uint32_t row = row_of(as_handle(words[shape.communicator]));
    if (row == most_communicators) {
        return;
    }
    const int number = peer_of(row, as_int(words[peer]));
    if (number == nobody) {
        return;
    }
    operation.kind = kind;
    operation.row = row;
    operation.peer = number;
    operation.tag = as_int(words[tag]);
    operation.is_persistent = shape.persistent;
    operation.is_active = false;
    operation.needs = kind == Kind::receive               ? NeedKind::message
                      : shape.sends == Sends::standard    ? NeedKind::room
                      : shape.sends == Sends::synchronous ? NeedKind::receipt
                                                          : NeedKind::unknown;
    const Found& found = find_pairs(row, number, operation.tag);
    operation.all = found.all;
    operation.one = found.one;
}

void begin_message(const Shape& shape, Operation& operation) {
    if (operation.kind == Kind::none || shape.persistent) {
        return;
    }
    begin_operation(operation);
    if (shape.request < 0) {
        need(operation);
    }
}

/// What this rank waits for in a collective, by its part in it.
Operation collective(const Shape& shape, const Word* words) {
    Operation operation;
    operation.row = row_of(as_handle(words[shape.communicator]));
    if (operation.row == most_communicators) {
        return {};
    }
    operation.kind = Kind::collective;
    operation.is_active = true;
    Row& row = traffic->communicator[operation.row];
    add(row.collectives, std::uint64_t{1});
    operation.number = row.collectives.load(relaxed);
    const bool has_data = shape.count < 0 || (shape.large ? words[shape.count] : as_int(words[shape.count])) != 0;
    const int root = shape.root < 0 ? nobody : as_int(words[shape.root]);
    const bool is_root = root >= 0 && root == row.own.load(relaxed);
    // With a root the others wait for it, or it for the others.
    const bool waits = shape.root < 0 || is_root == (shape.needs == NeedKind::all_enter);
    operation.needs = has_data && waits ? shape.needs : NeedKind::unknown;
    operation.peer = root < 0 ? anything : peer_of(operation.row, root);
    return operation;
}

}  // namespace

void doubt_traffic(std::uint32_t reason) noexcept {
    if (traffic != nullptr) {
        traffic->doubts.fetch_or(reason, relaxed);
    }
}

void begin_traffic(Traffic& board, const Library& in_use, int rank, int size, int thread_level,
                   std::uint32_t doubts) noexcept {
    traffic = &board;
    library = in_use;
    own_rank = rank;
    if (library.group_of == nullptr || library.free_group == nullptr || library.translate == nullptr ||
        library.size_of == nullptr || library.is_inter == nullptr) {
        return;
    }
    add_communicator(library.world, transport::watch::world_name, nullptr, size, rank);
    if (auto* own = static_cast<int*>(std::malloc(sizeof(int)))) {
        *own = rank;
        add_communicator(library.self, transport::watch::key_of_pair(0, rank, anything), own, 1, 0);
    }
    traffic->thread_level.store(static_cast<std::uint32_t>(thread_level), relaxed);
    traffic->doubts.store(doubts, std::memory_order_release);
}

void begin_call(const Shape& shape, const Word* words, bool waits) noexcept {
    if (traffic == nullptr || traffic->doubts.load(relaxed) != 0) {
        return;
    }
    if (needs_used != 0) {
        needs_used = 0;
    }
    traffic->needs.store(0, relaxed);
    switch (shape.part) {
        case Part::none:
            return;
        case Part::send:
            traffic->any.store(0, relaxed);
            read_message(shape, words, Kind::send, shape.peer, shape.tag, now[0]);
            begin_message(shape, now[0]);
            return;
        case Part::receive:
            traffic->any.store(0, relaxed);
            read_message(shape, words, Kind::receive, shape.peer, shape.tag, now[0]);
            begin_message(shape, now[0]);
            return;
        case Part::exchange:
            traffic->any.store(0, relaxed);
            read_message(shape, words, Kind::send, shape.peer, shape.tag, now[0]);
            read_message(shape, words, Kind::receive, shape.second_peer, shape.second_tag, now[1]);
            begin_message(shape, now[0]);
            begin_message(shape, now[1]);
            return;
        case Part::probe:
        case Part::matched_probe:
            read_message(shape, words, Kind::receive, shape.peer, shape.tag, now[0]);
            if (waits && now[0].kind != Kind::none) {
                traffic->any.store(0, relaxed);
                need(now[0]);
            }
            return;
        case Part::collective:
        case Part::make_communicator:
            now[0] = collective(shape, words);
            if (shape.request < 0 && now[0].kind != Kind::none) {
                traffic->any.store(0, relaxed);
                need(now[0]);
            }
            return;
        case Part::free_communicator:
            forget_communicator(handle_at(words[shape.request], 0));
            return;
        case Part::start:
            take_handles(shape, words);
            for (std::size_t i = 0; i < handles_used; ++i) {
                if (Request* request = find_request(handles[i])) {
                    begin_operation(request->operation);
                }
            }
            return;
        case Part::complete_one:
        case Part::complete_all:
        case Part::complete_any:
        case Part::complete_some:
            take_handles(shape, words);
            if (waits) {
                need_requests(shape.part == Part::complete_any || shape.part == Part::complete_some);
            }
            return;
        case Part::free_request:
            if (Request* request = find_request(handle_at(words[shape.request], 0))) {
                if (request->operation.is_active && request->operation.kind == Kind::receive) {
                    doubt_traffic(doubt::unfollowed);  // nobody will be told of its end
                }
                forget_request(request);
            }
            return;
        case Part::create_callback:
            traffic->callbacks.store(1, relaxed);
            return;
        case Part::create_error_handler:
            doubt_traffic(doubt::error_handlers);
            return;
        case Part::not_followed:
            doubt_traffic(doubt::unfollowed);
            return;
    }
}

void end_call(const Shape& shape, const Word* words, bool success, bool found) noexcept {
    if (traffic == nullptr || traffic->doubts.load(relaxed) != 0) {
        return;
    }
    if (!success) {
        doubt_traffic(doubt::failed_call);
        return;
    }
    switch (shape.part) {
        case Part::send:
            if (shape.request >= 0) {
                keep_request(handle_at(words[shape.request], 0), now[0]);
            }
            return;
        case Part::receive:
            if (shape.request >= 0) {
                keep_request(handle_at(words[shape.request], 0), now[0]);
            } else {
                end_operation(now[0], sender_in(words[shape.status], 0));
            }
            return;
        case Part::exchange:
            end_operation(now[1], sender_in(words[shape.status], 0));
            return;
        case Part::matched_probe:
            if (found && now[0].kind != Kind::none) {
                count_received(now[0], sender_in(words[shape.status], 0));
            }
            return;
        case Part::collective:
            if (shape.request >= 0) {
                keep_request(handle_at(words[shape.request], 0), now[0]);
            }
            return;
        case Part::make_communicator:
            if (shape.made >= 0 && now[0].kind != Kind::none) {
                learn_communicator(words[shape.made], now[0].row, now[0].number);
            }
            return;
        case Part::complete_one:
        case Part::complete_all:
        case Part::complete_any:
        case Part::complete_some:
            if (found) {
                complete_requests(shape, words);
            }
            return;
        default:
            return;
    }
}

}  // namespace dampi::piggyback::watch
