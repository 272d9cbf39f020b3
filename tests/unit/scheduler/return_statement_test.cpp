// Sources and the places of main's last instructions in them, as compilers' line tables have them.
#include "scheduler/judgement/return_statement.hpp"

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

namespace dampi::scheduler {
namespace {

using replay::CodePlace;

class ReturnStatement : public ::testing::Test {
protected:
    ReturnStatement()
        : file_(std::filesystem::temp_directory_path() / ("return_statement_" + std::to_string(getpid()) + ".c")) {}
    ~ReturnStatement() override { std::filesystem::remove(file_); }

    /// The line of the statement from which main has returned; 0: it cannot be told. Main's last instructions are where
    /// `marks` stand in the source, the last one first; each mark is one byte long and not part of the source.
    int line(const std::string& source, const std::string& marks, int status, bool is_unoptimised = true) {
        std::string text;
        WayOutOfMain way{.places = std::vector<CodePlace>(marks.size()), .is_unoptimised = is_unoptimised};
        CodePlace main = place(1, 1);
        int at_line = 1;
        int column = 1;
        for (const char c : source) {
            if (const std::size_t mark = marks.find(c); mark != std::string::npos) {
                way.places[mark] = place(at_line, column);
                continue;
            }
            text += c;
            if (text.ends_with("int main(")) {
                main.line = at_line;
            }
            column = c == '\n' ? 1 : column + 1;
            at_line += c == '\n' ? 1 : 0;
        }
        std::ofstream(file_) << text;
        SourceLines sources;
        const std::optional<CodePlace> found = return_statement(way, main, status, sources);
        return found ? found->line : 0;
    }

    [[nodiscard]] CodePlace place(int line, int column) const {
        return {.module = "/app", .function = "main", .file = file_.string(), .line = line, .column = column};
    }

    std::filesystem::path file_;
};

TEST_F(ReturnStatement, IsTheLastThingBeforeClosingBraces) {
    const std::string source =
        "int main(void) {\n"
        "    if (a) {\n"
        "        Guard g;\n"
        "        return $7;\n"
        "    @}\n"
        "    return 8;\n"
        "%}\n";
    EXPECT_EQ(line(source, "%@$", 7), 4);
    EXPECT_EQ(line(source, "%@$", 8), 0) << "it returns 7";
    EXPECT_EQ(line("int main() { return $a; @}\n", "@$", 7), 1);
    EXPECT_EQ(line("int main() {\n    @return 3;\n}\n", "@", 3), 2) << "as clang has it";
}

TEST_F(ReturnStatement, MayHaveSeveralLines) {
    EXPECT_EQ(line("int main() {\n  f();\n  return a +\n    /* ; */ $b;\n@}\n", "@$", 7), 3);
    EXPECT_EQ(line("int main() {\n  return f(')', \"};\",\n    $b);\n@}\n", "@$", 7), 2);
    EXPECT_EQ(line("int main() {\n  if (a) $return f(1);\n  else return 2;\n@}\n", "@$", 7), 2);
}

TEST_F(ReturnStatement, IsNoWordInACommentALiteralOrAnotherStatement) {
    EXPECT_EQ(line("int main() {\n  // return\n  $f();\n  return 1;\n@}\n", "@$", 1), 0);
    EXPECT_EQ(line("int main() {\n  puts(\"return \", $1);\n  return 1;\n@}\n", "@$", 1), 0);
    EXPECT_EQ(line("int main() {\n  if ($a) return 1;\n  return b;\n@}\n", "@$", 1), 0);
    EXPECT_EQ(line("int main() {\n  no_return($1);\n  return 1;\n@}\n", "@$", 1), 0);
}

TEST_F(ReturnStatement, MayBeInAMacroOfTheFile) {
    const std::string source =
        "#define CHECK(holds) \\\n    if (!(holds)) return 1\n"
        "#define LOG(text) puts(text)\n"
        "int main(void) {\n    $CHECK(a);\n    %LOG(b);\n    return 0;\n@}\n";
    EXPECT_EQ(line(source, "@$%", 1), 5);
    EXPECT_EQ(line(source, "@%$", 1), 0);
    EXPECT_EQ(line(source, "@$%", 1, false), 0);
}

TEST_F(ReturnStatement, OrMainHasComeToItsEnd) {
    EXPECT_EQ(line("int main(void) {\n    for (;;) {\n        $f();\n    }\n@}\nint g;\n", "@$", 0), 5);
    EXPECT_EQ(line("int main(void) {\n    $f();\n@}\n", "@$", 1), 0) << "no standard's main";
    EXPECT_EQ(line("int main(void) {\n    $f();\n    g();\n@}\n", "@$", 0), 0);
    EXPECT_EQ(line("int main(void) {\n    $f();\n@}\n", "@$", 0, false), 0);
}

TEST_F(ReturnStatement, OfOptimisedCodeOnlyWhereNoOtherCanBeMeant) {
    const auto two = [](const std::string& one, const std::string& other) {
        return "int f(void) { return 3; }\nint main(void) {\n    if (a) return " + one + ";\n    return $" + other +
               ";\n@}\nint g(void) { return 3; }\n";
    };
    EXPECT_EQ(line(two("2", "3"), "@$", 3, false), 4);
    EXPECT_EQ(line(two("2", "status"), "@$", 3, false), 4);
    EXPECT_EQ(line(two("0x3", "3"), "@$", 3, false), 0);
    EXPECT_EQ(line(two("0x3", "3"), "@$", 3), 4);
    EXPECT_EQ(line(two("EXIT_FAILURE", "(1)"), "@$", 1, false), 0);
    EXPECT_EQ(line(two("EXIT_FAILURE", "-1"), "@$", 255, false), 4);
    EXPECT_EQ(line(two("status", "3"), "@$", 3, false), 0);
}

TEST_F(ReturnStatement, IsNotToldWithoutTheSource) {
    const std::string source = "int main(void) {\n    return $3;\n@}\n";
    EXPECT_EQ(line(source, "@$", 3), 2);
    std::filesystem::remove(file_);
    SourceLines sources;
    EXPECT_FALSE(
        return_statement({.places = {place(3, 1), place(2, 12)}, .is_unoptimised = true}, place(1, 1), 3, sources));
    EXPECT_FALSE(return_statement({}, place(1, 1), 3, sources)) << "main was not followed";
}

TEST_F(ReturnStatement, IsNotAnotherFunctions) {
    std::ofstream(file_) << "int f(void) {\n    return 3;\n}\nint main(void) {\n    return f();\n}\n";
    CodePlace in_f = place(2, 12);
    in_f.function = "f";
    SourceLines sources;
    EXPECT_FALSE(return_statement({.places = {in_f, place(5, 12)}, .is_unoptimised = true}, place(4, 1), 3, sources));
}

}  // namespace
}  // namespace dampi::scheduler
