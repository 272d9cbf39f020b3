#include "piggyback/central/moments.hpp"

#include "piggyback/rank/memory/program_state.hpp"
#include "transport/requests/moments.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <unwind.h>
#include <fcntl.h>
#include <unistd.h>

namespace dampi::piggyback::central {
namespace {

using namespace transport::requests;

// All that is needed lies here, among the layer's variables.
std::array<char, 4096> folder;
std::array<char, 4200> path;
std::array<char, std::size_t{256} << 10> line;
std::size_t line_length = 0;

/// What becomes of errno would count as the program's.
class KeptError {
public:
    KeptError() = default;
    ~KeptError() { errno = error_; }
    KeptError(const KeptError&) = delete;
    KeptError& operator=(const KeptError&) = delete;

private:
    const int error_ = errno;
};

/// A file of the rank's in the folder. What fails is missed by who reads it.
class File {
public:
    /// `moment`: -1 where it is not about a single one.
    File(const char* name, base::Rank own, std::int64_t moment, int flags) {
        const int length = moment < 0 ? std::snprintf(path.data(), path.size(), "%s/%s.%d", folder.data(), name, own)
                                      : std::snprintf(path.data(), path.size(), "%s/%s.%d.%u", folder.data(), name, own,
                                                      static_cast<unsigned>(moment));
        if (length > 0 && static_cast<std::size_t>(length) < path.size()) {
            descriptor_ = open(path.data(), flags | O_CLOEXEC, 0600);
        }
    }
    ~File() {
        if (descriptor_ >= 0) {
            close(descriptor_);
        }
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;

    [[nodiscard]] bool write(const void* bytes, std::size_t size) const noexcept {
        const char* at = static_cast<const char*>(bytes);
        while (size != 0) {
            const ssize_t written = ::write(descriptor_, at, size);
            if (written <= 0) {
                return false;
            }
            at += written;
            size -= static_cast<std::size_t>(written);
        }
        return true;
    }

    /// As much as fits into the line.
    void read_into_line() const noexcept {
        line_length = 0;
        for (ssize_t count = 0;
             descriptor_ >= 0 && line_length + 1 < line.size() &&
             (count = read(descriptor_, line.data() + line_length, line.size() - 1 - line_length)) > 0;) {
            line_length += static_cast<std::size_t>(count);
        }
        line[line_length] = 0;
    }

private:
    int descriptor_ = -1;
};

void add_text(const char* text) noexcept {
    const std::size_t length = std::strlen(text);
    if (line_length + length < line.size()) {
        std::memcpy(line.data() + line_length, text, length);
        line_length += length;
    }
}

void add_number(std::uint64_t number) noexcept {
    std::array<char, 18> digits;
    std::size_t at = digits.size();
    digits[--at] = 0;
    do {
        digits[--at] = "0123456789abcdef"[number % 16];
        number /= 16;
    } while (number != 0);
    add_text(" ");
    add_text(digits.data() + at);
}

void append_line(base::Rank own) noexcept {
    add_text("\n");
    (void)File(moments_name, own, -1, O_WRONLY | O_CREAT | O_APPEND).write(line.data(), line_length);
    line_length = 0;
}

/// The functions of the program that are waiting for the call.
struct Frames {
    std::uintptr_t first = 0;  ///< where the call returns
    std::uintptr_t end = 0;    ///< of the program's part of the stack
    bool inside = false;
};

_Unwind_Reason_Code add_frame(_Unwind_Context* context, void* argument) {
    auto& frames = *static_cast<Frames*>(argument);
    const auto pc = static_cast<std::uintptr_t>(_Unwind_GetIP(context));
    const auto sp = static_cast<std::uintptr_t>(_Unwind_GetCFA(context));
    constexpr int rbp = 6;  // the number of that register
    frames.inside = frames.inside || pc == frames.first;
    if (frames.inside) {
        add_number(pc);
        add_number(sp);
        add_number(_Unwind_GetGR(context, rbp));
    }
    // The one behind says where the last one's frame ends.
    return sp > frames.end ? _URC_END_OF_STACK : _URC_NO_REASON;
}

class Written final : public MemoryVisitor {
public:
    explicit Written(const File& to) : to_(to) {}

    bool whole = true;

    void visit(std::uintptr_t begin, const char* now, const char* before, std::size_t size) noexcept override {
        const MemoryPiece piece{.begin = begin, .size = size, .has_before = before != nullptr ? 1U : 0U};
        whole = whole && to_.write(&piece, sizeof piece) && to_.write(now, size) &&
                (before == nullptr || to_.write(before, size));
    }

private:
    const File& to_;
};

}  // namespace

void Moments::begin(base::Rank own) noexcept {
    const KeptError error;
    const char* const where = std::getenv(moments_variable);
    wanted_ = where != nullptr && std::strlen(where) < folder.size();
    number_ = 0;
    memory_wanted_count_ = 0;
    own_ = own;
    if (!wanted_) {
        return;
    }
    std::strcpy(folder.data(), where);
    File(wanted_name, own_, -1, O_RDONLY).read_into_line();
    for (const char* at = line.data(); memory_wanted_count_ < memory_wanted_.size();) {
        char* behind = nullptr;
        const unsigned long number = std::strtoul(at, &behind, 10);
        if (behind == at) {
            break;
        }
        memory_wanted_[memory_wanted_count_++] = static_cast<std::uint32_t>(number);
        at = behind;
    }
    line_length = 0;
}

void Moments::note(const Call& call) noexcept {
    const KeptError error;
    if (++number_ > most_moments) {
        return;
    }
    if (number_ == 1) {
        const int mappings = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
        const File copy(mappings_name, own_, -1, O_WRONLY | O_CREAT | O_TRUNC);
        for (ssize_t count = 0; mappings >= 0 && (count = read(mappings, line.data(), line.size())) > 0;) {
            (void)copy.write(line.data(), static_cast<std::size_t>(count));
        }
        if (mappings >= 0) {
            close(mappings);
        }
    }
    const auto state = program_state(call.return_address());
    const bool known = state.has_value();
    add_text("moment");
    add_number(number_);
    add_text(" ");
    add_text(call.function());
    add_number(call.site());
    add_number(known ? 1 : 0);
    add_number(known ? state->low : 0);
    add_number(known ? state->high : 0);
    add_number(program_stack_end());
    Frames frames{.first = reinterpret_cast<std::uintptr_t>(call.return_address()), .end = program_stack_end()};
    _Unwind_Backtrace(add_frame, &frames);
    append_line(own_);
    const auto* const last = memory_wanted_.data() + memory_wanted_count_;
    if (std::find(std::as_const(memory_wanted_).data(), last, number_) != last) {
        const File file(memory_name, own_, number_, O_WRONLY | O_CREAT | O_TRUNC);
        Written written(file);
        if (!show_program_memory(call.return_address(), written) || !written.whole) {
            unlink(path.data());
        }
    }
}

void Moments::note_received(std::int64_t begin, std::int64_t end, int source, int tag) noexcept {
    const KeptError error;
    if (number_ > most_moments) {
        return;
    }
    add_text("received");
    add_number(static_cast<std::uint64_t>(begin));
    add_number(static_cast<std::uint64_t>(end));
    add_number(static_cast<std::uint32_t>(source));
    add_number(static_cast<std::uint32_t>(tag));
    append_line(own_);
}

}  // namespace dampi::piggyback::central
