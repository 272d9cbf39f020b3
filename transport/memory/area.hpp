// Creating and attaching the memory that the ranks of a run share with dampi-run (layout.hpp). Owns the
// mapping and hands out typed views; knows nothing of what the parts mean.
#pragma once

#include "replay/decision.hpp"
#include "transport/memory/layout.hpp"
#include "transport/memory/memory_file.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace dampi::transport::memory {

/// The environment variable through which a rank learns where the area is: a path that can be opened.
inline constexpr const char* environment_variable = "DAMPI_AREA";

class Area {
public:
    /// Creates the area of one run, in `used` if that has the right size: memory of an earlier one, cleared. Throws
    /// dampi::Error when the system refuses the memory.
    static Area create(std::uint32_t processes, const std::vector<replay::Decision>& decisions,
                       clocks::Protocol protocol = clocks::Protocol::vector, MemoryFile used = {});

    /// In a rank: attaches to an area by the path that attach_path() gave; `kept` (null: nothing) may have it mapped
    /// already. Throws dampi::Error when there is none.
    static Area attach(const char* path, KeptMappings* kept = nullptr);

    /// Another memory with the same content. Nobody may write into this one meanwhile. Throws dampi::Error when the
    /// system refuses the memory.
    [[nodiscard]] Area copy() const;

    /// The memory in which all this is.
    [[nodiscard]] MemoryFile& file() { return file_; }
    [[nodiscard]] const MemoryFile& file() const { return file_; }

    [[nodiscard]] explicit operator bool() const { return file_.base() != nullptr; }
    [[nodiscard]] std::uint32_t processes() const { return processes_; }
    [[nodiscard]] AreaHeader& header() const { return *reinterpret_cast<AreaHeader*>(file_.base()); }
    [[nodiscard]] RankHeader& rank(base::Rank rank) const { return at<RankHeader>(rank_offset(rank)); }
    [[nodiscard]] QueueHeader& queue(base::Rank source, base::Rank destination) const {
        return at<QueueHeader>(rank_offset(source) + layout_.queues +
                               sizeof(QueueHeader) * static_cast<std::uint64_t>(destination));
    }
    [[nodiscard]] PostedSlot& posted(base::Rank rank, std::uint64_t index) const {
        return at<PostedSlot>(rank_offset(rank) + layout_.posted + sizeof(PostedSlot) * index);
    }
    [[nodiscard]] std::uint8_t* log(base::Rank rank) const { return file_.base() + rank_offset(rank) + layout_.log; }
    [[nodiscard]] LogRoom log_room(base::Rank rank) const {
        RankHeader& header = this->rank(rank);
        return {.bytes = log(rank), .capacity = log_capacity, .length = &header.log_length, .full = &header.log_full};
    }
    [[nodiscard]] LogContent log_content(base::Rank rank) const {
        const std::uint64_t length = this->rank(rank).log_length.load(std::memory_order_acquire);
        const bool sound = length <= log_capacity;
        return {.bytes = {log(rank), sound ? length : 0}, .sound = sound};
    }
    [[nodiscard]] const DecisionEntry* decisions() const {
        return reinterpret_cast<const DecisionEntry*>(file_.base() + decisions_);
    }
    /// The requests that a choice is to report.
    [[nodiscard]] std::span<const std::uint32_t> completed(const DecisionEntry& decision) const {
        return {reinterpret_cast<const std::uint32_t*>(file_.base() + positions_) + decision.completed_begin,
                decision.completed_count};
    }
    [[nodiscard]] clocks::Protocol protocol() const { return protocol_; }
    [[nodiscard]] Offset slab_begin(base::Rank rank) const { return rank_offset(rank) + layout_.slab; }
    [[nodiscard]] Offset slab_end(base::Rank rank) const { return rank_offset(rank) + layout_.size; }

    /// A view of something within the area; the caller has checked the offset.
    template <typename T>
    [[nodiscard]] T& at(Offset offset) const {
        return *reinterpret_cast<T*>(file_.base() + offset);
    }

    /// A view of data that a rank wrote: null unless it lies, properly aligned, in that rank's slab.
    template <typename T>
    [[nodiscard]] T* checked(base::Rank owner, Offset offset) const {
        if (offset < slab_begin(owner) || offset > slab_end(owner) - sizeof(T) || offset % alignof(T) != 0) {
            return nullptr;
        }
        return reinterpret_cast<T*>(file_.base() + offset);
    }

private:
    [[nodiscard]] Offset rank_offset(base::Rank rank) const {
        return ranks_ + rank_size_ * static_cast<std::uint64_t>(rank);
    }

    // Copies of the header's fields: a rank that overwrites the header must not mislead dampi-run.
    std::uint32_t processes_ = 0;
    Offset ranks_ = 0;
    std::uint64_t rank_size_ = 0;
    Offset decisions_ = 0;
    Offset positions_ = 0;
    clocks::Protocol protocol_ = clocks::Protocol::vector;
    RankLayout layout_{};
    MemoryFile file_;
};

}  // namespace dampi::transport::memory
