// The layer's own heap: what it allocates with operator new does not lie among the program's blocks, where its history
// would show in the program's memory, so that no two states of a program would ever be equal. Nothing of it is visible
// outside of this library; memory of the C library's heap, which some of it may come from, is given back to that.
#include "piggyback/rank/memory/program_state.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

#include <sys/mman.h>

namespace dampi::piggyback::central {
namespace {

/// Blocks of 2^k bytes, each behind a word that says k.
class OwnHeap {
public:
    void* allocate(std::size_t size) noexcept {
        const auto power = static_cast<unsigned>(std::bit_width(std::max(size, least) - 1));
        if (power > largest) {
            return nullptr;
        }
        const Lock lock(busy_);
        if (Free* const block = free_[power]) {
            free_[power] = block->next;
            return block;
        }
        const std::size_t needed = (std::size_t{1} << power) + head;
        if (begin_ == 0 && !begin()) {
            return nullptr;
        }
        if (next_ + needed > begin_ + room) {
            return nullptr;
        }
        *reinterpret_cast<std::uint64_t*>(next_ + head - sizeof(std::uint64_t)) = power;
        void* const block = reinterpret_cast<void*>(next_ + head);
        next_ += needed;
        return block;
    }

    /// False: it is none of these.
    bool release(void* block) noexcept {
        const auto at = reinterpret_cast<std::uintptr_t>(block);
        if (begin_ == 0 || at < begin_ || at >= begin_ + room) {
            return false;
        }
        const std::uint64_t power = *reinterpret_cast<std::uint64_t*>(at - sizeof(std::uint64_t));
        const Lock lock(busy_);
        free_[power] = ::new (block) Free{free_[power]};
        return true;
    }

private:
    static constexpr std::size_t room = std::size_t{4} << 20;
    static constexpr std::size_t head = 16;  ///< so that blocks are aligned
    static constexpr std::size_t least = 16;
    static constexpr unsigned largest = 18;

    struct Free {
        Free* next;
    };
    /// Threads that do not call MPI may come here when they begin and end.
    class Lock {
    public:
        explicit Lock(std::atomic_flag& flag) : flag_(flag) {
            while (flag_.test_and_set(std::memory_order_acquire)) {}
        }
        ~Lock() { flag_.clear(std::memory_order_release); }
        Lock(const Lock&) = delete;
        Lock& operator=(const Lock&) = delete;

    private:
        std::atomic_flag& flag_;
    };

    bool begin() noexcept {
        void* const memory = mmap(nullptr, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) {
            return false;
        }
        begin_ = next_ = reinterpret_cast<std::uintptr_t>(memory);
        leave_out_of_state({.begin = begin_, .end = begin_ + room});
        return true;
    }

    std::atomic_flag busy_{};
    std::uintptr_t begin_ = 0;
    std::uintptr_t next_ = 0;
    std::array<Free*, largest + 1> free_{};
};

constinit OwnHeap own_heap;

void* allocate(std::size_t size) noexcept {
    void* const block = own_heap.allocate(size);
    return block != nullptr ? block : std::malloc(size == 0 ? 1 : size);
}

void release(void* block) noexcept {
    if (block != nullptr && !own_heap.release(block)) {
        std::free(block);
    }
}

}  // namespace
}  // namespace dampi::piggyback::central

using dampi::piggyback::central::allocate;
using dampi::piggyback::central::release;

void* operator new(std::size_t size) {
    void* const block = allocate(size);
    if (block == nullptr) {
        throw std::bad_alloc();
    }
    return block;
}
void* operator new[](std::size_t size) { return operator new(size); }
void* operator new(std::size_t size, const std::nothrow_t& /*unused*/) noexcept { return allocate(size); }
void* operator new[](std::size_t size, const std::nothrow_t& /*unused*/) noexcept { return allocate(size); }
void operator delete(void* block) noexcept { release(block); }
void operator delete[](void* block) noexcept { release(block); }
void operator delete(void* block, std::size_t /*size*/) noexcept { release(block); }
void operator delete[](void* block, std::size_t /*size*/) noexcept { release(block); }
void operator delete(void* block, const std::nothrow_t& /*unused*/) noexcept { release(block); }
void operator delete[](void* block, const std::nothrow_t& /*unused*/) noexcept { release(block); }
