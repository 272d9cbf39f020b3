#include "transport/requests/exchange.hpp"

#include "base/check.hpp"

#include <climits>
#include <cstring>
#include <ctime>
#include <utility>

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace dampi::transport::requests {
namespace {

constexpr const char* system_name = "dampi-exchange";
constexpr const char* what = "the memory for the run's messages";

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

Exchange Exchange::create(std::uint32_t processes, transport::memory::MemoryFile used, Reach reach) {
    const std::uint32_t parts = processes + (reach == Reach::with_carrier ? 1U : 0U);
    const std::uint64_t size = first_rank + rank_size * parts;
    Exchange exchange;
    exchange.file_ =
        used.size() == size ? std::move(used) : transport::memory::MemoryFile::create(system_name, what, size);
    exchange.processes_ = processes;
    ExchangeHeader& header = exchange.header();
    header.magic = exchange_magic;
    header.version = exchange_version;
    header.processes = processes;
    header.parts = parts;
    header.total_size = size;
    header.rank_size = rank_size;
    return exchange;
}

Exchange Exchange::attach(const char* path, transport::memory::KeptMappings* kept) {
    Exchange exchange;
    exchange.file_ = transport::memory::MemoryFile::attach(path, what, kept);
    const ExchangeHeader& header = exchange.header();
    const std::uint64_t size = exchange.file_.size();
    if (size < first_rank || header.magic != exchange_magic || header.version != exchange_version ||
        header.total_size != size || header.rank_size != rank_size || size != first_rank + rank_size * header.parts ||
        header.parts < header.processes) {
        throw Error(std::string(path) +
                    " holds no messages of this version of dampi-run: use libdampi-central.so of the same build");
    }
    exchange.processes_ = header.processes;
    return exchange;
}

Exchange Exchange::copy() const {
    Exchange made;
    made.file_ = file_.copy(system_name);
    made.processes_ = processes_;
    made.header().scheduler_sleeps.store(0, std::memory_order_relaxed);
    return made;
}

bool Exchange::has_block(Place place, std::uint64_t bytes) const {
    if (place < first_rank || place % 64 != 0 || place >= first_rank + rank_size * processes_) {
        return false;
    }
    const base::Rank rank = owner(place);
    constexpr std::uint64_t head = 64;  // BlockHead
    return place >= payload_begin(rank) && bytes <= payload_capacity && head + bytes <= payload_end(rank) - place;
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

void CallWriter::wake_for(base::Rank rank) const {
    if (exchange_.channel(rank).waiting.load(std::memory_order_seq_cst) != 0) {
        exchange_.ring_doorbell();
    }
}

void CallWriter::wake_for_any() const {
    if (exchange_.header().scheduler_sleeps.load(std::memory_order_seq_cst) == 0) {
        return;
    }
    for (std::uint32_t rank = 0; rank < exchange_.processes(); ++rank) {
        if (exchange_.channel(static_cast<base::Rank>(rank)).waiting.load(std::memory_order_seq_cst) != 0) {
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
    const auto is_answered = [&] { return channel.answered.load(std::memory_order_seq_cst) != before; };
    if (exchange_.header().spins.load(std::memory_order_relaxed) == 0 || !short_wait_.look(is_answered)) {
        channel.sleeps.store(1, std::memory_order_seq_cst);
        while (!is_answered()) {
            sleep_while(channel.answered, before);
        }
        channel.sleeps.store(0, std::memory_order_relaxed);
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
    sound_ = sound_ && (exchange_->carrier() == nullptr || exchange_->carrier()->makes_sense(rank_));
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
    if (exchange_->carrier() != nullptr && exchange_->carrier()->tell_read(rank_, released_)) {
        return;
    }
    give_room(*exchange_, rank_, released_);
}

void give_room(const Exchange& exchange, base::Rank rank, std::uint64_t read) {
    ChannelHeader& channel = exchange.channel(rank);
    channel.read.store(read, std::memory_order_seq_cst);
    if (channel.wants_room.load(std::memory_order_seq_cst) != 0) {
        channel.drained.fetch_add(1, std::memory_order_seq_cst);
        wake(channel.drained);
    }
}

void CallReader::answer(Answer answer) {
    if (exchange_->carrier() != nullptr && exchange_->carrier()->carry(rank_, answer)) {
        return;
    }
    FieldSize size;
    answer.fields(size);
    DAMPI_CHECK(size.bytes() <= answer_capacity);
    FieldWriter writer(exchange_->answer(rank_));
    answer.fields(writer);
    ChannelHeader& channel = exchange_->channel(rank_);
    channel.answer_size = size.bytes();
    channel.answered.fetch_add(1, std::memory_order_seq_cst);
    if (channel.sleeps.load(std::memory_order_seq_cst) != 0) {
        wake(channel.answered);
    }
}

}  // namespace dampi::transport::requests
