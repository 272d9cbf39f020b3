#include "replay/area/area.hpp"

#include "clocks/check.hpp"
#include "replay/buffering.hpp"
#include "replay/decision_threads.hpp"
#include "replay/memory_file.hpp"

#include <cerrno>
#include <cstring>
#include <map>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace dampi::replay::area {
namespace {

std::string system_error_text() { return std::strerror(errno); }

}  // namespace

void Area::adopt(int descriptor, std::uint64_t size) {
    void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, descriptor, 0);
    if (memory == MAP_FAILED) {
        throw Error("cannot map " + std::to_string(size >> 30) + " GiB of address space for the run's shared memory (" +
                    system_error_text() + "): raise the limit on virtual memory (ulimit -v)");
    }
    base_ = static_cast<std::uint8_t*>(memory);
    size_ = size;
    descriptor_ = descriptor;
}

Area Area::of_size(std::uint64_t size) {
    const int descriptor = memfd_create("dampi-run", MFD_CLOEXEC);
    if (descriptor < 0) {
        throw Error("cannot create the run's shared memory: " + system_error_text());
    }
    Area area;
    try {
        if (ftruncate(descriptor, static_cast<off_t>(size)) != 0) {
            throw Error("cannot size the run's shared memory: " + system_error_text());
        }
        area.adopt(descriptor, size);
    } catch (...) {
        close(descriptor);
        throw;
    }
    return area;
}

Area Area::create(std::uint32_t processes, const std::vector<Decision>& decisions, clocks::Protocol protocol) {
    const RankLayout layout = rank_layout(processes);
    std::uint64_t position_count = 0;
    std::uint64_t turn_count = 0;
    std::map<Rank, ThreadOrder::Turns> turns;
    for (std::size_t i = 0; i < decisions.size(); ++i) {
        position_count += decisions[i].outcome.completed.size();
        if (is_last_with_threads(decisions, i)) {
            const auto& of_rank = turns[decisions[i].epoch.rank] = decisions[i].threads.turns();
            turn_count += of_rank.size();
        }
    }
    const std::uint64_t entries_size = decisions.size() * sizeof(DecisionEntry);
    const std::uint64_t positions_size = position_count * sizeof(std::uint32_t);
    const std::uint64_t decisions_size =
        (entries_size + positions_size + turn_count * sizeof(TurnEntry) + 4095) / 4096 * 4096;
    const Offset ranks = 4096 + decisions_size;
    const std::uint64_t size = ranks + layout.size * processes;

    Area area = of_size(size);
    area.processes_ = processes;
    area.ranks_ = ranks;
    area.rank_size_ = layout.size;
    area.decisions_ = 4096;
    area.positions_ = area.decisions_ + entries_size;
    area.protocol_ = protocol;
    area.layout_ = layout;

    AreaHeader& header = area.header();
    header.magic = magic;
    header.version = layout_version;
    header.processes = processes;
    header.total_size = size;
    header.decisions = area.decisions_;
    header.decision_count = decisions.size();
    header.positions = area.positions_;
    header.protocol = static_cast<std::uint32_t>(protocol);
    header.rendezvous_threshold = no_rendezvous;
    header.ranks = ranks;
    header.rank_size = layout.size;

    auto* entries = &area.at<DecisionEntry>(area.decisions_);
    auto* positions = &area.at<std::uint32_t>(area.positions_);
    std::uint64_t position = 0;
    std::size_t index = 0;
    for (const Decision& decision : decisions) {
        DAMPI_CHECK(decision.epoch.rank >= 0 && decision.epoch.rank < static_cast<Rank>(processes));
        DAMPI_CHECK(index == 0 || decisions[index - 1].epoch < decision.epoch);
        RankHeader& rank = area.rank(decision.epoch.rank);
        if (rank.decisions_end == 0) {
            rank.decisions_begin = index;
        }
        entries[index] = {.rank = decision.epoch.rank,
                          .index = decision.epoch.index,
                          .comm = decision.comm,
                          .tag = decision.tag,
                          .source = decision.outcome.source,
                          .kind = static_cast<std::uint32_t>(decision.kind),
                          .open = decision.open ? 1U : 0U,
                          .false_answers = decision.outcome.false_answers,
                          .completed_count = static_cast<std::uint32_t>(decision.outcome.completed.size()),
                          .completed_begin = position};
        for (const std::uint32_t completed : decision.outcome.completed) {
            positions[position++] = completed;
        }
        ++index;
        rank.decisions_end = index;
    }
    Offset place = area.positions_ + positions_size;
    for (const auto& [rank, of_rank] : turns) {
        area.rank(rank).turns = place;
        area.rank(rank).turn_count = of_rank.size();
        for (const ThreadTurn& turn : of_rank) {
            area.at<TurnEntry>(place) = {.thread = turn.thread, .operations = turn.operations};
            place += sizeof(TurnEntry);
        }
    }
    return area;
}

Area Area::attach(const char* path) {
    const int descriptor = open(path, O_RDWR | O_CLOEXEC);
    if (descriptor < 0) {
        throw Error(std::string("cannot open the run's shared memory at ") + path + " (" + system_error_text() +
                    "): all ranks must run on the machine of dampi-run, as the same user");
    }
    Area area;
    struct stat status {};
    AreaHeader probe;  // copied before the whole is mapped
    if (fstat(descriptor, &status) != 0 ||
        pread(descriptor, static_cast<void*>(&probe), sizeof probe, 0) != static_cast<ssize_t>(sizeof probe) ||
        probe.magic != magic || probe.version != layout_version ||
        probe.total_size != static_cast<std::uint64_t>(status.st_size)) {
        close(descriptor);
        throw Error(std::string(path) + " is not the shared memory of a run of this version of dampi");
    }
    try {
        area.adopt(descriptor, probe.total_size);
    } catch (...) {
        close(descriptor);
        throw;
    }
    area.processes_ = probe.processes;
    area.ranks_ = probe.ranks;
    area.rank_size_ = probe.rank_size;
    area.decisions_ = probe.decisions;
    area.positions_ = probe.positions;
    area.protocol_ = static_cast<clocks::Protocol>(probe.protocol);
    area.layout_ = rank_layout(probe.processes);
    return area;
}

Area Area::copy() const {
    Area made = of_size(size_);
    copy_touched_pages(descriptor_, base_, made.base_, size_);
    made.processes_ = processes_;
    made.ranks_ = ranks_;
    made.rank_size_ = rank_size_;
    made.decisions_ = decisions_;
    made.positions_ = positions_;
    made.protocol_ = protocol_;
    made.layout_ = layout_;
    return made;
}

void Area::let_go() {
    if (!keep_addresses_only(base_, size_)) {
        throw Error("cannot let the run's shared memory go: " + system_error_text());
    }
    close(std::exchange(descriptor_, -1));
}

void Area::attach_again(const char* path) {
    const int descriptor = open(path, O_RDWR | O_CLOEXEC);
    struct stat status {};
    if (descriptor < 0 || fstat(descriptor, &status) != 0 || static_cast<std::uint64_t>(status.st_size) != size_ ||
        !map_there(base_, size_, descriptor)) {
        const std::string reason = system_error_text();
        if (descriptor >= 0) {
            close(descriptor);
        }
        throw Error("cannot attach to the run's shared memory at " + std::string(path) + ": " + reason);
    }
    descriptor_ = descriptor;
}

std::uint64_t Area::memory() const { return memory_of(descriptor_); }

Area::~Area() {
    if (base_ != nullptr) {
        munmap(base_, size_);
        close(descriptor_);
    }
}

Area::Area(Area&& other) noexcept { *this = std::move(other); }

Area& Area::operator=(Area&& other) noexcept {
    std::swap(base_, other.base_);
    std::swap(size_, other.size_);
    std::swap(processes_, other.processes_);
    std::swap(ranks_, other.ranks_);
    std::swap(rank_size_, other.rank_size_);
    std::swap(decisions_, other.decisions_);
    std::swap(positions_, other.positions_);
    std::swap(protocol_, other.protocol_);
    std::swap(layout_, other.layout_);
    std::swap(descriptor_, other.descriptor_);
    return *this;
}

std::string Area::attach_path() const {
    return "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(descriptor_);
}

}  // namespace dampi::replay::area
