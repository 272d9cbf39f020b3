#include "piggyback/rank/buffers/elements.hpp"

#include "piggyback/rank/errors/quiet_errors.hpp"
#include "piggyback/rank/resources/type_contents.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace dampi::piggyback {
namespace {

/// The bytes of a datatype are found by writing through it into memory of its extent, unless that is larger.
constexpr MPI_Count largest_extent = MPI_Count{1} << 24;
/// So many different ones are kept.
constexpr std::size_t most_elements = std::size_t{1} << 16;

/// A byte that stands for memory that is written: its position in the packed data does not matter.
constexpr char written = 1;

/// Nothing where MPI refuses it.
std::optional<std::vector<Blocks>> find_blocks(MPI_Datatype datatype, MPI_Count size, const Element& element) {
    const std::vector<char> packed(static_cast<std::size_t>(size), written);
    std::vector<char> memory(static_cast<std::size_t>(element.end - element.begin));
    auto* const origin = reinterpret_cast<void*>(reinterpret_cast<std::intptr_t>(memory.data()) - element.begin);
    MPI_Count position = 0;
    if (PMPI_Unpack_c(packed.data(), size, &position, origin, 1, datatype, MPI_COMM_SELF) != MPI_SUCCESS) {
        return std::nullopt;
    }
    std::vector<Blocks> blocks;
    for (auto first = std::find(memory.begin(), memory.end(), written); first != memory.end();) {
        const auto last = std::find(first, memory.end(), char{0});
        const Blocks next{.begin = element.begin + (first - memory.begin()), .length = last - first};
        if (blocks.empty() || !extend(blocks.back(), next)) {
            blocks.push_back(next);
        }
        first = std::find(last, memory.end(), written);
    }
    return blocks;
}

MPI_Count bytes_of(const std::vector<Blocks>& blocks) {
    MPI_Count bytes = 0;
    for (const Blocks& each : blocks) {
        bytes += each.length * each.count;
    }
    return bytes;
}

/// Element::basic of a datatype.
std::uint32_t basic_of(MPI_Datatype datatype) {
    const TypeContents contents(datatype);
    if (!contents.is_known()) {
        return 0;
    }
    if (!contents.is_basic()) {
        std::optional<std::uint32_t> found;
        for (const MPI_Datatype each : contents.inner()) {
            const std::uint32_t basic = basic_of(each);
            found = !found || *found == basic ? basic : 0;
        }
        return found.value_or(0);
    }
    MPI_Count size = 0;
    PMPI_Type_size_x(datatype, &size);
    constexpr std::uint32_t fraction = 1U << 31;
    constexpr std::array with_fraction{MPI_FLOAT, MPI_DOUBLE,           MPI_LONG_DOUBLE, MPI_REAL,
                                       MPI_REAL4, MPI_DOUBLE_PRECISION, MPI_REAL8};
    const bool has_fraction = std::find(with_fraction.begin(), with_fraction.end(), datatype) != with_fraction.end();
    return static_cast<std::uint32_t>(size) | (has_fraction ? fraction : 0);
}

/// Whether a basic datatype in it has bytes that MPI leaves out when elements do not follow each other, as those that
/// fill a long double up.
bool has_unused_bytes(MPI_Datatype datatype) {
    const TypeContents contents(datatype);
    if (!contents.is_known() || !contents.is_basic()) {
        return !contents.is_known() || std::any_of(contents.inner().begin(), contents.inner().end(), has_unused_bytes);
    }
    MPI_Datatype two = MPI_DATATYPE_NULL;
    if (PMPI_Type_vector(2, 1, 2, datatype, &two) != MPI_SUCCESS || PMPI_Type_commit(&two) != MPI_SUCCESS) {
        return true;
    }
    MPI_Count size = 0;
    MPI_Count begin = 0;
    MPI_Count extent = 0;
    PMPI_Type_size_x(two, &size);
    PMPI_Type_get_true_extent_x(two, &begin, &extent);
    const auto blocks =
        size > 0 ? find_blocks(two, size, {.begin = begin, .end = begin + extent, .extent = extent}) : std::nullopt;
    PMPI_Type_free(&two);
    return size > 0 && (!blocks || bytes_of(*blocks) < size);
}

/// Nothing where MPI refuses it.
std::optional<Element> find_element(MPI_Datatype datatype) {
    const QuietErrors quiet;
    Element element;
    MPI_Count size = 0;
    MPI_Count begin = 0;
    MPI_Count true_extent = 0;
    MPI_Count lower = 0;
    MPI_Count extent = 0;
    if (datatype == MPI_DATATYPE_NULL || PMPI_Type_size_x(datatype, &size) != MPI_SUCCESS ||
        PMPI_Type_get_true_extent_x(datatype, &begin, &true_extent) != MPI_SUCCESS ||
        PMPI_Type_get_extent_x(datatype, &lower, &extent) != MPI_SUCCESS) {
        return std::nullopt;
    }
    element.extent = extent;
    if (size <= 0) {
        element.blocks.emplace();
        return element;
    }
    element.begin = begin;
    element.end = begin + true_extent;
    element.basic = basic_of(datatype);
    if (size == true_extent && TypeContents(datatype).is_basic()) {
        element.blocks = {{.begin = begin, .length = true_extent}};
    } else if (true_extent <= largest_extent && size <= largest_extent) {
        element.blocks = find_blocks(datatype, size, element);
        if (!element.blocks) {
            return std::nullopt;
        }
        if (bytes_of(*element.blocks) < size) {
            if (has_unused_bytes(datatype)) {
                element.blocks.reset();
            } else {
                element.repeats = true;
            }
        }
    }
    element.solid = !element.repeats && element.blocks && element.blocks->size() == 1 &&
                    element.blocks->front().count == 1 && element.blocks->front().length == true_extent &&
                    extent == true_extent;
    return element;
}

}  // namespace

void Elements::look_up(MPI_Datatype datatype, Recent& recent) {
    if (const auto* known = by_handle_.find(datatype)) {
        recent = {.datatype = datatype, .element = *known};
        return;
    }
    recent = {};
    if (resources_.is_stale(ResourceKind::datatype, static_cast<std::uint32_t>(datatype))) {
        return;  // MPI may die of one that has been freed
    }
    if (auto found = find_element(datatype); found && all_.size() < most_elements) {
        recent = {.datatype = datatype, .element = &*all_.insert(*std::move(found)).first};
        by_handle_.insert(datatype, recent.element);
    }
}

void Elements::forget(MPI_Datatype datatype) {
    by_handle_.erase(datatype);
    for (Recent& each : recent_) {
        if (each.datatype == datatype) {
            each = {};
        }
    }
}

}  // namespace dampi::piggyback
