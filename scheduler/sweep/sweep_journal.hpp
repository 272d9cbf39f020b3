// The journal of a sweep: each run that was taken in, so that `dampi-run --resume` goes on where the sweep ended,
// however it did. A kill loses the runs that were going on, the death of the machine also those of the last moments, of
// which nothing had been told yet (wait_until_kept).
//
// Now and then the journal is replaced by the state of explorer and account, so it does not grow with the sweep. Where
// a state is larger than an entry can be, it comes in several.
#pragma once

#include "replay/journal.hpp"
#include "scheduler/sweep/packing.hpp"
#include "scheduler/sweep/sweep.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace dampi::scheduler {

/// Whether a journal is of a sweep that has run something and not come to its end. False for what is no journal that
/// this program understands.
[[nodiscard]] bool is_unfinished(const std::filesystem::path& journal);

class SweepJournal final : public SweepKeeper {
public:
    /// Begins a new journal. The header says which sweep it is. Throws dampi::Error.
    SweepJournal(replay::JournalLock lock, std::string header);
    /// Goes on with a journal of which only the header has been read, and lets the explorer and the account, which must
    /// be new, take in what is in it. Throws dampi::Error.
    SweepJournal(replay::JournalLock lock, replay::JournalReader& reader, Explorer& explorer, SweepAccount& account);

    [[nodiscard]] bool keep(const SweepEntry& entry) override;
    void compact(const Explorer& explorer, const SweepAccount& account) override;
    void wait_until_kept() override;

    /// The sweep has come to its end: nothing is left of it.
    void finish();
    /// Brings everything to the file; nothing may be kept afterwards. Throws dampi::Error.
    void close();
    /// It had done so before this object was made.
    [[nodiscard]] bool was_finished() const { return was_finished_; }

    /// Replaces the journal when it is larger than this and has grown to several times its size after the last time.
    void set_least_size_to_compact(std::uint64_t bytes) { least_size_to_compact_ = bytes; }
    /// An entry holds at most so many bytes, for a test of what becomes of larger ones.
    void set_most_payload(std::size_t bytes) { most_payload_ = bytes; }

private:
    static std::string take_in(replay::JournalReader& reader, Explorer& explorer, SweepAccount& account,
                               Packing& packing, bool& was_finished);

    bool was_finished_ = false;
    Packing packing_;  ///< of the file's entries
    std::string header_;
    replay::JournalWriter writer_;
    std::string buffer_;
    std::atomic<std::uint64_t> kept_ = 0;
    std::uint64_t compacted_size_ = 0;
    std::uint64_t least_size_to_compact_;
    std::size_t most_payload_ = replay::most_journal_payload;
};

}  // namespace dampi::scheduler
