// See journal.hpp. The file begins with a head that has a random number in it, the file's name; entries follow without
// gaps. The check sum of an entry's head covers the file's name and the entry's place, so no bytes that are found
// somewhere else (in a payload, in a block of an earlier file) pass for an entry. An entry also says how much of the
// file was known to be on the disk when it was written: that tells damage from what a dying machine leaves, which may
// have written later pages before earlier ones.
#include "replay/journal.hpp"

#include "base/check.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <random>
#include <utility>
#include <vector>

#include <boost/crc.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace dampi::replay {

namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

constexpr std::array<char, 8> magic{'d', 'a', 'm', 'p', 'i', '-', 'j', '\n'};
constexpr std::uint32_t format_version = 9;
constexpr std::uint16_t entry_marker = 0x9ADA;
constexpr std::uint8_t header_type = 0;
constexpr std::uint8_t durable_mark_type = 255;  ///< an entry that only says how much is on the disk

/// How long what was appended may wait for others to be brought to the disk with it, when nobody waits for that.
constexpr auto group_time = 5ms;
constexpr std::size_t read_size = std::size_t{1} << 18;
constexpr std::size_t write_size = std::size_t{1} << 20;  ///< of a checkpoint

struct FileHead {
    std::array<char, 8> magic;
    std::uint32_t version;
    std::uint32_t checksum;  ///< of the other members
    std::uint64_t name;
};
static_assert(sizeof(FileHead) == 24 && std::has_unique_object_representations_v<FileHead>);

struct EntryHead {
    std::uint16_t marker;
    std::uint8_t type;
    std::uint8_t zero;
    std::uint32_t size;              ///< of the payload
    std::uint64_t durable;           ///< so many bytes of the file were known to be on the disk
    std::uint32_t payload_checksum;  ///< CRC-32
    std::uint32_t checksum;          ///< of the members before, the file's name and the entry's place in it
};
static_assert(sizeof(EntryHead) == 24 && std::has_unique_object_representations_v<EntryHead>);

std::uint32_t checksum_of(std::string_view bytes) {
    boost::crc_32_type crc;
    crc.process_bytes(bytes.data(), bytes.size());
    return crc.checksum();
}

std::uint32_t checksum_of(const FileHead& head) {
    FileHead checked = head;
    checked.checksum = 0;
    return checksum_of({reinterpret_cast<const char*>(&checked), sizeof checked});
}

std::uint32_t checksum_of(const EntryHead& head, std::uint64_t file, std::uint64_t place) {
    std::array<char, sizeof file + sizeof place + offsetof(EntryHead, checksum)> covered;
    std::memcpy(covered.data(), &file, sizeof file);
    std::memcpy(covered.data() + sizeof file, &place, sizeof place);
    std::memcpy(covered.data() + sizeof file + sizeof place, &head, offsetof(EntryHead, checksum));
    return checksum_of({covered.data(), covered.size()});
}

bool is_sound(const EntryHead& head, std::uint64_t file, std::uint64_t place) {
    return head.marker == entry_marker && head.zero == 0 && head.size <= most_journal_payload &&
           head.checksum == checksum_of(head, file, place);
}

std::string quoted(const fs::path& path) { return "'" + path.string() + "'"; }

fs::path folder_of(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : fs::path("."); }

/// Why the journal cannot be written, and what the user can do.
std::string failure_sentence(const fs::path& journal, int error) {
    const bool full = error == ENOSPC || error == EDQUOT || error == EFBIG;
    return "cannot write the journal " + quoted(journal) + ": " + std::strerror(error) + "; " +
           (full ? "free some space and go on" : "when that is mended, go on") + " with dampi-run --resume " +
           folder_of(journal).string();
}

/// 0, or what went wrong; then a part may have been written.
int write_at(int descriptor, std::string_view bytes, std::uint64_t place) {
    while (!bytes.empty()) {
        const ssize_t written = ::pwrite(descriptor, bytes.data(), bytes.size(), static_cast<off_t>(place));
        if (written < 0) {
            if (errno == EINTR) {
                continue;
            }
            return errno;
        }
        bytes.remove_prefix(static_cast<std::size_t>(written));
        place += static_cast<std::uint64_t>(written);
    }
    return 0;
}

/// What was renamed in a directory is on the disk. 0, or what went wrong.
int sync_directory(const fs::path& directory) {
    const int descriptor = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) {
        return errno;
    }
    const int error = ::fsync(descriptor) == 0 || errno == EINVAL ? 0 : errno;
    ::close(descriptor);
    return error;
}

}  // namespace

// ----------------------------------------------------------------------------------------------------------
// JournalLock

JournalLock::JournalLock(fs::path journal) : journal_(std::move(journal)) {
    const fs::path file = journal_.string() + ".lock";
    descriptor_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (descriptor_ < 0) {
        throw Error("cannot create " + quoted(file) + ": " + std::strerror(errno));
    }
    // A lock of the process: one of the open file would live on in processes that we have forked.
    struct flock whole {};
    whole.l_type = F_WRLCK;
    whole.l_whence = SEEK_SET;
    if (::fcntl(descriptor_, F_SETLK, &whole) == 0) {
        return;
    }
    const int error = errno;
    struct flock other = whole;
    const bool known = ::fcntl(descriptor_, F_GETLK, &other) == 0 && other.l_type != F_UNLCK && other.l_pid > 0;
    ::close(descriptor_);
    if (error != EAGAIN && error != EACCES) {
        throw Error("cannot lock " + quoted(file) + ": " + std::strerror(error));
    }
    throw Error("a sweep is running in " + quoted(folder_of(journal_)) +
                (known ? " (process " + std::to_string(other.l_pid) + ")" : "") +
                ": wait for its end, or choose another directory");
}

JournalLock::~JournalLock() {
    if (descriptor_ >= 0) {
        ::close(descriptor_);
    }
}

JournalLock::JournalLock(JournalLock&& other) noexcept
    : journal_(std::move(other.journal_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

// --------------------------------------------------------------------------------------------------------
// JournalReader

struct JournalReader::State {
    explicit State(fs::path file_path) : path(std::move(file_path)) {
        descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
        if (descriptor < 0) {
            fail_reading(errno);
        }
        struct stat status {};
        if (::fstat(descriptor, &status) != 0) {
            const int error = errno;
            ::close(descriptor);
            fail_reading(error);
        }
        size = static_cast<std::uint64_t>(status.st_size);
    }
    ~State() { ::close(descriptor); }
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    /// The file's bytes from `begin` on: `wanted` of them, or as many as there are. Valid until the next call.
    std::string_view bytes(std::uint64_t begin, std::size_t wanted) {
        const bool there = begin >= window_begin && begin + wanted <= window_begin + window_size;
        if (!there) {
            if (window.size() < wanted || (window.size() > read_size && wanted <= read_size)) {
                window = std::vector<char>(std::max(wanted, read_size));
            }
            window_begin = begin;
            window_size = 0;
            while (window_size < window.size()) {
                const ssize_t count = ::pread(descriptor, window.data() + window_size, window.size() - window_size,
                                              static_cast<off_t>(begin + window_size));
                if (count < 0 && errno == EINTR) {
                    continue;
                }
                if (count < 0) {
                    fail_reading(errno);
                }
                if (count == 0) {
                    break;
                }
                window_size += static_cast<std::size_t>(count);
            }
        }
        const auto skipped = static_cast<std::size_t>(begin - window_begin);
        return {window.data() + skipped, std::min(wanted, window_size - std::min(skipped, window_size))};
    }

    [[nodiscard]] std::optional<EntryHead> sound_head(std::uint64_t place) {
        const std::string_view text = bytes(place, sizeof(EntryHead));
        EntryHead head{};
        if (text.size() < sizeof head) {
            return std::nullopt;
        }
        std::memcpy(&head, text.data(), sizeof head);
        return is_sound(head, name, place) ? std::optional(head) : std::nullopt;
    }

    /// The entry at `place`; nothing where there is no sound one.
    std::optional<JournalEntry> entry(std::uint64_t place) {
        const auto head = place + sizeof(EntryHead) <= size ? sound_head(place) : std::nullopt;
        if (!head || head->size > size - place - sizeof(EntryHead)) {
            return std::nullopt;
        }
        const std::string_view payload = bytes(place, sizeof(EntryHead) + head->size).substr(sizeof(EntryHead));
        if (payload.size() != head->size || checksum_of(payload) != head->payload_checksum) {
            return std::nullopt;
        }
        return JournalEntry{.type = head->type, .payload = payload};
    }

    /// Whether an entry behind `place` says that more than this was on the disk.
    bool was_on_disk_behind(std::uint64_t place) {
        for (std::uint64_t at = place + 1; at < size;) {
            const std::string_view text = bytes(at, read_size);
            if (text.size() < sizeof(EntryHead)) {
                return false;
            }
            const std::size_t candidates = text.size() - sizeof(EntryHead) + 1;
            std::size_t i = 0;
            for (; i < candidates; ++i) {
                const void* const found = std::memchr(text.data() + i, entry_marker & 0xff, candidates - i);
                if (found == nullptr) {
                    i = candidates;
                    break;
                }
                i = static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
                EntryHead head{};
                std::memcpy(&head, text.data() + i, sizeof head);
                if (is_sound(head, name, at + i) && head.durable > place) {
                    return true;
                }
            }
            at += candidates;
        }
        return false;
    }

    [[noreturn]] void fail_reading(int error) const {
        if (error == ENOENT) {
            throw Error("there is no sweep to go on with in " + quoted(folder_of(path)) + ": it has no file '" +
                        path.filename().string() + "'");
        }
        throw Error("cannot read the journal " + quoted(path) + ": " + std::strerror(error));
    }
    [[noreturn]] void fail_damaged(std::uint64_t place) const {
        throw Error("the journal " + quoted(path) + " is damaged at byte " + std::to_string(place) + " of " +
                    std::to_string(size) + ", so the sweep cannot go on: restore the file, or begin the sweep anew");
    }

    fs::path path;
    int descriptor = -1;
    std::uint64_t size = 0;
    std::uint64_t name = 0;
    std::string header;
    std::uint64_t at = 0;  ///< of the next entry
    bool ended = false;
    std::vector<char> window;
    std::uint64_t window_begin = 0;
    std::size_t window_size = 0;
};

JournalReader::JournalReader(const fs::path& path) : state_(std::make_unique<State>(path)) {
    FileHead head{};
    const std::string_view text = state_->bytes(0, sizeof head);
    std::memcpy(&head, text.data(), text.size());
    if (head.magic != magic) {
        throw Error(quoted(path) + " is no journal of a sweep");
    }
    if (text.size() < sizeof head || head.checksum != checksum_of(head)) {
        state_->fail_damaged(0);
    }
    if (head.version != format_version) {
        throw Error("the journal " + quoted(path) + " is of format " + std::to_string(head.version) +
                    ", and this dampi-run reads format " + std::to_string(format_version) +
                    ": go on with the version of dampi that began the sweep, or begin it anew");
    }
    state_->name = head.name;
    state_->at = sizeof head;
    const auto first = state_->entry(state_->at);
    if (!first || first->type != header_type) {
        state_->fail_damaged(state_->at);
    }
    state_->header = first->payload;
    state_->at += sizeof(EntryHead) + first->payload.size();
}

JournalReader::~JournalReader() = default;
JournalReader::JournalReader(JournalReader&&) noexcept = default;

const std::string& JournalReader::header() const { return state_->header; }

std::optional<JournalEntry> JournalReader::next() {
    while (!state_->ended) {
        const auto entry = state_->entry(state_->at);
        if (!entry) {
            if (state_->was_on_disk_behind(state_->at)) {
                state_->fail_damaged(state_->at);
            }
            state_->ended = true;
            break;
        }
        state_->at += sizeof(EntryHead) + entry->payload.size();
        if (entry->type != durable_mark_type) {
            return entry;
        }
    }
    return std::nullopt;
}

std::uint64_t JournalReader::torn() const {
    DAMPI_CHECK(state_->ended);
    return state_->size - state_->at;
}

// --------------------------------------------------------------------------------------------------------
// JournalWriter

/// A journal's file that is being written, and where its next entry goes.
class JournalWriter::File {
public:
    File(const fs::path& path, int flags, std::uint64_t name, std::uint64_t end)
        : descriptor_(::open(path.c_str(), O_WRONLY | O_NOFOLLOW | O_CLOEXEC | flags, 0666)), name_(name), end_(end) {}
    ~File() {
        if (descriptor_ >= 0) {
            ::close(descriptor_);
        }
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;

    [[nodiscard]] int descriptor() const { return descriptor_; }
    [[nodiscard]] std::uint64_t end() const { return end_; }

    /// 0, or what went wrong; then nothing of the entry is there, or its end is missing.
    int append(std::uint8_t type, std::string_view payload, std::uint64_t durable) {
        buffer_.clear();
        add(type, payload, durable, end_);
        return write();
    }

    // For a checkpoint: entries are written many at a time.
    void add_file_head() {
        FileHead head{.magic = magic, .version = format_version, .checksum = 0, .name = name_};
        head.checksum = checksum_of(head);
        buffer_.append(reinterpret_cast<const char*>(&head), sizeof head);
    }
    int add(std::uint8_t type, std::string_view payload) {
        add(type, payload, 0, end_ + buffer_.size());
        return buffer_.size() < write_size ? 0 : write();
    }
    /// Says that everything before is on the disk. To be true when the file gets its name.
    void add_mark() { add(durable_mark_type, {}, end_ + buffer_.size(), end_ + buffer_.size()); }

    /// Writes what was added.
    int write() {
        const int error = write_at(descriptor_, buffer_, end_);
        if (error != 0) {
            // Where even this fails, the reader cuts it off.
            static_cast<void>(::ftruncate(descriptor_, static_cast<off_t>(end_)));
        } else {
            end_ += buffer_.size();
        }
        buffer_.clear();
        if (buffer_.capacity() > 2 * write_size) {
            buffer_.shrink_to_fit();
        }
        return error;
    }

private:
    void add(std::uint8_t type, std::string_view payload, std::uint64_t durable, std::uint64_t place) {
        EntryHead head{.marker = entry_marker,
                       .type = type,
                       .zero = 0,
                       .size = static_cast<std::uint32_t>(payload.size()),
                       .durable = durable,
                       .payload_checksum = checksum_of(payload),
                       .checksum = 0};
        head.checksum = checksum_of(head, name_, place);
        buffer_.append(reinterpret_cast<const char*>(&head), sizeof head);
        buffer_.append(payload);
    }

    int descriptor_;
    std::uint64_t name_;
    std::uint64_t end_;
    std::string buffer_;
};

JournalWriter::JournalWriter(JournalLock lock, std::string_view header) : lock_(std::move(lock)) {
    write_new_file(header, {});
    require_writable();
    start();
}

JournalWriter::JournalWriter(JournalLock lock, const JournalReader& reader) : lock_(std::move(lock)) {
    const JournalReader::State& read = *reader.state_;
    DAMPI_CHECK(read.ended && read.path == lock_.journal());
    std::error_code ignored;
    fs::remove(lock_.journal().string() + ".new", ignored);  // of a replacement that was interrupted
    file_ = std::make_shared<File>(lock_.journal(), 0, read.name, read.at);
    if (file_->descriptor() < 0 || ::ftruncate(file_->descriptor(), static_cast<off_t>(read.at)) != 0 ||
        ::fdatasync(file_->descriptor()) != 0) {
        throw Error(failure_sentence(lock_.journal(), errno));
    }
    durable_size_ = read.at;
    start();
}

JournalWriter::~JournalWriter() {
    try {
        close();
    } catch (const std::exception&) {
        // Whoever wants to know calls close().
    }
}

void JournalWriter::start() {
    syncing_ = std::thread([this] { keep_durable(); });
}

void JournalWriter::stop() {
    {
        const std::lock_guard guard(mutex_);
        ending_ = true;
    }
    changed_.notify_all();
    if (syncing_.joinable()) {
        syncing_.join();
    }
}

void JournalWriter::require_writable() const {
    if (!failure_.empty()) {
        throw Error(failure_);
    }
}

std::uint64_t JournalWriter::append(std::uint8_t type, std::string_view payload) {
    DAMPI_CHECK(type != header_type && type != durable_mark_type && payload.size() <= most_journal_payload);
    bool first = false;
    std::uint64_t number = 0;
    {
        const std::lock_guard guard(mutex_);
        DAMPI_CHECK(!ending_);
        require_writable();
        const int error = file_->append(type, payload, durable_size_);
        if (error != 0) {
            failure_ = failure_sentence(lock_.journal(), error);
            changed_.notify_all();
            require_writable();
        }
        first = appended_ == durable_;
        number = ++appended_;
    }
    if (first) {
        changed_.notify_all();
    }
    return number;
}

std::uint64_t JournalWriter::durable() const {
    const std::lock_guard guard(mutex_);
    return durable_;
}

std::uint64_t JournalWriter::size() const {
    const std::lock_guard guard(mutex_);
    return file_->end();
}

void JournalWriter::wait_durable(std::uint64_t number) {
    std::unique_lock guard(mutex_);
    DAMPI_CHECK(number <= appended_);
    ++waiting_;
    changed_.notify_all();
    changed_.wait(guard, [&] { return durable_ >= number || !failure_.empty(); });
    --waiting_;
    if (durable_ < number) {
        require_writable();
    }
}

/// The thread that brings entries to the disk.
void JournalWriter::keep_durable() {
    std::unique_lock guard(mutex_);
    while (true) {
        changed_.wait(guard, [&] { return ending_ || durable_ != appended_; });
        if (durable_ == appended_) {
            return;  // it ends
        }
        // Others may come along, unless somebody waits already.
        changed_.wait_for(guard, group_time, [&] { return ending_ || waiting_ != 0; });
        const std::shared_ptr<File> file = file_;
        const std::uint64_t number = appended_;
        const std::uint64_t size = file->end();
        guard.unlock();
        const int error = ::fdatasync(file->descriptor()) == 0 || errno == EINVAL ? 0 : errno;
        guard.lock();
        if (file != file_) {
            continue;  // it has been replaced
        }
        if (error != 0) {
            // What the system could not write may be lost, and it would not tell again.
            failure_ = failure_sentence(lock_.journal(), error);
            changed_.notify_all();
            return;
        }
        durable_ = number;
        durable_size_ = size;
        changed_.notify_all();
    }
}

void JournalWriter::write_new_file(std::string_view header, const std::function<void(const Append&)>& checkpoint) {
    DAMPI_CHECK(header.size() <= most_journal_payload);
    const fs::path path = lock_.journal().string() + ".new";
    const auto remove_and_throw = [&](int error) {
        ::unlink(path.c_str());
        throw Error(failure_sentence(lock_.journal(), error));
    };
    std::random_device random;
    const std::uint64_t name = (std::uint64_t{random()} << 32) | random();
    auto file = std::make_shared<File>(path, O_CREAT | O_TRUNC, name, 0);
    if (file->descriptor() < 0) {
        remove_and_throw(errno);
    }
    int error = 0;
    try {
        file->add_file_head();
        error = file->add(header_type, header);
        if (checkpoint && error == 0) {
            checkpoint([&](std::uint8_t type, std::string_view payload) {
                DAMPI_CHECK(type != header_type && type != durable_mark_type && payload.size() <= most_journal_payload);
                if (error == 0) {
                    error = file->add(type, payload);
                }
            });
        }
    } catch (...) {
        ::unlink(path.c_str());
        throw;
    }
    if (error == 0) {
        file->add_mark();
        error = file->write();
    }
    if (error != 0) {
        remove_and_throw(error);
    }
    if ((::fsync(file->descriptor()) != 0 && errno != EINVAL) || ::rename(path.c_str(), lock_.journal().c_str()) != 0) {
        remove_and_throw(errno);
    }
    // From here on it is the journal, whatever becomes of the rest.
    file_ = std::move(file);
    durable_size_ = file_->end();
    durable_ = appended_;
    error = sync_directory(folder_of(lock_.journal()));
    if (error != 0) {
        failure_ = failure_sentence(lock_.journal(), error);
    }
}

void JournalWriter::replace(std::string_view header, const std::function<void(const Append&)>& checkpoint) {
    const std::lock_guard guard(mutex_);
    DAMPI_CHECK(!ending_);
    require_writable();
    write_new_file(header, checkpoint);
    changed_.notify_all();
    require_writable();
}

void JournalWriter::close() {
    if (std::exchange(closed_, true)) {
        return;
    }
    stop();
    require_writable();
    // The mark tells the reader that everything was there once.
    const int error = file_->append(durable_mark_type, {}, file_->end());
    if (error != 0 || (::fdatasync(file_->descriptor()) != 0 && errno != EINVAL)) {
        failure_ = failure_sentence(lock_.journal(), error != 0 ? error : errno);
        throw Error(failure_);
    }
}

}  // namespace dampi::replay
