#include "piggyback/rank/memory/program_state.hpp"

#include "piggyback/rank/lifecycle/rewind.hpp"
#include "piggyback/rank/memory/registers.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <utility>

namespace dampi::piggyback {
namespace {

constexpr std::size_t page = 4096;

// Nothing of it is the program's, as these are the layer's variables.
NotThePrograms not_the_programs;
bool found = false;
std::array<Range, 4> left_out;
std::size_t left_out_count = 0;
std::uintptr_t stack_end = 0;
std::uint64_t pages_summed = 0;

void find_what_counts() noexcept {
    if (!found) {
        not_the_programs.find();
        std::for_each_n(left_out.begin(), left_out_count, [](const Range& range) { not_the_programs.add(range); });
        found = true;
    }
}

/// Takes pages without what is not the program's in them, which is zero before and now.
class ProgramPages : public PageVisitor {
public:
    /// `before`: null: zeros.
    virtual void take(std::uintptr_t begin, const char* now, const char* before) noexcept = 0;

    void visit(const char* memory, const char* before) noexcept override {
        static std::array<char, page> now;
        static std::array<char, page> then;
        const auto begin = reinterpret_cast<std::uintptr_t>(memory);
        bool cut = false;
        std::size_t gone = 0;
        not_the_programs.for_each_in({.begin = begin, .end = begin + page}, [&](const Range& range) {
            if (!std::exchange(cut, true)) {
                std::memcpy(now.data(), memory, page);
                if (before != nullptr) {
                    std::memcpy(then.data(), before, page);
                } else {
                    then.fill(0);
                }
            }
            std::memset(now.data() + (range.begin - begin), 0, range.end - range.begin);
            std::memset(then.data() + (range.begin - begin), 0, range.end - range.begin);
            gone += range.end - range.begin;
        });
        if (gone >= page || (cut && now == then)) {
            return;
        }
        if (!cut && before == nullptr && std::all_of(memory, memory + page, [](char each) { return each == 0; })) {
            return;  // as if nothing were there
        }
        take(begin, cut ? now.data() : memory, cut ? then.data() : before);
    }
};

class SumOfPages final : public ProgramPages {
public:
    base::DigestBuilder words;

    void take(std::uintptr_t begin, const char* now, const char* /*before*/) noexcept override {
        ++pages_summed;
        words.add(begin).add(base::digest_of(now, page));
    }
};

class ShownPages final : public ProgramPages {
public:
    explicit ShownPages(MemoryVisitor& to) : to_(to) {}

    void take(std::uintptr_t begin, const char* now, const char* before) noexcept override {
        to_.visit(begin, now, before, page);
    }

private:
    MemoryVisitor& to_;
};

}  // namespace

void leave_out_of_state(const Range& range) noexcept {
    if (left_out_count < left_out.size()) {
        left_out[left_out_count++] = range;
    }
}

void note_stack_end(const void* frame) noexcept { stack_end = reinterpret_cast<std::uintptr_t>(frame); }

std::optional<base::Digest> program_state(const void* return_address, const ProgramStateParts& parts) noexcept {
    const Registers registers = registers_of(return_address);
    if (!registers.found || stack_end <= registers.rsp) {
        return std::nullopt;
    }
    find_what_counts();
    SumOfPages pages;
    if (!visit_changed_pages(pages)) {
        return std::nullopt;
    }
    base::DigestBuilder words;
    if (parts.memory) {
        words.add(pages.words.value());
    }
    if (parts.registers) {
        words.add(registers.rbx).add(registers.rbp).add(registers.r12).add(registers.r13).add(registers.r14);
        words.add(registers.r15).add(registers.rsp).add(registers.rip).add(registers.mxcsr).add(registers.x87);
        words.add(registers.x87_exceptions).add(registers.flags);
    }
    if (parts.stack) {
        words.add(base::digest_of(reinterpret_cast<const void*>(registers.rsp), stack_end - registers.rsp));
    }
    sigset_t blocked{};
    sigset_t pending{};
    if (sigprocmask(SIG_SETMASK, nullptr, &blocked) != 0 || sigpending(&pending) != 0) {
        return std::nullopt;
    }
    words.add(base::digest_of(&blocked, sizeof blocked)).add(base::digest_of(&pending, sizeof pending));
    return words.value();
}

std::uint64_t pages_of_states() noexcept { return pages_summed; }

bool show_program_memory(const void* return_address, MemoryVisitor& visitor) noexcept {
    const Registers registers = registers_of(return_address);
    if (!registers.found || stack_end <= registers.rsp) {
        return false;
    }
    find_what_counts();
    ShownPages pages(visitor);
    if (!visit_changed_pages(pages)) {
        return false;
    }
    visitor.visit(registers.rsp, reinterpret_cast<const char*>(registers.rsp), nullptr, stack_end - registers.rsp);
    return true;
}

std::uintptr_t program_stack_end() noexcept { return stack_end; }

}  // namespace dampi::piggyback
