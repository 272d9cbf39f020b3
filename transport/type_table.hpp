// Datatypes as one rank has used them: each has a number, the rank's own, and is made of those before it. What a rank
// says of its datatypes (TypeRecord in log.hpp) makes the same table outside. Answers what the signature of data is,
// and where two descriptions of data disagree. Pure; knows nothing of MPI's handles.
#pragma once

#include "transport/type_signature.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dampi::transport {

/// How a datatype was made. Duplicates and resized ones are what they are made of.
enum class TypeMaker : std::uint32_t { named, contiguous, vector, indexed, structure, subarray, darray };
inline constexpr TypeMaker last_type_maker = TypeMaker::darray;

/// The number of a datatype in its rank's table, from 1. 0: nothing is to be said of it (all of it is MPI_BYTE, or
/// MPI_PACKED is in it).
using TypeNumber = std::uint32_t;
inline constexpr TypeNumber no_type = 0;

/// So many blocks, each of so many of another datatype.
struct TypePart {
    std::uint64_t blocks = 0;
    std::uint64_t length = 0;
    TypeNumber type = no_type;  ///< before the one that it is a part of

    auto operator<=>(const TypePart&) const = default;
};

struct TypeDescription {
    TypeMaker maker = TypeMaker::named;
    std::string name;             ///< of a named one
    std::vector<Item> items;      ///< likewise
    std::vector<TypePart> parts;  ///< of the others: what comes behind each other

    auto operator<=>(const TypeDescription&) const = default;
};

/// Data as a call describes it: what can be told without looking into tables.
struct TypedData {
    std::uint64_t hash = 0;
    std::uint64_t items = 0;
    TypeNumber type = no_type;  ///< no_type: agrees with everything

    auto operator<=>(const TypedData&) const = default;
};

class TypeTable {
public:
    /// A description that takes more parts than this is not kept: nothing is said of such a datatype.
    static constexpr std::size_t most_parts = 4096;
    /// Nor of more datatypes.
    static constexpr std::size_t most_types = 65536;
    /// Nor of datatypes of datatypes of datatypes, and so on, deeper than this.
    static constexpr unsigned most_depth = 64;

    /// The number of the next; no_type if the description makes no sense, or is too large.
    TypeNumber add(TypeDescription description);
    [[nodiscard]] std::size_t size() const { return types_.size(); }

    /// Of one; of no_type one that is not comparable.
    [[nodiscard]] const Signature& signature(TypeNumber type) const;
    [[nodiscard]] TypedData data(TypeNumber type, std::uint64_t count) const;
    /// The basic datatype that all of it is made of; no_type where there are several, or one of several items.
    [[nodiscard]] TypeNumber only_basic(TypeNumber type) const;
    /// The hash of the first so many items of data, which has at least as many.
    [[nodiscard]] std::uint64_t hash_of_first(const TypedData& data, std::uint64_t items) const;

private:
    friend class TypeWalk;
    struct Known {
        TypeDescription description;
        Signature signature;
        unsigned depth = 0;  ///< 0: a named one
    };

    [[nodiscard]] Signature first_of(TypeNumber type, std::uint64_t items) const;

    std::vector<Known> types_;
    Signature nothing_{.comparable = false};
};

/// Whether data begins with a shorter message, as far as the hashes tell; `table` is of who receives it.
[[nodiscard]] bool begins_with(const TypeTable& table, const TypedData& received, const TypedData& sent);

/// Whether data of `sent` may be received as `received`, as far as the hashes tell; `table` is the receiver's. False
/// says nothing yet: difference() does. For each message.
[[nodiscard]] inline bool surely_agree(const TypedData& sent, const TypeTable& table, const TypedData& received) {
    return sent.type == no_type || received.type == no_type ||
           (sent.items == received.items && sent.hash == received.hash) || begins_with(table, received, sent);
}

/// Where two descriptions of data disagree.
struct TypeDifference {
    std::uint64_t item = 0;  ///< the items in front of it agree
    std::string path;        ///< in the first: "struct[1].vector[3]"
    std::string name;        ///< of the basic datatype there: "MPI_INT"
    std::string other_path;  ///< likewise in the second
    std::string other_name;
};

/// Walks both; the shorter one's length is all that is compared. Nothing where they agree, or nothing is known of one
/// of them, or it would take more than `most_steps` to find out.
[[nodiscard]] std::optional<TypeDifference> difference(const TypeTable& table, const TypedData& data,
                                                       const TypeTable& other_table, const TypedData& other,
                                                       std::uint64_t most_steps = 20'000'000);

}  // namespace dampi::transport
