// Makes what a sweep's journal keeps small: each run's record is much like the one before, so a packed text may refer
// to the text before it. Whoever unpacks does so in the order of packing, from the same beginning. Knows nothing of
// what the texts say. One thread at a time.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace dampi::scheduler {

class Packing {
public:
    /// A text of so many bytes takes at most `packed`, whatever is in it: zlib makes none longer by more than a part in
    /// thousands. `packed`: at least 128.
    static constexpr std::size_t most_text(std::size_t packed) { return packed - packed / 64 - 64; }

    /// Valid until the next call.
    std::string_view pack(std::string_view text);
    /// Valid until the next call. Throws dampi::Error if that is not what pack() has made of a text of at most `most`
    /// bytes, behind the same texts.
    std::string_view unpack(std::string_view packed, std::size_t most);

private:
    void make_room();
    void remember(std::string_view text);

    std::string before_;  ///< as much of the last text as can be referred to
    std::string buffer_;
};

}  // namespace dampi::scheduler
