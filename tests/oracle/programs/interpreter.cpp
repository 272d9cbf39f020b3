// Executes a small MPI program that is given as data (its only argument is a file) with real MPI calls.
// The text is explained in tests/oracle/program.hpp. Aborts when MPI hands over what it must not: a message
// that its sender did not mean for this rank and tag, or a status that does not say where it came from.

#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace {

struct Line {
    std::string name;
    std::vector<int> numbers;
    std::size_t go_on = 0;  // of an if: the line after its else, or its end; of an else: its end
};

struct Slot {
    MPI_Request request = MPI_REQUEST_NULL;
    bool receives = false;
    int buffer[3] = {-1, -1, -1};
    int source = -1;  // -1: nothing received
};

int own_rank = 0;

[[noreturn]] void fail(const std::string& why) {
    std::fprintf(stderr, "interpreter, rank %d: %s\n", own_rank, why.c_str());
    MPI_Abort(MPI_COMM_WORLD, 3);
    std::abort();
}

std::vector<Line> read_own_lines(const char* file, int ranks) {
    std::ifstream input(file);
    if (!input) {
        fail(std::string("cannot read ") + file);
    }
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
            if (line.name == "if" || line.name == "else") {
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

void received(Slot& slot, const MPI_Status& status) {
    int count = 0;
    MPI_Get_count(&status, MPI_INT, &count);
    if (count != 3 || slot.buffer[0] != status.MPI_SOURCE || slot.buffer[1] != own_rank ||
        slot.buffer[2] != status.MPI_TAG) {
        fail("a message is not what its status says");
    }
    slot.source = status.MPI_SOURCE;
}

void wait_for(std::map<int, Slot>& slots, const std::vector<int>& names) {
    std::vector<MPI_Request> requests;
    std::vector<MPI_Status> statuses(names.size());
    for (const int name : names) {
        requests.push_back(slots[name].request);
        slots[name].request = MPI_REQUEST_NULL;
    }
    std::vector<bool> receives;
    for (std::size_t i = 0; i < names.size(); ++i) {
        receives.push_back(requests[i] != MPI_REQUEST_NULL && slots[names[i]].receives);
    }
    if (names.size() == 1) {
        MPI_Wait(requests.data(), statuses.data());
    } else {
        MPI_Waitall(static_cast<int>(requests.size()), requests.data(), statuses.data());
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (receives[i]) {
            received(slots[names[i]], statuses[i]);
        }
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
        MPI_Status status;
        if (name == "send" || name == "ssend") {
            int buffer[3];
            fill(buffer, numbers.at(0), numbers.at(1));
            if (name == "send") {
                MPI_Send(buffer, 3, MPI_INT, numbers.at(0), numbers.at(1), MPI_COMM_WORLD);
            } else {
                MPI_Ssend(buffer, 3, MPI_INT, numbers.at(0), numbers.at(1), MPI_COMM_WORLD);
            }
        } else if (name == "isend" || name == "issend") {
            Slot& slot = slots[numbers.at(0)];
            fill(slot.buffer, numbers.at(1), numbers.at(2));
            if (name == "isend") {
                MPI_Isend(slot.buffer, 3, MPI_INT, numbers.at(1), numbers.at(2), MPI_COMM_WORLD, &slot.request);
            } else {
                MPI_Issend(slot.buffer, 3, MPI_INT, numbers.at(1), numbers.at(2), MPI_COMM_WORLD, &slot.request);
            }
            requests.push_back(numbers.at(0));
        } else if (name == "recv") {
            Slot& slot = slots[numbers.at(0)];
            MPI_Recv(slot.buffer, 3, MPI_INT, source(), tag(), MPI_COMM_WORLD, &status);
            received(slot, status);
        } else if (name == "irecv") {
            Slot& slot = slots[numbers.at(0)];
            slot.receives = true;
            MPI_Irecv(slot.buffer, 3, MPI_INT, source(), tag(), MPI_COMM_WORLD, &slot.request);
            requests.push_back(numbers.at(0));
        } else if (name == "probe") {
            MPI_Probe(source(), tag(), MPI_COMM_WORLD, &status);
            slots[numbers.at(0)].source = status.MPI_SOURCE;
        } else if (name == "wait") {
            wait_for(slots, numbers);
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
    execute(read_own_lines(argv[1], ranks));
    MPI_Finalize();
    return 0;
}
