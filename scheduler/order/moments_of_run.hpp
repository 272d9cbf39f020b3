// What ranks have written down of their moments (transport/requests/moments.hpp). Nothing of it is believed: what makes
// no sense is not there.
#pragma once

#include "base/digest.hpp"
#include "base/types.hpp"
#include "launch/program/variables.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dampi::scheduler {

/// A call in which the rank waits.
struct MomentOfRank {
    std::string function;
    std::uint64_t site = 0;
    base::Digest state;
    std::uint64_t stack_end = 0;
    std::vector<launch::StackFrame> frames;  ///< the innermost first
    std::size_t received = 0;                ///< so many messages had been received before
};

/// A message, where its data may be, and what the program was told of it.
struct ReceivedMessage {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::uint32_t source = 0;
    std::uint32_t tag = 0;
};

struct MappedFile {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::uint64_t offset = 0;
    bool writable = false;
    std::string path;  ///< empty: memory of nobody's; "[heap]"

    bool operator==(const MappedFile&) const = default;
};

struct MomentsOfRank {
    std::vector<MomentOfRank> moments;
    std::vector<ReceivedMessage> received;
    std::vector<MappedFile> mappings;
};

/// Nothing where a part is missing.
[[nodiscard]] std::optional<MomentsOfRank> read_moments(const std::filesystem::path& folder, base::Rank rank);

/// What was in memory at a moment, and what had been there when the process began, as far as that is another thing.
class MemoryOfRank {
public:
    /// Nothing where it is not whole. `moment` counts from 1.
    [[nodiscard]] static std::optional<MemoryOfRank> read(const std::filesystem::path& folder, base::Rank rank,
                                                          std::uint32_t moment);

    /// False where nothing is known of a byte.
    [[nodiscard]] bool copy(std::uint64_t address, void* to, std::size_t size) const;

    /// Addresses, ascending, of the bytes that are not the same in both. Pieces that only one has were changed in that
    /// one alone.
    [[nodiscard]] static std::vector<std::uint64_t> differences(const MemoryOfRank& one, const MemoryOfRank& other,
                                                                std::size_t most);

    /// What is at this address in the one, where the other may have it instead since only that has changed it.
    [[nodiscard]] static std::optional<std::uint8_t> byte(const MemoryOfRank& one, const MemoryOfRank& other,
                                                          std::uint64_t address);

private:
    struct Piece {
        std::vector<std::uint8_t> now;
        std::vector<std::uint8_t> before;  ///< empty: zeros
    };

    [[nodiscard]] const std::pair<const std::uint64_t, Piece>* piece_at(std::uint64_t address) const;
    void add_differences(const MemoryOfRank& other, std::vector<std::uint64_t>& found, std::size_t most) const;

    std::map<std::uint64_t, Piece> pieces_;  ///< by where they begin
};

}  // namespace dampi::scheduler
