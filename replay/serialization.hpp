// Values as bytes and back, for the journal of a sweep: Boost.Serialization's binary archives, without headers, class
// information and object tracking, so that a small value costs less than a microsecond. Only the same build on the same
// machine reads the bytes; the journal's header says which build that is.
//
// Bytes are not trusted: sizes are checked against what is left before anything is allocated, and an enum without such
// a value, a truth value that is neither, or an invalid clock end in dampi::Error. What a value means (ranks below
// the number of processes, say) is for its user to check.
//
// To make a type of one's own serialisable, write `serialize` for it in namespace boost::serialization as below;
// members may be numbers, enums (see LastValue), strings, and the standard library's containers that are handled here.
#pragma once

#include "base/check.hpp"
#include "replay/decision.hpp"
#include "replay/engine_kind.hpp"
#include "replay/members.hpp"
#include "replay/piggyback.hpp"
#include "replay/run_record.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <streambuf>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <boost/archive/archive_exception.hpp>
#include <boost/archive/binary_iarchive_impl.hpp>
#include <boost/archive/binary_oarchive_impl.hpp>
#include <boost/serialization/serialization.hpp>
#include <boost/serialization/split_free.hpp>

namespace dampi::replay {

template <>
struct LastValue<clocks::Protocol> {
    static constexpr auto value = clocks::Protocol::vector;
};
template <>
struct LastValue<EpochKind> {
    static constexpr auto value = last_epoch_kind;
};
template <>
struct LastValue<ViolationKind> {
    static constexpr auto value = last_violation_kind;
};
template <>
struct LastValue<Repetition> {
    static constexpr auto value = last_repetition;
};
template <>
struct LastValue<EngineKind> {
    static constexpr auto value = EngineKind::central;
};
template <>
struct LastValue<Piggyback> {
    static constexpr auto value = all_piggybacks.back();
};
template <>
struct LastValue<Buffering::Kind> {
    static constexpr auto value = Buffering::Kind::bytes;
};
template <>
struct LastValue<WaitForGraph::Core> {
    static constexpr auto value = WaitForGraph::Core::end;
};

namespace bytes {

template <typename T>
inline constexpr bool is_archives_own = false;  ///< what Boost's archives write about objects, were it not switched off
template <>
inline constexpr bool is_archives_own<boost::archive::version_type> = true;
template <>
inline constexpr bool is_archives_own<boost::archive::object_id_type> = true;
template <>
inline constexpr bool is_archives_own<boost::archive::object_reference_type> = true;
template <>
inline constexpr bool is_archives_own<boost::archive::class_id_type> = true;
template <>
inline constexpr bool is_archives_own<boost::archive::class_id_reference_type> = true;
template <>
inline constexpr bool is_archives_own<boost::archive::class_id_optional_type> = true;
template <>
inline constexpr bool is_archives_own<boost::archive::class_name_type> = true;
template <>
inline constexpr bool is_archives_own<boost::archive::tracking_type> = true;
template <>
inline constexpr bool is_archives_own<boost::serialization::library_version_type> = true;

template <typename T>
inline constexpr bool is_number = std::is_arithmetic_v<T> && !std::is_same_v<T, bool>;

template <typename T>
inline constexpr bool is_list = false;
template <typename T>
inline constexpr bool is_list<std::vector<T>> = true;
template <typename T>
inline constexpr bool is_number_list = false;
template <typename T>
inline constexpr bool is_number_list<std::vector<T>> = is_number<T>;
template <typename T>
inline constexpr bool is_ordered = false;  ///< set or map
template <typename T>
inline constexpr bool is_ordered<std::set<T>> = true;
template <typename K, typename T>
inline constexpr bool is_ordered<std::map<K, T>> = true;
template <typename T>
inline constexpr bool is_optional = false;
template <typename T>
inline constexpr bool is_optional<std::optional<T>> = true;
template <typename T>
inline constexpr bool is_pair = false;
template <typename A, typename B>
inline constexpr bool is_pair<std::pair<A, B>> = true;
template <typename T>
inline constexpr bool is_duration = false;
template <typename R, typename P>
inline constexpr bool is_duration<std::chrono::duration<R, P>> = true;

/// What a container holds, without the constness of a map's keys.
template <typename T>
struct Element {
    using Type = typename T::value_type;
};
template <typename K, typename T>
struct Element<std::map<K, T>> {
    using Type = std::pair<K, T>;
};

/// For so many there is room at once, whatever comes.
inline constexpr std::size_t few_elements = 64;

inline constexpr unsigned flags = boost::archive::no_header | boost::archive::no_codecvt | boost::archive::no_tracking;

/// Appends to a string, as long as that does not become longer than `most`.
class Sink : public std::streambuf {
public:
    explicit Sink(std::string& text, std::size_t most = std::numeric_limits<std::size_t>::max())
        : text_(text), most_(most) {}

    /// Without the ways of a stream: values are many and small.
    [[nodiscard]] bool append(const void* data, std::size_t size) {
        if (size > most_ - text_.size()) {
            return false;
        }
        text_.append(static_cast<const char*>(data), size);
        return true;
    }

protected:
    std::streamsize xsputn(const char* data, std::streamsize size) override {
        if (static_cast<std::size_t>(size) > most_ - text_.size()) {
            return 0;
        }
        text_.append(data, static_cast<std::size_t>(size));
        return size;
    }
    int_type overflow(int_type character) override {
        text_.push_back(traits_type::to_char_type(character));
        return character;
    }

private:
    std::string& text_;
    std::size_t most_;
};

/// Reads a range of bytes and knows how many are left.
class Source : public std::streambuf {
public:
    explicit Source(std::string_view bytes) {
        char* const begin = const_cast<char*>(bytes.data());  // never written to: there is no output here
        setg(begin, begin, begin + bytes.size());
    }
    [[nodiscard]] std::size_t left() const { return static_cast<std::size_t>(egptr() - gptr()); }
    /// Likewise.
    [[nodiscard]] bool take(void* data, std::size_t size) {
        if (size > left()) {
            return false;
        }
        if (size != 0) {
            std::memcpy(data, gptr(), size);
        }
        setg(eback(), gptr() + size, egptr());
        return true;
    }
};

using Writing = boost::archive::binary_oarchive_impl<class Writer, char, std::char_traits<char>>;
using Reading = boost::archive::binary_iarchive_impl<class Reader, char, std::char_traits<char>>;

class Writer : public Writing {
public:
    explicit Writer(Sink& sink) : Writing(sink, flags), sink_(sink) {}

    template <typename T>
    void save_override(const T& value) {
        if constexpr (is_archives_own<T>) {
            Writing::save_override(value);
        } else if constexpr (std::is_same_v<T, bool>) {
            save_number(static_cast<std::uint8_t>(value));
        } else if constexpr (std::is_arithmetic_v<T>) {
            save_number(value);
        } else if constexpr (std::is_enum_v<T>) {
            static_assert(sizeof LastValue<T>::value == sizeof(T));
            save_number(static_cast<std::underlying_type_t<T>>(value));
        } else if constexpr (is_duration<T>) {
            save_override(value.count());
        } else if constexpr (std::is_same_v<T, std::string>) {
            save_number(static_cast<std::uint64_t>(value.size()));
            save_raw(value.data(), value.size());
        } else if constexpr (is_list<T> || is_ordered<T>) {
            save_number(static_cast<std::uint64_t>(value.size()));
            if constexpr (is_number_list<T>) {
                save_raw(value.data(), value.size() * sizeof(typename T::value_type));
            } else {
                for (const auto& element : value) {
                    save_override(element);
                }
            }
        } else if constexpr (is_optional<T>) {
            save_override(value.has_value());
            if (value) {
                save_override(*value);
            }
        } else if constexpr (is_pair<T>) {
            save_override(value.first);
            save_override(value.second);
        } else {
            // As Boost does for types without class information and tracking.
            boost::serialization::serialize_adl(*this, const_cast<T&>(value), 0);
        }
    }

private:
    template <typename T>
    void save_number(T value) {
        save_raw(&value, sizeof value);
    }

    void save_raw(const void* data, std::size_t size) {
        if (!sink_.append(data, size)) {
            throw boost::archive::archive_exception(boost::archive::archive_exception::output_stream_error);
        }
    }

    Sink& sink_;
};

class Reader : public Reading {
public:
    explicit Reader(Source& source) : Reading(source, flags), source_(source) {}

    template <typename T>
    void load_override(T& value) {
        if constexpr (is_archives_own<T>) {
            Reading::load_override(value);
        } else if constexpr (std::is_same_v<T, bool>) {
            value = load_number<std::uint8_t>(1) != 0;
        } else if constexpr (std::is_arithmetic_v<T>) {
            load_raw(&value, sizeof value);
        } else if constexpr (std::is_enum_v<T>) {
            using Number = std::underlying_type_t<T>;
            value = static_cast<T>(load_number<Number>(static_cast<Number>(LastValue<T>::value)));
        } else if constexpr (is_duration<T>) {
            typename T::rep count{};
            load_override(count);
            value = T(count);
        } else if constexpr (std::is_same_v<T, std::string>) {
            value.resize(load_size(1));
            load_raw(value.data(), value.size());
        } else if constexpr (is_number_list<T>) {
            value.resize(load_size(sizeof(typename T::value_type)));
            load_raw(value.data(), value.size() * sizeof(typename T::value_type));
        } else if constexpr (is_list<T> || is_ordered<T>) {
            // It grows with what is read, whatever the size says: an element may be far larger than its bytes.
            value.clear();
            std::size_t left = load_size(1);
            if constexpr (is_list<T>) {
                value.reserve(std::min(left, few_elements));
            }
            for (; left != 0; --left) {
                typename Element<T>::Type element{};
                load_override(element);
                if constexpr (is_list<T>) {
                    value.push_back(std::move(element));
                } else {
                    const std::size_t before = value.size();
                    const auto at = value.insert(value.end(), std::move(element));
                    if (value.size() == before || std::next(at) != value.end()) {
                        fail();  // not in the order in which they were written
                    }
                }
            }
        } else if constexpr (is_optional<T>) {
            bool set = false;
            load_override(set);
            if (set) {
                load_override(value.emplace());
            } else {
                value.reset();
            }
        } else if constexpr (is_pair<T>) {
            load_override(value.first);
            load_override(value.second);
        } else {
            boost::serialization::serialize_adl(*this, value, 0);
        }
    }

private:
    template <typename T>
    T load_number(T most) {
        T value{};
        load_raw(&value, sizeof value);
        if (std::cmp_less(value, 0) || value > most) {
            fail();
        }
        return value;
    }

    /// How many elements follow of which each takes at least `least` bytes.
    std::size_t load_size(std::size_t least) {
        std::uint64_t size = 0;
        load_raw(&size, sizeof size);
        if (size > source_.left() / least) {
            fail();
        }
        return static_cast<std::size_t>(size);
    }

    void load_raw(void* data, std::size_t size) {
        if (!source_.take(data, size)) {
            fail();
        }
    }

    [[noreturn]] static void fail() {
        throw boost::archive::archive_exception(boost::archive::archive_exception::input_stream_error);
    }

    Source& source_;
};

}  // namespace bytes

/// Appends the value's bytes.
template <typename T>
void append_bytes(std::string& text, const T& value) {
    bytes::Sink sink(text);
    bytes::Writer writer(sink);
    writer << value;
}

/// Likewise, unless the text would become longer than `most`; then the text is what it was, and the answer false.
template <typename T>
[[nodiscard]] bool append_bytes_within(std::string& text, const T& value, std::size_t most) {
    const std::size_t before = text.size();
    try {
        bytes::Sink sink(text, most);
        bytes::Writer writer(sink);
        writer << value;
    } catch (const boost::archive::archive_exception&) {
        text.resize(before);
        return false;
    }
    return true;
}

template <typename T>
[[nodiscard]] std::string to_bytes(const T& value) {
    std::string text;
    append_bytes(text, value);
    return text;
}

/// The inverse. Throws dampi::Error unless these are the bytes of such a value, all of them.
template <typename T>
[[nodiscard]] T from_bytes(std::string_view text) {
    T value{};
    bytes::Source source(text);
    try {
        bytes::Reader reader(source);
        reader >> value;
    } catch (const boost::archive::archive_exception&) {
        throw Error("a recorded value is damaged");
    }
    if (source.left() != 0) {
        throw Error("a recorded value is damaged: there is more than belongs to it");
    }
    return value;
}

}  // namespace dampi::replay

// Structured bindings, so that a new member cannot be forgotten here: it would not compile.
namespace boost::serialization {

template <typename Archive>
void serialize(Archive& archive, dampi::clocks::LamportClock& clock, unsigned /*version*/) {
    auto& [value] = clock;
    dampi::replay::members(archive, value);
}

template <typename Archive>
void serialize(Archive& archive, dampi::clocks::VectorClock::Interval& interval, unsigned /*version*/) {
    auto& [rank, begin, end] = interval;
    dampi::replay::members(archive, rank, begin, end);
}

template <typename Archive>
void save(Archive& archive, const dampi::clocks::VectorClock& clock, unsigned /*version*/) {
    const auto intervals = clock.intervals();
    archive << std::vector<dampi::clocks::VectorClock::Interval>(intervals.begin(), intervals.end());
}
template <typename Archive>
void load(Archive& archive, dampi::clocks::VectorClock& clock, unsigned /*version*/) {
    std::vector<dampi::clocks::VectorClock::Interval> intervals;
    archive >> intervals;
    clock = dampi::clocks::VectorClock::from_intervals(intervals);
    if (clock.empty() && !intervals.empty()) {
        throw archive::archive_exception(archive::archive_exception::input_stream_error);
    }
}
template <typename Archive>
void serialize(Archive& archive, dampi::clocks::VectorClock& clock, unsigned version) {
    split_free(archive, clock, version);
}

template <typename Archive>
void serialize(Archive& archive, dampi::clocks::Clock& clock, unsigned /*version*/) {
    auto& [lamport, vector] = clock;
    dampi::replay::members(archive, lamport, vector);
}

template <typename Archive>
void serialize(Archive& archive, dampi::replay::EpochId& id, unsigned /*version*/) {
    auto& [rank, index] = id;
    dampi::replay::members(archive, rank, index);
}

template <typename Archive>
void serialize(Archive& archive, dampi::replay::CodePlace& place, unsigned /*version*/) {
    auto& [module, offset, function, file, line, column] = place;
    dampi::replay::members(archive, module, offset, function, file, line, column);
}

template <typename Archive>
void serialize(Archive& archive, dampi::replay::Outcome& outcome, unsigned /*version*/) {
    auto& [source, tag, number, completed, poll, false_answers, released] = outcome;
    dampi::replay::members(archive, source, tag, number, completed, poll, false_answers, released);
}

template <typename Archive>
void serialize(Archive& archive, dampi::replay::PotentialMatch& match, unsigned /*version*/) {
    auto& [source, tag, number, past] = match;
    dampi::replay::members(archive, source, tag, number, past);
}

template <typename Archive>
void serialize(Archive& archive, dampi::replay::Completable& completable, unsigned /*version*/) {
    auto& [position, known] = completable;
    dampi::replay::members(archive, position, known);
}

template <typename Archive>
void serialize(Archive& archive, dampi::replay::OtherPoll& other, unsigned /*version*/) {
    auto& [number, before, kind, comm, tag, potential_matches, completable, call, where] = other;
    dampi::replay::members(archive, number, before, kind, comm, tag, potential_matches, completable, call, where);
}

template <typename Archive>
void serialize(Archive& archive, dampi::replay::EpochContext& context, unsigned /*version*/) {
    auto& [zone, bracketed, mixing_bound, communicator_name, stack, follow_up] = context;
    dampi::replay::members(archive, zone, bracketed, mixing_bound, communicator_name, stack, follow_up);
}

template <typename Archive>
void serialize(Archive& archive, dampi::replay::ThreadTurn& turn, unsigned /*version*/) {
    auto& [thread, operations] = turn;
    dampi::replay::members(archive, thread, operations);
}

template <typename Archive>
void save(Archive& archive, const dampi::replay::ThreadOrder& order, unsigned /*version*/) {
    archive << order.turns();
}
template <typename Archive>
void load(Archive& archive, dampi::replay::ThreadOrder& order, unsigned /*version*/) {
    dampi::replay::ThreadOrder::Turns turns;
    archive >> turns;
    order = dampi::replay::ThreadOrder(std::move(turns));
}
template <typename Archive>
void serialize(Archive& archive, dampi::replay::ThreadOrder& order, unsigned version) {
    split_free(archive, order, version);
}

template <typename Archive>
void serialize(Archive& archive, dampi::replay::Epoch& epoch, unsigned /*version*/) {
    auto& [id, kind, comm, tag, forced, posted, outcome, final, past, potential_matches, completable, call, where,
           context, threads, repetition, turns_after, round, poll, before, others, polled, timed, counted, settled] =
        epoch;
    dampi::replay::members(archive, id, kind, comm, tag, forced, posted, outcome, final, past, potential_matches,
                           completable, call, where, context, threads, repetition, turns_after, round, poll, before,
                           others, polled, timed, counted, settled);
}

template <typename Archive>
void serialize(Archive& archive, dampi::replay::Decision& decision, unsigned /*version*/) {
    auto& [epoch, kind, comm, tag, outcome, open, additional, at_least, counted, repetition, turns_after, threads] =
        decision;
    dampi::replay::members(archive, epoch, kind, comm, tag, outcome, open, additional, at_least, counted, repetition,
                           turns_after, threads);
}

template <typename Archive>
void save(Archive& archive, const dampi::replay::Buffering& buffering, unsigned /*version*/) {
    archive << buffering.kind() << buffering.bytes();
}
template <typename Archive>
void load(Archive& archive, dampi::replay::Buffering& buffering, unsigned /*version*/) {
    auto kind = dampi::replay::Buffering::Kind::native;
    std::uint64_t bytes = 0;
    archive >> kind >> bytes;
    const auto made = dampi::replay::Buffering::made_of(kind, bytes);
    if (!made) {
        throw archive::archive_exception(archive::archive_exception::input_stream_error);
    }
    buffering = *made;
}
template <typename Archive>
void serialize(Archive& archive, dampi::replay::Buffering& buffering, unsigned version) {
    split_free(archive, buffering, version);
}

template <typename Archive>
void serialize(Archive& archive, dampi::replay::Interleaving& interleaving, unsigned /*version*/) {
    auto& [number, decisions, trial, buffering, free_seed, meeting_number, only_closed, given_up] = interleaving;
    dampi::replay::members(archive, number, decisions, trial, buffering, free_seed, meeting_number, only_closed,
                           given_up);
}

template <typename Archive>
void serialize(Archive& archive, dampi::replay::RankSituation& situation, unsigned /*version*/) {
    auto& [rank, call, detail, where, arguments, last_call, stack] = situation;
    dampi::replay::members(archive, rank, call, detail, where, arguments, last_call, stack);
}

template <typename Archive>
void serialize(Archive& archive, dampi::replay::WaitForGraph::Edge& edge, unsigned /*version*/) {
    auto& [to, wait, reason] = edge;
    dampi::replay::members(archive, to, wait, reason);
}

template <typename Archive>
void serialize(Archive& archive, dampi::replay::WaitForGraph::Node& node, unsigned /*version*/) {
    auto& [rank, any, in_core, edges, edges_omitted] = node;
    dampi::replay::members(archive, rank, any, in_core, edges, edges_omitted);
}

template <typename Archive>
void serialize(Archive& archive, dampi::replay::WaitForGraph& graph, unsigned /*version*/) {
    auto& [nodes, shape, core] = graph;
    dampi::replay::members(archive, nodes, shape, core);
}

template <typename Archive>
void serialize(Archive& archive, dampi::replay::UnmatchedOperation& operation, unsigned /*version*/) {
    auto& [send, rank, peer, tag, communicator, count, where] = operation;
    dampi::replay::members(archive, send, rank, peer, tag, communicator, count, where);
}

template <typename Archive>
void serialize(Archive& archive, dampi::replay::Violation& violation, unsigned /*version*/) {
    auto& [kind, message, ranks, situations, decided_after, wait_for, unmatched, consequences] = violation;
    dampi::replay::members(archive, kind, message, ranks, situations, decided_after, wait_for, unmatched, consequences);
}

template <typename Archive>
void serialize(Archive& archive, dampi::replay::RunParts& parts, unsigned /*version*/) {
    auto& [launch, init, program, finalize, collection] = parts;
    dampi::replay::members(archive, launch, init, program, finalize, collection);
}

template <typename Archive>
void serialize(Archive& archive, dampi::replay::OmittedEpochs& omitted, unsigned /*version*/) {
    auto& [from, count, clock] = omitted;
    dampi::replay::members(archive, from, count, clock);
}

template <typename Archive>
void serialize(Archive& archive, dampi::replay::ForeseenViolation& foreseen, unsigned /*version*/) {
    auto& [violation, epoch, outcome] = foreseen;
    dampi::replay::members(archive, violation, epoch, outcome);
}

template <typename Archive>
void serialize(Archive& archive, dampi::replay::RunRecord& record, unsigned /*version*/) {
    auto& [protocol, epochs, violations, foreseen, notes, not_modelled, communicators, stacks, omitted, diverged,
           cut_short, may_be_met, merged, merged_open, merged_past, meetings, open_states, unaware, printed, courses,
           stopped_at, seconds, parts] = record;
    dampi::replay::members(archive, protocol, epochs, violations, foreseen, notes, not_modelled, communicators, stacks,
                           omitted, diverged, cut_short, may_be_met, merged, merged_open, merged_past, meetings,
                           open_states, printed, stopped_at, seconds, parts);
}

}  // namespace boost::serialization
