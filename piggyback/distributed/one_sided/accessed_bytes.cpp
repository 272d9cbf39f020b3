#include "piggyback/distributed/one_sided/accessed_bytes.hpp"

#include <algorithm>
#include <utility>

namespace dampi::piggyback::distributed {
namespace {

/// The bytes of a datatype with gaps are found by writing through it into memory of its extent; its span stands for one
/// that is larger.
constexpr MPI_Count largest_extent = MPI_Count{1} << 26;
/// Elements with gaps are looked at one by one as long as they have no more blocks together than that.
constexpr std::int64_t most_blocks = std::int64_t{1} << 20;
/// More blocks than that stand for their span.
constexpr std::size_t most_accesses_found = 512;

void append(std::vector<Blocks>& all, const Blocks& next) {
    if (all.empty() || !extend(all.back(), next)) {
        all.push_back(next);
    }
}

/// Of a basic type: its size, and whether it is a number with a fraction; 0 if that is not known. Atomic accesses of
/// different classes do not go together.
std::uint32_t element_class(MPI_Datatype type) {
    int integers = 0;
    int addresses = 0;
    int types = 0;
    int combiner = MPI_COMBINER_NAMED;
    if (PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner) != MPI_SUCCESS) {
        return 0;
    }
    if (combiner != MPI_COMBINER_NAMED) {
        if (types == 0) {
            return 0;
        }
        std::vector<int> some_integers(static_cast<std::size_t>(integers));
        std::vector<MPI_Aint> some_addresses(static_cast<std::size_t>(addresses));
        std::vector<MPI_Datatype> parts(static_cast<std::size_t>(types));
        if (PMPI_Type_get_contents(type, integers, addresses, types, some_integers.data(), some_addresses.data(),
                                   parts.data()) != MPI_SUCCESS) {
            return 0;
        }
        std::uint32_t found = element_class(parts.front());
        for (MPI_Datatype& part : parts) {
            found = element_class(part) == found ? found : 0;
            if (PMPI_Type_get_envelope(part, &integers, &addresses, &types, &combiner) == MPI_SUCCESS &&
                combiner != MPI_COMBINER_NAMED) {
                PMPI_Type_free(&part);
            }
        }
        return found;
    }
    int size = 0;
    PMPI_Type_size(type, &size);
    constexpr std::uint32_t fraction = 1U << 31;
    const bool has_fraction = type == MPI_FLOAT || type == MPI_DOUBLE || type == MPI_LONG_DOUBLE || type == MPI_REAL ||
                              type == MPI_DOUBLE_PRECISION || type == MPI_REAL4 || type == MPI_REAL8;
    return static_cast<std::uint32_t>(size) | (has_fraction ? fraction : 0);
}

ElementBytes find_element(MPI_Datatype type) {
    MPI_Count size = 0;
    MPI_Count begin = 0;
    MPI_Count extent = 0;
    PMPI_Type_size_x(type, &size);
    PMPI_Type_get_true_extent_x(type, &begin, &extent);
    const std::uint32_t element = element_class(type);
    if (size <= 0) {
        return {};
    }
    ElementBytes span_alone{
        .blocks = {{.begin = begin, .length = extent}}, .exact = size == extent, .element = element};
    if (size == extent || extent > largest_extent || size > largest_extent) {
        return span_alone;
    }
    const std::vector<char> packed(static_cast<std::size_t>(size), 1);
    std::vector<char> memory(static_cast<std::size_t>(extent));
    MPI_Count position = 0;
    auto* origin = reinterpret_cast<void*>(reinterpret_cast<std::intptr_t>(memory.data()) - begin);
    if (PMPI_Unpack_c(packed.data(), size, &position, origin, 1, type, MPI_COMM_SELF) != MPI_SUCCESS) {
        return span_alone;
    }
    std::vector<Blocks> found;
    for (auto first = std::find(memory.begin(), memory.end(), 1); first != memory.end();) {
        const auto last = std::find(first, memory.end(), 0);
        append(found, {.begin = begin + (first - memory.begin()), .length = last - first});
        first = std::find(last, memory.end(), 1);
    }
    return {.blocks = std::move(found), .exact = true, .element = element};
}

}  // namespace

const ElementBytes& element_of(Windows& windows, MPI_Datatype type) {
    const auto [found, is_new] = windows.elements.try_emplace(type);
    if (is_new) {
        found->second = find_element(type);
    }
    return found->second;
}

FoundBlocks find_blocks(const ElementBytes& bytes, MPI_Datatype type, std::int64_t first, std::int64_t count) {
    const std::vector<Blocks>& element = bytes.blocks;
    if (element.empty() || count <= 0) {
        return {};
    }
    MPI_Count lower = 0;
    MPI_Count extent = 0;
    PMPI_Type_get_extent_x(type, &lower, &extent);
    if (extent < 0) {  // from the last to the first
        first += extent * (count - 1);
        extent = -extent;
    }
    std::int64_t blocks = 0;
    for (const Blocks& each : element) {
        blocks += each.count;
    }
    if (blocks == 1 && (extent >= element.front().length || count == 1)) {
        Blocks all = element.front();
        all.begin += first;
        if (extent == all.length) {
            all.length *= count;
        } else if (count > 1) {
            all.stride = extent;
            all.count = count;
        }
        return {{all}, bytes.exact};
    }
    const Blocks whole = span(element);
    const Blocks everything{.begin = first + whole.begin, .length = whole.length + extent * (count - 1)};
    if (count > most_blocks / blocks) {
        return {{everything}, false};
    }
    std::vector<Blocks> found;
    for (std::int64_t i = 0; i < count; ++i) {
        for (const Blocks& each : element) {
            for (std::int64_t j = 0; j < each.count; ++j) {
                append(found, {.begin = first + i * extent + each.begin + j * each.stride, .length = each.length});
            }
        }
    }
    return found.size() > most_accesses_found ? FoundBlocks{{everything}, false}
                                              : FoundBlocks{std::move(found), bytes.exact};
}

}  // namespace dampi::piggyback::distributed
