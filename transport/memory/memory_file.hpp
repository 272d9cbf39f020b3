// An anonymous memory file, mapped whole, of which only the pages that were touched exist: what the ranks of a run
// share with dampi-run (transport/memory, transport/requests). Knows nothing of what is in it.
//
// Making one, mapping it in each rank, and touching its pages for the first time costs a short run more than all else.
// So dampi-run may empty one and use it for another run, and a process that is a rank again and again keeps its
// mappings (KeptMappings).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <sys/types.h>

namespace dampi::transport::memory {

/// Which file a mapping is of: while the mapping exists, no other file is called the same.
struct FileIdentity {
    dev_t device = 0;
    ino_t number = 0;
    bool operator==(const FileIdentity&) const = default;
};

/// Mappings of memory files that a process keeps between the runs that it is a rank of. Allocates nothing, and owns
/// nothing: what is left in it stays mapped.
class KeptMappings {
public:
    struct Mapping {
        std::uint8_t* base = nullptr;  ///< null: none
        std::uint64_t size = 0;
        FileIdentity file;
    };
    /// False: there is no room for one more.
    bool put(const Mapping& mapping) noexcept;
    /// The one of the file at this path. None: all are unmapped, so that others find the same addresses free.
    Mapping take(const char* path) noexcept;
    [[nodiscard]] bool begins_at(std::uintptr_t address) const noexcept;
    [[nodiscard]] std::uint64_t bytes() const noexcept;

private:
    std::array<Mapping, 2> mappings_;
};

class MemoryFile {
public:
    /// All is zero. `name` is the kernel's for it; `what` names it in errors and lives as long as this. Throws
    /// dampi::Error when the system refuses the memory.
    static MemoryFile create(const char* name, const char* what, std::uint64_t size);
    /// In a rank: the one with the path that attach_path() gave; `kept` (null: nothing) may have it mapped already.
    /// Throws dampi::Error when there is none.
    static MemoryFile attach(const char* path, const char* what, KeptMappings* kept);

    /// Another one with the same content. Nobody may write into this one meanwhile. Throws as create().
    [[nodiscard]] MemoryFile copy(const char* name) const;
    /// Makes all zero again, for another run; nobody else may use it meanwhile. False: that would take longer than a
    /// new one, and nothing was done. Not after attach().
    [[nodiscard]] bool clear();

    /// In a rank that waits to be another run's: lets the memory go, but keeps its addresses.
    void let_go();
    /// After that: a copy() of this, by its path, at the same addresses. Throws dampi::Error when there is none.
    void attach_again(const char* path);
    /// In a rank whose run is over: leaves the mapping to `kept` and is empty itself.
    void leave_to(KeptMappings& kept) noexcept;

    MemoryFile() = default;
    ~MemoryFile();
    MemoryFile(MemoryFile&& other) noexcept;
    MemoryFile& operator=(MemoryFile&& other) noexcept;
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;

    /// A path that any process of this user on this machine can open while the creator lives. Not after attach().
    [[nodiscard]] std::string attach_path() const;
    /// Bytes of memory that it takes; 0 after attach().
    [[nodiscard]] std::uint64_t memory() const;
    [[nodiscard]] std::uint8_t* base() const { return base_; }
    [[nodiscard]] std::uint64_t size() const { return size_; }

private:
    void map(int descriptor, std::uint64_t size);

    std::uint8_t* base_ = nullptr;
    std::uint64_t size_ = 0;
    FileIdentity file_;
    const char* what_ = "";
    int descriptor_ = -1;  ///< of who has made it
    // Looking for what was touched costs more than to clear it. What takes as much memory as then is the same.
    struct Part {
        off_t begin = 0;
        std::size_t length = 0;
    };
    std::vector<Part> touched_;
    std::uint64_t touched_memory_ = 0;
};

}  // namespace dampi::transport::memory
