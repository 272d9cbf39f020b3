#include "piggyback/rank/buffers/elements.hpp"

#include "piggyback/rank/errors/quiet_errors.hpp"

#include <algorithm>
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

bool is_predefined(MPI_Datatype datatype) {
    int integers = 0;
    int addresses = 0;
    int inner = 0;
    int combiner = MPI_COMBINER_NAMED;
    return PMPI_Type_get_envelope(datatype, &integers, &addresses, &inner, &combiner) == MPI_SUCCESS &&
           combiner == MPI_COMBINER_NAMED;
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
    if (size == true_extent && is_predefined(datatype)) {
        element.blocks = {{.begin = begin, .length = true_extent}};
    } else if (true_extent <= largest_extent && size <= largest_extent) {
        element.blocks = find_blocks(datatype, size, element);
        if (!element.blocks) {
            return std::nullopt;
        }
        MPI_Count bytes = 0;
        for (const Blocks& each : *element.blocks) {
            bytes += each.length * each.count;
        }
        element.repeats = bytes < size;
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
