// Which memory instructions read and write, from their bytes.
#include "piggyback/rank/touches/instruction.hpp"

#include "launch/program/preload.hpp"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>
#include <dlfcn.h>

namespace dampi::piggyback {
namespace {

constexpr std::uint64_t thread = 0x7000'0000;

class InstructionTest : public testing::Test {
protected:
    InstructionTest() {
        for (int i = 0; i < NGREG; ++i) {
            registers_[i] = 0;
        }
        set(REG_RIP, 0x40'0000);
        set(REG_RSP, 0x9000);
        set(REG_RBP, 0x9100);
        set(REG_RDI, 0x1000);
        set(REG_RSI, 0x2000);
        set(REG_RCX, 3);
    }
    void SetUp() override {
        ASSERT_NE(dlopen(launch::decoder_library, RTLD_NOW), nullptr) << dlerror();
        ASSERT_TRUE(find_decoder());
    }
    void set(int name, std::uint64_t value) { registers_[name] = static_cast<greg_t>(value); }
    [[nodiscard]] InstructionAccesses find(const std::vector<std::uint8_t>& bytes) const {
        return accesses_of(bytes.data(), bytes.size(), {.general = registers_, .thread = thread});
    }
    /// All of them; the decoder must know them well.
    [[nodiscard]] std::vector<MemoryAccess> all(const std::vector<std::uint8_t>& bytes) const {
        const InstructionAccesses found = find(bytes);
        EXPECT_FALSE(found.is_partial);
        return {found.all.begin(), found.all.begin() + static_cast<std::ptrdiff_t>(found.count)};
    }

private:
    gregset_t registers_{};
};

using Accesses = std::vector<MemoryAccess>;
constexpr auto reads(std::uint64_t begin, std::uint64_t size) {
    return MemoryAccess{.begin = begin, .size = size, .reads = true};
}
constexpr auto writes(std::uint64_t begin, std::uint64_t size) {
    return MemoryAccess{.begin = begin, .size = size, .writes = true};
}

TEST_F(InstructionTest, FindsWhatIsReadAndWritten) {
    EXPECT_EQ(all({0x8b, 0x07}), Accesses{reads(0x1000, 4)});                     // mov eax, [rdi]
    EXPECT_EQ(all({0x48, 0x89, 0x44, 0xce, 0x10}), Accesses{writes(0x2028, 8)});  // mov [rsi+rcx*8+16], rax
    EXPECT_EQ(all({0x88, 0x47, 0xff}), Accesses{writes(0xfff, 1)});               // mov [rdi-1], al
    EXPECT_EQ(all({0xc5, 0xfe, 0x6f, 0x07}), Accesses{reads(0x1000, 32)});        // vmovdqu ymm0, [rdi]
    EXPECT_EQ(all({0x8b, 0x05, 8, 0, 0, 0}), Accesses{reads(0x40'000e, 4)});      // mov eax, [rip+8]
    EXPECT_EQ(all({0x67, 0x8b, 0x07}), Accesses{reads(0x1000, 4)});               // mov eax, [edi]
    EXPECT_EQ(all({0x48, 0x8d, 0x07}), Accesses{});                               // lea rax, [rdi]
    EXPECT_EQ(all({0x90}), Accesses{});                                           // nop
    EXPECT_EQ(all({0x83, 0x07, 0x01}),                                            // add dword [rdi], 1
              (Accesses{{.begin = 0x1000, .size = 4, .reads = true, .writes = true}}));
    EXPECT_EQ(all({0x64, 0x48, 0x8b, 0x04, 0x25, 0x28, 0, 0, 0}),  // mov rax, fs:[40]
              Accesses{reads(thread + 0x28, 8)});
}

TEST_F(InstructionTest, DoesNotSayThatWhatMayStayIsWritten) {
    EXPECT_EQ(all({0x0f, 0xb1, 0x0f}), Accesses{reads(0x1000, 4)});  // cmpxchg [rdi], ecx
}

TEST_F(InstructionTest, KnowsTheStack) {
    EXPECT_EQ(all({0x50}), Accesses{writes(0x8ff8, 8)});                                  // push rax
    EXPECT_EQ(all({0x58}), Accesses{reads(0x9000, 8)});                                   // pop rax
    EXPECT_EQ(all({0xe8, 1, 0, 0, 0}), Accesses{writes(0x8ff8, 8)});                      // call
    EXPECT_EQ(all({0xc3}), Accesses{reads(0x9000, 8)});                                   // ret
    EXPECT_EQ(all({0xc9}), Accesses{reads(0x9100, 8)});                                   // leave
    EXPECT_EQ(all({0xff, 0x37}), (Accesses{reads(0x1000, 8), writes(0x8ff8, 8)}));        // push qword [rdi]
    EXPECT_EQ(all({0x8f, 0x04, 0x24}), (Accesses{writes(0x9008, 8), reads(0x9000, 8)}));  // pop qword [rsp]
}

TEST_F(InstructionTest, CountsRepetitions) {
    EXPECT_EQ(all({0xf3, 0xa4}), (Accesses{writes(0x1000, 3), reads(0x2000, 3)}));  // rep movsb
    EXPECT_EQ(all({0xf3, 0x48, 0xab}), Accesses{writes(0x1000, 24)});               // rep stosq
    EXPECT_EQ(all({0xf2, 0xae}), Accesses{reads(0x1000, 1)});                       // repne scasb: maybe only one
    EXPECT_EQ(all({0xa4}), (Accesses{writes(0x1000, 1), reads(0x2000, 1)}));        // movsb
    set(REG_EFL, 0x400);
    EXPECT_EQ(all({0xf3, 0x48, 0xab}), Accesses{writes(0x1000 - 16, 24)});
    set(REG_RCX, 0);
    EXPECT_EQ(all({0xf3, 0xa4}), Accesses{});
}

TEST_F(InstructionTest, SaysWhatItDoesNotKnow) {
    EXPECT_TRUE(find({0x06}).is_partial);                                 // no instruction
    EXPECT_TRUE(find({0x48}).is_partial);                                 // half of one
    EXPECT_TRUE(find({0xc4, 0xe2, 0x6d, 0x90, 0x04, 0x87}).is_partial);   // vpgatherdd: without the vectors
    EXPECT_TRUE(find({0x62, 0xf1, 0xfe, 0x49, 0x7f, 0x07}).is_partial);   // vmovdqu64 [rdi] {k1}, zmm0: without k1
    EXPECT_TRUE(find({0xc4, 0xe2, 0x7d, 0x2c, 0x07}).is_partial);         // vmaskmovps ymm0, ymm0, [rdi]
    EXPECT_TRUE(find({0x65, 0x8b, 0x07}).is_partial);                     // mov eax, gs:[rdi]
    EXPECT_FALSE(find({0x62, 0xf1, 0xfe, 0x48, 0x7f, 0x07}).is_partial);  // vmovdqu64 [rdi], zmm0
}

TEST_F(InstructionTest, KnowsWhereTheProcessorCannotBeStopped) {
    EXPECT_TRUE(find({0x8b, 0x07}).steps);
    EXPECT_FALSE(find({0x9c}).steps);        // pushfq
    EXPECT_FALSE(find({0xf3, 0xa4}).steps);  // rep movsb: stops after each byte
    EXPECT_TRUE(find({0xa4}).steps);         // movsb
    EXPECT_FALSE(find({0x0f, 0x05}).steps);  // syscall
    EXPECT_FALSE(find({0x06}).steps);
}

}  // namespace
}  // namespace dampi::piggyback
