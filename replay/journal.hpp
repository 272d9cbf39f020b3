// The journal of a sweep: a file to which checked entries are appended, and from which an interrupted or killed sweep
// goes on. Knows nothing of what is in the entries; the first one, the header, says whose journal it is.
//
// What is appended has been handed to the operating system before append() returns, so the death of the process loses
// nothing; a thread brings it to the disk, many entries at a time, so a machine that dies loses the last moments at
// most. The file is always one from which a sweep can go on: it gets its name when header and checkpoint are on the
// disk, and a half-written entry at its end is recognised and cut off.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

namespace dampi::replay {

/// The most bytes that an entry can hold.
inline constexpr std::size_t most_journal_payload = std::size_t{64} << 20;

struct JournalEntry {
    std::uint8_t type = 0;  ///< the user's own, from 1 to 254
    std::string_view payload;
};

/// Only one process at a time works with a journal. Lasts as long as the value, or as the process, however it ends;
/// children of the process do not prolong it. Within one process there must be no two for the same journal.
class JournalLock {
public:
    /// Locks `journal`, which need not exist, by a file beside it. Throws dampi::Error when another process has the
    /// lock, and says which.
    explicit JournalLock(std::filesystem::path journal);
    ~JournalLock();
    JournalLock(JournalLock&& other) noexcept;
    JournalLock& operator=(JournalLock&&) = delete;
    JournalLock(const JournalLock&) = delete;
    JournalLock& operator=(const JournalLock&) = delete;

    [[nodiscard]] const std::filesystem::path& journal() const { return journal_; }

private:
    std::filesystem::path journal_;
    int descriptor_ = -1;
};

/// Reads a journal from its beginning to its end, entry by entry, in memory that does not grow with the file.
class JournalReader {
public:
    /// Throws dampi::Error when there is no such file, or it is no journal, or one of another format, or damaged at its
    /// beginning.
    explicit JournalReader(const std::filesystem::path& path);
    ~JournalReader();
    JournalReader(JournalReader&&) noexcept;
    JournalReader& operator=(JournalReader&&) = delete;
    JournalReader(const JournalReader&) = delete;
    JournalReader& operator=(const JournalReader&) = delete;

    [[nodiscard]] const std::string& header() const;

    /// The next entry; its payload is valid until the next call. Nothing at the end, where bytes that are no entries
    /// may follow: what a dying process or machine has left half-written. Throws dampi::Error when the file is damaged
    /// before a place up to which it had been on the disk: no death of a process or machine does that.
    std::optional<JournalEntry> next();

    /// Once next() has returned nothing: how many bytes follow that are no entries.
    [[nodiscard]] std::uint64_t torn() const;

private:
    friend class JournalWriter;
    struct State;
    std::unique_ptr<State> state_;
};

/// Appends to a journal. May be used by several threads at once.
class JournalWriter {
public:
    /// Called with the type and the payload of each entry that is to be in the new file.
    using Append = std::function<void(std::uint8_t type, std::string_view payload)>;

    /// A new journal, in the place of an earlier one. Throws dampi::Error.
    JournalWriter(JournalLock lock, std::string_view header);
    /// Goes on with a journal that was read up to its end, behind its last entry. Throws dampi::Error.
    JournalWriter(JournalLock lock, const JournalReader& reader);
    /// Like close(), but says nothing when it fails.
    ~JournalWriter();
    JournalWriter(const JournalWriter&) = delete;
    JournalWriter& operator=(const JournalWriter&) = delete;

    /// Returns how many entries have been appended by this object. When it returns, the entry survives the death of the
    /// process. Throws dampi::Error when the file cannot be written, and from then on always; the entries before are
    /// not affected, and this one is not there.
    std::uint64_t append(std::uint8_t type, std::string_view payload);

    /// How many of the entries appended are known to be on the disk.
    [[nodiscard]] std::uint64_t durable() const;
    /// Waits until `durable() >= number`; at most as many as were appended. Throws dampi::Error when that will not be.
    void wait_durable(std::uint64_t number);

    /// The file's size in bytes.
    [[nodiscard]] std::uint64_t size() const;

    /// Puts a new file in the place of the old one, with this header and what `checkpoint` appends to it (by its
    /// argument; it must not use the writer). At any moment the one or the other is there, whole; when it returns,
    /// the new one is on the disk, and append() waits so long. Throws dampi::Error; unless the file can then not be
    /// written any more, the old one is as it was and appending may go on.
    void replace(std::string_view header, const std::function<void(const Append&)>& checkpoint);

    /// Brings everything to the disk, and marks it so. Throws dampi::Error. Nothing may be appended afterwards.
    void close();

private:
    class File;

    void keep_durable();
    void write_new_file(std::string_view header, const std::function<void(const Append&)>& checkpoint);
    void start();
    void require_writable() const;
    void stop();

    JournalLock lock_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;  ///< something was appended or became durable, or it failed or ends
    std::shared_ptr<File> file_;
    std::uint64_t appended_ = 0;
    std::uint64_t durable_ = 0;
    std::uint64_t durable_size_ = 0;  ///< so much of the file is known to be on the disk
    unsigned waiting_ = 0;            ///< threads in wait_durable()
    bool ending_ = false;
    bool closed_ = false;
    std::string failure_;  ///< why nothing can be written any more; empty: it can
    std::thread syncing_;
};

}  // namespace dampi::replay
