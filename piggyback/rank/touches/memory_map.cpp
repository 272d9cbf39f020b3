#include "piggyback/rank/touches/memory_map.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace dampi::piggyback::touches {
namespace {

std::string read_maps() {
    std::string text;
    const int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
        constexpr std::size_t step = std::size_t{64} << 10;
        ssize_t count = 0;
        do {
            const std::size_t length = text.size();
            text.resize(length + step);
            count = read(file, text.data() + length, step);
            text.resize(length + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
        } while (count > 0);
        close(file);
    }
    return text;
}

const Mapped* find_in(const std::vector<Mapped>& all, std::uint64_t address) {
    const auto next = std::upper_bound(all.begin(), all.end(), address,
                                       [](std::uint64_t value, const Mapped& each) { return value < each.end; });
    return next != all.end() && next->begin <= address ? &*next : nullptr;
}

}  // namespace

std::vector<Mapped> parse_maps(std::string_view text) {
    std::vector<Mapped> all;
    while (!text.empty()) {
        const std::string line(text.substr(0, text.find('\n')));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        char* at = nullptr;
        Mapped mapped;
        mapped.begin = std::strtoull(line.c_str(), &at, 16);
        if (*at != '-') {
            continue;
        }
        mapped.end = std::strtoull(at + 1, &at, 16);
        const std::string_view rights = std::string_view(line).substr(static_cast<std::size_t>(at - line.c_str()));
        if (rights.size() < 5) {
            continue;
        }
        mapped.rights = (rights[1] == 'r' ? PROT_READ : 0) | (rights[2] == 'w' ? PROT_WRITE : 0) |
                        (rights[3] == 'x' ? PROT_EXEC : 0);
        mapped.is_stack = rights.find("[stack]") != std::string_view::npos;
        all.push_back(mapped);
    }
    return all;
}

const Mapped* MemoryMap::find(std::uint64_t address) {
    constexpr int both = PROT_READ | PROT_WRITE;
    const Mapped* found = find_in(all_, address);
    if (found == nullptr || (found->rights & both) != both) {
        all_ = parse_maps(read_maps());
        found = find_in(all_, address);
    }
    return found;
}

}  // namespace dampi::piggyback::touches
