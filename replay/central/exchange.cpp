#include "replay/central/exchange.hpp"

#include "clocks/check.hpp"
#include "replay/memory_file.hpp"

#include <cerrno>
#include <climits>
#include <cstring>
#include <ctime>
#include <utility>

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace dampi::replay::central {
namespace {

std::string system_error_text() { return std::strerror(errno); }

/// A ring that has run empty goes on from its beginning when it has come this far, so that it needs few pages.
constexpr std::uint64_t begin_again_from = 64 << 10;

constexpr std::uint64_t aligned(std::uint64_t size) { return (size + 7) / 8 * 8; }

}  // namespace

void sleep_while(FutexWord& word, std::uint32_t value, std::optional<std::chrono::nanoseconds> timeout) {
    timespec limit{};
    if (timeout) {
        limit.tv_sec = static_cast<time_t>(timeout->count() / 1'000'000'000);
        limit.tv_nsec = static_cast<long>(timeout->count() % 1'000'000'000);
    }
    // Shared between processes: no FUTEX_PRIVATE_FLAG.
    syscall(SYS_futex, &word, FUTEX_WAIT, value, timeout ? &limit : nullptr, nullptr, 0);
}

void wake(FutexWord& word) { syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0); }

void Exchange::adopt(int descriptor, std::uint64_t size) {
    void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, descriptor, 0);
    if (memory == MAP_FAILED) {
        throw Error("cannot map " + std::to_string(size >> 30) + " GiB of address space for the run's messages (" +
                    system_error_text() + "): raise the limit on virtual memory (ulimit -v)");
    }
    base_ = static_cast<std::uint8_t*>(memory);
    size_ = size;
    descriptor_ = descriptor;
}

Exchange Exchange::of_size(std::uint64_t size) {
    const int descriptor = memfd_create("dampi-exchange", MFD_CLOEXEC);
    if (descriptor < 0) {
        throw Error("cannot create the memory for the run's messages: " + system_error_text());
    }
    Exchange exchange;
    try {
        if (ftruncate(descriptor, static_cast<off_t>(size)) != 0) {
            throw Error("cannot size the memory for the run's messages: " + system_error_text());
        }
        exchange.adopt(descriptor, size);
    } catch (...) {
        close(descriptor);
        throw;
    }
    return exchange;
}

Exchange Exchange::create(std::uint32_t processes) {
    const std::uint64_t size = first_rank + rank_size * processes;
    Exchange exchange = of_size(size);
    exchange.processes_ = processes;
    ExchangeHeader& header = exchange.header();
    header.magic = exchange_magic;
    header.version = exchange_version;
    header.processes = processes;
    header.total_size = size;
    header.rank_size = rank_size;
    return exchange;
}

Exchange Exchange::attach(const char* path) {
    const int descriptor = open(path, O_RDWR | O_CLOEXEC);
    if (descriptor < 0) {
        throw Error("cannot open the run's messages " + std::string(path) + ": " + system_error_text());
    }
    Exchange exchange;
    try {
        struct stat facts {};
        if (fstat(descriptor, &facts) != 0 || static_cast<std::uint64_t>(facts.st_size) < first_rank) {
            throw Error(std::string(path) + " holds no messages of dampi-run");
        }
        const auto size = static_cast<std::uint64_t>(facts.st_size);
        exchange.adopt(descriptor, size);
        const ExchangeHeader& header = exchange.header();
        if (header.magic != exchange_magic || header.version != exchange_version || header.total_size != size ||
            header.rank_size != rank_size || size != first_rank + rank_size * header.processes) {
            throw Error(std::string(path) +
                        " was made by another version of dampi-run: use libdampi-central.so of the same build");
        }
        exchange.processes_ = header.processes;
    } catch (...) {
        if (!exchange) {
            close(descriptor);
        }
        throw;
    }
    return exchange;
}

Exchange Exchange::copy() const {
    Exchange made = of_size(size_);
    copy_touched_pages(descriptor_, base_, made.base_, size_);
    made.processes_ = processes_;
    made.header().scheduler_sleeps.store(0, std::memory_order_relaxed);
    return made;
}

void Exchange::let_go() {
    if (!keep_addresses_only(base_, size_)) {
        throw Error("cannot let the run's messages go: " + system_error_text());
    }
    close(std::exchange(descriptor_, -1));
}

void Exchange::attach_again(const char* path) {
    const int descriptor = open(path, O_RDWR | O_CLOEXEC);
    struct stat facts {};
    if (descriptor < 0 || fstat(descriptor, &facts) != 0 || static_cast<std::uint64_t>(facts.st_size) != size_ ||
        !map_there(base_, size_, descriptor)) {
        const std::string reason = system_error_text();
        if (descriptor >= 0) {
            close(descriptor);
        }
        throw Error("cannot open the run's messages " + std::string(path) + ": " + reason);
    }
    descriptor_ = descriptor;
}

std::uint64_t Exchange::memory() const { return memory_of(descriptor_); }

Exchange::~Exchange() {
    if (base_ != nullptr) {
        munmap(base_, size_);
        close(descriptor_);
    }
}

Exchange::Exchange(Exchange&& other) noexcept { *this = std::move(other); }

Exchange& Exchange::operator=(Exchange&& other) noexcept {
    std::swap(base_, other.base_);
    std::swap(size_, other.size_);
    std::swap(processes_, other.processes_);
    std::swap(descriptor_, other.descriptor_);
    return *this;
}

std::string Exchange::attach_path() const {
    return "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(descriptor_);
}

void Exchange::ring_doorbell() const {
    ExchangeHeader& own = header();
    own.doorbell.fetch_add(1, std::memory_order_seq_cst);
    if (own.scheduler_sleeps.load(std::memory_order_seq_cst) != 0 &&
        own.scheduler_sleeps.exchange(0, std::memory_order_seq_cst) != 0) {
        wake(own.doorbell);
    }
}

// ---- the rank's side ---------------------------------------------------------------------------------------

std::uint8_t* CallWriter::reserve(std::uint64_t size, std::uint32_t type) {
    size = aligned(size);
    DAMPI_CHECK(size <= longest_call);
    const ChannelHeader& channel = exchange_.channel(own_);
    std::uint8_t* ring = exchange_.ring(own_);
    std::uint64_t at = written_ % ring_capacity;
    const bool begin_again = at >= begin_again_from && channel.read.load(std::memory_order_acquire) == written_;
    if (at + size > ring_capacity || begin_again) {
        const std::uint64_t rest = ring_capacity - at;
        wait_for_room(written_ + rest);
        const CallHead nothing{static_cast<std::uint32_t>(rest), 0};
        std::memcpy(ring + at, &nothing, sizeof nothing);
        written_ += rest;
        at = 0;
    }
    wait_for_room(written_ + size);
    const CallHead head{static_cast<std::uint32_t>(size), type};
    std::memcpy(ring + at, &head, sizeof head);
    end_ = written_ + size;
    return ring + at + sizeof head;
}

void CallWriter::publish() {
    written_ = end_;
    exchange_.channel(own_).written.store(written_, std::memory_order_seq_cst);
}

void CallWriter::wait_for_room(std::uint64_t end) {
    ChannelHeader& channel = exchange_.channel(own_);
    while (end - channel.read.load(std::memory_order_acquire) > ring_capacity) {
        const std::uint32_t drained = channel.drained.load(std::memory_order_acquire);
        channel.wants_room.store(1, std::memory_order_seq_cst);
        // What was handed over so far, also the filling before a new beginning, must be read first.
        channel.written.store(written_, std::memory_order_seq_cst);
        exchange_.ring_doorbell();
        if (end - channel.read.load(std::memory_order_seq_cst) > ring_capacity) {
            sleep_while(channel.drained, drained);
        }
        channel.wants_room.store(0, std::memory_order_relaxed);
    }
}

void CallWriter::wake_for(clocks::Rank rank) const {
    if (exchange_.channel(rank).waiting.load(std::memory_order_seq_cst) != 0) {
        exchange_.ring_doorbell();
    }
}

void CallWriter::wake_for_any() const {
    if (exchange_.header().scheduler_sleeps.load(std::memory_order_seq_cst) == 0) {
        return;
    }
    for (std::uint32_t rank = 0; rank < exchange_.processes(); ++rank) {
        if (exchange_.channel(static_cast<clocks::Rank>(rank)).waiting.load(std::memory_order_seq_cst) != 0) {
            exchange_.ring_doorbell();
            return;
        }
    }
}

Answer CallWriter::await_answer() {
    ChannelHeader& channel = exchange_.channel(own_);
    const std::uint32_t before = asked_++;
    channel.waiting.store(1, std::memory_order_seq_cst);
    exchange_.ring_doorbell();
    while (channel.answered.load(std::memory_order_acquire) == before) {
        sleep_while(channel.answered, before);
    }
    channel.waiting.store(0, std::memory_order_relaxed);
    DAMPI_CHECK(channel.answer_size <= answer_capacity);
    Answer answer;
    FieldReader reader(exchange_.answer(own_), channel.answer_size);
    answer.fields(reader);
    DAMPI_CHECK(reader.sound());
    return answer;
}

// ---- the scheduler's side ----------------------------------------------------------------------------------

bool CallReader::next() {
    const std::uint64_t written = exchange_->channel(rank_).written.load(std::memory_order_acquire);
    while (sound_ && position_ != written) {
        const std::uint64_t at = position_ % ring_capacity;
        CallHead head{};
        const std::uint64_t available = written - position_;
        if (available >= sizeof head && available <= ring_capacity && at + sizeof head <= ring_capacity) {
            std::memcpy(&head, exchange_->ring(rank_) + at, sizeof head);
        }
        if (head.size < sizeof head || head.size % 8 != 0 || head.size > available || at + head.size > ring_capacity) {
            sound_ = false;
            return false;
        }
        position_ += head.size;
        if (head.type != 0) {
            body_ = exchange_->ring(rank_) + at + sizeof head;
            size_ = head.size - sizeof head;
            type_ = head.type;
            return true;
        }
    }
    return false;
}

void CallReader::release() {
    if (released_ == position_) {
        return;
    }
    released_ = position_;
    ChannelHeader& channel = exchange_->channel(rank_);
    channel.read.store(released_, std::memory_order_seq_cst);
    if (channel.wants_room.load(std::memory_order_seq_cst) != 0) {
        channel.drained.fetch_add(1, std::memory_order_seq_cst);
        wake(channel.drained);
    }
}

void CallReader::answer(Answer answer) {
    FieldSize size;
    answer.fields(size);
    DAMPI_CHECK(size.bytes() <= answer_capacity);
    FieldWriter writer(exchange_->answer(rank_));
    answer.fields(writer);
    ChannelHeader& channel = exchange_->channel(rank_);
    channel.answer_size = size.bytes();
    channel.answered.fetch_add(1, std::memory_order_seq_cst);
    wake(channel.answered);
}

}  // namespace dampi::replay::central
