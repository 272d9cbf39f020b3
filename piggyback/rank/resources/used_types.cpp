#include "piggyback/rank/resources/used_types.hpp"

#include "piggyback/rank/errors/quiet_errors.hpp"
#include "piggyback/rank/resources/type_contents.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace dampi::piggyback {
namespace {

using transport::Item;
using transport::ItemKind;
using transport::make_item;
using transport::no_type;
using transport::TypeDescription;
using transport::TypeMaker;
using transport::TypeNumber;
using transport::TypePart;

/// A datatype that MPI has predefined, and its one or two items.
struct Basic {
    MPI_Datatype handle;
    const char* name;
    Item first;
    Item second = 0;
};

template <typename Number>
constexpr Item number(ItemKind kind) {
    return make_item(kind, sizeof(Number));
}
constexpr Item character = make_item(ItemKind::character, 1);
constexpr Item real4 = number<float>(ItemKind::floating);
constexpr Item real8 = number<double>(ItemKind::floating);
constexpr Item real16 = number<long double>(ItemKind::floating);
constexpr Item int2 = make_item(ItemKind::signed_integer, 2);
constexpr Item int4 = make_item(ItemKind::signed_integer, 4);
constexpr Item int8 = make_item(ItemKind::signed_integer, 8);
constexpr Item unsigned2 = make_item(ItemKind::unsigned_integer, 2);
constexpr Item unsigned4 = make_item(ItemKind::unsigned_integer, 4);
constexpr Item unsigned8 = make_item(ItemKind::unsigned_integer, 8);
constexpr Item logical1 = make_item(ItemKind::logical, 1);
constexpr Item logical4 = make_item(ItemKind::logical, 4);

#define DAMPI_BASIC(handle, ...) \
    Basic { handle, #handle, __VA_ARGS__ }
constexpr std::array basics{
    DAMPI_BASIC(MPI_CHAR, character),
    DAMPI_BASIC(MPI_SIGNED_CHAR, character),
    DAMPI_BASIC(MPI_UNSIGNED_CHAR, character),
    DAMPI_BASIC(MPI_CHARACTER, character),
    DAMPI_BASIC(MPI_INT8_T, character),
    DAMPI_BASIC(MPI_UINT8_T, character),
    DAMPI_BASIC(MPI_INTEGER1, character),
    DAMPI_BASIC(MPI_BYTE, make_item(ItemKind::byte, 1)),
    DAMPI_BASIC(MPI_PACKED, make_item(ItemKind::unknown, 1)),
    DAMPI_BASIC(MPI_WCHAR, number<wchar_t>(ItemKind::wide_character)),
    DAMPI_BASIC(MPI_SHORT, int2),
    DAMPI_BASIC(MPI_INT16_T, int2),
    DAMPI_BASIC(MPI_INTEGER2, int2),
    DAMPI_BASIC(MPI_UNSIGNED_SHORT, unsigned2),
    DAMPI_BASIC(MPI_UINT16_T, unsigned2),
    DAMPI_BASIC(MPI_INT, int4),
    DAMPI_BASIC(MPI_INT32_T, int4),
    DAMPI_BASIC(MPI_INTEGER, int4),
    DAMPI_BASIC(MPI_INTEGER4, int4),
    DAMPI_BASIC(MPI_UNSIGNED, unsigned4),
    DAMPI_BASIC(MPI_UINT32_T, unsigned4),
    DAMPI_BASIC(MPI_LONG, number<long>(ItemKind::signed_integer)),
    DAMPI_BASIC(MPI_LONG_LONG_INT, int8),
    DAMPI_BASIC(MPI_INT64_T, int8),
    DAMPI_BASIC(MPI_INTEGER8, int8),
    DAMPI_BASIC(MPI_AINT, number<MPI_Aint>(ItemKind::signed_integer)),
    DAMPI_BASIC(MPI_OFFSET, number<MPI_Offset>(ItemKind::signed_integer)),
    DAMPI_BASIC(MPI_COUNT, number<MPI_Count>(ItemKind::signed_integer)),
    DAMPI_BASIC(MPI_UNSIGNED_LONG, number<unsigned long>(ItemKind::unsigned_integer)),
    DAMPI_BASIC(MPI_UNSIGNED_LONG_LONG, unsigned8),
    DAMPI_BASIC(MPI_UINT64_T, unsigned8),
    DAMPI_BASIC(MPI_FLOAT, real4),
    DAMPI_BASIC(MPI_REAL, real4),
    DAMPI_BASIC(MPI_REAL4, real4),
    DAMPI_BASIC(MPI_DOUBLE, real8),
    DAMPI_BASIC(MPI_DOUBLE_PRECISION, real8),
    DAMPI_BASIC(MPI_REAL8, real8),
    DAMPI_BASIC(MPI_LONG_DOUBLE, real16),
    DAMPI_BASIC(MPI_REAL16, real16),
    DAMPI_BASIC(MPI_C_BOOL, logical1),
    DAMPI_BASIC(MPI_CXX_BOOL, logical1),
    DAMPI_BASIC(MPI_LOGICAL, logical4),
    DAMPI_BASIC(MPI_COMPLEX, real4, real4),
    DAMPI_BASIC(MPI_COMPLEX8, real4, real4),
    DAMPI_BASIC(MPI_C_FLOAT_COMPLEX, real4, real4),
    DAMPI_BASIC(MPI_CXX_FLOAT_COMPLEX, real4, real4),
    DAMPI_BASIC(MPI_DOUBLE_COMPLEX, real8, real8),
    DAMPI_BASIC(MPI_COMPLEX16, real8, real8),
    DAMPI_BASIC(MPI_C_DOUBLE_COMPLEX, real8, real8),
    DAMPI_BASIC(MPI_CXX_DOUBLE_COMPLEX, real8, real8),
    DAMPI_BASIC(MPI_COMPLEX32, real16, real16),
    DAMPI_BASIC(MPI_C_LONG_DOUBLE_COMPLEX, real16, real16),
    DAMPI_BASIC(MPI_CXX_LONG_DOUBLE_COMPLEX, real16, real16),
    DAMPI_BASIC(MPI_FLOAT_INT, real4, int4),
    DAMPI_BASIC(MPI_DOUBLE_INT, real8, int4),
    DAMPI_BASIC(MPI_LONG_DOUBLE_INT, real16, int4),
    DAMPI_BASIC(MPI_LONG_INT, number<long>(ItemKind::signed_integer), int4),
    DAMPI_BASIC(MPI_SHORT_INT, int2, int4),
    DAMPI_BASIC(MPI_2INT, int4, int4),
    DAMPI_BASIC(MPI_2INTEGER, int4, int4),
    DAMPI_BASIC(MPI_2REAL, real4, real4),
    DAMPI_BASIC(MPI_2DOUBLE_PRECISION, real8, real8),
};
#undef DAMPI_BASIC

/// Null for one that MPI has not predefined, or that is not in the table.
const Basic* basic(MPI_Datatype datatype) {
    const auto* const found =
        std::find_if(basics.begin(), basics.end(), [&](const Basic& each) { return each.handle == datatype; });
    return found == basics.end() ? nullptr : found;
}

TypeDescription description_of(const Basic& basic) {
    TypeDescription description;
    description.name = basic.name;
    description.items = {basic.first};
    if (basic.second != 0) {
        description.items.push_back(basic.second);
    }
    return description;
}

/// A predefined one that is not in the table: it may be anything.
TypeDescription unknown_to_us() {
    TypeDescription description;
    description.name = "a predefined datatype";
    description.items = {make_item(ItemKind::unknown, 1)};
    return description;
}

/// One of those that MPI_Type_create_f90_* gives out.
TypeDescription of_fortran(MPI_Datatype datatype, int combiner) {
    MPI_Count size = 0;
    PMPI_Type_size_x(datatype, &size);
    TypeDescription description;
    const auto bytes = static_cast<std::uint32_t>(size);
    if (combiner == MPI_COMBINER_F90_INTEGER) {
        description.name = "an integer by its range";
        description.items = {bytes == 1 ? character : make_item(ItemKind::signed_integer, bytes)};
    } else if (combiner == MPI_COMBINER_F90_REAL) {
        description.name = "a real number by its precision";
        description.items = {make_item(ItemKind::floating, bytes)};
    } else {
        description.name = "a complex number by its precision";
        description.items.assign(2, make_item(ItemKind::floating, bytes / 2));
    }
    return description;
}

std::uint64_t unsigned_of(MPI_Count count) { return static_cast<std::uint64_t>(std::max<MPI_Count>(count, 0)); }

/// How many of the one there are in the other.
std::uint64_t ratio(MPI_Datatype whole, MPI_Datatype part) {
    MPI_Count size = 0;
    MPI_Count size_of_part = 0;
    PMPI_Type_size_x(whole, &size);
    PMPI_Type_size_x(part, &size_of_part);
    return size_of_part <= 0 ? 0 : unsigned_of(size / size_of_part);
}

void add_block(std::vector<TypePart>& parts, std::uint64_t length, TypeNumber type) {
    if (!parts.empty() && parts.back().length == length && parts.back().type == type) {
        ++parts.back().blocks;
    } else {
        parts.push_back({.blocks = 1, .length = length, .type = type});
    }
}

/// Of a datatype that is made of others, which have these numbers; where it is as one of these, only that part.
TypeDescription description_of(MPI_Datatype datatype, const TypeContents& contents,
                               const std::vector<TypeNumber>& inner) {
    const auto& numbers = contents.numbers();
    TypeDescription description;
    switch (contents.combiner()) {
        case MPI_COMBINER_CONTIGUOUS:
            description.maker = TypeMaker::contiguous;
            description.parts = {{.blocks = unsigned_of(numbers[0]), .length = 1, .type = inner[0]}};
            break;
        case MPI_COMBINER_VECTOR:
        case MPI_COMBINER_HVECTOR:
        case MPI_COMBINER_HVECTOR_INTEGER:
            description.maker = TypeMaker::vector;
            description.parts = {
                {.blocks = unsigned_of(numbers[0]), .length = unsigned_of(numbers[1]), .type = inner[0]}};
            break;
        case MPI_COMBINER_INDEXED_BLOCK:
        case MPI_COMBINER_HINDEXED_BLOCK:
            description.maker = TypeMaker::indexed;
            description.parts = {
                {.blocks = unsigned_of(numbers[0]), .length = unsigned_of(numbers[1]), .type = inner[0]}};
            break;
        case MPI_COMBINER_INDEXED:
        case MPI_COMBINER_HINDEXED:
        case MPI_COMBINER_HINDEXED_INTEGER:
            description.maker = TypeMaker::indexed;
            for (std::size_t i = 0; i < unsigned_of(numbers[0]); ++i) {
                add_block(description.parts, unsigned_of(numbers[1 + i]), inner[0]);
            }
            break;
        case MPI_COMBINER_STRUCT:
        case MPI_COMBINER_STRUCT_INTEGER:
            description.maker = TypeMaker::structure;
            for (std::size_t i = 0; i < unsigned_of(numbers[0]); ++i) {
                add_block(description.parts, unsigned_of(numbers[1 + i]), inner[i]);
            }
            break;
        case MPI_COMBINER_SUBARRAY:
        case MPI_COMBINER_DARRAY:
            description.maker = contents.combiner() == MPI_COMBINER_SUBARRAY ? TypeMaker::subarray : TypeMaker::darray;
            description.parts = {{.blocks = ratio(datatype, contents.inner()[0]), .length = 1, .type = inner[0]}};
            break;
        default:
            description.parts = {{.blocks = 1, .length = 1, .type = inner.empty() ? no_type : inner[0]}};
    }
    return description;
}

}  // namespace

TypeNumber UsedTypes::number_of(TypeDescription description) {
    const auto known = numbers_.find(description);
    if (known != numbers_.end()) {
        return known->second;
    }
    const TypeNumber number = table_.add(description);
    if (number != no_type) {
        transport::TypeRecord record{.maker = static_cast<std::uint32_t>(description.maker),
                                     .name = description.name,
                                     .items = description.items,
                                     .parts = {}};
        for (const TypePart& part : description.parts) {
            record.parts.insert(record.parts.end(), {part.blocks, part.length, part.type});
        }
        log_.append(std::move(record));
        numbers_.emplace(std::move(description), number);
    }
    return number;
}

TypeNumber UsedTypes::describe(MPI_Datatype datatype, unsigned depth) {
    if (depth > transport::TypeTable::most_depth) {
        return no_type;
    }
    if (const Basic* const predefined = basic(datatype)) {
        return number_of(description_of(*predefined));
    }
    const TypeContents contents(datatype);
    if (!contents.is_known()) {
        return no_type;
    }
    if (contents.is_basic()) {
        return number_of(contents.combiner() == MPI_COMBINER_NAMED ? unknown_to_us()
                                                                   : of_fortran(datatype, contents.combiner()));
    }
    std::vector<TypeNumber> inner;
    for (const MPI_Datatype each : contents.inner()) {
        inner.push_back(!inner.empty() && each == contents.inner()[inner.size() - 1] ? inner.back()
                                                                                     : describe(each, depth + 1));
    }
    if (contents.combiner() == MPI_COMBINER_DUP || contents.combiner() == MPI_COMBINER_RESIZED) {
        return inner.empty() ? no_type : inner[0];
    }
    return number_of(description_of(datatype, contents, inner));
}

transport::TypedData UsedTypes::look_up(MPI_Count count, MPI_Datatype datatype) {
    if (count < 0 || datatype == MPI_DATATYPE_NULL) {
        return {};
    }
    if (misses_calls_.load(std::memory_order_relaxed)) {
        forget(datatype);  // nobody may have seen that it was freed
    }
    TypeNumber type = no_type;
    if (const TypeNumber* known = by_handle_.find(datatype)) {
        type = *known;
    } else {
        const QuietErrors quiet;  // nobody has looked at the datatype yet
        type = describe(datatype, 0);
        if (type != no_type) {
            by_handle_.insert(datatype, type);
        }
    }
    Use& use = uses_[place(count, datatype)];
    use = {.datatype = datatype, .count = count, .data = table_.data(type, static_cast<std::uint64_t>(count))};
    return use.data;
}

void UsedTypes::forget(MPI_Datatype datatype) {
    by_handle_.erase(datatype);
    for (Use& use : uses_) {
        if (use.datatype == datatype) {
            use = {};
        }
    }
}

}  // namespace dampi::piggyback
