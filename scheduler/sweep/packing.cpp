// As zlib packs (RFC 1950), with the text before as its preset dictionary; before it stands the text's size.
#include "scheduler/sweep/packing.hpp"

#include "base/check.hpp"

#include <cstdint>
#include <cstring>

#include <zlib.h>

namespace dampi::scheduler {
namespace {

constexpr std::size_t most_before = std::size_t{32} << 10;  // more zlib does not look back
constexpr std::size_t usual_size = std::size_t{1} << 20;

const Bytef* bytes_of(std::string_view text) { return reinterpret_cast<const Bytef*>(text.data()); }

void give(z_stream& stream, std::string_view input, char* output, std::size_t size) {
    stream.next_in = const_cast<Bytef*>(bytes_of(input));  // zlib does not write there
    stream.avail_in = static_cast<uInt>(input.size());
    stream.next_out = reinterpret_cast<Bytef*>(output);
    stream.avail_out = static_cast<uInt>(size);
}

/// Ends the stream when it goes out of scope.
class Ending {
public:
    Ending(z_stream& stream, int (*end)(z_stream*)) : stream_(stream), end_(end) {}
    ~Ending() { end_(&stream_); }
    Ending(const Ending&) = delete;
    Ending& operator=(const Ending&) = delete;

private:
    z_stream& stream_;
    int (*end_)(z_stream*);
};

}  // namespace

std::string_view Packing::pack(std::string_view text) {
    z_stream stream{};
    DAMPI_CHECK(deflateInit(&stream, Z_BEST_SPEED) == Z_OK);
    const Ending ending(stream, deflateEnd);
    if (!before_.empty()) {
        DAMPI_CHECK(deflateSetDictionary(&stream, bytes_of(before_), static_cast<uInt>(before_.size())) == Z_OK);
    }
    const auto size = static_cast<std::uint64_t>(text.size());
    make_room();
    const std::size_t bound = deflateBound(&stream, static_cast<uLong>(text.size()));
    buffer_.resize(sizeof size + bound);
    std::memcpy(buffer_.data(), &size, sizeof size);
    give(stream, text, buffer_.data() + sizeof size, bound);
    DAMPI_CHECK(deflate(&stream, Z_FINISH) == Z_STREAM_END);
    remember(text);
    return {buffer_.data(), sizeof size + bound - stream.avail_out};
}

std::string_view Packing::unpack(std::string_view packed, std::size_t most) {
    std::uint64_t size = 0;
    const auto fail = [] { throw Error("an entry cannot be unpacked"); };
    if (packed.size() < sizeof size) {
        fail();
    }
    std::memcpy(&size, packed.data(), sizeof size);
    if (size > most) {
        fail();
    }
    z_stream stream{};
    DAMPI_CHECK(inflateInit(&stream) == Z_OK);
    const Ending ending(stream, inflateEnd);
    make_room();
    buffer_.resize(static_cast<std::size_t>(size) + 1);  // so that zlib always has room for what it looks for
    give(stream, packed.substr(sizeof size), buffer_.data(), buffer_.size());
    int result = inflate(&stream, Z_FINISH);
    if (result == Z_NEED_DICT && !before_.empty() &&
        inflateSetDictionary(&stream, bytes_of(before_), static_cast<uInt>(before_.size())) == Z_OK) {
        result = inflate(&stream, Z_FINISH);
    }
    if (result != Z_STREAM_END || stream.total_out != size || stream.avail_in != 0) {
        fail();
    }
    buffer_.resize(static_cast<std::size_t>(size));
    remember(buffer_);
    return buffer_;
}

void Packing::make_room() {
    if (buffer_.capacity() > usual_size) {
        buffer_ = {};
    }
}

void Packing::remember(std::string_view text) {
    before_ = text.size() > most_before ? text.substr(text.size() - most_before) : text;
}

}  // namespace dampi::scheduler
