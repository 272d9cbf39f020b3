// A rank's log: facts that must survive the rank's death, appended to its part of the shared area. A record
// becomes visible as a whole when the log's published length covers it. The reading side believes nothing:
// it checks every size and stops at the first record that makes no sense.
#pragma once

#include "replay/area/area.hpp"

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace dampi::replay::area {

// Each record lists its fields once, for writing and for reading.

/// An executable or library of the rank's address space.
struct ModuleRecord {
    static constexpr std::uint32_t type = 1;
    std::uint64_t low = 0, high = 0, bias = 0;
    std::string path;
    void fields(auto& each) { each(low), each(high), each(bias), each(path); }
};

/// A nondeterministic operation was issued.
struct EpochPostedRecord {
    static constexpr std::uint32_t type = 2;
    std::uint32_t index = 0, kind = 0;
    std::uint64_t comm = 0, order = 0, posted_clock = 0, site = 0;
    std::int32_t tag = 0;
    std::uint32_t forced = 0;
    std::string call;
    void fields(auto& each) {
        each(index), each(kind), each(comm), each(order), each(posted_clock), each(site), each(tag), each(forced),
            each(call);
    }
};

/// An epoch is known to have matched.
struct EpochMatchedRecord {
    static constexpr std::uint32_t type = 3;
    std::uint32_t index = 0;
    std::uint64_t final_clock = 0, number = 0;
    std::int32_t source = 0, tag = 0;
    std::uint32_t synchronous = 0;  ///< the message was sent in synchronous mode
    void fields(auto& each) {
        each(index), each(final_clock), each(number), each(source), each(tag), each(synchronous);
    }
};

/// A late message could have matched an epoch; replaces an earlier record of the same epoch and source.
struct PotentialMatchRecord {
    static constexpr std::uint32_t type = 4;
    std::uint32_t epoch = 0;
    std::int32_t source = 0, tag = 0;
    std::uint64_t number = 0;
    void fields(auto& each) { each(epoch), each(source), each(tag), each(number); }
};

struct CommunicatorNameRecord {
    static constexpr std::uint32_t type = 5;
    std::uint64_t comm = 0;
    std::string name;
    void fields(auto& each) { each(comm), each(name); }
};

/// Something wrong in the program, seen by the rank itself.
struct ViolationRecord {
    static constexpr std::uint32_t type = 6;
    std::string kind, message, call, detail;
    std::uint64_t site = 0;
    void fields(auto& each) { each(kind), each(message), each(call), each(detail), each(site); }
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

class LogWriter {
public:
    LogWriter(const Area& area, Rank rank) : header_(area.rank(rank)), log_(area.log(rank)) {}

    /// Appends one record. When the log is full nothing more is written and full() says so.
    template <typename Record>
    void append(Record record) {
        if (full_) {
            return;  // a gap would change what the rest means
        }
        Writer writer{log_, header_.log_length.load(std::memory_order_relaxed)};
        const std::uint64_t start = writer.position;
        writer.position += sizeof(RecordHead);
        record.fields(writer);
        if (writer.overflow || writer.position > log_capacity) {
            full_ = true;
            header_.log_full.store(1, std::memory_order_release);
            return;
        }
        const RecordHead head{static_cast<std::uint32_t>(writer.position - start), Record::type};
        std::memcpy(log_ + start, &head, sizeof head);
        header_.log_length.store(writer.position, std::memory_order_release);
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
        std::uint64_t position;
        bool overflow = false;

        void bytes(const void* data, std::uint64_t size) {
            if (overflow || position + size > log_capacity) {
                overflow = true;
                return;
            }
            std::memcpy(log + position, data, size);
            position += size;
        }
        template <typename T>
        void operator()(const T& value) {
            bytes(&value, sizeof value);
        }
        void operator()(const std::string& text) {
            const auto size = static_cast<std::uint32_t>(text.size());
            bytes(&size, sizeof size);
            bytes(text.data(), size);
        }
    };

    RankHeader& header_;
    std::uint8_t* log_;
    bool full_ = false;
};

class LogReader {
public:
    LogReader(const Area& area, Rank rank) : log_(area.log(rank)) {
        length_ = area.rank(rank).log_length.load(std::memory_order_acquire);
        if (length_ > log_capacity) {
            length_ = 0;
            sound_ = false;
        }
    }

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
    };

    const std::uint8_t* log_;
    std::uint64_t length_ = 0;
    std::uint64_t position_ = 0;
    std::uint64_t end_ = 0;
    std::uint32_t type_ = 0;
    bool sound_ = true;
};

}  // namespace dampi::replay::area
