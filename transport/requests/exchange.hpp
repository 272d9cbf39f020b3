// The memory through which the ranks of one run and the scheduler of the centralized engine talk: one anonymous memory
// file per run, made by dampi-run. Each rank has a ring of calls that it writes and dampi-run reads, a place for the
// answer to the call that it waits in, and room for data on its way (payload.hpp). Who waits sleeps in the kernel
// (futex); nobody polls.
//
// A rank hands a call over and goes on; it wakes the scheduler only where somebody may be waiting for this call. It
// waits itself where it needs an answer, or when its ring is full.
//
// dampi-run believes nothing that it reads here: positions, sizes and all values are checked, and what makes no sense
// ends the conversation with that rank. Everything is zero at first.
#pragma once

#include "base/types.hpp"
#include "transport/memory/memory_file.hpp"
#include "transport/requests/fields.hpp"
#include "transport/requests/protocol.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace dampi::transport::requests {

/// The rank's environment variable with the path to attach to.
inline constexpr const char* environment_variable = "DAMPI_EXCHANGE";

inline constexpr std::uint64_t ring_capacity = std::uint64_t{4} << 20;
inline constexpr std::uint64_t longest_call = ring_capacity / 2;
/// Sizes are virtual: only pages that are touched exist.
inline constexpr std::uint64_t answer_capacity = std::uint64_t{256} << 20;
inline constexpr std::uint64_t payload_capacity = std::uint64_t{16} << 30;

/// A word that one side sleeps on until the other changes it.
using FutexWord = std::atomic<std::uint32_t>;
static_assert(sizeof(FutexWord) == sizeof(std::uint32_t));

/// Sleeps while the word has this value; returns at the latest after `timeout`, and now and then for no reason.
void sleep_while(FutexWord& word, std::uint32_t value, std::optional<std::chrono::nanoseconds> timeout = std::nullopt);
/// Wakes all who sleep on the word, which has been changed before.
void wake(FutexWord& word);

/// Looks for a moment before somebody sleeps, for as long as it takes to wake up on another processor: where what he
/// waits for mostly comes within that.
class ShortWait {
public:
    /// Whether `is_there()` has said yes.
    template <typename IsThere>
    bool look(IsThere&& is_there) {
        constexpr int most_luck = 8;
        constexpr int price_of_failure = 2;
        constexpr int waits_without = 64;
        if (without_ != 0) {
            --without_;
            return false;
        }
        const bool found = look_for_a_moment(is_there);
        luck_ = found ? std::min(luck_ + 1, most_luck) : luck_ - price_of_failure;
        if (luck_ < 0) {
            luck_ = 0;
            without_ = waits_without;
        }
        return found;
    }

private:
    template <typename IsThere>
    static bool look_for_a_moment(IsThere& is_there) {
        constexpr std::chrono::microseconds moment{20};
        constexpr int looks_per_time = 16;
        const auto end = std::chrono::steady_clock::now() + moment;
        do {
            for (int i = 0; i < looks_per_time; ++i) {
                if (is_there()) {
                    return true;
                }
            }
        } while (std::chrono::steady_clock::now() < end);
        return false;
    }

    int luck_ = 4;
    int without_ = 0;  ///< so many waits have none
};

/// Before each call in a ring; calls are aligned to 8 bytes and never go round the end.
struct CallHead {
    std::uint32_t size;  ///< with this head
    std::uint32_t type;  ///< 0: nothing, up to the ring's end
};

struct alignas(64) ChannelHeader {
    std::atomic<std::uint64_t> written;  ///< bytes of calls handed over, in all
    alignas(64) std::atomic<std::uint64_t> read;
    FutexWord drained;                        ///< the scheduler counts it up when it has read and the rank wants room
    std::atomic<std::uint32_t> wants_room;    ///< 1: the rank sleeps on `drained`
    alignas(64) FutexWord answered;           ///< counts the answers; the rank sleeps on it
    std::atomic<std::uint32_t> waiting;       ///< 1: the rank waits for an answer
    std::atomic<std::uint32_t> sleeps;        ///< 1: it sleeps meanwhile
    std::uint64_t answer_size;                ///< bytes
    alignas(64) std::atomic<Place> released;  ///< of this rank's blocks, by those who have read them: a stack
};

struct alignas(64) ExchangeHeader {
    std::uint64_t magic;
    std::uint32_t version;
    std::uint32_t processes;
    std::uint32_t parts;  ///< of ranks, and perhaps one more for who brings what comes from other hosts
    std::uint32_t host;   ///< the number of the host whose ranks use this memory, among those of the run
    std::uint64_t total_size;
    std::uint64_t rank_size;
    /// A send in standard mode of fewer bytes is surely buffered: the rank need not wait for it. 0: none is.
    std::uint64_t buffered_below;
    std::uint32_t compares_states;  ///< 1: ranks may be asked for their state
    std::uint32_t state_without;    ///< bits of StateParts that are left out of it, in tests
    std::uint32_t compares_ends;    ///< 1: ranks say in MPI_Finalize what their memory is
    /// 1: who waits looks for a moment before it sleeps: there are processors that have nothing else to do.
    std::atomic<std::uint32_t> spins;
    alignas(64) FutexWord doorbell;                           ///< counts the calls for the scheduler
    alignas(64) std::atomic<std::uint32_t> scheduler_sleeps;  ///< 1: it sleeps on the doorbell
};

inline constexpr std::uint64_t exchange_magic = 0x31686378'706d6164;  // "dampxch1" on disk
inline constexpr std::uint32_t exchange_version = 5;

/// Who carries what the scheduler says to ranks that are on other hosts, and what these have said.
class Carrier {
public:
    virtual ~Carrier() = default;
    /// Brings the rank its answer. False: the rank is here, and finds the data that the answer speaks of here as well.
    virtual bool carry(base::Rank rank, Answer& answer) = 0;
    /// The calls of the rank are read up to there. False: the rank is here.
    virtual bool tell_read(base::Rank rank, std::uint64_t read) = 0;
    /// Whether what came of the rank made sense.
    [[nodiscard]] virtual bool makes_sense(base::Rank rank) const = 0;
};

class Exchange {
public:
    /// For the ranks of this host alone, or with one more part, `with_carrier`.
    enum class Reach : std::uint8_t { here, with_carrier };
    /// In `used` if that has the right size: memory of an earlier one, cleared. Throws dampi::Error when the system
    /// refuses the memory.
    static Exchange create(std::uint32_t processes, transport::memory::MemoryFile used = {}, Reach reach = Reach::here);
    /// In a rank: attaches to one by the path that attach_path() gave; `kept` (null: nothing) may have it mapped
    /// already. Throws dampi::Error when there is none.
    static Exchange attach(const char* path, transport::memory::KeptMappings* kept = nullptr);

    /// Another one with the same content. Nobody may write into this one meanwhile. Throws dampi::Error when the system
    /// refuses the memory.
    [[nodiscard]] Exchange copy() const;

    /// The memory in which all this is.
    [[nodiscard]] transport::memory::MemoryFile& file() { return file_; }
    [[nodiscard]] const transport::memory::MemoryFile& file() const { return file_; }

    [[nodiscard]] explicit operator bool() const { return file_.base() != nullptr; }
    [[nodiscard]] std::uint32_t processes() const { return processes_; }
    [[nodiscard]] ExchangeHeader& header() const { return *reinterpret_cast<ExchangeHeader*>(file_.base()); }
    [[nodiscard]] ChannelHeader& channel(base::Rank rank) const {
        return *reinterpret_cast<ChannelHeader*>(file_.base() + rank_offset(rank));
    }
    [[nodiscard]] std::uint8_t* ring(base::Rank rank) const { return file_.base() + rank_offset(rank) + ring_offset; }
    [[nodiscard]] std::uint8_t* answer(base::Rank rank) const {
        return file_.base() + rank_offset(rank) + answer_offset;
    }
    /// Outlives all who read and answer here.
    void carry_by(Carrier* carrier) { carrier_ = carrier; }
    [[nodiscard]] Carrier* carrier() const { return carrier_; }
    /// In whose part the data lies that a carrier has brought.
    [[nodiscard]] base::Rank carriers_part() const { return static_cast<base::Rank>(processes_); }

    [[nodiscard]] Place payload_begin(base::Rank rank) const { return rank_offset(rank) + payload_offset; }
    [[nodiscard]] Place payload_end(base::Rank rank) const { return rank_offset(rank) + rank_size; }
    /// The rank in whose part a place lies, of a place that has been checked.
    [[nodiscard]] base::Rank owner(Place place) const {
        return static_cast<base::Rank>((place - first_rank) / rank_size);
    }
    /// Whether a block with so many bytes can lie there, in some rank's part.
    [[nodiscard]] bool has_block(Place place, std::uint64_t bytes) const;
    /// For the ranks, which believe each other.
    [[nodiscard]] std::uint8_t* at(Place place) const { return file_.base() + place; }

    /// Lets the scheduler look: after something was handed over that somebody may wait for.
    void ring_doorbell() const;

private:
    static constexpr std::uint64_t ring_offset = 4096;
    static constexpr std::uint64_t answer_offset = ring_offset + ring_capacity;
    static constexpr std::uint64_t payload_offset = answer_offset + answer_capacity;
    static constexpr std::uint64_t rank_size = payload_offset + payload_capacity;
    static constexpr std::uint64_t first_rank = 4096;
    static_assert(sizeof(ChannelHeader) <= ring_offset && sizeof(ExchangeHeader) <= first_rank);

    [[nodiscard]] static std::uint64_t rank_offset(base::Rank rank) {
        return first_rank + rank_size * static_cast<std::uint64_t>(rank);
    }

    std::uint32_t processes_ = 0;
    transport::memory::MemoryFile file_;
    Carrier* carrier_ = nullptr;
};

/// The rank's side of its channel. One thread at a time.
class CallWriter {
public:
    CallWriter(const Exchange& exchange, base::Rank own) : exchange_(exchange), own_(own) {}

    /// Hands a call over that needs no answer, and wakes the scheduler where a rank waits that this may help.
    template <typename Call>
    void post(Call call) {
        static_assert(!Call::awaits);
        append(call);
        if constexpr (Call::type == SendCall::type) {
            wake_for(call.destination);
        } else if constexpr (Call::type == CollectiveCall::type || Call::type == ReceiveCall::type ||
                             Call::type == MatchedReceiveCall::type || Call::type == CancelCall::type ||
                             Call::type == AbortCall::type) {
            wake_for_any();
        }
    }

    /// Hands a call over and sleeps until its answer is there.
    template <typename Call>
    Answer ask(Call call) {
        hand_over(std::move(call));
        return await_answer();
    }
    /// Hands a call over that will be answered: await_answer().
    template <typename Call>
    void hand_over(Call call) {
        static_assert(Call::awaits);
        append(call);
    }
    /// After hand_over(), or after an answer that was not the last one to a call: sleeps until the next is there.
    Answer await_answer();

private:
    template <typename Call>
    void append(Call& call) {
        FieldSize size;
        call.fields(size);
        std::uint8_t* to = reserve(sizeof(CallHead) + size.bytes(), Call::type);
        FieldWriter writer(to);
        call.fields(writer);
        publish();
    }
    /// Room for a call in the ring, behind its head; waits for it.
    std::uint8_t* reserve(std::uint64_t size, std::uint32_t type);
    void publish();
    void wait_for_room(std::uint64_t end);
    void wake_for(base::Rank rank) const;
    void wake_for_any() const;

    const Exchange& exchange_;
    base::Rank own_;
    std::uint64_t written_ = 0;
    std::uint64_t end_ = 0;  ///< of the call that is being written
    std::uint32_t asked_ = 0;
    ShortWait short_wait_;
};

/// Tells a rank of this host that its calls are read up to there.
void give_room(const Exchange& exchange, base::Rank rank, std::uint64_t read);

/// The scheduler's side of one rank's channel.
class CallReader {
public:
    CallReader(const Exchange& exchange, base::Rank rank) : exchange_(&exchange), rank_(rank) {}
    /// Goes on where that one has come to, in a copy of its exchange.
    CallReader(const CallReader& other, const Exchange& copy) : CallReader(other) { exchange_ = &copy; }

    /// Goes to the next call; false when none is there, or nothing of this rank makes sense any more (sound()).
    bool next();
    [[nodiscard]] std::uint32_t type() const { return type_; }
    /// How much has been read, in all.
    [[nodiscard]] std::uint64_t position() const { return position_; }
    /// Reads the current call, whose type must be Call's; false when it does not have that form.
    template <typename Call>
    bool read(Call& call) {
        FieldReader reader(body_, size_);
        call.fields(reader);
        // What is behind the last field fills up to the alignment.
        sound_ = sound_ && reader.sound_up_to_padding();
        return sound_;
    }
    /// Gives the room of all calls read so far back to the rank.
    void release();
    [[nodiscard]] bool sound() const { return sound_; }
    /// What was read makes no sense for a reason that only the reader knows.
    void distrust() { sound_ = false; }

    /// Answers the call that the rank waits in.
    void answer(Answer answer);

private:
    const Exchange* exchange_;
    base::Rank rank_;
    std::uint64_t position_ = 0;
    std::uint64_t released_ = 0;
    const std::uint8_t* body_ = nullptr;
    std::uint64_t size_ = 0;
    std::uint32_t type_ = 0;
    bool sound_ = true;
};

/// Sleeps until a rank rings, or `timeout` is over. `look` reads all that has been handed over, and says whether there
/// was anything; it is asked once more after the ranks can see that the scheduler is going to sleep.
template <typename Look>
void await_doorbell(const Exchange& exchange, ShortWait& short_wait, std::chrono::nanoseconds timeout, Look&& look) {
    ExchangeHeader& header = exchange.header();
    if (header.spins.load(std::memory_order_relaxed) != 0 && short_wait.look(look)) {
        return;
    }
    const std::uint32_t rung = header.doorbell.load(std::memory_order_acquire);
    header.scheduler_sleeps.store(1, std::memory_order_seq_cst);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (!look()) {
        sleep_while(header.doorbell, rung, timeout);
    }
    header.scheduler_sleeps.store(0, std::memory_order_relaxed);
}

}  // namespace dampi::transport::requests
