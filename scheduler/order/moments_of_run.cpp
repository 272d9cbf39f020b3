#include "scheduler/order/moments_of_run.hpp"

#include "transport/requests/moments.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <system_error>

namespace dampi::scheduler {
namespace {

using namespace transport::requests;

constexpr std::uint64_t largest_piece = std::uint64_t{64} << 20;
constexpr std::uint64_t most_memory = std::uint64_t{256} << 20;
constexpr std::uintmax_t largest_list = std::uintmax_t{64} << 20;
constexpr std::size_t most_frames = 4096;

bool take_moment(std::istringstream& line, MomentsOfRank& all) {
    std::uint64_t number = 0;
    std::uint64_t known = 0;
    MomentOfRank moment;
    line >> std::hex >> number >> moment.function >> moment.site >> known >> moment.state.low >> moment.state.high >>
        moment.stack_end;
    if (!line || known != 1 || number != all.moments.size() + 1) {
        return false;
    }
    launch::StackFrame frame;
    while (line >> frame.pc >> frame.sp >> frame.rbp) {
        if (!moment.frames.empty()) {
            moment.frames.back().cfa = frame.sp;
        }
        moment.frames.push_back(frame);
        if (moment.frames.size() > most_frames) {
            return false;
        }
    }
    // The last one is there for where the one before ends.
    if (!moment.frames.empty()) {
        moment.frames.pop_back();
    }
    moment.received = all.received.size();
    all.moments.push_back(std::move(moment));
    return true;
}

std::optional<std::vector<MappedFile>> read_mappings(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::vector<MappedFile> all;
    for (std::string text; std::getline(file, text);) {
        std::istringstream line(text);
        MappedFile mapping;
        char dash = 0;
        std::string permissions;
        std::string device;
        std::string inode;
        line >> std::hex >> mapping.begin >> dash >> mapping.end >> permissions >> mapping.offset >> device >> inode;
        if (!line) {
            return std::nullopt;
        }
        mapping.writable = permissions.size() > 1 && permissions[1] == 'w';
        std::getline(line >> std::ws, mapping.path);
        all.push_back(std::move(mapping));
    }
    return all.empty() ? std::nullopt : std::optional(std::move(all));
}

}  // namespace

std::optional<MomentsOfRank> read_moments(const std::filesystem::path& folder, base::Rank rank) {
    MomentsOfRank all;
    const std::string path = file_of_rank(folder.string(), moments_name, rank);
    std::error_code error;
    if (const std::uintmax_t size = std::filesystem::file_size(path, error); error || size > largest_list) {
        return std::nullopt;
    }
    std::ifstream file(path);
    for (std::string text; std::getline(file, text);) {
        std::istringstream line(text);
        std::string word;
        line >> word;
        if (word == "moment") {
            if (!take_moment(line, all)) {
                return std::nullopt;
            }
        } else if (word == "received") {
            ReceivedMessage message;
            line >> std::hex >> message.begin >> message.end >> message.source >> message.tag;
            if (!line) {
                return std::nullopt;
            }
            all.received.push_back(message);
        } else {
            return std::nullopt;
        }
    }
    auto mappings = read_mappings(file_of_rank(folder.string(), mappings_name, rank));
    if (all.moments.empty() || all.moments.size() >= most_moments || !mappings) {
        return std::nullopt;
    }
    all.mappings = std::move(*mappings);
    return all;
}

std::optional<MemoryOfRank> MemoryOfRank::read(const std::filesystem::path& folder, base::Rank rank,
                                               std::uint32_t moment) {
    std::ifstream file(memory_file(folder.string(), rank, moment), std::ios::binary);
    if (!file) {
        return std::nullopt;
    }
    MemoryOfRank memory;
    std::uint64_t all = 0;
    MemoryPiece head;
    while (file.read(reinterpret_cast<char*>(&head), sizeof head)) {
        all += 2 * head.size;
        if (head.size > largest_piece || all > most_memory) {
            return std::nullopt;
        }
        Piece piece;
        piece.now.resize(head.size);
        file.read(reinterpret_cast<char*>(piece.now.data()), static_cast<std::streamsize>(head.size));
        if (head.has_before != 0) {
            piece.before.resize(head.size);
            file.read(reinterpret_cast<char*>(piece.before.data()), static_cast<std::streamsize>(head.size));
        }
        if (!file) {
            return std::nullopt;
        }
        memory.pieces_.emplace(head.begin, std::move(piece));
    }
    return file.gcount() == 0 && !memory.pieces_.empty() ? std::optional(std::move(memory)) : std::nullopt;
}

const std::pair<const std::uint64_t, MemoryOfRank::Piece>* MemoryOfRank::piece_at(std::uint64_t address) const {
    const auto behind = pieces_.upper_bound(address);
    if (behind == pieces_.begin()) {
        return nullptr;
    }
    const auto& piece = *std::prev(behind);
    return address - piece.first < piece.second.now.size() ? &piece : nullptr;
}

bool MemoryOfRank::copy(std::uint64_t address, void* to, std::size_t size) const {
    auto* bytes = static_cast<std::uint8_t*>(to);
    for (std::size_t i = 0; i < size; ++i) {
        const auto* const piece = piece_at(address + i);
        if (piece == nullptr) {
            return false;
        }
        bytes[i] = piece->second.now[address + i - piece->first];
    }
    return true;
}

std::optional<std::uint8_t> MemoryOfRank::byte(const MemoryOfRank& one, const MemoryOfRank& other,
                                               std::uint64_t address) {
    if (const auto* const piece = one.piece_at(address)) {
        return piece->second.now[address - piece->first];
    }
    const auto* const changed = other.piece_at(address);
    if (changed == nullptr) {
        return std::nullopt;
    }
    return changed->second.before.empty() ? 0 : changed->second.before[address - changed->first];
}

void MemoryOfRank::add_differences(const MemoryOfRank& other, std::vector<std::uint64_t>& found,
                                   std::size_t most) const {
    for (const auto& [begin, piece] : pieces_) {
        const auto same = other.pieces_.find(begin);
        if (same != other.pieces_.end() && same->second.now == piece.now) {
            continue;
        }
        for (std::size_t i = 0; i < piece.now.size() && found.size() < most; ++i) {
            if (byte(other, *this, begin + i) != piece.now[i]) {
                found.push_back(begin + i);
            }
        }
    }
}

std::vector<std::uint64_t> MemoryOfRank::differences(const MemoryOfRank& one, const MemoryOfRank& other,
                                                     std::size_t most) {
    std::vector<std::uint64_t> found;
    one.add_differences(other, found, most);
    other.add_differences(one, found, 2 * most);
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

}  // namespace dampi::scheduler
