// Addresses of small compiled programs, taken from their symbol tables, must lead to the right lines.
#include "launch/program/source_lines.hpp"

#include "base/unique_fd.hpp"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gelf.h>
#include <gtest/gtest.h>
#include <libelf.h>
#include <fcntl.h>

namespace dampi::launch {
namespace {

std::string built(const std::string& name) { return std::string(DAMPI_TEST_PROGRAMS) + "/" + name; }

/// An address inside the body of the function with this symbol: its last instruction but a few bytes.
std::uint64_t address_in(const std::string& path, const std::string& symbol) {
    const base::UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    elf_version(EV_CURRENT);
    Elf* elf = elf_begin(fd.get(), ELF_C_READ, nullptr);
    std::uint64_t address = 0;
    Elf_Scn* section = nullptr;
    while ((section = elf_nextscn(elf, section)) != nullptr) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_SYMTAB) {
            continue;
        }
        Elf_Data* data = elf_getdata(section, nullptr);
        GElf_Sym entry;
        for (int i = 0; gelf_getsym(data, i, &entry) != nullptr; ++i) {
            const char* name = elf_strptr(elf, header.sh_link, entry.st_name);
            if (name != nullptr && symbol == name) {
                address = entry.st_value + entry.st_size - 3;
            }
        }
    }
    elf_end(elf);
    return address;
}

int line_of(const std::string& marker) {
    std::ifstream file(std::filesystem::path(DAMPI_TEST_PROGRAM_SOURCES) / "lines.cpp");
    std::string line;
    for (int number = 1; std::getline(file, line); ++number) {
        if (line.find("marker: " + marker) != std::string::npos) {
            return number;
        }
    }
    return 0;
}

class SourceLinesOf : public ::testing::TestWithParam<const char*> {};

TEST_P(SourceLinesOf, FindsFunctionsFilesAndLines) {
    const std::string path = built(GetParam());
    if (!std::filesystem::exists(path)) {
        GTEST_SKIP() << path << " is not built: clang++ is not installed";
    }
    SourceLines lines;
    for (int round = 0; round < 2; ++round) {
        replay::CodePlace plain{path, address_in(path, "plain_function"), "", "", 0};
        ASSERT_NE(plain.offset, 0u);
        lines.resolve(plain);
        EXPECT_EQ(plain.function, "plain_function");
        EXPECT_EQ(std::filesystem::path(plain.file).filename(), "lines.cpp");
        EXPECT_GE(plain.line, line_of("plain"));
        EXPECT_LE(plain.line, line_of("plain") + 1);
        EXPECT_GT(plain.column, 0);
        EXPECT_TRUE(std::filesystem::path(plain.file).is_absolute());
    }
    const std::uint64_t area = address_in(path, "_ZN6shapes6Square4areaEi");
    if (area == 0) {
        return;  // a library does not contain what it does not call
    }
    replay::CodePlace method{path, area, "", "", 0};
    lines.resolve(method);
    EXPECT_EQ(method.function, "shapes::Square::area(int)");
    EXPECT_GE(method.line, line_of("area"));
    EXPECT_LE(method.line, line_of("area") + 1);
}

INSTANTIATE_TEST_SUITE_P(Kinds, SourceLinesOf,
                         ::testing::Values("lines_pie", "lines_fixed", "liblines.so", "lines_unlisted", "lines_clang"));

class InlinedFunctionsOf : public ::testing::TestWithParam<const char*> {};

TEST_P(InlinedFunctionsOf, AreFound) {
    const std::string path = built(GetParam());
    if (!std::filesystem::exists(path)) {
        GTEST_SKIP() << path << " is not built: clang++ is not installed";
    }
    const std::uint64_t end = address_in(path, "outermost_function");
    ASSERT_NE(end, 0u);
    SourceLines lines;
    bool found = false;
    // The function is short: the store into the variable lies somewhere before its end.
    for (std::uint64_t offset = end - 40; offset <= end && !found; ++offset) {
        const std::vector<replay::CodePlace> places = lines.resolve_inlined({path, offset, "", "", 0});
        if (places.size() != 3 || places[2].line != line_of("outermost")) {
            continue;
        }
        found = true;
        EXPECT_NE(places[0].function.find("innermost"), std::string::npos);
        EXPECT_NE(places[1].function.find("middle"), std::string::npos);
        EXPECT_EQ(places[2].function, "outermost_function");
        EXPECT_GE(places[0].line, line_of("innermost") - 1);
        EXPECT_LE(places[0].line, line_of("innermost") + 1);
        EXPECT_EQ(places[1].line, line_of("middle"));
        for (const replay::CodePlace& place : places) {
            EXPECT_EQ(std::filesystem::path(place.file), std::filesystem::path(places[0].file));
            EXPECT_EQ(place.offset, offset);
        }
    }
    EXPECT_TRUE(found);
    // A function into which nothing was inlined there is alone.
    EXPECT_EQ(lines.resolve_inlined({path, address_in(path, "plain_function"), "", "", 0}).size(), 1u);
    EXPECT_EQ(lines.resolve_inlined({"/no/such/file", 4096, "", "", 0}).size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Kinds, InlinedFunctionsOf, ::testing::Values("lines_pie", "lines_unlisted", "lines_clang"));

TEST(SourceLines, KnowWhetherTheCompilerHasOptimised) {
    for (const char* const name :
         {"lines_pie", "lines_clang", "lines_optimised", "lines_clang_optimised", "lines_bare"}) {
        const std::string path = built(name);
        if (!std::filesystem::exists(path)) {
            continue;  // clang++ is not installed
        }
        SourceLines lines;
        const replay::CodePlace place{path, address_in(path, "main"), "", "", 0};
        EXPECT_EQ(lines.is_unoptimised(place), std::string(name) == "lines_pie" || std::string(name) == "lines_clang")
            << name;
    }
    SourceLines lines;
    EXPECT_FALSE(lines.is_unoptimised({"/no/such/file", 4096, "", "", 0}));
}

TEST(SourceLines, KnowsFunctionsWithoutDebugInformation) {
    const std::string path = built("lines_bare");
    SourceLines lines;
    replay::CodePlace place{path, address_in(path, "_ZN6shapes6Square4areaEi"), "", "", 0};
    lines.resolve(place);
    EXPECT_EQ(place.function, "shapes::Square::area(int)");
    EXPECT_EQ(place.file, "");
    EXPECT_EQ(place.line, 0);
    EXPECT_EQ(place.column, 0);
}

TEST(SourceLines, LeavesUnknownPlacesEmpty) {
    SourceLines lines;
    for (const replay::CodePlace& asked :
         {replay::CodePlace{"/no/such/file", 4096, "", "", 0}, replay::CodePlace{__FILE__, 10, "", "", 0},
          replay::CodePlace{"", 10, "", "", 0}, replay::CodePlace{built("lines_pie"), 1ULL << 60, "", "", 0}}) {
        replay::CodePlace place = asked;
        lines.resolve(place);
        EXPECT_EQ(place.function, "");
        EXPECT_EQ(place.file, "");
        EXPECT_EQ(place.line, 0);
    }
}

}  // namespace
}  // namespace dampi::launch
