#include "transport/memory/memory_file.hpp"

#include "base/check.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace dampi::transport::memory {
namespace {

/// Writing zeros to more takes longer than giving it back and getting other pages.
constexpr std::uint64_t most_to_clear = std::uint64_t{4} << 20;

[[noreturn]] void fail(const char* verb, const char* what, const std::string& end = "") {
    const int error = errno;
    throw Error(std::string("cannot ") + verb + " " + what + ": " + std::strerror(error) + end);
}

/// Closes it; descriptors of ranks are the program's.
class Opened {
public:
    explicit Opened(const char* path) : number_(open(path, O_RDWR | O_CLOEXEC)) {}
    ~Opened() {
        if (number_ >= 0) {
            close(number_);
        }
    }
    Opened(const Opened&) = delete;
    Opened& operator=(const Opened&) = delete;
    [[nodiscard]] int get() const { return number_; }

private:
    int number_;
};

/// Calls `use(begin, length)` for each part of the file that was ever touched.
template <typename Use>
void for_each_touched(int descriptor, std::uint64_t size, Use&& use) {
    const auto end = static_cast<off_t>(size);
    for (off_t begin = 0; begin < end && (begin = lseek(descriptor, begin, SEEK_DATA)) >= 0;) {
        off_t hole = lseek(descriptor, begin, SEEK_HOLE);
        hole = hole < begin || hole > end ? end : hole;
        use(begin, static_cast<std::size_t>(hole - begin));
        begin = hole;
    }
}

/// A rank that dumps its core would write, and so touch, all of what nobody has used.
void leave_out_of_dumps(void* memory, std::uint64_t size) {
    if (memory != MAP_FAILED) {
        madvise(memory, size, MADV_DONTDUMP);
    }
}

/// Where nothing else lies, if that can be had (sanitizers have their own ideas). Where the system places what the
/// program maps must not depend on how large the areas of a run are, nor on whether they are mapped already: the same
/// state would have other addresses (arrays that malloc maps) in each run. MAP_FAILED, with errno.
void* map_apart(int descriptor, std::uint64_t size) {
    constexpr std::uintptr_t first_place = 0x4000'0000'0000;
    constexpr std::uintptr_t between_places = std::uintptr_t{1} << 42;
    constexpr unsigned places = 4;
    const auto map = [&](std::uintptr_t wished) {
        void* const got = mmap(reinterpret_cast<void*>(wished), size, PROT_READ | PROT_WRITE,
                               MAP_SHARED | MAP_NORESERVE, descriptor, 0);
        leave_out_of_dumps(got, size);
        return got;
    };
    for (unsigned i = 0; i < places && size <= between_places; ++i) {
        const std::uintptr_t wished = first_place + i * between_places;
        void* const got = map(wished);
        if (got == MAP_FAILED || reinterpret_cast<std::uintptr_t>(got) == wished) {
            return got;
        }
        munmap(got, size);
    }
    return map(0);
}

FileIdentity identity_of(const struct stat& facts) { return {.device = facts.st_dev, .number = facts.st_ino}; }

}  // namespace

bool KeptMappings::put(const Mapping& mapping) noexcept {
    const auto free =
        std::find_if(mappings_.begin(), mappings_.end(), [](const Mapping& each) { return each.base == nullptr; });
    if (free == mappings_.end()) {
        return false;
    }
    *free = mapping;
    return true;
}

KeptMappings::Mapping KeptMappings::take(const char* path) noexcept {
    struct stat facts {};
    const bool any = bytes() != 0 && stat(path, &facts) == 0;
    for (Mapping& each : mappings_) {
        if (any && each.base != nullptr && each.file == identity_of(facts)) {
            return std::exchange(each, {});
        }
    }
    for (Mapping& each : mappings_) {
        if (each.base != nullptr) {
            munmap(each.base, each.size);
        }
        each = {};
    }
    return {};
}

bool KeptMappings::begins_at(std::uintptr_t address) const noexcept {
    return std::any_of(mappings_.begin(), mappings_.end(), [address](const Mapping& each) {
        return each.base != nullptr && reinterpret_cast<std::uintptr_t>(each.base) == address;
    });
}

std::uint64_t KeptMappings::bytes() const noexcept { return mappings_[0].size + mappings_[1].size; }

void MemoryFile::map(int descriptor, std::uint64_t size) {
    void* memory = map_apart(descriptor, size);
    if (memory == MAP_FAILED) {
        const int error = errno;
        rlimit limit{};
        const bool is_limited = getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
        errno = error;
        fail(("map " + std::to_string(size >> 30) + " GiB of address space for").c_str(), what_,
             is_limited ? "; raise the limit on virtual memory (ulimit -v)" : "; with fewer processes it is less");
    }
    base_ = static_cast<std::uint8_t*>(memory);
    size_ = size;
}

MemoryFile MemoryFile::create(const char* name, const char* what, std::uint64_t size) {
    MemoryFile made;
    made.what_ = what;
    made.descriptor_ = memfd_create(name, MFD_CLOEXEC);
    if (made.descriptor_ < 0) {
        fail("create", what);
    }
    if (ftruncate(made.descriptor_, static_cast<off_t>(size)) != 0) {
        fail("size", what);
    }
    made.map(made.descriptor_, size);
    return made;
}

MemoryFile MemoryFile::attach(const char* path, const char* what, KeptMappings* kept) {
    MemoryFile made;
    made.what_ = what;
    if (kept != nullptr) {
        if (const KeptMappings::Mapping mapping = kept->take(path); mapping.base != nullptr) {
            made.base_ = mapping.base;
            made.size_ = mapping.size;
            made.file_ = mapping.file;
            return made;
        }
    }
    const Opened file(path);
    struct stat facts {};
    if (file.get() < 0 || fstat(file.get(), &facts) != 0) {
        fail("open", what,
             std::string(" (") + path + "); all ranks must run on the machine of dampi-run, as the same user");
    }
    if (facts.st_size <= 0) {
        throw Error(std::string(path) + " is not " + what);
    }
    made.file_ = identity_of(facts);
    made.map(file.get(), static_cast<std::uint64_t>(facts.st_size));
    return made;
}

MemoryFile MemoryFile::copy(const char* name) const {
    MemoryFile made = create(name, what_, size_);
    for_each_touched(descriptor_, size_,
                     [&](off_t begin, std::size_t length) { std::memcpy(made.base_ + begin, base_ + begin, length); });
    return made;
}

bool MemoryFile::clear() {
    const std::uint64_t memory_now = memory();
    if (memory_now > most_to_clear) {
        return false;
    }
    if (memory_now != touched_memory_) {
        touched_.clear();
        for_each_touched(descriptor_, size_, [&](off_t begin, std::size_t length) {
            touched_.push_back({begin, length});
        });
        touched_memory_ = memory_now;
    }
    for (const Part& part : touched_) {
        std::memset(base_ + part.begin, 0, part.length);
    }
    return true;
}

void MemoryFile::let_go() {
    if (mmap(base_, size_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == MAP_FAILED) {
        fail("let go of", what_);
    }
}

void MemoryFile::attach_again(const char* path) {
    const Opened file(path);
    struct stat facts {};
    if (file.get() < 0 || fstat(file.get(), &facts) != 0 || static_cast<std::uint64_t>(facts.st_size) != size_ ||
        mmap(base_, size_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED, file.get(), 0) ==
            MAP_FAILED) {
        fail("attach to", what_, std::string(" (") + path + ")");
    }
    leave_out_of_dumps(base_, size_);
    file_ = identity_of(facts);
}

void MemoryFile::leave_to(KeptMappings& kept) noexcept {
    if (base_ != nullptr && kept.put({.base = base_, .size = size_, .file = file_})) {
        base_ = nullptr;
    }
}

std::uint64_t MemoryFile::memory() const {
    struct stat facts {};
    return descriptor_ >= 0 && fstat(descriptor_, &facts) == 0 ? static_cast<std::uint64_t>(facts.st_blocks) * 512 : 0;
}

MemoryFile::~MemoryFile() {
    if (base_ != nullptr) {
        munmap(base_, size_);
    }
    if (descriptor_ >= 0) {
        close(descriptor_);
    }
}

MemoryFile::MemoryFile(MemoryFile&& other) noexcept { *this = std::move(other); }

MemoryFile& MemoryFile::operator=(MemoryFile&& other) noexcept {
    std::swap(base_, other.base_);
    std::swap(size_, other.size_);
    std::swap(file_, other.file_);
    std::swap(what_, other.what_);
    std::swap(descriptor_, other.descriptor_);
    std::swap(touched_, other.touched_);
    std::swap(touched_memory_, other.touched_memory_);
    return *this;
}

std::string MemoryFile::attach_path() const {
    return "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(descriptor_);
}

}  // namespace dampi::transport::memory
