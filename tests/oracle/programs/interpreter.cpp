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
    MPI_Comm comm = MPI_COMM_WORLD;
    std::size_t go_on = 0;  // of an if: the line after its else, or its end; of an else: its end
};

// A message has more data than what it says: it depends on its tag and communicator (message_bytes in
// tests/oracle/program.cpp).
constexpr int most_ints = 8;

struct Slot {
    MPI_Request request = MPI_REQUEST_NULL;
    bool receives = false;
    bool done = false;
    int buffer[most_ints] = {-1, -1, -1};
    MPI_Comm comm = MPI_COMM_WORLD;
    int source = -1;  // -1: nothing received
};

int own_rank = 0;
MPI_Comm second_comm = MPI_COMM_NULL;

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

std::vector<Line> read_own_lines(const char* file, int ranks) {
    std::istringstream input(content_of(file));
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
                line.comm = word == "@1" ? second_comm : MPI_COMM_WORLD;
                continue;
            }
            if (word.front() == '^') {
                continue;  // every operation of a kind is called from the same place here
            }
            line.numbers.push_back(word == "any" ? -1 : std::atoi(word.c_str()));
        }
        if (line.name == "ranks") {
            if (line.numbers.at(0) != ranks) {
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

// What every message says: who sent it, to whom, with which tag.
void fill(int* buffer, int destination, int tag) {
    buffer[0] = own_rank;
    buffer[1] = destination;
    buffer[2] = tag;
}

int ints_of(int tag, MPI_Comm comm) { return 3 + 2 * (tag % 3) + (comm == MPI_COMM_WORLD ? 0 : 1); }

void received(Slot& slot, const MPI_Status& status) {
    int count = 0;
    MPI_Get_count(&status, MPI_INT, &count);
    if (count != ints_of(status.MPI_TAG, slot.comm) || slot.buffer[0] != status.MPI_SOURCE ||
        slot.buffer[1] != own_rank || slot.buffer[2] != status.MPI_TAG) {
        fail("a message is not what its status says");
    }
    slot.source = status.MPI_SOURCE;
    slot.done = true;
}

// MPI has set `request`, the slot's, to MPI_REQUEST_NULL.
void completed(Slot& slot, const MPI_Status& status) {
    slot.request = MPI_REQUEST_NULL;
    slot.done = true;
    if (slot.receives) {
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

void execute(const std::vector<Line>& lines) {
    std::map<int, Slot> slots;
    std::vector<int> requests;
    for (std::size_t at = 0; at < lines.size(); ++at) {
        const std::string& name = lines[at].name;
        const std::vector<int>& numbers = lines[at].numbers;
        const auto source = [&] { return numbers.at(1) == -1 ? MPI_ANY_SOURCE : numbers.at(1); };
        const auto tag = [&] { return numbers.at(2) == -1 ? MPI_ANY_TAG : numbers.at(2); };
        const MPI_Comm comm = lines[at].comm;
        MPI_Status status;
        if (name == "send" || name == "ssend" || name == "bsend") {
            int buffer[most_ints] = {};
            fill(buffer, numbers.at(0), numbers.at(1));
            const int count = ints_of(numbers.at(1), comm);
            if (name == "bsend") {
                MPI_Bsend(buffer, count, MPI_INT, numbers.at(0), numbers.at(1), comm);
            } else if (name == "send") {
                MPI_Send(buffer, count, MPI_INT, numbers.at(0), numbers.at(1), comm);
            } else {
                MPI_Ssend(buffer, count, MPI_INT, numbers.at(0), numbers.at(1), comm);
            }
        } else if (name == "isend" || name == "issend") {
            Slot& slot = slots[numbers.at(0)];
            fill(slot.buffer, numbers.at(1), numbers.at(2));
            const int count = ints_of(numbers.at(2), comm);
            if (name == "isend") {
                MPI_Isend(slot.buffer, count, MPI_INT, numbers.at(1), numbers.at(2), comm, &slot.request);
            } else {
                MPI_Issend(slot.buffer, count, MPI_INT, numbers.at(1), numbers.at(2), comm, &slot.request);
            }
            requests.push_back(numbers.at(0));
        } else if (name == "recv") {
            Slot& slot = slots[numbers.at(0)];
            slot.comm = comm;
            MPI_Recv(slot.buffer, most_ints, MPI_INT, source(), tag(), comm, &status);
            received(slot, status);
        } else if (name == "irecv") {
            Slot& slot = slots[numbers.at(0)];
            slot.receives = true;
            slot.comm = comm;
            MPI_Irecv(slot.buffer, most_ints, MPI_INT, source(), tag(), comm, &slot.request);
            requests.push_back(numbers.at(0));
        } else if (name == "probe") {
            MPI_Probe(source(), tag(), comm, &status);
            slots[numbers.at(0)].source = status.MPI_SOURCE;
            slots[numbers.at(0)].done = true;
        } else if (name == "wait") {
            wait_for(slots, numbers);
        } else if (name == "waitany") {
            wait_for_any(slots, numbers);
        } else if (name == "waitsome") {
            wait_for_some(slots, numbers);
        } else if (name == "barrier") {
            MPI_Barrier(MPI_COMM_WORLD);
        } else if (name == "bcast") {
            int value = own_rank == numbers.at(0) ? 4711 : 0;
            MPI_Bcast(&value, 1, MPI_INT, numbers.at(0), MPI_COMM_WORLD);
            if (value != 4711) {
                fail("MPI_Bcast lost its value");
            }
        } else if (name == "reduce") {
            int one = 1;
            int sum = 0;
            int ranks = 0;
            MPI_Comm_size(MPI_COMM_WORLD, &ranks);
            MPI_Reduce(&one, &sum, 1, MPI_INT, MPI_SUM, numbers.at(0), MPI_COMM_WORLD);
            if (own_rank == numbers.at(0) && sum != ranks) {
                fail("MPI_Reduce lost a value");
            }
        } else if (name == "if") {
            if (slots[numbers.at(0)].source != numbers.at(1)) {
                at = lines[at].go_on - 1;
            }
        } else if (name == "test") {
            Slot& slot = slots[numbers.at(0)];
            MPI_Request request = slot.request;
            int flag = 0;
            MPI_Test(&request, &flag, &status);
            if (flag != 0 && slot.request != MPI_REQUEST_NULL) {
                completed(slot, status);
            }
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
    wait_for(slots, requests);
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &own_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc != 2) {
        fail("needs one argument, the program's file");
    }
    MPI_Comm_dup(MPI_COMM_WORLD, &second_comm);
    std::vector<char> buffer(4096);
    MPI_Buffer_attach(buffer.data(), static_cast<int>(buffer.size()));
    execute(read_own_lines(argv[1], ranks));
    int size = 0;
    MPI_Buffer_detach(buffer.data(), &size);
    MPI_Comm_free(&second_comm);
    MPI_Finalize();
    return 0;
}
