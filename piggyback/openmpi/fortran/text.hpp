// Fortran's strings, of a fixed length with blanks at the end, and C's.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

namespace dampi::piggyback::openmpi::fortran {

/// What is given: as Open MPI does, without blanks at both ends.
class Text {
public:
    Text(const char* text, int length) : text_(text, static_cast<std::size_t>(std::max(length, 0))) {
        text_.erase(text_.find_last_not_of(' ') + 1);
        text_.erase(0, std::min(text_.find_first_not_of(' '), text_.size()));
    }
    [[nodiscard]] const char* get() const { return text_.c_str(); }
    [[nodiscard]] char* data() { return text_.data(); }
    [[nodiscard]] bool empty() const { return text_.empty(); }

private:
    std::string text_;
};

/// Puts a string into a variable; what does not fit is left out.
inline void give_text(const char* text, char* variable, int length) {
    const auto room = static_cast<std::size_t>(std::max(length, 0));
    const std::size_t size = std::min(std::strlen(text), room);
    std::fill_n(std::copy_n(text, size, variable), room - size, ' ');
}

/// What comes back.
class GivenText {
public:
    [[nodiscard]] char* get() { return text_.data(); }
    void give(char* variable, int length) const { give_text(text_.data(), variable, length); }

private:
    std::array<char, 2048> text_{};  // no string of MPI's is longer, but for values of an MPI_Info
};

/// Strings in a row as C's main() has them, a null pointer at the end.
class TextArray {
public:
    void add(const char* text, int length) { texts_.emplace_back(text, length); }
    [[nodiscard]] char** get() {
        pointers_.clear();
        for (Text& text : texts_) {
            pointers_.push_back(text.data());
        }
        pointers_.push_back(nullptr);
        return pointers_.data();
    }

private:
    std::vector<Text> texts_;
    std::vector<char*> pointers_;
};

}  // namespace dampi::piggyback::openmpi::fortran
