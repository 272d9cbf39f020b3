// JSON as a LinedFile: the parser tells of each value when it has read it, through an iterator that counts.
#include "replay/lined_file.hpp"

#include "base/check.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

namespace dampi::replay {
namespace {

using Json = nlohmann::json;

std::size_t line_at(std::string_view text, std::size_t at) {
    return 1 + static_cast<std::size_t>(std::count(text.begin(), text.begin() + std::min(at, text.size()), '\n'));
}

/// Tells how far the parser has come.
class Counted {
public:
    // NOLINTBEGIN(readability-identifier-naming): names of the standard library's
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;
    // NOLINTEND(readability-identifier-naming)

    Counted(const char* at, std::size_t* read) : at_(at), read_(read) {}
    reference operator*() const { return *at_; }
    Counted& operator++() {
        ++at_;
        ++*read_;
        return *this;
    }
    bool operator==(const Counted& other) const { return at_ == other.at_; }
    bool operator!=(const Counted& other) const { return at_ != other.at_; }

private:
    const char* at_;
    std::size_t* read_;
};

/// Where the parser is in the value: of each object or array that it is in, the present member.
struct Frame {
    bool is_array = false;
    std::size_t index = 0;
    std::string key;
};

std::string pointer_to(const std::vector<Frame>& frames) {
    std::string pointer;
    for (const Frame& frame : frames) {
        pointer += "/" + (frame.is_array ? std::to_string(frame.index) : frame.key);
    }
    return pointer;
}

}  // namespace

LinedFile read_lined_json(std::string_view text, const std::string& name) {
    std::map<std::string, std::size_t> lines;
    std::size_t read = 0;
    std::size_t counted = 0;
    std::size_t line = 1;
    std::vector<Frame> frames;
    const auto begin_value = [&] {
        // The last character read may be one behind the value.
        for (; counted + 1 < read; ++counted) {
            line += text[counted] == '\n' ? 1 : 0;
        }
        lines[pointer_to(frames)] = line;
    };
    const auto end_value = [&] {
        if (!frames.empty() && frames.back().is_array) {
            ++frames.back().index;
        }
    };
    const auto take = [&](int /*depth*/, Json::parse_event_t event, const Json& parsed) {
        switch (event) {
            case Json::parse_event_t::object_start:
            case Json::parse_event_t::array_start:
                begin_value();
                frames.push_back({.is_array = event == Json::parse_event_t::array_start, .index = 0, .key = {}});
                break;
            case Json::parse_event_t::key:
                frames.back().key = parsed.get<std::string>();
                break;
            case Json::parse_event_t::value:
                begin_value();
                end_value();
                break;
            case Json::parse_event_t::object_end:
            case Json::parse_event_t::array_end:
                frames.pop_back();
                end_value();
                break;
        }
        return true;
    };
    try {
        Json value = Json::parse(Counted(text.data(), &read), Counted(text.data() + text.size(), &read), take);
        return {name, std::move(value), std::move(lines)};
    } catch (const Json::parse_error& error) {
        throw Error(name + ":" + std::to_string(line_at(text, error.byte == 0 ? 0 : error.byte - 1)) +
                    ": this is not JSON");
    }
}

}  // namespace dampi::replay
