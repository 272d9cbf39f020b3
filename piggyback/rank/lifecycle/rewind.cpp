#include "piggyback/rank/lifecycle/rewind.hpp"

#include "launch/prepare_protocol.hpp"
#include "piggyback/rank/core.hpp"
#include "piggyback/rank/engine.hpp"
#include "piggyback/rank/lifecycle/crash.hpp"
#include "piggyback/rank/memory/saved_context.hpp"
#include "piggyback/rank/touches/page_guard.hpp"
#include "transport/memory/memory_port.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <string_view>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/rseq.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace dampi::piggyback {
namespace {

constexpr std::size_t page = 4096;
constexpr std::size_t huge_page = std::size_t{2} << 20;
/// Of memory that may be written: a program with more is forked each time.
constexpr std::size_t most_pages = 16384;
constexpr std::size_t most_regions = 512;
/// Of pages between two regions: what is there in memory is asked for both at once, since a system call takes as long
/// as to find that out for so many.
constexpr std::size_t most_gap = 64;
constexpr std::size_t most_text = std::size_t{128} << 10;
/// Descriptors of ours lie above what a program that asks for a few would get.
constexpr int first_own_descriptor = 64;
/// Of a process that has said that its rank has ended, and cannot come back after all. Who asks it again sees that.
constexpr int lost_status = 127;

struct KeptRegion {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    std::size_t first_page = 0;   ///< its first page among all
    std::size_t first_entry = 0;  ///< likewise, with the gaps that are no longer than most_gap
    bool is_stack = false;
    bool is_of_file = false;  ///< what is not there is not zero
    [[nodiscard]] std::size_t pages() const { return (end - begin) / page; }
};

/// The text of /proc/self/maps.
struct Text {
    std::array<char, most_text> bytes;
    std::size_t length = 0;

    bool read_mappings() noexcept {
        const int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
        length = 0;
        ssize_t count = -1;
        while (file >= 0 && (count = read(file, bytes.data() + length, bytes.size() - length)) > 0) {
            length += static_cast<std::size_t>(count);
        }
        if (file >= 0) {
            close(file);
        }
        return count == 0 && length < bytes.size();
    }
};

/// One line of it.
struct Mapping {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    std::string_view rest;  ///< permissions and what follows

    [[nodiscard]] bool is_stack() const { return rest.find("[stack]") != std::string_view::npos; }
    [[nodiscard]] bool is_of_file() const { return rest.find('/') != std::string_view::npos; }
    /// Of one process, and nothing but memory.
    [[nodiscard]] bool is_private_memory() const {
        return rest.size() > 4 && rest[4] == 'p' && rest.find_first_of("/[") == std::string_view::npos;
    }
    bool operator==(const Mapping& other) const {
        return end == other.end && rest == other.rest && (begin == other.begin || is_stack());
    }
};

class Mappings {
public:
    explicit Mappings(const Text& text) : left_(text.bytes.data(), text.length) {}
    /// False at the end. The parts of a heap that has shrunk and grown again are one mapping.
    bool next(Mapping& mapping) {
        if (!take_line(left_, mapping)) {
            return false;
        }
        Mapping other;
        for (std::string_view rest = left_; mapping.rest.ends_with("[heap]") && take_line(rest, other) &&
                                            other.begin == mapping.end && other.rest == mapping.rest;) {
            mapping.end = other.end;
            left_ = rest;
        }
        return true;
    }

private:
    static bool take_line(std::string_view& text, Mapping& mapping) {
        const std::size_t length = text.find('\n');
        if (length == std::string_view::npos) {
            return false;
        }
        char* at = nullptr;
        mapping.begin = std::strtoull(text.data(), &at, 16);
        mapping.end = std::strtoull(at + 1, &at, 16);
        mapping.rest = std::string_view(at, static_cast<std::size_t>(text.data() + length - at));
        text.remove_prefix(length + 1);
        return true;
    }

    std::string_view left_;
};

/// Bits of an entry in /proc/self/pagemap (the kernel's Documentation/admin-guide/mm/pagemap.rst).
constexpr std::uint64_t is_present = std::uint64_t{1} << 63;
constexpr std::uint64_t is_swapped = std::uint64_t{1} << 62;
constexpr std::uint64_t is_of_file = std::uint64_t{1} << 61;
constexpr std::uint64_t is_exclusive = std::uint64_t{1} << 56;

/// The object, with what is its own affair.
struct Kept : Rewind {
    bool back = false;
    bool expected = false;  ///< the program runs
    bool compared = false;
    bool has_status = false;
    bool shares_pages = false;  ///< with another process: which pages were written the kernel does not tell
    long faults = -1;           ///< faults() when the program went on
    int status = 0;
    int file = -1;  ///< this object's memory, and behind it the image
    int control = -1;
    int pagemap = -1;
    int sizes = -1;  ///< /proc/self/statm
    int pmi_socket = -1;
    int lowest_free = -1;
    pid_t process = 0;
    std::uintptr_t heap_end = 0;
    std::uint64_t mapped_pages = 0;
    std::uint64_t mapped_at_first = 0;       ///< when the program went on
    transport::memory::KeptMappings shared;  ///< with dampi-run
    const char* image = nullptr;             ///< of all pages, one behind the other
    std::size_t region_count = 0;
    std::array<KeptRegion, most_regions> regions;
    /// Of each page where its image has a word that is not zero; nowhere where the page was not there.
    std::array<std::uint16_t, most_pages> witness;
    std::array<std::uint64_t, most_pages + most_regions * most_gap> entries;
    Text mappings;
    Text mappings_now;
    ucontext_t restoring;
    alignas(64) std::array<char, 64 << 10> stack;
};
constexpr std::size_t kept_size = (sizeof(Kept) + page - 1) / page * page;
constexpr std::uint16_t nowhere = 0xffff;
constexpr std::uint16_t all_zero = 0xfffe;

Kept* kept = nullptr;  ///< set before the memory is copied

bool is_there(std::uint64_t entry) noexcept { return (entry & (is_present | is_swapped)) != 0; }

std::uint64_t* entries_of(const KeptRegion& region) noexcept { return kept->entries.data() + region.first_entry; }

/// So often a page has been missing, or could not be written, since the process began. All that makes a page its own
/// (handle_mm_fault, also for what the kernel writes there) counts, where there are no huge ones (keep_pages_small()).
long faults() noexcept {
    rusage used{};
    return getrusage(RUSAGE_SELF, &used) == 0 ? used.ru_minflt + used.ru_majflt : -1;
}

/// Whether a page may have become this process's own since the program went on. Pages that it has given back do not
/// show here; those that it had for itself are copied anyway, and in the others witnesses are looked for.
bool may_have_new_pages() noexcept {
    return !kept->compared || kept->shares_pages || kept->faults < 0 || faults() != kept->faults;
}

/// Of all regions.
bool read_entries() noexcept {
    for (std::size_t i = 0; i < kept->region_count;) {
        const KeptRegion& first = kept->regions[i];
        const KeptRegion* last = &first;
        while (++i < kept->region_count && (kept->regions[i].begin - last->end) / page <= most_gap) {
            last = &kept->regions[i];
        }
        const std::size_t size = (last->end - first.begin) / page * sizeof(std::uint64_t);
        const auto at = static_cast<off_t>(first.begin / page * sizeof(std::uint64_t));
        if (pread(kept->pagemap, entries_of(first), size, at) != static_cast<ssize_t>(size)) {
            return false;
        }
    }
    return true;
}

std::uint64_t word_of(const char* at) noexcept {
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof word);
    return word;
}

std::uint16_t witness_of(const char* image) noexcept {
    for (std::uint16_t offset = 0; offset < page; offset += sizeof(std::uint64_t)) {
        if (word_of(image + offset) != 0) {
            return offset;
        }
    }
    return all_zero;
}

int lowest_free_descriptor() noexcept {
    const int number = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
    if (number >= 0) {
        close(number);
    }
    return number;
}

/// Of all mappings together; 0: unknown.
std::uint64_t mapped_pages() noexcept {
    std::array<char, 128> text{};
    return pread(kept->sizes, text.data(), text.size() - 1, 0) > 0 ? std::strtoull(text.data(), nullptr, 10) : 0;
}

std::uintptr_t set_heap_end(std::uintptr_t end) noexcept { return static_cast<std::uintptr_t>(syscall(SYS_brk, end)); }

int moved_up(int descriptor) noexcept {
    const int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, first_own_descriptor);
    close(descriptor);
    return moved;
}

/// Finds what may be written besides the object itself. False: more than is worth it, or shared with others.
bool find_regions() noexcept {
    std::size_t pages = 0;
    std::size_t entries = 0;
    Mapping mapping;
    for (Mappings all(kept->mappings); all.next(mapping);) {
        if (mapping.rest.size() < 5 || mapping.rest[2] != 'w' ||
            mapping.begin == reinterpret_cast<std::uintptr_t>(kept)) {
            continue;
        }
        if (mapping.rest[4] != 'p' || kept->region_count == most_regions) {
            return false;
        }
        if (kept->region_count != 0) {
            const std::size_t gap = (mapping.begin - kept->regions[kept->region_count - 1].end) / page;
            entries += gap <= most_gap ? gap : 0;
        }
        KeptRegion& region = kept->regions[kept->region_count++];
        region = {.begin = mapping.begin,
                  .end = mapping.end,
                  .first_page = pages,
                  .first_entry = entries,
                  .is_stack = mapping.is_stack(),
                  .is_of_file = mapping.is_of_file()};
        pages += region.pages();
        entries += region.pages();
        if (pages > most_pages) {
            return false;
        }
    }
    return true;
}

/// The kernel may make a huge page of small ones on its own account, also of those that have not been there.
void keep_pages_small() noexcept {
    for (std::size_t i = 0; i < kept->region_count; ++i) {
        const KeptRegion& region = kept->regions[i];
        if ((region.begin + huge_page - 1) / huge_page * huge_page + huge_page <= region.end) {
            madvise(reinterpret_cast<void*>(region.begin), region.end - region.begin, MADV_NOHUGEPAGE);
        }
    }
}

/// Writes what is there into the image, as many pages at once as follow each other. The rest is zero there.
bool copy_region(const KeptRegion& region, const std::uint64_t* entries) noexcept {
    const auto counts = [&](std::size_t number) { return region.is_of_file || is_there(entries[number]); };
    for (std::size_t first = 0; first < region.pages();) {
        std::size_t end = first;
        while (end < region.pages() && counts(end)) {
            ++end;
        }
        const auto* const memory = reinterpret_cast<const char*>(region.begin);
        const std::size_t image = kept_size + region.first_page * page;
        for (std::size_t at = first * page; at < end * page;) {
            const ssize_t written = pwrite(kept->file, memory + at, end * page - at, static_cast<off_t>(image + at));
            if (written <= 0) {
                return false;
            }
            at += static_cast<std::size_t>(written);
        }
        first = end + 1;
    }
    return true;
}

/// Makes the image of the regions.
bool copy_memory() noexcept {
    const KeptRegion& last = kept->regions[kept->region_count - 1];
    const std::size_t size = (last.first_page + last.pages()) * page;
    if (ftruncate(kept->file, static_cast<off_t>(kept_size + size)) != 0) {
        return false;
    }
    void* const image = mmap(nullptr, size, PROT_READ, MAP_SHARED, kept->file, kept_size);
    if (image == MAP_FAILED) {
        return false;
    }
    kept->image = static_cast<const char*>(image);
    // The image is one of the mappings.
    kept->mapped_pages = mapped_pages();
    if (!kept->mappings.read_mappings() || !read_entries()) {
        return false;
    }
    for (std::size_t i = 0; i < kept->region_count; ++i) {
        const KeptRegion& region = kept->regions[i];
        const std::uint64_t* const entries = entries_of(region);
        if (!copy_region(region, entries)) {
            return false;
        }
        for (std::size_t number = 0; number < region.pages(); ++number) {
            const std::size_t place = (region.first_page + number) * page;
            kept->witness[region.first_page + number] =
                is_there(entries[number]) ? witness_of(kept->image + place) : nowhere;
        }
    }
    return true;
}

/// Large blocks of malloc, which nobody will know of any more: gives back what has been mapped since. Whether there was
/// any. The kernel may have joined it with what it lies beside.
bool unmap_new_memory() noexcept {
    bool any = false;
    Mapping now;
    for (Mappings all(kept->mappings_now); all.next(now);) {
        if (!now.is_private_memory()) {
            continue;
        }
        const auto unmap = [&any](std::uintptr_t begin, std::uintptr_t end) {
            if (begin < end) {
                munmap(reinterpret_cast<void*>(begin), end - begin);
                any = true;
            }
        };
        std::uintptr_t begin = now.begin;
        Mapping before;
        for (Mappings old(kept->mappings); begin < now.end && old.next(before);) {
            if (before.end > begin) {
                unmap(begin, std::min(before.begin, now.end));
                begin = before.end;
            }
        }
        unmap(begin, now.end);
    }
    return any;
}

/// Harmless programs make and remove mappings only by means of malloc, so whoever has as many pages as before has the
/// same ones, unless it has exchanged one for another; then it does not survive restore(), and nothing else happens.
/// Those that are new are given back.
bool same_mappings(std::uintptr_t& stack_begin) noexcept {
    if (kept->compared && kept->mapped_pages != 0 &&
        kept->mapped_pages + kept->shared.bytes() / page == mapped_pages()) {
        return true;
    }
    if (!kept->mappings_now.read_mappings() || (unmap_new_memory() && !kept->mappings_now.read_mappings())) {
        return false;
    }
    Mappings before(kept->mappings);
    Mappings now(kept->mappings_now);
    Mapping one;
    Mapping other;
    const auto next_now = [&] {
        while (now.next(other)) {
            if (!kept->shared.begins_at(other.begin)) {
                return true;
            }
        }
        return false;
    };
    while (before.next(one)) {
        if (!next_now() || !(one == other)) {
            return false;
        }
        if (other.is_stack()) {
            stack_begin = other.begin;
        }
    }
    return !next_now();
}

/// What the kernel writes into the memory of a thread by itself (struct rseq) does not go back.
class KernelsPart {
public:
    KernelsPart() noexcept { std::memcpy(bytes_.data(), at_, bytes_.size()); }
    void put_back() const noexcept { std::memcpy(at_, bytes_.data(), bytes_.size()); }

private:
    char* const at_ = static_cast<char*>(__builtin_thread_pointer()) + __rseq_offset;
    std::array<char, 32> bytes_;
};

/// Whether a page that was not written has nevertheless changed. The dead part of the stack does not count.
bool has_changed(const KeptRegion& region, const char* memory, const char* image) noexcept {
    constexpr std::uintptr_t red_zone = 128;
    const auto alive = stack_pointer_of(kept->point) - red_zone;
    const bool dead = region.is_stack && reinterpret_cast<std::uintptr_t>(memory) + page <= alive;
    return !dead && std::memcmp(memory, image, page) != 0;
}

/// Whether the page may have been written. `entry`: of it, in pagemap.
bool may_be_written(std::uint64_t entry, std::uint16_t witness, const char* memory, const char* image) noexcept {
    if ((entry & is_present) == 0) {
        return (entry & is_swapped) != 0 || witness != nowhere;
    }
    if ((entry & is_of_file) != 0) {
        return false;
    }
    // One that was given back and then read is the kernel's page of zeros.
    return kept->shares_pages || (entry & is_exclusive) != 0 ||
           (witness < page && word_of(memory + witness) != word_of(image + witness));
}

/// On the object's own stack: all other memory goes back. Nothing here may allocate or take a lock.
void restore() noexcept {
    const KernelsPart kernels;
    if (may_have_new_pages() && !read_entries()) {
        _exit(lost_status);
    }
    for (std::size_t i = 0; i < kept->region_count; ++i) {
        const KeptRegion& region = kept->regions[i];
        const std::uint64_t* const entries = entries_of(region);
        for (std::size_t number = 0; number < region.pages(); ++number) {
            char* const memory = reinterpret_cast<char*>(region.begin) + number * page;
            const char* const image = kept->image + (region.first_page + number) * page;
            if (may_be_written(entries[number], kept->witness[region.first_page + number], memory, image)) {
                std::memcpy(memory, image, page);
            } else if (!kept->compared && (region.is_of_file || is_there(entries[number])) &&
                       has_changed(region, memory, image)) {
                _exit(lost_status);
            }
        }
    }
    kernels.put_back();
    kept->compared = true;
    kept->back = true;
    kept->faults = faults();
    setcontext(&kept->point);
    _exit(lost_status);
}

void note_status(int status, void* /*unused*/) {
    if (kept != nullptr) {
        kept->status = status;
        kept->has_status = true;
        note_exit(status);  // whoever comes back does so before the handler that does this otherwise
    }
}

bool may_come_back() noexcept {
    const Core* const core = Core::current();
    return core != nullptr && kept != nullptr && kept->expected && getpid() == kept->process &&
           core->board().multithreaded.load(std::memory_order_relaxed) == 0 &&
           lowest_free_descriptor() == kept->lowest_free;
}

/// As exit() does in the end, and gfortran's library, where there is one.
void flush_output() noexcept {
    std::fflush(nullptr);
    using Flush = void(const std::int32_t* unit);
    if (void* const flush = dlsym(RTLD_DEFAULT, "_gfortran_flush_i4")) {
        reinterpret_cast<Flush*>(flush)(nullptr);  // all of them
    }
}

/// If the way back is not open, the process ends.
[[noreturn]] void come_back() noexcept {
    flush_output();
    // From here on there is no layer, and no way but back or out.
    touches::stop();
    engine.detach(kept->shared);
    transport::memory::MemoryPort::of_process()->area().file().leave_to(kept->shared);
    if (kept->pmi_socket >= 0) {
        close(kept->pmi_socket);
    }
    std::uintptr_t stack_begin = UINTPTR_MAX;
    if (set_heap_end(kept->heap_end) != kept->heap_end || !same_mappings(stack_begin)) {
        _exit(kept->status);
    }
    for (std::size_t i = 0; i < kept->region_count; ++i) {
        const KeptRegion& region = kept->regions[i];
        if (region.is_stack && stack_begin < region.begin) {
            madvise(reinterpret_cast<void*>(stack_begin), region.begin - stack_begin, MADV_DONTNEED);
        }
    }
    launch::PrepareAnswer answer;
    answer.what = launch::PrepareAnswer::What::ended;
    answer.process = kept->process;
    answer.error = kept->status;
    if (getcontext(&kept->restoring) != 0 ||
        send(kept->control, &answer, sizeof answer, MSG_NOSIGNAL) != static_cast<ssize_t>(sizeof answer)) {
        _exit(kept->status);
    }
    kept->restoring.uc_stack.ss_sp = kept->stack.data();
    kept->restoring.uc_stack.ss_size = kept->stack.size();
    kept->restoring.uc_link = nullptr;
    makecontext(&kept->restoring, restore, 0);
    setcontext(&kept->restoring);
    _exit(lost_status);
}

/// Runs after the program's own destructors.
__attribute__((destructor)) void come_back_at_end() noexcept {
    if (may_come_back() && kept->has_status && !Core::current()->active() &&
        Core::current()->board().phase.load(std::memory_order_relaxed) == transport::Phase::finalized) {
        come_back();
    }
}

/// Calls `visit` for the private mappings that may be written and were not there in the beginning, and for what regions
/// have grown by. False: they cannot be told.
bool visit_new_mappings(PageVisitor& visitor) noexcept {
    if (!kept->mappings_now.read_mappings()) {
        return false;
    }
    Mapping mapping;
    for (Mappings all(kept->mappings_now); all.next(mapping);) {
        if (mapping.rest.size() < 5 || mapping.rest[2] != 'w' || mapping.rest[4] != 'p' || mapping.is_stack() ||
            mapping.begin == reinterpret_cast<std::uintptr_t>(kept)) {
            continue;
        }
        for (std::uintptr_t at = mapping.begin; at < mapping.end; at += page) {
            const KeptRegion* const first = kept->regions.data();
            const KeptRegion* const last = first + kept->region_count;
            const KeptRegion* const known =
                std::find_if(first, last, [&](const KeptRegion& each) { return each.begin <= at && at < each.end; });
            if (known != last) {
                at = known->end - page;
                continue;
            }
            std::uint64_t entry = 0;
            if (pread(kept->pagemap, &entry, sizeof entry, static_cast<off_t>(at / page * sizeof entry)) !=
                sizeof entry) {
                return false;
            }
            if (is_there(entry)) {
                visitor.visit(reinterpret_cast<const char*>(at), nullptr);
            }
        }
    }
    return true;
}

}  // namespace

bool visit_changed_pages(PageVisitor& visitor) noexcept {
    if (kept == nullptr || !read_entries()) {
        return false;
    }
    for (std::size_t i = 0; i < kept->region_count; ++i) {
        const KeptRegion& region = kept->regions[i];
        const std::uint64_t* const entries = entries_of(region);
        if (region.is_stack) {
            continue;
        }
        for (std::size_t number = 0; number < region.pages(); ++number) {
            const char* const memory = reinterpret_cast<const char*>(region.begin) + number * page;
            const char* const image = kept->image + (region.first_page + number) * page;
            const std::uint16_t witness = kept->witness[region.first_page + number];
            if (!is_there(entries[number]) && witness != nowhere) {
                return false;  // given back, or not even mapped any more
            }
            if (may_be_written(entries[number], witness, memory, image) && std::memcmp(memory, image, page) != 0) {
                visitor.visit(memory, image);
            }
        }
    }
    return mapped_pages() == kept->mapped_at_first || visit_new_mappings(visitor);
}

void note_status_of_exit(int status) noexcept {
    if (kept != nullptr && kept->has_status && getpid() == kept->process) {
        kept->status = status;
    }
}

void come_back_early() noexcept {
    if (may_come_back()) {
        kept->status = 0;
        come_back();
    }
}

Rewind* Rewind::create() noexcept {
    if (__rseq_size == 0 || on_exit(note_status, nullptr) != 0) {
        return nullptr;
    }
    // A file's mapping is never joined with the anonymous ones beside it.
    const int file = memfd_create("dampi-rewind", MFD_CLOEXEC);
    void* const memory = file >= 0 && ftruncate(file, kept_size) == 0
                             ? mmap(nullptr, kept_size, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0)
                             : MAP_FAILED;
    if (memory == MAP_FAILED) {
        if (file >= 0) {
            close(file);
        }
        return nullptr;
    }
    auto* const own = new (memory) Kept;
    own->file = file;
    return own;
}

bool Rewind::has_come_back() const noexcept { return static_cast<const Kept*>(this)->back; }

int Rewind::socket() const noexcept { return static_cast<const Kept*>(this)->control; }

bool Rewind::keep_memory(int socket) noexcept {
    kept = static_cast<Kept*>(this);
    kept->process = getpid();
    kept->control = moved_up(socket);
    kept->pagemap = moved_up(open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC));
    kept->sizes = moved_up(open("/proc/self/statm", O_RDONLY | O_CLOEXEC));
    kept->heap_end = set_heap_end(0);
    const bool done =
        kept->control >= 0 && kept->pagemap >= 0 && kept->mappings.read_mappings() && find_regions() && copy_memory();
    if (done) {
        keep_pages_small();
    }
    close(kept->file);
    if (!done) {
        kept = nullptr;
    }
    return done;
}

void Rewind::expect_end(int pmi_socket) noexcept {
    kept->pmi_socket = pmi_socket;
    kept->lowest_free = lowest_free_descriptor();
    kept->has_status = false;
    kept->mapped_at_first = mapped_pages();
    kept->back = false;
    kept->expected = true;
}

transport::memory::KeptMappings* kept_mappings() noexcept { return kept == nullptr ? nullptr : &kept->shared; }

void do_not_come_back() noexcept {
    if (kept != nullptr) {
        kept->expected = false;
        kept->shares_pages = true;
    }
}

}  // namespace dampi::piggyback
