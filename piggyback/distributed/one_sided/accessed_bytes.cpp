#include "piggyback/distributed/one_sided/accessed_bytes.hpp"

#include <algorithm>
#include <utility>

namespace dampi::piggyback::distributed {
namespace {

/// Elements with gaps are looked at one by one as long as they have no more blocks together than that.
constexpr std::int64_t most_blocks = std::int64_t{1} << 20;
/// More blocks than that stand for their span.
constexpr std::size_t most_accesses_found = 512;

void append(std::vector<Blocks>& all, const Blocks& next) {
    if (all.empty() || !extend(all.back(), next)) {
        all.push_back(next);
    }
}

}  // namespace

FoundBlocks find_blocks(const Element& of_one, std::int64_t first, std::int64_t count) {
    const bool exact = of_one.blocks.has_value();
    // Its span stands for one whose bytes are not known.
    std::vector<Blocks> whole_element;
    if (!exact) {
        whole_element.push_back({.begin = of_one.begin, .length = of_one.end - of_one.begin});
    }
    const std::vector<Blocks>& element = exact ? *of_one.blocks : whole_element;
    if (element.empty() || count <= 0) {
        return {};
    }
    std::int64_t extent = of_one.extent;
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
        return {{all}, exact};
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
    return found.size() > most_accesses_found ? FoundBlocks{{everything}, false} : FoundBlocks{std::move(found), exact};
}

}  // namespace dampi::piggyback::distributed
