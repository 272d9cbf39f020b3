// A rank's log: facts that must survive the rank's death, in the room that the transport gives for it. A record
// becomes visible as a whole when the log's published length covers it. The reading side believes nothing:
// it checks every size and stops at the first record that makes no sense.
#pragma once

#include "transport/words.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace dampi::transport {

// Each record lists its fields once, for writing and for reading.

/// An executable or library of the rank's address space.
struct ModuleRecord {
    static constexpr std::uint32_t type = 1;
    std::uint64_t low = 0, high = 0, bias = 0;
    std::string path;
    void fields(auto& each) { each(low), each(high), each(bias), each(path); }
};

/// The addresses from here on name places in scripts.
inline constexpr std::uint64_t script_places = std::uint64_t{1} << 63;

/// The address `stack_places` + n names the call whose stack the rank has logged under the number n, where such a name
/// is asked for.
inline constexpr std::uint64_t stack_places = std::uint64_t{1} << 62;

[[nodiscard]] constexpr bool is_stack_place(std::uint64_t address) {
    return address >= stack_places && address < script_places;
}

/// A place in a program that an interpreter runs. The n-th such record of a rank says what the address `script_places`
/// + n stands for.
struct ScriptPlaceRecord {
    static constexpr std::uint32_t type = 23;
    std::uint32_t line = 0;
    std::string file, function;
    void fields(auto& each) { each(line), each(file), each(function); }
};

/// A datatype that the rank has used in a call: the next of its table (transport::TypeTable), with the items of a named
/// one, or the parts of another, three numbers each.
struct TypeRecord {
    static constexpr std::uint32_t type = 34;
    std::uint32_t maker = 0;  ///< TypeMaker
    std::string name;
    std::vector<std::uint32_t> items;
    std::vector<std::uint64_t> parts;
    void fields(auto& each) { each(maker), each(name), each(items), each(parts); }
};

/// TypedData.
struct TypedDataFields {
    std::uint64_t hash = 0, items = 0;
    std::uint32_t type = 0;
    void fields(auto& each) { each(hash), each(items), each(type); }
};
[[nodiscard]] constexpr TypedDataFields fields_of(const TypedData& data) {
    return {.hash = data.hash, .items = data.items, .type = data.type};
}
[[nodiscard]] constexpr TypedData data_of(const TypedDataFields& fields) {
    return {.hash = fields.hash, .items = fields.items, .type = fields.type};
}

/// A nondeterministic operation was issued. Of a polling call: its first; when it answers, another record with the
/// facts of that call (AnsweringRecord) takes the place of these.
struct EpochPostedRecord {
    static constexpr std::uint32_t type = 2;
    std::uint32_t index = 0, kind = 0;
    std::uint64_t comm = 0, order = 0, posted_at = 0, oldest_pending = 0, posted_clock = 0, site = 0;
    std::int32_t tag = 0;
    std::int32_t source = -1;  ///< any_source but for polling probes of a named source
    std::uint32_t forced = 0;
    std::string call;
    // replay::EpochContext, of the first call
    std::uint32_t zone = 0, bracketed = 0;
    std::uint32_t mixing_bound = no_mixing_bound;
    std::uint32_t stack = no_stack;        ///< StackRecord::number
    std::uint64_t previous_follow_up = 0;  ///< of the rank's epoch before
    std::string communicator_name;
    std::uint64_t operation = 0;  ///< operations that the rank's threads had issued, this one included
    TypedDataFields data;         ///< of a receive

    static constexpr std::uint32_t no_mixing_bound = ~std::uint32_t{0};
    static constexpr std::uint32_t no_stack = ~std::uint32_t{0};
    void fields(auto& each) {
        each(index), each(kind), each(comm), each(order), each(posted_at), each(oldest_pending), each(posted_clock),
            each(site), each(tag), each(source), each(forced), each(call), each(zone), each(bracketed),
            each(mixing_bound), each(stack), each(previous_follow_up), each(communicator_name), each(operation);
        data.fields(each);
    }
};

/// A further polling call of the stretch that is epoch `index`, whose first one EpochPostedRecord tells of. `poll`: its
/// number among the different calls of the stretch.
struct PollRecord {
    static constexpr std::uint32_t type = 33;
    std::uint32_t index = 0, poll = 0, kind = 0;
    std::uint32_t before = 0;  ///< false answers of the stretch until now
    std::uint64_t comm = 0, order = 0, posted_at = 0, oldest_pending = 0, posted_clock = 0, site = 0;
    std::int32_t tag = 0;
    std::int32_t source = -1;  ///< of probes; any_source
    std::string call;
    void fields(auto& each) {
        each(index), each(poll), each(kind), each(before), each(comm), each(order), each(posted_at),
            each(oldest_pending), each(posted_clock), each(site), each(tag), each(source), each(call);
    }
};

/// From the operation `before` of the rank on (EpochPostedRecord::operation counts them, too) it is this thread that
/// issues them; until the first such record it is the main thread.
struct ThreadTurnRecord {
    static constexpr std::uint32_t type = 22;
    std::uint32_t thread = 0;  ///< replay::ThreadName
    std::uint64_t before = 0;
    void fields(auto& each) { each(thread), each(before); }
};

/// A stretch of polling calls is over: its call of number `poll` answers now (false_answers were false before), or the
/// stretch is given up. If that call is a probe, with the facts of a receive.
struct AnsweringRecord {
    static constexpr std::uint32_t type = 3;
    std::uint32_t index = 0, false_answers = 0;
    std::uint32_t repetition = 0;              ///< replay::Repetition
    std::uint32_t turns_after = 0, round = 0;  ///< as replay::Epoch has them
    std::uint64_t order = 0, posted_at = 0, oldest_pending = 0, posted_clock = 0;
    std::uint32_t poll = 0;
    std::uint32_t timed = 0;            ///< 1: replay::Epoch::timed
    std::uint32_t released = 0;         ///< replay::Outcome::released
    std::vector<std::uint32_t> polled;  ///< replay::Epoch::polled; empty where all calls were the same
    void fields(auto& each) {
        each(index), each(false_answers), each(repetition), each(turns_after), each(round), each(order),
            each(posted_at), each(oldest_pending), each(posted_clock), each(poll), each(timed), each(released),
            each(polled);
    }
};

/// A receive that is no epoch, but pending when one was posted or chosen.
struct ReceivePostedRecord {
    static constexpr std::uint32_t type = 4;
    std::uint64_t comm = 0, order = 0, posted_at = 0, oldest_pending = 0, posted_clock = 0;
    std::int32_t source = 0, tag = 0;
    void fields(auto& each) {
        each(comm), each(order), each(posted_at), each(oldest_pending), each(posted_clock), each(source), each(tag);
    }
};

/// A recorded receive or probe (epoch or not) is known to have matched. Clocks as in clocks::Match.
struct MatchedRecord {
    static constexpr std::uint32_t type = 9;
    std::uint64_t order = 0, settled_at = 0, number = 0, final_clock = 0, past_clock = 0, after_clock = 0;
    std::int32_t source = 0, tag = 0;
    void fields(auto& each) {
        each(order), each(settled_at), each(number), each(final_clock), each(past_clock), each(after_clock),
            each(source), each(tag);
    }
};

/// A recorded receive is gone without a match (cancelled).
struct DroppedRecord {
    static constexpr std::uint32_t type = 10;
    std::uint64_t order = 0, settled_at = 0;
    void fields(auto& each) { each(order), each(settled_at); }
};

/// A ready send was called by somebody who did not know that the receive which has taken its message was posted.
struct UnsureReadyRecord {
    static constexpr std::uint32_t type = 32;
    std::uint64_t comm = 0;
    std::int32_t source = 0, tag = 0;
    std::uint64_t site = 0;  ///< of the send, in the sender
    void fields(auto& each) { each(comm), each(source), each(tag), each(site); }
};

/// A receive has taken a message whose data may not agree with what it asked for: the tables tell. `send_site`: in the
/// sender.
struct DifferingTypesRecord {
    static constexpr std::uint32_t type = 35;
    std::uint64_t comm = 0;
    std::int32_t source = 0, tag = 0;
    std::uint64_t send_site = 0, receive_site = 0;
    TypedDataFields sent, received;
    void fields(auto& each) {
        each(comm), each(source), each(tag), each(send_site), each(receive_site);
        sent.fields(each);
        received.fields(each);
    }
};

/// One of two calls that access the same bytes of a window, which nothing orders. The bytes are counted from the
/// beginning of the target's memory.
struct RaceFields {
    std::uint64_t site = 0;
    std::string call;
    std::int64_t first = 0, last = 0;  ///< bytes that it accesses, perhaps with gaps between them
    void fields(auto& each) { each(site), each(call), each(first), each(last); }
};

/// The rank's own access and that of `peer`, which may be the rank itself.
struct RaceRecord {
    static constexpr std::uint32_t type = 50;
    /// Stands for the target where both are the rank's own and use the same buffer of its: bytes are counted from where
    /// the first of both begins then.
    static constexpr std::int32_t buffer_of_origin = -1;
    std::uint64_t comm = 0;  ///< of the window
    std::string name;
    std::int32_t target = 0, peer = 0;
    std::int64_t met = 0;  ///< a byte that both access
    RaceFields own, theirs;
    void fields(auto& each) {
        each(comm), each(name), each(target), each(peer), each(met);
        own.fields(each);
        theirs.fields(each);
    }
};

/// A call on a window or a file that is wrong, and an earlier one that it contradicts (an empty name: none).
struct ContradictionRecord {
    static constexpr std::uint32_t type = 51;
    std::uint32_t kind = 0;  ///< replay::number_of(replay::ViolationKind)
    std::string message, call, arguments;
    std::uint64_t site = 0;
    std::int32_t earlier_rank = 0;
    std::string earlier_call;
    std::uint64_t earlier_site = 0;
    std::string earlier_what;
    void fields(auto& each) {
        each(kind), each(message), each(call), each(arguments), each(site), each(earlier_rank), each(earlier_call),
            each(earlier_site), each(earlier_what);
    }
};

/// A message that is late for an epoch.
struct LateMessageRecord {
    static constexpr std::uint32_t type = 11;
    std::uint64_t comm = 0, number = 0, taken_by = 0, clock = 0;
    std::int32_t source = 0, tag = 0;
    std::uint64_t site = 0;  ///< of the send, in the sender
    TypedDataFields data;
    void fields(auto& each) {
        each(comm), each(number), each(taken_by), each(clock), each(source), each(tag), each(site);
        data.fields(each);
    }
};

/// Request `position` of the call that is choice `index` is the recorded receive `order`.
struct CandidateRecord {
    static constexpr std::uint32_t type = 12;
    std::uint32_t index = 0, position = 0;
    std::uint64_t order = 0;
    std::uint32_t poll = 0;  ///< of a stretch of polling calls: the number of the call
    void fields(auto& each) { each(index), each(position), each(order), each(poll); }
};

/// Request `position` of choice `index`, which is no receive, has completed or could have: who knows of it knows
/// `clock`.
struct CompletableRecord {
    static constexpr std::uint32_t type = 13;
    std::uint32_t index = 0, position = 0;
    std::uint64_t clock = 0;
    std::uint32_t poll = 0;  ///< as in CandidateRecord
    void fields(auto& each) { each(index), each(position), each(clock), each(poll); }
};

/// The call of number `poll` of choice `index` asks for so many requests, and answers when all have completed.
struct AsksForAllRecord {
    static constexpr std::uint32_t type = 53;
    std::uint32_t index = 0, poll = 0, requests = 0;
    void fields(auto& each) { each(index), each(poll), each(requests); }
};

/// Choice `index` has reported these positions (none: a polling call given up, or nothing to report). Clocks as in
/// clocks::Match.
struct ChosenRecord {
    static constexpr std::uint32_t type = 14;
    std::uint32_t index = 0;
    std::uint64_t final_clock = 0, posted_clock = 0, past_clock = 0, after_clock = 0;
    std::vector<std::uint32_t> completed;
    void fields(auto& each) {
        each(index), each(final_clock), each(posted_clock), each(past_clock), each(after_clock), each(completed);
    }
};

/// What a rank published of its part in a collective (transport::Contribution).
struct PartFields {
    std::uint64_t site = 0, sent = 0, received = 0, arguments = 0;
    std::uint32_t operation = 0, reduction = 0;
    std::int32_t root = 0;
    TypedDataFields sent_data, received_data;
    void fields(auto& each) {
        each(site), each(sent), each(received), each(arguments), each(operation), each(reduction), each(root);
        sent_data.fields(each);
        received_data.fields(each);
    }
};

/// The rank and `peer` have entered collective `sequence` of `comm` with calls that contradict each other.
struct MismatchRecord {
    static constexpr std::uint32_t type = 20;
    std::uint64_t comm = 0, sequence = 0;
    std::int32_t peer = 0;
    PartFields own, theirs;
    void fields(auto& each) {
        each(comm), each(sequence), each(peer);
        own.fields(each);
        theirs.fields(each);
    }
};

/// Who is in a communicator (of an intercommunicator: in either group): world ranks as triples of the first of some,
/// how many they are, and the step between them. Written by the lowest of them.
struct CommunicatorMembersRecord {
    static constexpr std::uint32_t type = 21;
    std::uint64_t comm = 0;
    std::vector<std::uint32_t> ranges;
    void fields(auto& each) { each(comm), each(ranges); }
};

struct CommunicatorNameRecord {
    static constexpr std::uint32_t type = 5;
    std::uint64_t comm = 0;
    std::string name;
    void fields(auto& each) { each(comm), each(name); }
};

/// Another call of the rank that made a violation, which it is about, too: what is pending, what made or freed a
/// handle.
template <typename Text>
struct OtherCallOf {
    Text call;  ///< empty: none
    Text detail;
    std::uint64_t site = 0;
    void fields(auto& each) { each(call), each(detail), each(site); }
};

/// Something wrong in the program, seen by the rank itself.
template <typename Text>
struct ViolationOf {
    static constexpr std::uint32_t type = 6;
    std::uint32_t kind = 0;  ///< replay::number_of(replay::ViolationKind)
    Text message, call, detail;
    std::uint64_t site = 0;
    Text arguments = {};                                ///< of the call, in words
    std::array<OtherCallOf<Text>, 2> others = {};       ///< as many as there are
    std::uint32_t stack = EpochPostedRecord::no_stack;  ///< of the call: StackRecord::number, of one before this record
    void fields(auto& each) {
        each(kind), each(message), each(call), each(detail), each(site), each(arguments), each(stack);
        for (OtherCallOf<Text>& other : others) {
            other.fields(each);
        }
    }
};
using OtherCallFields = OtherCallOf<std::string>;
using ViolationRecord = ViolationOf<std::string>;
/// One that is written where nothing may be allocated.
using ViolationInPlace = ViolationOf<std::string_view>;

/// Something worth telling that is no violation.
struct NoteRecord : ViolationRecord {
    static constexpr std::uint32_t type = 15;
};

/// A call stack: addresses within the calling instructions, innermost first. The first of a rank has the number 0.
struct StackRecord {
    static constexpr std::uint32_t type = 16;
    std::uint32_t number = 0;
    std::vector<std::uint64_t> frames;
    void fields(auto& each) { each(number), each(frames); }
};

/// The rank met another operation than its decision names.
struct DivergenceRecord {
    static constexpr std::uint32_t type = 7;
    std::uint32_t index = 0;
    std::string message, call;
    std::uint64_t site = 0;
    void fields(auto& each) { each(index), each(message), each(call), each(site); }
};

/// A check of the layer's own failed.
struct InternalErrorRecord {
    static constexpr std::uint32_t type = 8;
    std::string text;
    void fields(auto& each) { each(text); }
};

/// MPI has not begun as dampi-run asked for, and the rank has ended: nothing can be said of the program.
struct UnsuitableRecord {
    static constexpr std::uint32_t type = 52;
    std::string text;  ///< a sentence that says what to do
    void fields(auto& each) { each(text); }
};

class LogWriter {
public:
    explicit LogWriter(const LogRoom& room) : room_(room) {}

    /// Appends one record. When the log is full nothing more is written and full() says so.
    template <typename Record>
    void append(Record record) {
        if (full_) {
            return;  // a gap would change what the rest means
        }
        Writer writer{room_.bytes, room_.capacity, room_.length->load(std::memory_order_relaxed)};
        const std::uint64_t start = writer.position;
        writer.position += sizeof(RecordHead);
        record.fields(writer);
        if (writer.overflow || writer.position > room_.capacity) {
            full_ = true;
            room_.full->store(1, std::memory_order_release);
            return;
        }
        const RecordHead head{static_cast<std::uint32_t>(writer.position - start), Record::type};
        std::memcpy(room_.bytes + start, &head, sizeof head);
        room_.length->store(writer.position, std::memory_order_release);
    }

    [[nodiscard]] bool full() const { return full_; }

private:
    friend class LogReader;
    struct RecordHead {
        std::uint32_t size;
        std::uint32_t type;
    };
    struct Writer {
        std::uint8_t* log;
        std::uint64_t capacity;
        std::uint64_t position;
        bool overflow = false;

        void bytes(const void* data, std::uint64_t size) {
            if (overflow || position + size > capacity) {
                overflow = true;
                return;
            }
            if (size == 0) {
                return;  // an empty vector has no data
            }
            std::memcpy(log + position, data, size);
            position += size;
        }
        template <typename T>
        void operator()(const T& value) {
            bytes(&value, sizeof value);
        }
        void operator()(const std::string_view& text) {
            const auto size = static_cast<std::uint32_t>(text.size());
            bytes(&size, sizeof size);
            bytes(text.data(), size);
        }
        void operator()(const std::string& text) { (*this)(std::string_view(text)); }
        template <typename T>
        void operator()(const std::vector<T>& values) {
            const auto size = static_cast<std::uint32_t>(values.size());
            bytes(&size, sizeof size);
            bytes(values.data(), sizeof(T) * size);
        }
    };

    LogRoom room_;
    bool full_ = false;
};

class LogReader {
public:
    explicit LogReader(const LogContent& content)
        : log_(content.bytes.data()), length_(content.bytes.size()), sound_(content.sound) {}

    /// Goes to the next record; false at the end or when the rest makes no sense (sound() tells which).
    bool next() {
        position_ = end_;
        if (position_ == length_) {
            return false;
        }
        LogWriter::RecordHead head{};
        if (length_ - position_ >= sizeof head) {
            std::memcpy(&head, log_ + position_, sizeof head);
        }
        if (head.size < sizeof head || head.size > length_ - position_) {
            sound_ = false;
            end_ = length_;
            return false;
        }
        end_ = position_ + head.size;
        position_ += sizeof head;
        type_ = head.type;
        return true;
    }

    [[nodiscard]] std::uint32_t type() const { return type_; }

    /// Reads the current record, whose type must be Record's; false when it does not have that form.
    template <typename Record>
    bool read(Record& record) {
        Parser parser{log_, position_, end_};
        record.fields(parser);
        if (parser.failed || parser.position != end_) {
            sound_ = false;
            return false;
        }
        return true;
    }

    [[nodiscard]] bool sound() const { return sound_; }

private:
    struct Parser {
        const std::uint8_t* log;
        std::uint64_t position;
        std::uint64_t end;
        bool failed = false;

        bool bytes(void* data, std::uint64_t size) {
            if (failed || size > end - position) {
                failed = true;
                return false;
            }
            if (size == 0) {
                return true;
            }
            std::memcpy(data, log + position, size);
            position += size;
            return true;
        }
        template <typename T>
        void operator()(T& value) {
            bytes(&value, sizeof value);
        }
        void operator()(std::string& text) {
            std::uint32_t size = 0;
            if (!bytes(&size, sizeof size) || size > end - position) {
                failed = true;
                return;
            }
            text.resize(size);
            bytes(text.data(), size);
        }
        template <typename T>
        void operator()(std::vector<T>& values) {
            std::uint32_t size = 0;
            if (!bytes(&size, sizeof size) || size > (end - position) / sizeof(T)) {
                failed = true;
                return;
            }
            values.resize(size);
            bytes(values.data(), sizeof(T) * size);
        }
    };

    const std::uint8_t* log_;
    std::uint64_t length_ = 0;
    std::uint64_t position_ = 0;
    std::uint64_t end_ = 0;
    std::uint32_t type_ = 0;
    bool sound_ = true;
};

}  // namespace dampi::transport
