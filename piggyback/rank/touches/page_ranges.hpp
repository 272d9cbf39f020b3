// Which pages the bytes of buffers lie in, and what nobody may do there. Plain arithmetic.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace dampi::piggyback::touches {

constexpr std::uint64_t page = 4096;

[[nodiscard]] constexpr std::uint64_t page_of(std::uint64_t address) { return address & ~(page - 1); }

/// From `begin` to `end`; nobody may write there, or not even read.
struct Closed {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    bool to_reads = false;

    bool operator==(const Closed&) const = default;
};

/// The pages of all of these, each once, in ascending order.
[[nodiscard]] inline std::vector<Closed> pages_of(const std::vector<Closed>& bytes) {
    struct Edge {
        std::uint64_t at;
        int all;
        int to_reads;
    };
    std::vector<Edge> edges;
    edges.reserve(2 * bytes.size());
    for (const Closed& each : bytes) {
        const int reads = each.to_reads ? 1 : 0;
        edges.push_back({page_of(each.begin), 1, reads});
        edges.push_back({page_of(each.end + page - 1), -1, -reads});
    }
    std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) { return a.at < b.at; });
    std::vector<Closed> pages;
    int all = 0;
    int to_reads = 0;
    for (std::size_t i = 0; i < edges.size(); ++i) {
        all += edges[i].all;
        to_reads += edges[i].to_reads;
        if (all == 0 || i + 1 == edges.size() || edges[i + 1].at == edges[i].at) {
            continue;
        }
        const Closed next{.begin = edges[i].at, .end = edges[i + 1].at, .to_reads = to_reads != 0};
        if (!pages.empty() && pages.back().end == next.begin && pages.back().to_reads == next.to_reads) {
            pages.back().end = next.end;
        } else {
            pages.push_back(next);
        }
    }
    return pages;
}

/// Takes away what lies in `begin` to `end`, whole pages, of ascending ranges.
inline void leave_out(std::vector<Closed>& pages, std::uint64_t begin, std::uint64_t end) {
    std::vector<Closed> rest;
    for (const Closed& each : pages) {
        if (each.begin < std::min(each.end, begin)) {
            rest.push_back({each.begin, std::min(each.end, begin), each.to_reads});
        }
        if (std::max(each.begin, end) < each.end) {
            rest.push_back({std::max(each.begin, end), each.end, each.to_reads});
        }
    }
    pages = std::move(rest);
}

}  // namespace dampi::piggyback::touches
