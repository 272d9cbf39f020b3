#include "piggyback/rank/touches/page_keys.hpp"

#include "base/protection_keys.hpp"

#include <cstddef>
#include <cstring>

#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace dampi::piggyback::touches {
namespace {

constexpr std::uint32_t may_nothing = 1;  ///< bits of a key: the first of two
constexpr std::uint32_t may_not_store = 2;
constexpr unsigned rights_component = 9;  ///< of what XSAVE saves

// How the system lays out what it saves: FP_XSTATE_MAGIC1 of <asm/sigcontext.h>, in what the processor leaves unused.
constexpr std::uint32_t has_components = 0x46505853;
constexpr std::size_t systems_words = 464;
constexpr std::size_t saved_components = 512;

struct Keys {
    int stores = -1;
    int all = -1;
    std::size_t place = 0;  ///< of the rights in what is saved

    [[nodiscard]] std::uint32_t bits() const { return 3U << (2 * stores) | 3U << (2 * all); }
    [[nodiscard]] std::uint32_t closed_bits() const { return may_not_store << (2 * stores) | may_nothing << (2 * all); }
};

int allocate() noexcept { return static_cast<int>(syscall(SYS_pkey_alloc, 0, 0)); }

Keys find() noexcept {
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    if (!base::has_protection_keys() || __get_cpuid_count(0xd, rights_component, &a, &b, &c, &d) == 0 ||
        a < sizeof(std::uint32_t)) {
        return {};
    }
    const Keys found{.stores = allocate(), .all = allocate(), .place = b};
    return found.stores > 0 && found.all > 0 ? found : Keys{};
}

bool asked = false;
Keys found_keys;

const Keys& keys() noexcept { return found_keys; }

}  // namespace

bool have_keys() noexcept {
    if (!asked) {
        found_keys = find();
        asked = true;
    }
    return keys().all > 0;
}

void give_keys_back() noexcept {
    if (asked && keys().all > 0) {
        syscall(SYS_pkey_free, keys().stores);
        syscall(SYS_pkey_free, keys().all);
    }
    asked = false;
    found_keys = {};
}

bool set_key(std::uint64_t begin, std::uint64_t end, int rights, Key key) noexcept {
    const int number = key == Key::none ? 0 : key == Key::stores ? keys().stores : keys().all;
    return syscall(SYS_pkey_mprotect, begin, end - begin, rights, number) == 0;
}

std::uint32_t opened(std::uint32_t by_keys) noexcept { return by_keys & ~keys().bits(); }

std::uint32_t closed(std::uint32_t by_keys) noexcept { return opened(by_keys) | keys().closed_bits(); }

std::uint32_t as_in(std::uint32_t other, std::uint32_t by_keys) noexcept {
    return opened(by_keys) | (other & keys().bits());
}

std::uint32_t rights_by_keys() noexcept {
    std::uint32_t rights = 0;
    std::uint32_t unused = 0;
    asm volatile(".byte 0x0f, 0x01, 0xee" : "=a"(rights), "=d"(unused) : "c"(0));  // rdpkru
    return rights;
}

void set_rights_by_keys(std::uint32_t by_keys) noexcept {
    asm volatile(".byte 0x0f, 0x01, 0xef" : : "a"(by_keys), "c"(0), "d"(0) : "memory");  // wrpkru
}

std::uint32_t* saved_rights(ucontext_t& context) noexcept {
    auto* const saved = reinterpret_cast<std::byte*>(context.uc_mcontext.fpregs);
    std::uint32_t magic = 0;
    std::uint64_t components = 0;
    if (saved == nullptr) {
        return nullptr;
    }
    std::memcpy(&magic, saved + systems_words, sizeof magic);
    std::memcpy(&components, saved + saved_components, sizeof components);
    const bool is_saved = magic == has_components && (components & 1U << rights_component) != 0;
    return is_saved ? reinterpret_cast<std::uint32_t*>(saved + keys().place) : nullptr;
}

}  // namespace dampi::piggyback::touches
