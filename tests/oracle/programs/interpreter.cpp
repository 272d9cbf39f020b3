// Executes a small MPI program that is given as data (its only argument is a file) with real MPI calls.
// The text is explained in tests/oracle/program.hpp. Aborts when MPI hands over what it must not: a message
// that its sender did not mean for this rank and tag, or a status that does not say where it came from.
//
// It imports nothing by which it could read a file, and reads its own without the C library's help: then its ranks come
// back with the centralized engine, as those of most programs do, though each run reads something else.

#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

struct Line {
    std::string name;
    std::vector<int> numbers;
    int comm = 0;
    int times = 1;
    bool persistent = false;
    std::size_t go_on = 0;  // of an if: the line after its else, or its end; of an else: its end
};

constexpr int any = -1;
constexpr int nobody = -2;

// A message has more data than what it says: it depends on its tag and communicator (message_bytes in
// tests/oracle/program.cpp).
constexpr int first_large_tag = 10;
constexpr int large = 2500;
constexpr int most_ints = large + 12;

using Buffer = std::shared_ptr<std::vector<int>>;

struct Slot {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Message message = MPI_MESSAGE_NULL;
    bool receives = false;
    bool done = false;
    bool cancelling = false;
    bool from_nobody = false;
    Buffer buffer;
    Buffer sent;  // of an isendrecv
    int comm = 0;
    int source = any;  // any: nothing received
    std::string collective;
    int root = 0;
    std::vector<int> given, got;
};

// A persistent request, and what it was made with.
struct Persistent {
    std::string name;
    std::vector<int> numbers;
    int comm = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    bool active = false;
    Buffer buffer;
};

int own_rank = 0;
int all_ranks = 0;
MPI_Comm communicators[4] = {MPI_COMM_WORLD, MPI_COMM_NULL, MPI_COMM_NULL, MPI_COMM_NULL};
std::vector<Persistent> persistents;

[[noreturn]] void fail(const std::string& why) {
    std::fprintf(stderr, "interpreter, rank %d: %s\n", own_rank, why.c_str());
    MPI_Abort(MPI_COMM_WORLD, 3);
    std::abort();
}

#if defined(__x86_64__)
long system_call(long number, long first, long second, long third) {
    long result = 0;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(first), "S"(second), "d"(third)
                     : "rcx", "r11", "memory");
    return result;
}
#else
#define system_call syscall
#endif

std::string content_of(const char* file) {
    const long descriptor = system_call(SYS_openat, AT_FDCWD, reinterpret_cast<long>(file), O_RDONLY);
    if (descriptor < 0) {
        fail(std::string("cannot read ") + file);
    }
    std::string content;
    char part[4096];
    for (long length = 0;
         (length = system_call(SYS_read, descriptor, reinterpret_cast<long>(part), sizeof part)) > 0;) {
        content.append(part, static_cast<std::size_t>(length));
    }
    system_call(SYS_close, descriptor, 0, 0);
    return content;
}

std::vector<Line> read_own_lines(const std::string& content) {
    std::istringstream input(content);
    std::vector<Line> lines;
    std::vector<std::size_t> open;
    int rank = -1;
    for (std::string text; std::getline(input, text);) {
        std::istringstream words(text.substr(0, text.find('#')));
        Line line;
        if (!(words >> line.name)) {
            continue;
        }
        for (std::string word; words >> word;) {
            if (word.front() == '@') {
                line.comm = std::atoi(word.c_str() + 1);
                continue;
            }
            if (word.front() == 'x' || word.front() == '%') {
                line.times = word.front() == 'x' ? std::atoi(word.c_str() + 1) : 1;
                line.persistent = word.front() == '%';
                continue;
            }
            if (word.front() == '^') {
                continue;  // every operation of a kind is called from the same place here
            }
            line.numbers.push_back(word == "any" ? any : word == "null" ? nobody : std::atoi(word.c_str()));
        }
        if (line.name == "ranks") {
            if (line.numbers.at(0) != all_ranks) {
                fail("started with another number of ranks than the program has");
            }
        } else if (line.name == "rank") {
            rank = line.numbers.at(0);
        } else if (rank == own_rank) {
            if (line.name == "else" || line.name == "end") {
                lines.at(open.back()).go_on = lines.size() + (line.name == "else" ? 1 : 0);
                open.pop_back();
            }
            if (line.name == "if" || line.name == "ifdone" || line.name == "else") {
                open.push_back(lines.size());
            }
            lines.push_back(line);
        }
    }
    return lines;
}

// Programs name ranks as in MPI_COMM_WORLD. The third communicator has them in the reverse order, the fourth is between
// the even and the odd ones.
int rank_in(int comm, int peer) {
    if (peer < 0) {
        return peer == any ? MPI_ANY_SOURCE : MPI_PROC_NULL;
    }
    return comm == 2 ? all_ranks - 1 - peer : comm == 3 ? peer / 2 : peer;
}

int world_rank(int comm, int peer) {
    if (peer == MPI_PROC_NULL) {
        return nobody;
    }
    return comm == 2 ? all_ranks - 1 - peer : comm == 3 ? 2 * peer + 1 - own_rank % 2 : peer;
}

int mpi_tag(int tag) { return tag == any ? MPI_ANY_TAG : tag; }

int ints_of(int tag, int comm) { return 3 + 2 * (tag % 3) + comm + (tag >= first_large_tag ? large : 0); }

// What every message says: who sent it, to whom, with which tag.
Buffer message_to(int destination, int tag, int comm) {
    auto buffer = std::make_shared<std::vector<int>>(static_cast<std::size_t>(ints_of(tag, comm)));
    std::copy_n(std::vector<int>{own_rank, destination, tag}.begin(), 3, buffer->begin());
    return buffer;
}

Buffer room_for_message() { return std::make_shared<std::vector<int>>(static_cast<std::size_t>(most_ints), any); }

void received(Slot& slot, const MPI_Status& status) {
    slot.done = true;
    if (slot.from_nobody) {
        return;  // MPICH's status of a nonblocking one is not what the standard says
    }
    slot.source = world_rank(slot.comm, status.MPI_SOURCE);
    int count = 0;
    MPI_Get_count(&status, MPI_INT, &count);
    const std::vector<int>& buffer = *slot.buffer;
    if (count != ints_of(status.MPI_TAG, slot.comm) || buffer[0] != slot.source || buffer[1] != own_rank ||
        buffer[2] != status.MPI_TAG) {
        fail("a message is not what its status says");
    }
}

// In the communicator of its collective.
int place_of(const Slot& slot) { return rank_in(slot.comm, own_rank); }

void check_collective(const Slot& slot) {
    const std::string& name = slot.collective;
    const int place = place_of(slot);
    const bool at_root = own_rank == slot.root;
    std::vector<int> expected(slot.got.size(), any);
    for (int i = 0; i < all_ranks; ++i) {
        const auto at = static_cast<std::size_t>(i);
        if (name == "allgather" || (name == "gather" && at_root)) {
            expected[at] = i;
        } else if (name == "alltoall") {
            expected[at] = 100 * i + place;
        }
    }
    if (name == "bcast") {
        expected[0] = 4711;
    } else if (name == "scatter") {
        expected[0] = 100 * rank_in(slot.comm, slot.root) + place;
    } else if (name == "allreduce" || (name == "reduce" && at_root)) {
        expected[0] = all_ranks * (all_ranks - 1) / 2;
    } else if (name == "scan") {
        expected[0] = place * (place + 1) / 2;
    } else if (name == "exscan" && place != 0) {
        expected[0] = place * (place - 1) / 2;
    }
    if (slot.got != expected) {
        fail("MPI_" + name + " has given something else than it should");
    }
}

// Begins one; blocking if `request` is null.
void begin_collective(Slot& slot, MPI_Request* request) {
    const std::string& name = slot.collective;
    MPI_Comm comm = communicators[slot.comm];
    const int root = rank_in(slot.comm, slot.root);
    const int place = place_of(slot);
    slot.given.assign(static_cast<std::size_t>(all_ranks), place);
    slot.got.assign(static_cast<std::size_t>(all_ranks), any);
    int* given = slot.given.data();
    int* got = slot.got.data();
    if (name == "alltoall" || name == "scatter") {
        for (int i = 0; i < all_ranks; ++i) {
            given[i] = 100 * place + i;
        }
    } else if (name == "bcast" && own_rank == slot.root) {
        got[0] = 4711;
    }
    const bool blocking = request == nullptr;
    if (name == "barrier") {
        blocking ? MPI_Barrier(comm) : MPI_Ibarrier(comm, request);
    } else if (name == "bcast") {
        blocking ? MPI_Bcast(got, 1, MPI_INT, root, comm) : MPI_Ibcast(got, 1, MPI_INT, root, comm, request);
    } else if (name == "reduce") {
        blocking ? MPI_Reduce(given, got, 1, MPI_INT, MPI_SUM, root, comm)
                 : MPI_Ireduce(given, got, 1, MPI_INT, MPI_SUM, root, comm, request);
    } else if (name == "allreduce") {
        blocking ? MPI_Allreduce(given, got, 1, MPI_INT, MPI_SUM, comm)
                 : MPI_Iallreduce(given, got, 1, MPI_INT, MPI_SUM, comm, request);
    } else if (name == "allgather") {
        blocking ? MPI_Allgather(given, 1, MPI_INT, got, 1, MPI_INT, comm)
                 : MPI_Iallgather(given, 1, MPI_INT, got, 1, MPI_INT, comm, request);
    } else if (name == "alltoall") {
        blocking ? MPI_Alltoall(given, 1, MPI_INT, got, 1, MPI_INT, comm)
                 : MPI_Ialltoall(given, 1, MPI_INT, got, 1, MPI_INT, comm, request);
    } else if (name == "gather") {
        blocking ? MPI_Gather(given, 1, MPI_INT, got, 1, MPI_INT, root, comm)
                 : MPI_Igather(given, 1, MPI_INT, got, 1, MPI_INT, root, comm, request);
    } else if (name == "scatter") {
        blocking ? MPI_Scatter(given, 1, MPI_INT, got, 1, MPI_INT, root, comm)
                 : MPI_Iscatter(given, 1, MPI_INT, got, 1, MPI_INT, root, comm, request);
    } else if (name == "scan") {
        blocking ? MPI_Scan(given, got, 1, MPI_INT, MPI_SUM, comm)
                 : MPI_Iscan(given, got, 1, MPI_INT, MPI_SUM, comm, request);
    } else {
        blocking ? MPI_Exscan(given, got, 1, MPI_INT, MPI_SUM, comm)
                 : MPI_Iexscan(given, got, 1, MPI_INT, MPI_SUM, comm, request);
    }
}

bool is_collective(const std::string& name) {
    static const char* const names[] = {"barrier",  "bcast",  "reduce",  "allreduce", "allgather",
                                        "alltoall", "gather", "scatter", "scan",      "exscan"};
    return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

// MPI has completed the slot's request.
void completed(Slot& slot, const MPI_Status& status) {
    for (Persistent& each : persistents) {
        each.active = each.active && each.request != slot.request;
    }
    slot.request = MPI_REQUEST_NULL;
    slot.done = true;
    int cancelled = 0;
    if (slot.cancelling) {
        MPI_Test_cancelled(&status, &cancelled);
    }
    if (!slot.collective.empty()) {
        check_collective(slot);
    } else if (slot.receives && cancelled == 0) {
        received(slot, status);
    }
}

std::vector<MPI_Request> requests_of(std::map<int, Slot>& slots, const std::vector<int>& names) {
    std::vector<MPI_Request> requests;
    for (auto name = names.begin(); name != names.end(); ++name) {
        const bool again = std::find(names.begin(), name, *name) != name;
        requests.push_back(again ? MPI_REQUEST_NULL : slots[*name].request);
    }
    return requests;
}

void wait_for(std::map<int, Slot>& slots, const std::vector<int>& names) {
    std::vector<MPI_Request> requests = requests_of(slots, names);
    const std::vector<MPI_Request> before = requests;
    std::vector<MPI_Status> statuses(names.size());
    if (names.size() == 1) {
        MPI_Wait(requests.data(), statuses.data());
    } else {
        MPI_Waitall(static_cast<int>(requests.size()), requests.data(), statuses.data());
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (before[i] != MPI_REQUEST_NULL) {
            completed(slots[names[i]], statuses[i]);
        }
    }
}

void wait_for_any(std::map<int, Slot>& slots, const std::vector<int>& names) {
    std::vector<MPI_Request> requests = requests_of(slots, names);
    int index = MPI_UNDEFINED;
    MPI_Status status;
    MPI_Waitany(static_cast<int>(requests.size()), requests.data(), &index, &status);
    if (index != MPI_UNDEFINED) {
        completed(slots[names.at(static_cast<std::size_t>(index))], status);
    }
}

void wait_for_some(std::map<int, Slot>& slots, const std::vector<int>& names) {
    std::vector<MPI_Request> requests = requests_of(slots, names);
    std::vector<int> indices(names.size());
    std::vector<MPI_Status> statuses(names.size());
    int count = 0;
    MPI_Waitsome(static_cast<int>(requests.size()), requests.data(), &count, indices.data(), statuses.data());
    for (int i = 0; count != MPI_UNDEFINED && i < count; ++i) {
        const auto at = static_cast<std::size_t>(i);
        completed(slots[names.at(static_cast<std::size_t>(indices[at]))], statuses[at]);
    }
}

// So often at the most, until it answers true.
template <typename Ask>
bool poll(int times, Ask&& ask) {
    for (; times > 0; --times) {
        if (ask()) {
            return true;
        }
    }
    return false;
}

void test_any(std::map<int, Slot>& slots, const std::vector<int>& names, int times) {
    std::vector<MPI_Request> requests = requests_of(slots, names);
    poll(times, [&] {
        int index = MPI_UNDEFINED;
        int flag = 0;
        MPI_Status status;
        MPI_Testany(static_cast<int>(requests.size()), requests.data(), &index, &flag, &status);
        if (flag != 0 && index != MPI_UNDEFINED) {
            completed(slots[names.at(static_cast<std::size_t>(index))], status);
        }
        return flag != 0;
    });
}

void test_some(std::map<int, Slot>& slots, const std::vector<int>& names, int times) {
    std::vector<MPI_Request> requests = requests_of(slots, names);
    poll(times, [&] {
        std::vector<int> indices(names.size());
        std::vector<MPI_Status> statuses(names.size());
        int count = 0;
        MPI_Testsome(static_cast<int>(requests.size()), requests.data(), &count, indices.data(), statuses.data());
        for (int i = 0; count != MPI_UNDEFINED && i < count; ++i) {
            const auto at = static_cast<std::size_t>(i);
            completed(slots[names.at(static_cast<std::size_t>(indices[at]))], statuses[at]);
        }
        return count != 0;
    });
}

void test_all(std::map<int, Slot>& slots, const std::vector<int>& names, int times) {
    std::vector<MPI_Request> requests = requests_of(slots, names);
    const std::vector<MPI_Request> before = requests;
    poll(times, [&] {
        int flag = 0;
        std::vector<MPI_Status> statuses(names.size());
        MPI_Testall(static_cast<int>(requests.size()), requests.data(), &flag, statuses.data());
        for (std::size_t i = 0; flag != 0 && i < names.size(); ++i) {
            if (before[i] != MPI_REQUEST_NULL) {
                completed(slots[names[i]], statuses[i]);
            }
        }
        return flag != 0;
    });
}

void get_status(Slot& slot, int times) {
    poll(times, [&] {
        int flag = 0;
        MPI_Status status;
        MPI_Request_get_status(slot.request, &flag, &status);
        return flag != 0;
    });
}

// Any kind of it.
void probe(Slot& slot, const Line& line) {
    const std::string& name = line.name;
    MPI_Comm comm = communicators[line.comm];
    const int source = rank_in(line.comm, line.numbers.at(1));
    const int tag = mpi_tag(line.numbers.at(2));
    MPI_Status status;
    int flag = 1;
    slot.comm = line.comm;
    if (name == "probe") {
        MPI_Probe(source, tag, comm, &status);
    } else if (name == "mprobe") {
        MPI_Mprobe(source, tag, comm, &slot.message, &status);
    } else {
        poll(line.times, [&] {
            if (name == "iprobe") {
                MPI_Iprobe(source, tag, comm, &flag, &status);
            } else {
                MPI_Improbe(source, tag, comm, &flag, &slot.message, &status);
            }
            return flag != 0;
        });
    }
    if (flag != 0) {
        slot.source = world_rank(line.comm, status.MPI_SOURCE);
        slot.done = true;
    }
}

// Into `slot`, nonblocking if it has another one than the probe.
void receive_matched(Slot& slot, Slot& probed) {
    if (probed.message == MPI_MESSAGE_NULL) {
        return;
    }
    const int expected = probed.source;
    slot.buffer = room_for_message();
    slot.comm = probed.comm;
    if (&slot != &probed) {
        slot.receives = true;
        MPI_Imrecv(slot.buffer->data(), most_ints, MPI_INT, &probed.message, &slot.request);
        return;
    }
    MPI_Status status;
    MPI_Mrecv(slot.buffer->data(), most_ints, MPI_INT, &probed.message, &status);
    received(slot, status);
    if (slot.source != expected) {
        fail("a matched receive is from another source than its probe");
    }
}

// A nonblocking send or receive.
void begin(Slot& slot, const Line& line) {
    const std::string& name = line.name;
    MPI_Comm comm = communicators[line.comm];
    const int peer = rank_in(line.comm, line.numbers.at(1));
    const int tag = line.numbers.at(2);
    slot.receives = name == "irecv";
    slot.from_nobody = line.numbers.at(1) == nobody;
    slot.comm = line.comm;
    if (line.persistent) {
        auto same = std::find_if(persistents.begin(), persistents.end(), [&](const Persistent& each) {
            return !each.active && each.request != MPI_REQUEST_NULL && each.name == name && each.comm == line.comm &&
                   each.numbers[1] == line.numbers[1] && each.numbers[2] == tag;
        });
        if (same == persistents.end()) {
            Persistent made;
            made.name = name;
            made.numbers = line.numbers;
            made.comm = line.comm;
            same = persistents.insert(persistents.end(), made);
            same->buffer = slot.receives ? room_for_message() : message_to(line.numbers.at(1), tag, line.comm);
            int* data = same->buffer->data();
            if (name == "irecv") {
                MPI_Recv_init(data, most_ints, MPI_INT, peer, mpi_tag(tag), comm, &same->request);
            } else if (name == "isend") {
                MPI_Send_init(data, ints_of(tag, line.comm), MPI_INT, peer, tag, comm, &same->request);
            } else {
                MPI_Ssend_init(data, ints_of(tag, line.comm), MPI_INT, peer, tag, comm, &same->request);
            }
        }
        same->active = true;
        slot.buffer = same->buffer;
        MPI_Start(&same->request);
        slot.request = same->request;
        return;
    }
    slot.buffer = slot.receives ? room_for_message() : message_to(line.numbers.at(1), tag, line.comm);
    int* data = slot.buffer->data();
    if (name == "irecv") {
        MPI_Irecv(data, most_ints, MPI_INT, peer, mpi_tag(tag), comm, &slot.request);
    } else if (name == "isend") {
        MPI_Isend(data, ints_of(tag, line.comm), MPI_INT, peer, tag, comm, &slot.request);
    } else {
        MPI_Issend(data, ints_of(tag, line.comm), MPI_INT, peer, tag, comm, &slot.request);
    }
}

void send(const Line& line) {
    MPI_Comm comm = communicators[line.comm];
    const int peer = rank_in(line.comm, line.numbers.at(0));
    const int tag = line.numbers.at(1);
    const Buffer buffer = message_to(line.numbers.at(0), tag, line.comm);
    const int count = static_cast<int>(buffer->size());
    if (line.name == "bsend") {
        MPI_Bsend(buffer->data(), count, MPI_INT, peer, tag, comm);
    } else if (line.name == "rsend") {
        MPI_Rsend(buffer->data(), count, MPI_INT, peer, tag, comm);
    } else if (line.name == "send") {
        MPI_Send(buffer->data(), count, MPI_INT, peer, tag, comm);
    } else {
        MPI_Ssend(buffer->data(), count, MPI_INT, peer, tag, comm);
    }
}

void send_and_receive(Slot& slot, const Line& line) {
    const std::vector<int>& numbers = line.numbers;
    const Buffer sent = message_to(numbers.at(3), numbers.at(4), line.comm);
    slot.buffer = room_for_message();
    slot.comm = line.comm;
    slot.from_nobody = numbers.at(1) == nobody;
    MPI_Status status;
    MPI_Sendrecv(sent->data(), static_cast<int>(sent->size()), MPI_INT, rank_in(line.comm, numbers.at(3)),
                 numbers.at(4), slot.buffer->data(), most_ints, MPI_INT, rank_in(line.comm, numbers.at(1)),
                 mpi_tag(numbers.at(2)), communicators[line.comm], &status);
    received(slot, status);
}

void begin_pair(Slot& slot, const Line& line) {
    const std::vector<int>& numbers = line.numbers;
    slot.sent = message_to(numbers.at(3), numbers.at(4), line.comm);
    slot.buffer = room_for_message();
    slot.comm = line.comm;
    slot.receives = true;
    slot.from_nobody = numbers.at(1) == nobody;
    MPI_Isendrecv(slot.sent->data(), static_cast<int>(slot.sent->size()), MPI_INT, rank_in(line.comm, numbers.at(3)),
                  numbers.at(4), slot.buffer->data(), most_ints, MPI_INT, rank_in(line.comm, numbers.at(1)),
                  mpi_tag(numbers.at(2)), communicators[line.comm], &slot.request);
}

void cancel(Slot& slot) {
    if (slot.request == MPI_REQUEST_NULL || !slot.receives || slot.cancelling) {
        return;
    }
    slot.cancelling = true;
    MPI_Cancel(&slot.request);
}

void free(Slot& slot) {
    if (slot.request == MPI_REQUEST_NULL || !slot.collective.empty()) {
        return;
    }
    for (Persistent& each : persistents) {
        if (each.request == slot.request) {
            each.request = MPI_REQUEST_NULL;
        }
    }
    MPI_Request_free(&slot.request);
}

void collective(std::map<int, Slot>& slots, const Line& line, std::vector<int>& requests) {
    const bool blocking = is_collective(line.name);
    Slot own;
    Slot& slot = blocking ? own : slots[line.numbers.at(0)];
    const std::size_t root = blocking ? 0 : 1;
    slot.collective = blocking ? line.name : line.name.substr(1);
    slot.comm = line.comm;
    slot.root = line.numbers.size() > root ? line.numbers[root] : 0;
    begin_collective(slot, blocking ? nullptr : &slot.request);
    if (blocking) {
        check_collective(slot);
    } else {
        requests.push_back(line.numbers.at(0));
    }
}

void execute(const std::vector<Line>& lines, std::map<int, Slot>& slots) {
    std::vector<int> requests;
    for (std::size_t at = 0; at < lines.size(); ++at) {
        const Line& line = lines[at];
        const std::string& name = line.name;
        const std::vector<int>& numbers = line.numbers;
        if (name == "send" || name == "ssend" || name == "bsend" || name == "rsend") {
            send(line);
        } else if (name == "isend" || name == "issend" || name == "irecv") {
            begin(slots[numbers.at(0)], line);
            requests.push_back(numbers.at(0));
        } else if (name == "recv") {
            Slot& slot = slots[numbers.at(0)];
            slot.comm = line.comm;
            slot.from_nobody = numbers.at(1) == nobody;
            slot.buffer = room_for_message();
            MPI_Status status;
            MPI_Recv(slot.buffer->data(), most_ints, MPI_INT, rank_in(line.comm, numbers.at(1)), mpi_tag(numbers.at(2)),
                     communicators[line.comm], &status);
            received(slot, status);
        } else if (name == "probe" || name == "mprobe" || name == "iprobe" || name == "improbe") {
            probe(slots[numbers.at(0)], line);
        } else if (name == "mrecv") {
            receive_matched(slots[numbers.at(0)], slots[numbers.at(0)]);
        } else if (name == "imrecv") {
            receive_matched(slots[numbers.at(0)], slots[numbers.at(1)]);
            requests.push_back(numbers.at(0));
        } else if (name == "sendrecv") {
            send_and_receive(slots[numbers.at(0)], line);
        } else if (name == "isendrecv") {
            begin_pair(slots[numbers.at(0)], line);
            requests.push_back(numbers.at(0));
        } else if (name == "wait") {
            wait_for(slots, numbers);
        } else if (name == "waitany") {
            wait_for_any(slots, numbers);
        } else if (name == "waitsome") {
            wait_for_some(slots, numbers);
        } else if (name == "testany") {
            test_any(slots, numbers, line.times);
        } else if (name == "testsome") {
            test_some(slots, numbers, line.times);
        } else if (name == "testall") {
            test_all(slots, numbers, line.times);
        } else if (name == "getstatus") {
            get_status(slots[numbers.at(0)], line.times);
        } else if (name == "cancel") {
            cancel(slots[numbers.at(0)]);
        } else if (name == "free") {
            free(slots[numbers.at(0)]);
        } else if (is_collective(name) || is_collective(name.substr(1))) {
            collective(slots, line, requests);
        } else if (name == "if") {
            if (slots[numbers.at(0)].source != numbers.at(1)) {
                at = lines[at].go_on - 1;
            }
        } else if (name == "test") {
            Slot& slot = slots[numbers.at(0)];
            MPI_Request request = slot.request;
            poll(line.times, [&] {
                int flag = 0;
                MPI_Status status;
                MPI_Test(&request, &flag, &status);
                if (flag != 0 && slot.request != MPI_REQUEST_NULL) {
                    completed(slot, status);
                }
                return flag != 0;
            });
        } else if (name == "bracket") {
            MPI_Pcontrol(numbers.empty() ? 1 : 2 + numbers.front());
        } else if (name == "unbracket") {
            MPI_Pcontrol(0);
        } else if (name == "ifdone") {
            if (!slots[numbers.at(0)].done) {
                at = lines[at].go_on - 1;
            }
        } else if (name == "else") {
            at = lines[at].go_on - 1;
        } else if (name != "end") {
            fail("there is no operation " + name);
        }
    }
    for (auto& [number, slot] : slots) {
        receive_matched(slot, slot);
    }
    wait_for(slots, requests);
    for (Persistent& each : persistents) {
        if (each.request != MPI_REQUEST_NULL) {
            MPI_Request_free(&each.request);
        }
    }
}

// Those that the program names, and the second.
void make_communicators(const std::string& content) {
    MPI_Comm_dup(MPI_COMM_WORLD, &communicators[1]);
    if (content.find("@2") != std::string::npos) {
        MPI_Comm_split(MPI_COMM_WORLD, 0, all_ranks - own_rank, &communicators[2]);
    }
    if (content.find("@3") != std::string::npos) {
        MPI_Comm half = MPI_COMM_NULL;
        MPI_Comm_split(MPI_COMM_WORLD, own_rank % 2, own_rank, &half);
        MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - own_rank % 2, 99, &communicators[3]);
        MPI_Comm_free(&half);
    }
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &own_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &all_ranks);
    if (argc != 2) {
        fail("needs one argument, the program's file");
    }
    const std::string content = content_of(argv[1]);
    make_communicators(content);
    std::vector<char> buffer(65536);
    MPI_Buffer_attach(buffer.data(), static_cast<int>(buffer.size()));
    const std::vector<Line> lines = read_own_lines(content);
    std::map<int, Slot> slots;  // a request that was freed may need its buffer until the end
    execute(lines, slots);
    int size = 0;
    MPI_Buffer_detach(buffer.data(), &size);
    for (int i = 1; i < 4; ++i) {
        if (communicators[i] != MPI_COMM_NULL) {
            MPI_Comm_free(&communicators[i]);
        }
    }
    MPI_Finalize();
    return 0;
}
