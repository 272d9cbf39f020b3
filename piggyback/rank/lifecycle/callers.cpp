#include "piggyback/rank/lifecycle/callers.hpp"

#include "piggyback/rank/file_names.hpp"
#include "piggyback/rank/lifecycle/prepare.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

// Where this library's code begins and ends, by the linker.
extern "C" __attribute__((visibility("hidden"))) const char own_begin __asm__("__ehdr_start");
extern "C" __attribute__((visibility("hidden"))) const char etext;

namespace dampi::piggyback {
namespace {

constexpr auto of_mpi = std::to_array<std::string_view>({"libdampi", "libmpich.so", "libmpichcxx.so", "libmpichfort.so",
                                                         "libucp.so", "libuct.so", "libucs.so", "libucm.so", "libuct_",
                                                         "libucs_", "libhwloc.so", "libnuma.so", "libudev.so"});
constexpr auto of_languages = std::to_array<std::string_view>({"libc.so", "libgfortran.so"});

bool is_own(const void* caller) noexcept { return caller >= &own_begin && caller < &etext; }

}  // namespace

bool is_known(const void* caller) noexcept {
    if (is_own(caller)) {
        return true;
    }
    const std::string_view file = file_of(caller);
    return begins_like_one_of(file, of_mpi) || begins_like_one_of(file, of_languages);
}

bool is_of_mpi(const void* caller) noexcept {
    if (is_own(caller)) {
        return true;
    }
    // A program reads its clocks from few places. Each entry is a caller and, below it, what it is.
    static std::array<std::atomic<std::uint64_t>, 256> known{};
    const auto address = reinterpret_cast<std::uint64_t>(caller);
    auto& entry = known[(address ^ (address >> 8)) % known.size()];
    if (const std::uint64_t kept = entry.load(std::memory_order_relaxed); kept >> 1 == address) {
        return (kept & 1) != 0;
    }
    const bool is = begins_like_one_of(file_of(caller), of_mpi);
    entry.store(address << 1 | (is ? 1 : 0), std::memory_order_relaxed);
    return is;
}

void asks(const void* caller, const char* why) noexcept {
    if (__builtin_expect(ranks_may_differ(), 0) && !is_known(caller)) {
        not_the_same_in_ranks(why);
    }
}

void asks_in_main(const void* caller, const char* why) noexcept {
    if (__builtin_expect(is_in_main_of_all(), 0) && !is_known(caller)) {
        not_the_same_in_ranks(why);
    }
}

void sees(const void* caller, const char* what) noexcept {
    if (!has_seen_own_of_process() && !is_known(caller)) {
        note_own_of_process(what);
    }
}

}  // namespace dampi::piggyback
