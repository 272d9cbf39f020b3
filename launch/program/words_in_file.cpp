// See words_in_file.hpp.
#include "launch/program/words_in_file.hpp"

#include "base/check.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <functional>
#include <string_view>
#include <vector>

namespace dampi::launch {
namespace {

constexpr std::array<bool, 256> word_characters = [] {
    std::array<bool, 256> result{};
    for (const unsigned char each :
         std::string_view("0123456789_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")) {
        result[each] = true;
    }
    return result;
}();

bool is_in_word(char each) { return word_characters[static_cast<unsigned char>(each)]; }

}  // namespace

std::set<std::string> words_in_file(const std::filesystem::path& file, const std::set<std::string>& names) {
    const std::set<std::string, std::less<>> wanted(names.begin(), names.end());
    std::size_t longest = 0;
    std::array<bool, 256> begins{};
    for (const std::string& name : names) {
        longest = std::max(longest, name.size());
        begins[static_cast<unsigned char>(name.empty() ? '_' : name.front())] = true;
    }
    std::ifstream in(file, std::ios::binary);
    std::set<std::string> found;
    std::vector<char> buffer((std::size_t{1} << 18) + longest + 1);
    std::size_t kept = 0;  // of a word that the last part of the file has not ended; if it is cut, it is no name
    bool more = true;
    while (more) {
        in.read(buffer.data() + kept, static_cast<std::streamsize>(buffer.size() - kept));
        more = in.gcount() > 0;
        const char* each = buffer.data();
        const char* const end = each + kept + in.gcount();
        kept = 0;
        while (each != end) {
            const char* const begin = std::find_if(each, end, is_in_word);
            each = std::find_if_not(begin, end, is_in_word);
            const auto size = static_cast<std::size_t>(each - begin);
            if (each == end && more) {
                kept = std::min(size, longest + 1);
                std::copy_n(begin, kept, buffer.data());
            } else if (size > 0 && size <= longest && begins[static_cast<unsigned char>(*begin)] &&
                       wanted.contains(std::string_view(begin, size))) {
                found.emplace(begin, size);
            }
        }
    }
    if (!in.eof()) {
        throw Error("cannot read " + file.string() + ": " + std::strerror(errno));
    }
    return found;
}

}  // namespace dampi::launch
