#include "scheduler/sweep/sweep_journal.hpp"

#include "base/check.hpp"
#include "replay/serialization.hpp"

#include <stdexcept>
#include <string_view>
#include <utility>

namespace dampi::replay {

template <>
struct LastValue<scheduler::Sighting::Sort> {
    static constexpr auto value = scheduler::Sighting::Sort::note;
};
template <>
struct LastValue<scheduler::SweepEntry::Flaw> {
    static constexpr auto value = scheduler::SweepEntry::Flaw::unfinished;
};

}  // namespace dampi::replay

namespace dampi::scheduler {
namespace {

constexpr std::uint8_t entry_type = 1;
constexpr std::uint8_t explorer_type = 2;
constexpr std::uint8_t account_type = 3;
constexpr std::uint8_t finished_type = 4;
constexpr std::uint8_t part_type = 5;  ///< the beginning, or more, of what the next entry of another type ends

constexpr std::uint64_t least_size = std::uint64_t{16} << 20;
constexpr std::uint64_t growth = 4;                       // times
constexpr std::size_t usual_size = std::size_t{1} << 20;  // of an entry

}  // namespace

bool is_unfinished(const std::filesystem::path& journal) {
    bool unfinished = false;
    try {
        replay::JournalReader reader(journal);
        while (const auto entry = reader.next()) {
            unfinished = entry->type != finished_type;
        }
    } catch (const Error&) {
        return false;
    }
    return unfinished;
}

/// Reads all entries; the header afterwards.
std::string SweepJournal::take_in(replay::JournalReader& reader, Explorer& explorer, SweepAccount& account,
                                  Packing& packing, bool& was_finished) {
    std::string parts;
    try {
        while (const auto entry = reader.next()) {
            was_finished = entry->type == finished_type;
            if (was_finished) {
                continue;
            }
            std::string_view payload = packing.unpack(entry->payload, replay::most_journal_payload);
            if (entry->type == part_type || !parts.empty()) {
                parts.append(payload);
                payload = parts;
            }
            switch (entry->type) {
                case part_type:
                    continue;
                case explorer_type:
                    explorer.restore(replay::from_bytes<ExplorerState>(payload));
                    break;
                case account_type:
                    account.restore(replay::from_bytes<SweepAccount::State>(payload));
                    break;
                case entry_type: {
                    const auto run = replay::from_bytes<SweepEntry>(payload);
                    if (run.flaw != SweepEntry::Flaw::unfinished) {
                        explorer.apply(run.lesson);
                    }
                    account.apply(run);
                    break;
                }
                default:
                    throw Error("there is an entry of another kind");
            }
            parts = {};
        }
    } catch (const std::out_of_range&) {
        throw Error("the sweep's journal contradicts itself: begin the sweep anew");
    }
    return reader.header();
}

SweepJournal::SweepJournal(replay::JournalLock lock, std::string header)
    : header_(std::move(header)), writer_(std::move(lock), header_), least_size_to_compact_(least_size) {}

SweepJournal::SweepJournal(replay::JournalLock lock, replay::JournalReader& reader, Explorer& explorer,
                           SweepAccount& account)
    : header_(take_in(reader, explorer, account, packing_, was_finished_)),
      writer_(std::move(lock), reader),
      least_size_to_compact_(least_size) {}

bool SweepJournal::keep(const SweepEntry& entry) {
    buffer_.clear();
    if (buffer_.capacity() > usual_size) {
        buffer_ = {};
    }
    if (!replay::append_bytes_within(buffer_, entry, Packing::most_text(most_payload_))) {
        return false;
    }
    kept_ = writer_.append(entry_type, packing_.pack(buffer_));
    return true;
}

void SweepJournal::compact(const Explorer& explorer, const SweepAccount& account) {
    if (writer_.size() < least_size_to_compact_ || writer_.size() < growth * compacted_size_) {
        return;
    }
    Packing packing;
    writer_.replace(header_, [&](const replay::JournalWriter::Append& append) {
        const auto append_in_parts = [&](std::uint8_t type, const std::string& bytes) {
            const std::size_t most = Packing::most_text(most_payload_);
            std::string_view left = bytes;
            for (; left.size() > most; left.remove_prefix(most)) {
                append(part_type, packing.pack(left.substr(0, most)));
            }
            append(type, packing.pack(left));
        };
        append_in_parts(explorer_type, replay::to_bytes(explorer.state()));
        append_in_parts(account_type, replay::to_bytes(account.state()));
    });
    packing_ = std::move(packing);
    compacted_size_ = writer_.size();
}

void SweepJournal::finish() {
    if (!was_finished_) {
        kept_ = writer_.append(finished_type, {});
        wait_until_kept();
    }
}

void SweepJournal::close() { writer_.close(); }

void SweepJournal::wait_until_kept() { writer_.wait_durable(kept_); }

}  // namespace dampi::scheduler
