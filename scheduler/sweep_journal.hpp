// The journal of a sweep: each run that was taken in, so that `dampi-run --resume` goes on where the sweep ended, however
// it did. A kill loses the runs that were going on, the death of the machine also those of the last moments, of which
// nothing had been told yet (wait_until_kept).
//
// Now and then the journal is replaced by the state of explorer and account, so it does not grow with the sweep.
#pragma once

#include "replay/journal.hpp"
#include "scheduler/sweep.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace dampi::scheduler {

/// Where in a sweep's directory its journal is.
[[nodiscard]] std::filesystem::path journal_in(const std::filesystem::path& directory);

class SweepJournal final : public SweepKeeper {
public:
    /// Begins a new journal. The header says which sweep it is. Throws dampi::Error.
    SweepJournal(replay::JournalLock lock, std::string header);
    /// Goes on with a journal of which only the header has been read, and lets the explorer and the account, which must be
    /// new, take in what is in it. Throws dampi::Error.
    SweepJournal(replay::JournalLock lock, replay::JournalReader& reader, Explorer& explorer, SweepAccount& account);

    void keep(const SweepEntry& entry) override;
    void compact(const Explorer& explorer, const SweepAccount& account) override;
    void wait_until_kept() override;

    /// Replaces the journal when it is larger than this and has grown to several times its size after the last time.
    void set_least_size_to_compact(std::uint64_t bytes) { least_size_to_compact_ = bytes; }

private:
    std::string header_;
    replay::JournalWriter writer_;
    std::string buffer_;
    std::uint64_t kept_ = 0;
    std::uint64_t compacted_size_ = 0;
    std::uint64_t least_size_to_compact_;
};

}  // namespace dampi::scheduler
