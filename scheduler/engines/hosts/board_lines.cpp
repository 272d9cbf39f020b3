#include "scheduler/engines/hosts/board_lines.hpp"

#include <array>
#include <atomic>
#include <cstring>

namespace dampi::scheduler::hosts {
namespace {

using transport::memory::RankHeader;

using Words = std::array<std::uint64_t, sizeof(Line::bytes) / sizeof(std::uint64_t)>;
constexpr std::size_t lines_of_rank = sizeof(RankHeader) / sizeof(Line::bytes);
static_assert(sizeof(RankHeader) % sizeof(Line::bytes) == 0);

std::uint64_t* words_of(const transport::memory::Area& area, base::Rank rank, std::size_t line) {
    return reinterpret_cast<std::uint64_t*>(&area.rank(rank)) + line * Words().size();
}

}  // namespace

std::vector<Line> BoardLines::changes(base::Rank rank) {
    std::vector<std::uint64_t>& told = told_[static_cast<std::size_t>(rank)];
    told.resize(lines_of_rank * Words().size(), 0);
    std::vector<Line> changed;
    for (std::size_t i = 0; i < lines_of_rank; ++i) {
        std::uint64_t* const from = words_of(area_, rank, i);
        Words now{};
        for (std::size_t k = 0; k < now.size(); ++k) {
            now[k] = std::atomic_ref(from[k]).load(std::memory_order_acquire);
        }
        std::uint64_t* const before = &told[i * now.size()];
        if (std::memcmp(before, now.data(), sizeof now) != 0) {
            std::memcpy(before, now.data(), sizeof now);
            Line& line = changed.emplace_back();
            line.number = static_cast<std::uint32_t>(i);
            std::memcpy(line.bytes.data(), now.data(), sizeof now);
        }
    }
    return changed;
}

bool show(const transport::memory::Area& area, base::Rank rank, const std::vector<Line>& lines) {
    for (const Line& line : lines) {
        if (line.number >= lines_of_rank) {
            return false;
        }
        Words now{};
        std::memcpy(now.data(), line.bytes.data(), sizeof now);
        std::uint64_t* const to = words_of(area, rank, line.number);
        for (std::size_t k = 0; k < now.size(); ++k) {
            std::atomic_ref(to[k]).store(now[k], std::memory_order_release);
        }
    }
    return true;
}

}  // namespace dampi::scheduler::hosts
